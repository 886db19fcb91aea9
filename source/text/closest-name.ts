/** Maximum number of names in a message; the rest is counted. */
const shown = 12;

/** Returns the name that was probably meant: one that differs in case, or in about one letter of three. */
export function closestName(word: string, names: readonly string[]): string | undefined {
	let best: string | undefined;
	let bestDistance = Math.max(1, Math.floor(word.length / 3)) + 1;
	for (const name of names) {
		const distance = editDistance(word.toLowerCase(), name.toLowerCase());
		if (distance < bestDistance) {
			best = name;
			bestDistance = distance;
		}
	}
	return best;
}

/** Formats `Did you mean "x"? ` as the start of advice; empty if no name is close. */
export function didYouMean(word: string, names: readonly string[]): string {
	const name = closestName(word, names);
	return name === undefined ? '' : `Did you mean "${name}"? `;
}

/** Formats names for a sentence: `"a", "b" and 3 more`. */
export function listed(names: readonly string[]): string {
	const quoted = names.slice(0, shown).map(name => `"${name}"`);
	const left = names.length - quoted.length;
	return left > 0 ? `${quoted.join(', ')} and ${left} more` : quoted.join(', ');
}

/** Counts the letters to add, drop, replace or swap with a neighbor. */
function editDistance(from: string, to: string): number {
	let beforeLast: number[] = [];
	let last = Array.from({length: to.length + 1}, (_, column) => column);
	for (let row = 1; row <= from.length; row++) {
		const current = [row];
		for (let column = 1; column <= to.length; column++) {
			const same = from[row - 1] === to[column - 1];
			let distance = Math.min(
				at(last, column) + 1,
				at(current, column - 1) + 1,
				at(last, column - 1) + (same ? 0 : 1),
			);
			if (row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1])
				distance = Math.min(distance, at(beforeLast, column - 2) + 1);
			current.push(distance);
		}
		beforeLast = last;
		last = current;
	}
	return at(last, to.length);
}

const at = (row: readonly number[], column: number): number => row[column] ?? Number.POSITIVE_INFINITY;
