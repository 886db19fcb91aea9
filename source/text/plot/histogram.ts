import {formatShortFigure, type Unit} from '../figures.ts';
import type {Bar} from './bars.ts';

/**
 * Counts the values per power of ten: `under 1 KB`, `1 to 10 KB`, `10 to 100 KB`. From the first power with a
 * value to the last, with 0 for empty ones between. Ignores negative and non-finite values.
 */
export function buildHistogram(values: Iterable<number>, unit: Unit): readonly Bar[] {
	const counts: number[] = [];
	for (const value of values) {
		if (!(value >= 0) || !Number.isFinite(value)) continue;
		let place = 0;
		while (value >= getUpperBound(place, unit)) place++;
		counts[place] = (counts[place] ?? 0) + 1;
	}
	const bars = Array.from(counts, (value = 0, place) => ({label: formatBucketLabel(place, unit), value}));
	return bars.slice(
		Math.max(
			0,
			bars.findIndex(({value}) => value > 0),
		),
	);
}

/** Returns the exclusive upper bound of a bucket: for bytes 1, 10 and 100 KB, 1 MB and so on. */
function getUpperBound(place: number, unit: Unit): number {
	if (unit !== 'bytes') return 10 ** place;
	return 10 ** (place % 3) * 1024 ** (Math.floor(place / 3) + 1);
}

function formatBucketLabel(place: number, unit: Unit): string {
	const to = formatShortFigure(getUpperBound(place, unit), unit);
	if (place === 0) return `under ${to}`;
	const from = formatShortFigure(getUpperBound(place - 1, unit), unit);
	const [name] = /[^\d.]*$/.exec(to) ?? [''];
	return `${from.endsWith(name) ? from.slice(0, from.length - name.length) : from} to ${to}`;
}
