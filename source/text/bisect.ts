/** Binary search: returns the first integer from `low` on for which `isBefore` is false, or `high`. */
export function bisect(low: number, high: number, isBefore: (number: number) => boolean): number {
	let from = low;
	let to = high;
	while (from < to) {
		const middle = Math.floor((from + to) / 2);
		if (isBefore(middle)) from = middle + 1;
		else to = middle;
	}
	return from;
}
