/** Returns the result of the work; undefined if it throws. */
export function attempt<Result>(work: () => Result): Result | undefined {
	try {
		return work();
	} catch {
		return undefined;
	}
}
