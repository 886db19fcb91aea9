type Reads<T extends readonly unknown[]> = {readonly [K in keyof T]: (signal: AbortSignal) => Promise<T[K]>};

/**
 * Reads concurrently, within the client's limit. The first failure aborts the others and is thrown after all
 * have ended.
 */
export async function readConcurrently<T extends readonly unknown[]>(
	signal: AbortSignal,
	reads: readonly [...Reads<T>],
): Promise<T> {
	const stop = new AbortController();
	const within = AbortSignal.any([signal, stop.signal]);
	let first: {readonly error: unknown} | undefined;
	const ended = await Promise.allSettled(
		reads.map(async read => {
			try {
				return await read(within);
			} catch (error) {
				first ??= {error};
				stop.abort();
				throw error;
			}
		}),
	);
	if (first) throw (first as {error: unknown}).error;
	return ended.map(one => (one.status === 'fulfilled' ? one.value : undefined)) as unknown as T;
}
