import type {OutputStream} from '../../host.ts';
import type {BulkProgress} from '../../kv/bulk/progress.ts';
import {type ProgressReport, progressEvents, progressLine, silentProgress} from '../../terminal/progress.ts';
import {quantity} from '../../text/figures.ts';
import type {CommandContext} from './context.ts';

/** Shows how far long work has come: a line on a terminal, events with `--progress json`, else nothing. */
export type BulkReport = {
	checking(bytes: number, size: number): void;
	reading(done: number, total: number): void;
	working(progress: BulkProgress): void;
	clear(): void;
};

export function bulkReport({options, output, host}: CommandContext): BulkReport {
	const {progress = 'auto'} = options;
	if (progress === 'json') return eventReport(host.stderr);
	const line: ProgressReport =
		progress === 'auto' && output.stderrIsTerminal
			? progressLine(host.stderr, host.clock.now)
			: silentProgress;
	return {
		checking: (bytes, size) => line.show({phase: 'checking', done: bytes, total: size, notes: ['bytes']}),
		reading: (done, total) => line.show({phase: 'reading', done, total}),
		working: ({phase, done, total, inFlight, retries, refused}) =>
			line.show({
				phase,
				done,
				total,
				notes: [
					`${inFlight} in flight`,
					...(retries > 0 ? [quantity(retries, 'retry', 'retries')] : []),
					...(refused > 0 ? [`${refused} refused`] : []),
				],
			}),
		clear: () => line.clear(),
	};
}

function eventReport(stderr: OutputStream): BulkReport {
	const tell = progressEvents(stderr);
	return {
		checking: (bytes, size) => tell({event: 'checking', bytes, size}),
		reading: (done, total) => tell({event: 'reading', done, total}),
		working: ({acknowledged, ...progress}) =>
			tell(
				acknowledged === undefined
					? {event: 'progress', ...progress}
					: {event: 'acknowledged', entries: acknowledged, ...progress},
			),
		clear() {},
	};
}
