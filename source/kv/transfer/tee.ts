/**
 * Splits a stream for several readers at their own pace. Buffers up to `maxBuffered` pieces for the slowest
 * reader; faster readers wait. A reader that stops does not block the others; the last one closes the source.
 */
export function tee<Piece>(
	source: AsyncIterable<Piece>,
	readerCount: number,
	maxBuffered: number,
): readonly AsyncIterable<Piece>[] {
	const pieces = source[Symbol.asyncIterator]();
	/** Pieces taken per reader; infinite for one that stopped. */
	const takenCounts = Array.from({length: readerCount}, () => 0);
	const buffered: Promise<IteratorResult<Piece>>[] = [];
	let firstBuffered = 0;
	let nextMove = Promise.withResolvers<void>();

	function dropConsumed(): void {
		const slowest = Math.min(...takenCounts);
		if (slowest === Number.POSITIVE_INFINITY) buffered.length = 0;
		else buffered.splice(0, slowest - firstBuffered);
		firstBuffered = Math.max(firstBuffered, Math.min(slowest, Number.MAX_SAFE_INTEGER));
		nextMove.resolve();
		nextMove = Promise.withResolvers();
	}

	async function* createTeeReader(index: number): AsyncGenerator<Piece> {
		try {
			for (let position = 0; ; position++) {
				while (position - firstBuffered >= maxBuffered) await nextMove.promise;
				buffered[position - firstBuffered] ??= pieces.next();
				const {done, value} = await (buffered[position - firstBuffered] as Promise<IteratorResult<Piece>>);
				if (done) return;
				takenCounts[index] = position + 1;
				dropConsumed();
				yield value;
			}
		} finally {
			takenCounts[index] = Number.POSITIVE_INFINITY;
			dropConsumed();
			if (takenCounts.every(count => count === Number.POSITIVE_INFINITY)) await pieces.return?.();
		}
	}

	return takenCounts.map((_, index) => createTeeReader(index));
}
