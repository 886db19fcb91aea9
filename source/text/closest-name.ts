/** Maximum number of names in a message; the rest is counted. */
const maxShownNames = 12;

/** Returns the name that was probably meant: it differs only in case, or in about one letter of three. */
export function findClosestName(word: string, names: readonly string[]): string | undefined {
	let bestName: string | undefined;
	let bestDistance = Math.max(1, Math.floor(word.length / 3)) + 1;
	for (const name of names) {
		const distance = computeEditDistance(word.toLowerCase(), name.toLowerCase());
		if (distance < bestDistance) {
			bestName = name;
			bestDistance = distance;
		}
	}
	return bestName;
}

/** Formats `Did you mean "x"? ` as the start of advice; empty if no name is close. */
export function formatDidYouMean(word: string, names: readonly string[]): string {
	const name = findClosestName(word, names);
	return name === undefined ? '' : `Did you mean "${name}"? `;
}

/** Formats names for a sentence: `"a", "b" and 3 more`. */
export function formatNameList(names: readonly string[]): string {
	const quoted = names.slice(0, maxShownNames).map(name => `"${name}"`);
	const hiddenCount = names.length - quoted.length;
	return hiddenCount > 0 ? `${quoted.join(', ')} and ${hiddenCount} more` : quoted.join(', ');
}

/** Counts the letters to add, drop, replace or swap with a neighbor. */
function computeEditDistance(source: string, target: string): number {
	let secondLastRow: number[] = [];
	let previousRow = Array.from({length: target.length + 1}, (_, column) => column);
	for (let row = 1; row <= source.length; row++) {
		const currentRow = [row];
		for (let column = 1; column <= target.length; column++) {
			const isSame = source[row - 1] === target[column - 1];
			let distance = Math.min(
				getDistance(previousRow, column) + 1,
				getDistance(currentRow, column - 1) + 1,
				getDistance(previousRow, column - 1) + (isSame ? 0 : 1),
			);
			if (
				row > 1 &&
				column > 1 &&
				source[row - 1] === target[column - 2] &&
				source[row - 2] === target[column - 1]
			)
				distance = Math.min(distance, getDistance(secondLastRow, column - 2) + 1);
			currentRow.push(distance);
		}
		secondLastRow = previousRow;
		previousRow = currentRow;
	}
	return getDistance(previousRow, target.length);
}

const getDistance = (row: readonly number[], column: number): number =>
	row[column] ?? Number.POSITIVE_INFINITY;
