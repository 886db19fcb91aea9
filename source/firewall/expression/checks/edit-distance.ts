/** Maximum length of compared words; the result is undefined for longer ones. */
const maxLength = 80;

const rows = [0, 1, 2].map(() => new Uint8Array(maxLength + 2)) as [Uint8Array, Uint8Array, Uint8Array];

/**
 * Computes how many letters are added, dropped, replaced or swapped with a neighbour between two words;
 * undefined if more than `most`. Computes only the cells within that distance, since suggestions are made on
 * every key press.
 */
export function computeEditDistance(from: string, to: string, most: number): number | undefined {
	if (Math.abs(from.length - to.length) > most || from.length > maxLength || to.length > maxLength)
		return undefined;
	let [beforeLast, last, current] = rows;
	for (let column = 0; column <= to.length; column++) last[column] = column;
	for (let row = 1; row <= from.length; row++) {
		const unit = from.charCodeAt(row - 1);
		const first = Math.max(1, row - most);
		const end = Math.min(to.length, row + most);
		current[first - 1] = first === 1 ? row : most + 1;
		let least = row;
		for (let column = first; column <= end; column++) {
			const other = to.charCodeAt(column - 1);
			let distance = getCell(last, column - 1) + (unit === other ? 0 : 1);
			distance = Math.min(distance, getCell(last, column) + 1, getCell(current, column - 1) + 1);
			if (row > 1 && column > 1 && unit === to.charCodeAt(column - 2) && from.charCodeAt(row - 2) === other)
				distance = Math.min(distance, getCell(beforeLast, column - 2) + 1);
			current[column] = distance;
			if (distance < least) least = distance;
		}
		if (end < to.length) current[end + 1] = most + 1;
		if (least > most + 1) return undefined;
		[beforeLast, last, current] = [last, current, beforeLast];
	}
	const distance = getCell(last, to.length);
	return distance <= most ? distance : undefined;
}

const getCell = (row: Uint8Array, column: number): number => row[column] ?? 0;
