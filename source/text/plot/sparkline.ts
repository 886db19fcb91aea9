import {eighths} from './columns.ts';
import {getBucketPlace, toDrawnValue} from './plot.ts';

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
	const places: (number | undefined)[] = new Array(Math.max(0, Math.min(columns, values.length))).fill(
		undefined,
	);
	if (places.length === 0) return '';
	for (const [index, value] of values.entries()) {
		const drawn = toDrawnValue(value);
		const place = getBucketPlace(index, places.length, values.length);
		if (drawn !== undefined) places[place] = Math.max(places[place] ?? 0, drawn);
	}
	const highest = places.reduce<number>((most, value) => Math.max(most, value ?? 0), 0);
	const signs = isAscii ? asciiLevels : levels;
	return places
		.map(value => {
			if (value === undefined) return ' ';
			return signs[highest === 0 ? 0 : Math.round((value / highest) * (signs.length - 1))];
		})
		.join('');
}
