/**
 * Splits a stream for several readers at their own pace. Buffers up to `most` pieces for the slowest reader;
 * faster ones wait. A reader that stops does not block the others; the last one closes the source.
 */
export function tee<Piece>(
	source: AsyncIterable<Piece>,
	readers: number,
	most: number,
): readonly AsyncIterable<Piece>[] {
	const pieces = source[Symbol.asyncIterator]();
	/** Pieces taken per reader; infinite for one that stopped. */
	const taken = Array.from({length: readers}, () => 0);
	const kept: Promise<IteratorResult<Piece>>[] = [];
	let first = 0;
	let moved = Promise.withResolvers<void>();

	function forget(): void {
		const slowest = Math.min(...taken);
		if (slowest === Number.POSITIVE_INFINITY) kept.length = 0;
		else kept.splice(0, slowest - first);
		first = Math.max(first, Math.min(slowest, Number.MAX_SAFE_INTEGER));
		moved.resolve();
		moved = Promise.withResolvers();
	}

	async function* createTeeReader(index: number): AsyncGenerator<Piece> {
		try {
			for (let at = 0; ; at++) {
				while (at - first >= most) await moved.promise;
				kept[at - first] ??= pieces.next();
				const {done, value} = await (kept[at - first] as Promise<IteratorResult<Piece>>);
				if (done) return;
				taken[index] = at + 1;
				forget();
				yield value;
			}
		} finally {
			taken[index] = Number.POSITIVE_INFINITY;
			forget();
			if (taken.every(count => count === Number.POSITIVE_INFINITY)) await pieces.return?.();
		}
	}

	return taken.map((_, index) => createTeeReader(index));
}
