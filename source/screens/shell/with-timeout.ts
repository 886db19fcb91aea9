/** Resolves when `work` settles or after `milliseconds`, whichever comes first. */
export async function withTimeout(milliseconds: number, work: Promise<unknown>): Promise<void> {
	const deadline = Promise.withResolvers<void>();
	const timer = setTimeout(deadline.resolve, milliseconds);
	try {
		await Promise.race([work, deadline.promise]);
	} finally {
		clearTimeout(timer);
	}
}
