import type {TransferProgress} from '../../kv/transfer/job.ts';
import {progressEvents, progressLine} from '../../terminal/progress.ts';
import type {CommandContext} from '../shell/context.ts';

/** Shows how far a transfer has come: a line on a terminal, events with `--progress json`, else nothing (decision 11). */
export type TransferReport = {
	show(progress: TransferProgress): void;
	clear(): void;
};

/** `phase`: what is being done, in a word. */
export function transferReport({options, output, host}: CommandContext, phase: string): TransferReport {
	const {progress: form = 'auto'} = options;
	if (form === 'json') {
		const tell = progressEvents(host.stderr);
		return {show: progress => tell({event: 'progress', phase, ...progress}), clear() {}};
	}
	if (form === 'none' || !output.stderrIsTerminal) return {show() {}, clear() {}};
	const line = progressLine(host.stderr, host.clock.now);
	return {
		show(progress) {
			const {settled, total} = progress;
			// Until everything is listed nobody knows how much there is (decision 42).
			line.show({phase, done: settled, ...(total !== undefined && {total}), notes: notesOf(progress)});
		},
		clear: () => line.clear(),
	};
}

const notesOf = ({gone, expired, kept, refused}: TransferProgress): string[] => [
	...(kept > 0 ? [`${kept} there already`] : []),
	...(expired > 0 ? [`${expired} expired`] : []),
	...(gone > 0 ? [`${gone} gone meanwhile`] : []),
	...(refused > 0 ? [`${refused} refused`] : []),
];
