type ReadTasks<T extends readonly unknown[]> = {
	readonly [K in keyof T]: (signal: AbortSignal) => Promise<T[K]>;
};

/**
 * Reads concurrently, within the client's limit. The first failure aborts the other reads, and is thrown when
 * all have ended.
 */
export async function readConcurrently<T extends readonly unknown[]>(
	signal: AbortSignal,
	reads: readonly [...ReadTasks<T>],
): Promise<T> {
	const abortController = new AbortController();
	const combinedSignal = AbortSignal.any([signal, abortController.signal]);
	let firstFailure: {readonly error: unknown} | undefined;
	const results = await Promise.allSettled(
		reads.map(async read => {
			try {
				return await read(combinedSignal);
			} catch (error) {
				firstFailure ??= {error};
				abortController.abort();
				throw error;
			}
		}),
	);
	if (firstFailure) throw (firstFailure as {error: unknown}).error;
	return results.map(one => (one.status === 'fulfilled' ? one.value : undefined)) as unknown as T;
}
