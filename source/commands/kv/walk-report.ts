import {progressEvents, progressLine} from '../../terminal/progress.ts';
import {counted} from '../../text/figures.ts';
import type {CommandContext} from '../shell/context.ts';

/**
 * Shows how many keys a walk has looked at whose end nobody knows: a line on a terminal, events with
 * `--progress json`, else nothing (decision 11).
 */
export type WalkReport = Disposable & {
	/** So many keys are behind it, and so many of what is looked for were found. */
	show(keys: number, found?: number): void;
	/** Prints what was found, which must not stand in the line. */
	print(text: string): Promise<void>;
};

/** `phase`: what is being done, in a word; `noun`: what it finds. */
export function walkReport({options, output, host}: CommandContext, phase: string, noun = 'key'): WalkReport {
	const form = options.progress ?? 'auto';
	const tell = form === 'json' ? progressEvents(host.stderr) : undefined;
	const line =
		form === 'auto' && output.stderrIsTerminal ? progressLine(host.stderr, host.clock.now) : undefined;
	return {
		show(keys, found) {
			tell?.({event: 'progress', phase, done: keys, ...(found !== undefined && {found})});
			line?.show({phase, done: keys, ...(found !== undefined && {notes: [counted(found, noun)]})});
		},
		async print(text) {
			line?.clear();
			await output.text(text);
		},
		[Symbol.dispose]: () => line?.clear(),
	};
}
