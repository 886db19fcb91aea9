/** Binary search: returns the first integer from `low` on for which `isBefore` is false, or `high`. */
export function bisect(low: number, high: number, isBefore: (number: number) => boolean): number {
	let start = low;
	let end = high;
	while (start < end) {
		const middle = Math.floor((start + end) / 2);
		if (isBefore(middle)) start = middle + 1;
		else end = middle;
	}
	return start;
}
