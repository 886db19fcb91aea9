/** Resolves when `ended` settles or after `milliseconds`, whichever comes first. */
export async function atMost(milliseconds: number, ended: Promise<unknown>): Promise<void> {
	const late = Promise.withResolvers<void>();
	const timer = setTimeout(late.resolve, milliseconds);
	try {
		await Promise.race([ended, late.promise]);
	} finally {
		clearTimeout(timer);
	}
}
