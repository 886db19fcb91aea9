/** Runs `make` once, and again only after a failure. */
export function memoize<T>(make: () => Promise<T>): () => Promise<T> {
	let result: Promise<T> | undefined;
	return () => {
		result ??= make().catch((error: unknown) => {
			result = undefined;
			throw error;
		});
		return result;
	};
}
