/** Does one thing after the other: two readings side by side would each take the machine on from where it was. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

export function createTurns(): InTurn {
	let last: Promise<unknown> = Promise.resolve();
	return work => {
		const mine = last.then(work);
		// Whether it failed is its caller's concern; the next one only waits for it.
		last = mine.catch(() => {});
		return mine;
	};
}
