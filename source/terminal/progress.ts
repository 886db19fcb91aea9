import type {OutputStream} from '../host.ts';
import {escapeJson, escapeText} from '../text/safe-text.ts';

/** Progress of long work. */
export type Progress = {
	/** Current phase in a word or two: "sending", "checking". */
	readonly phase: string;
	readonly done: number;
	/** Undefined while it is being counted. */
	readonly total?: number;
	/** Other figures: "4 in flight", "1 retry". */
	readonly notes?: readonly string[];
};

type ProgressReport = {
	/** Shows the latest figures, at most ten times a second. */
	show(progress: Progress): void;
	/** Clears the line, so that sentences can be printed. */
	clear(): void;
};

/** Creates a progress line that is redrawn in place; only for terminals. `now`: monotonic milliseconds. */
export function createProgressLine(
	stream: OutputStream,
	now: () => number = () => performance.now(),
): ProgressReport {
	let phaseStart: {phase: string; at: number; done: number} | undefined;
	let drawnAt = Number.NEGATIVE_INFINITY;
	let isShown = false;
	return {
		show(progress) {
			const at = now();
			if (phaseStart?.phase !== progress.phase) phaseStart = {phase: progress.phase, at, done: progress.done};
			else if (at - drawnAt < 100 && progress.done !== progress.total) return;
			drawnAt = at;
			isShown = true;
			const elapsed = (at - phaseStart.at) / 1000;
			const rate = elapsed > 0.5 ? (progress.done - phaseStart.done) / elapsed : 0;
			stream.write(`\r\u001b[K${formatProgressLine(progress, rate, stream.columns || 80)}`);
		},
		clear() {
			if (isShown) stream.write('\r\u001b[K');
			isShown = false;
		},
	};
}

/** Prints events as one JSON object per line (`--progress json`). */
export const createProgressEvents =
	(stream: OutputStream): ((event: object) => void) =>
	event => {
		stream.write(`${escapeJson(JSON.stringify(event))}\n`);
	};

/** Formats the line without control codes: phase, bar, figures, rate and time left, within `columns`. */
function formatProgressLine(progress: Progress, rate: number, columns: number): string {
	const {phase, done, total, notes = []} = progress;
	const share = total ? Math.min(1, done / total) : undefined;
	const figures = [
		total === undefined ? `${done}` : `${done} of ${total}`,
		...(share === undefined ? [] : [`${Math.floor(share * 100)}%`]),
		...(rate > 0 ? [`${Math.round(rate)} per second`] : []),
		...(rate > 0 && total !== undefined && done < total
			? [`${formatDuration((total - done) / rate)} left`]
			: []),
		...notes,
	].join(' · ');
	const width = Math.min(30, columns - phase.length - figures.length - 5);
	const bar = share === undefined || width < 8 ? '' : `${formatMeter(share, width)} `;
	return escapeText(`${phase}  ${bar}${figures}`).slice(0, Math.max(0, columns - 1));
}

const formatMeter = (share: number, width: number): string => {
	const full = Math.round(share * width);
	return '█'.repeat(full) + '░'.repeat(width - full);
};

/** Formats seconds: `38 s`, `4 min`, `7 h 33 min`, `12 h`. */
export function formatDuration(seconds: number): string {
	if (seconds < 90) return `${Math.ceil(seconds)} s`;
	if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
	const minutes = Math.round(seconds / 60);
	if (minutes >= 600) return `${Math.round(minutes / 60)} h`;
	return `${Math.floor(minutes / 60)} h${minutes % 60 === 0 ? '' : ` ${minutes % 60} min`}`;
}

type Wait = {readonly head: string; readonly text: string; readonly end: number};

type Countdowns = {readonly waits: Set<Wait>; timer: NodeJS.Timeout | undefined};

/** Concurrent waits share one line of their terminal. */
const countdowns = new WeakMap<OutputStream, Countdowns>();

/**
 * Shows a countdown on one line until it ends or `signal` is aborted; of several waits the longest. `text`
 * must be safe; it is cut at the end of the line. `head` precedes the seconds.
 */
export function showCountdown(
	stream: OutputStream,
	text: string,
	milliseconds: number,
	signal?: AbortSignal,
	head = 'waiting',
): void {
	if (signal?.aborted) return;
	const countdown = countdowns.get(stream) ?? {waits: new Set(), timer: undefined};
	countdowns.set(stream, countdown);
	const wait: Wait = {head, text, end: performance.now() + milliseconds};
	const draw = () =>
		stream.write(
			`\r\u001b[K${formatCountdown([...countdown.waits], performance.now(), stream.columns || 80)}`,
		);
	const finish = () => {
		clearTimeout(endTimer);
		signal?.removeEventListener('abort', finish);
		countdown.waits.delete(wait);
		if (countdown.waits.size === 0) {
			clearInterval(countdown.timer);
			countdown.timer = undefined;
		}
		draw();
	};
	const endTimer = setTimeout(finish, milliseconds).unref();
	signal?.addEventListener('abort', finish, {once: true});
	countdown.waits.add(wait);
	countdown.timer ??= setInterval(draw, 1000).unref();
	draw();
}

/** Formats the line without control codes: the seconds first, within `columns`. */
function formatCountdown(waits: readonly Wait[], now: number, columns: number): string {
	const [longest] = waits.toSorted((one, other) => other.end - one.end);
	if (!longest) return '';
	const others = waits.length > 1 ? ` (${waits.length} calls)` : '';
	const line = `${longest.head} ${formatDuration(Math.max(0, longest.end - now) / 1000)}${others} · ${longest.text}`;
	const room = Math.max(0, columns - 1);
	return line.length > room ? `${line.slice(0, Math.max(0, room - 1))}…` : line;
}
