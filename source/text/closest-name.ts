/** Maximum number of names in a message; the rest is counted. */
const maxShownNames = 12;

/** Returns the name that was probably meant: it differs only in case, or in about one letter of three. */
export function findClosestName(word: string, names: readonly string[]): string | undefined {
	let bestName: string | undefined;
	let maxDistance = Math.max(1, Math.floor(word.length / 3));
	for (const name of names) {
		const distance = computeEditDistance(word.toLowerCase(), name.toLowerCase(), maxDistance);
		if (distance === undefined) continue;
		bestName = name;
		maxDistance = distance - 1;
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

/** Maximum length of compared words; the result is undefined for longer ones. */
const maxComparedLength = 80;

/** Buffers for three rows of the table of distances, reused by every call. */
const rows = [0, 1, 2].map(() => new Uint8Array(maxComparedLength + 2)) as [
	Uint8Array,
	Uint8Array,
	Uint8Array,
];

/**
 * Computes how many letters are added, dropped, replaced or swapped with a neighbour between two words;
 * undefined if that is more than `maxDistance`. Computes only the cells within that distance, since
 * suggestions are made on every key press.
 */
export function computeEditDistance(source: string, target: string, maxDistance: number): number | undefined {
	if (
		Math.abs(source.length - target.length) > maxDistance ||
		source.length > maxComparedLength ||
		target.length > maxComparedLength
	)
		return undefined;
	let [rowBeforeLast, lastRow, currentRow] = rows;
	for (let column = 0; column <= target.length; column++) lastRow[column] = column;
	for (let row = 1; row <= source.length; row++) {
		const sourceUnit = source.charCodeAt(row - 1);
		const firstColumn = Math.max(1, row - maxDistance);
		const lastColumn = Math.min(target.length, row + maxDistance);
		currentRow[firstColumn - 1] = firstColumn === 1 ? row : maxDistance + 1;
		let rowMinimum = row;
		for (let column = firstColumn; column <= lastColumn; column++) {
			const targetUnit = target.charCodeAt(column - 1);
			let distance = getCell(lastRow, column - 1) + (sourceUnit === targetUnit ? 0 : 1);
			distance = Math.min(distance, getCell(lastRow, column) + 1, getCell(currentRow, column - 1) + 1);
			if (
				row > 1 &&
				column > 1 &&
				sourceUnit === target.charCodeAt(column - 2) &&
				source.charCodeAt(row - 2) === targetUnit
			)
				distance = Math.min(distance, getCell(rowBeforeLast, column - 2) + 1);
			currentRow[column] = distance;
			if (distance < rowMinimum) rowMinimum = distance;
		}
		if (lastColumn < target.length) currentRow[lastColumn + 1] = maxDistance + 1;
		if (rowMinimum > maxDistance + 1) return undefined;
		[rowBeforeLast, lastRow, currentRow] = [lastRow, currentRow, rowBeforeLast];
	}
	const distance = getCell(lastRow, target.length);
	return distance <= maxDistance ? distance : undefined;
}

const getCell = (row: Uint8Array, column: number): number => row[column] ?? 0;
