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
const gap = 2;

/**
 * Builds the ticks of a time axis of `columns` columns, from `starts` for `span` milliseconds: as many as
 * fit, at round UTC times, at least `least` milliseconds apart. If no round time fits, the start is the only
 * tick; without room for it, the result is empty.
 */
export function buildTimeTicks(
	starts: number,
	span: number,
	least: number,
	columns: number,
): readonly TimeTick[] {
	const step = steps.find(
		one => one >= least && (one / span) * columns >= formatTickLabel(starts, one, span).length + gap,
	);
	const ticks = step === undefined ? [] : buildTicks(step, starts, span, columns);
	if (ticks.length > 0) return ticks;
	const label = formatTickLabel(starts, minute, span);
	return label.length <= columns ? [{column: 0, label}] : [];
}

function buildTicks(step: number, starts: number, span: number, columns: number): TimeTick[] {
	const ticks: TimeTick[] = [];
	let free = 0;
	for (let time = Math.ceil(starts / step) * step; time < starts + span; time += step) {
		const column = Math.floor(((time - starts) * columns) / span);
		const label = formatTickLabel(time, step, span);
		if (column < free || column + label.length > columns) continue;
		ticks.push({column, label});
		free = column + label.length + gap;
	}
	return ticks;
}

/**
 * Formats what distinguishes a time from its neighbors: time of day, or the date at midnight and for steps of
 * days.
 */
function formatTickLabel(time: number, step: number, span: number): string {
	const text = new Date(time).toISOString();
	if (step >= day || (time % day === 0 && span > day / 2))
		return span > 300 * day ? text.slice(0, 10) : formatDay(text);
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
