import {eighths} from './columns.ts';
import {getBucketColumn, toDrawnValue} from './plot.ts';

const levels = eighths.slice(1);
const asciiLevels = '_.:-=+*#';

/**
 * Draws values in one row of at most `columns` columns; values that share a column show their highest. Zero
 * is the lowest level, the highest value the top one; a missing value is a space.
 */
export function drawSparkline(
	values: readonly (number | undefined)[],
	columns: number,
	isAscii: boolean,
): string {
	const columnValues: (number | undefined)[] = new Array(Math.max(0, Math.min(columns, values.length))).fill(
		undefined,
	);
	if (columnValues.length === 0) return '';
	for (const [index, value] of values.entries()) {
		const drawnValue = toDrawnValue(value);
		const column = getBucketColumn(index, columnValues.length, values.length);
		if (drawnValue !== undefined) columnValues[column] = Math.max(columnValues[column] ?? 0, drawnValue);
	}
	const highest = columnValues.reduce<number>((highestSoFar, value) => Math.max(highestSoFar, value ?? 0), 0);
	const characters = isAscii ? asciiLevels : levels;
	return columnValues
		.map(value => {
			if (value === undefined) return ' ';
			return characters[highest === 0 ? 0 : Math.round((value / highest) * (characters.length - 1))];
		})
		.join('');
}
