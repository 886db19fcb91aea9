import type {BulkProgress} from '../../kv/bulk/progress.ts';
import type {StatsProgress} from '../../kv/stats/read-stats.ts';
import type {TransferProgress} from '../../kv/transfer/job.ts';
import {createProgressEvents, createProgressLine, type Progress} from '../../terminal/progress.ts';
import {formatPlainQuantity, formatQuantity} from '../../text/figures.ts';
import type {CommandContext} from '../shell/context.ts';

/**
 * Shows the progress of long work: as a line on a terminal, as events with `--progress json`, else not at
 * all.
 */
type ProgressReport = {
	show(event: object, line: Progress): void;
	/** Removes the line, so that something else can be printed. */
	clear(): void;
};

function createReport({options: {progress = 'auto'}, output, host}: CommandContext): ProgressReport {
	if (progress === 'json') return {show: createProgressEvents(host.stderr), clear() {}};
	if (progress === 'none' || !output.stderrIsTerminal) return {show() {}, clear() {}};
	const line = createProgressLine(host.stderr, host.clock.now);
	return {show: (_event, progress) => line.show(progress), clear: line.clear};
}

export function createBulkReport(context: CommandContext) {
	const {show, clear} = createReport(context);
	return {
		showChecking: (bytes: number, size: number) =>
			show({event: 'checking', bytes, size}, {phase: 'checking', done: bytes, total: size, notes: ['bytes']}),
		showReading: (done: number, total: number) =>
			show({event: 'reading', done, total}, {phase: 'reading', done, total}),
		showWork({acknowledged, ...progress}: BulkProgress): void {
			const {phase, done, total, inFlight, retries, refused} = progress;
			const event =
				acknowledged === undefined
					? {event: 'progress', ...progress}
					: {event: 'acknowledged', entries: acknowledged, ...progress};
			const notes = [
				`${inFlight} in flight`,
				...(retries > 0 ? [formatPlainQuantity(retries, 'retry', 'retries')] : []),
				...(refused > 0 ? [`${refused} rejected`] : []),
			];
			show(event, {phase, done, total, notes});
		},
		clear,
	};
}

/** `phase`: one word for the current work. */
export function createTransferReport(context: CommandContext, phase: string) {
	const {show, clear} = createReport(context);
	return {
		show({work: _work, ...progress}: TransferProgress): void {
			const {settled, total, gone, expired, kept, refused} = progress;
			const notes = [
				...(kept > 0 ? [`${kept} kept`] : []),
				...(expired > 0 ? [`${expired} expired`] : []),
				...(gone > 0 ? [`${gone} gone`] : []),
				...(refused > 0 ? [`${refused} rejected`] : []),
			];
			// The total is unknown until everything is listed.
			const line = {phase, done: settled, ...(total !== undefined && {total}), notes};
			show({event: 'progress', phase, ...progress}, line);
		},
		clear,
	};
}

/** Reports the number of keys read, without a total. `noun` names the items found, for the second number. */
export function createWalkReport(context: CommandContext, phase: string, noun = 'key') {
	const {show, clear} = createReport(context);
	return {
		/** Shows how many keys were read, and how many items were found in them. */
		show: (done: number, foundCount?: number) =>
			show(
				{event: 'progress', phase, done, ...(foundCount !== undefined && {found: foundCount})},
				{phase, done, ...(foundCount !== undefined && {notes: [formatQuantity(foundCount, noun)]})},
			),
		/** Prints a finding after removing the progress line. */
		async print(text: string): Promise<void> {
			clear();
			await context.output.writeText(text);
		},
		clear,
		[Symbol.dispose]: clear,
	};
}

/** Reports the stats of a namespace: keys listed, then values measured. */
export function createStatsReport(context: CommandContext) {
	const {show, clear} = createReport(context);
	return {
		show(progress: StatsProgress): void {
			const {phase} = progress;
			const line =
				phase === 'listing'
					? {phase, done: progress.keys, notes: ['keys']}
					: {phase, done: progress.done, total: progress.total, notes: ['values']};
			show({event: 'progress', ...progress}, line);
		},
		clear,
	};
}
