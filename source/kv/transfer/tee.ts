/**
 * The same pieces for several readers, each at its own clock; what the slowest has not taken yet is kept, at most so
 * many pieces: whoever is further ahead waits. A reader that stops lets the others go on; the last one ends the source.
 */
export function tee<Piece>(
	source: AsyncIterable<Piece>,
	readers: number,
	most: number,
): readonly AsyncIterable<Piece>[] {
	const pieces = source[Symbol.asyncIterator]();
	/** Of each reader, how many it has taken; of a stopped one: all. */
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

	async function* reader(me: number): AsyncGenerator<Piece> {
		try {
			for (let at = 0; ; at++) {
				while (at - first >= most) await moved.promise;
				kept[at - first] ??= pieces.next();
				const {done, value} = await (kept[at - first] as Promise<IteratorResult<Piece>>);
				if (done) return;
				taken[me] = at + 1;
				forget();
				yield value;
			}
		} finally {
			taken[me] = Number.POSITIVE_INFINITY;
			forget();
			if (taken.every(count => count === Number.POSITIVE_INFINITY)) await pieces.return?.();
		}
	}

	return taken.map((_, me) => reader(me));
}
