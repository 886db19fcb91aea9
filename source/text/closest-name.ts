/** Maximum number of names in a message; the rest is counted. */
const maxShownNames = 12;

/** Returns the name that was probably meant: one that differs in case, or in about one letter of three. */
export function findClosestName(word: string, names: readonly string[]): string | undefined {
	let best: string | undefined;
	let bestDistance = Math.max(1, Math.floor(word.length / 3)) + 1;
	for (const name of names) {
		const distance = computeEditDistance(word.toLowerCase(), name.toLowerCase());
		if (distance < bestDistance) {
			best = name;
			bestDistance = distance;
		}
	}
	return best;
}

/** Formats `Did you mean "x"? ` as the start of advice; empty if no name is close. */
export function formatDidYouMean(word: string, names: readonly string[]): string {
	const name = findClosestName(word, names);
	return name === undefined ? '' : `Did you mean "${name}"? `;
}

/** Formats names for a sentence: `"a", "b" and 3 more`. */
export function formatNameList(names: readonly string[]): string {
	const quoted = names.slice(0, maxShownNames).map(name => `"${name}"`);
	const left = names.length - quoted.length;
	return left > 0 ? `${quoted.join(', ')} and ${left} more` : quoted.join(', ');
}

/** Counts the letters to add, drop, replace or swap with a neighbor. */
function computeEditDistance(from: string, to: string): number {
	let beforeLast: number[] = [];
	let last = Array.from({length: to.length + 1}, (_, column) => column);
	for (let row = 1; row <= from.length; row++) {
		const current = [row];
		for (let column = 1; column <= to.length; column++) {
			const same = from[row - 1] === to[column - 1];
			let distance = Math.min(
				getDistance(last, column) + 1,
				getDistance(current, column - 1) + 1,
				getDistance(last, column - 1) + (same ? 0 : 1),
			);
			if (row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1])
				distance = Math.min(distance, getDistance(beforeLast, column - 2) + 1);
			current.push(distance);
		}
		beforeLast = last;
		last = current;
	}
	return getDistance(last, to.length);
}

const getDistance = (row: readonly number[], column: number): number =>
	row[column] ?? Number.POSITIVE_INFINITY;
