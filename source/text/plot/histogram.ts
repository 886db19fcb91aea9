import {formatShortFigure, type Unit} from '../figures.ts';
import type {Bar} from './bars.ts';

/**
 * Counts values per power of ten: `under 1 KB`, `1 to 10 KB`, `10 to 100 KB`. Starts at the first bucket with
 * a value and ends at the last; buckets between them may be 0. Ignores negative and non-finite values.
 */
export function buildHistogram(values: Iterable<number>, unit: Unit): readonly Bar[] {
	const counts: number[] = [];
	for (const value of values) {
		if (!(value >= 0) || !Number.isFinite(value)) continue;
		let bucket = 0;
		while (value >= getUpperBound(bucket, unit)) bucket++;
		counts[bucket] = (counts[bucket] ?? 0) + 1;
	}
	const bars = Array.from(counts, (value = 0, bucket) => ({label: formatBucketLabel(bucket, unit), value}));
	return bars.slice(
		Math.max(
			0,
			bars.findIndex(({value}) => value > 0),
		),
	);
}

/** Returns the exclusive upper bound of a bucket: for bytes 1, 10 and 100 KB, 1 MB and so on. */
function getUpperBound(bucket: number, unit: Unit): number {
	if (unit !== 'bytes') return 10 ** bucket;
	return 10 ** (bucket % 3) * 1024 ** (Math.floor(bucket / 3) + 1);
}

function formatBucketLabel(bucket: number, unit: Unit): string {
	const upperText = formatShortFigure(getUpperBound(bucket, unit), unit);
	if (bucket === 0) return `under ${upperText}`;
	const lowerText = formatShortFigure(getUpperBound(bucket - 1, unit), unit);
	const [name] = /[^\d.]*$/.exec(upperText) ?? [''];
	return `${lowerText.endsWith(name) ? lowerText.slice(0, lowerText.length - name.length) : lowerText} to ${upperText}`;
}
