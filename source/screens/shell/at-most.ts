/** Resolves when `ended` settles or after `milliseconds`, whichever comes first. */
export async function withTimeout(milliseconds: number, ended: Promise<unknown>): Promise<void> {
	const deadline = Promise.withResolvers<void>();
	const timer = setTimeout(deadline.resolve, milliseconds);
	try {
		await Promise.race([ended, deadline.promise]);
	} finally {
		clearTimeout(timer);
	}
}
