const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const steps: readonly number[] = [
	...[1, 2, 5, 10, 15, 30].map(count => count * second),
	...[1, 2, 5, 10, 15, 30].map(count => count * minute),
	...[1, 2, 3, 4, 6, 12].map(count => count * hour),
	...[1, 2, 5, 7, 14, 28, 91, 182, 365, 730, 1826, 3652].map(count => count * day),
];

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** A label of the time axis, with the column of its tick and its start. */
type TimeTick = {readonly column: number; readonly label: string};

/** Minimum columns between two labels. */
const minGap = 2;

/**
 * Builds the ticks of a time axis of `columns` columns that covers `spanMs` milliseconds from `startMs`: as
 * many as fit, at round UTC times, at least `minStep` milliseconds apart. If no round time fits, the start is
 * the only tick; without room for it, the result is empty.
 */
export function buildTimeTicks(
	startMs: number,
	spanMs: number,
	minStep: number,
	columns: number,
): readonly TimeTick[] {
	const step = steps.find(
		candidate =>
			candidate >= minStep &&
			(candidate / spanMs) * columns >= formatTickLabel(startMs, candidate, spanMs).length + minGap,
	);
	const ticks = step === undefined ? [] : buildTicks(step, startMs, spanMs, columns);
	if (ticks.length > 0) return ticks;
	const label = formatTickLabel(startMs, minute, spanMs);
	return label.length <= columns ? [{column: 0, label}] : [];
}

function buildTicks(step: number, startMs: number, spanMs: number, columns: number): TimeTick[] {
	const ticks: TimeTick[] = [];
	let nextFreeColumn = 0;
	for (let time = Math.ceil(startMs / step) * step; time < startMs + spanMs; time += step) {
		const column = Math.floor(((time - startMs) * columns) / spanMs);
		const label = formatTickLabel(time, step, spanMs);
		if (column < nextFreeColumn || column + label.length > columns) continue;
		ticks.push({column, label});
		nextFreeColumn = column + label.length + minGap;
	}
	return ticks;
}

/**
 * Formats what distinguishes a time from its neighbors: time of day, or the date at midnight and for steps of
 * days.
 */
function formatTickLabel(time: number, step: number, spanMs: number): string {
	const text = new Date(time).toISOString();
	if (step >= day || (time % day === 0 && spanMs > day / 2))
		return spanMs > 300 * day ? text.slice(0, 10) : formatDay(text);
	return step < minute ? text.slice(11, 19) : text.slice(11, 16);
}

/** Formats a day as `23 Nov`. */
const formatDay = (iso: string): string =>
	`${Number(iso.slice(8, 10))} ${months[Number(iso.slice(5, 7)) - 1]}`;

/**
 * Formats the start of a bucket in UTC, to the day, minute or second depending on its length `step`
 * (milliseconds).
 */
export function formatBucketTime(time: number, step: number): string {
	const text = new Date(time).toISOString();
	if (step % day === 0) return text.slice(0, 10);
	return `${text.slice(0, 10)} ${step % minute === 0 ? text.slice(11, 16) : text.slice(11, 19)}`;
}
