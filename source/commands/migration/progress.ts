import type {FlowStep} from '../../migration/flow/context.ts';
import type {MigrationMode, Observation} from '../../migration/machine/stage.ts';
import {createProgressEvents, formatDuration} from '../../terminal/progress.ts';
import {escapeText} from '../../text/safe-text.ts';
import type {CommandContext} from '../shell/context.ts';
import {formatObservation} from './text.ts';

const sendingTexts: Readonly<Record<MigrationMode, string>> = {
	pending: 'Sending the reviewed configuration; this turns the previous version off.',
	validation: 'Sending the reviewed configuration for validation alongside the previous version.',
};

/** The time is rounded up to the minute. */
const describeRecheck = ({until}: Extract<FlowStep, {does: 'looking'}>): string =>
	`The response to the PUT was lost. Nothing is sent again: ledge checks the zone until at least ${new Date(until + 59_999).toISOString().slice(11, 16)} UTC.`;

/** Printed once per outage of the service. */
const describeRetry = ({since, failure}: Extract<FlowStep, {does: 'trying'}>): string =>
	`Unreachable since ${new Date(since).toISOString().slice(11, 16)} UTC, still trying: ${failure.message}`;

/** Reports the progress of a migration with little output; clears its line when disposed. */
export type StepReporter = Disposable & {
	reportStep(step: FlowStep): void;
	reportObservation(observation: Observation): void;
};

/**
 * Creates a reporter. On a terminal, the watched state is one line, redrawn when it changes and once a
 * minute; elsewhere it prints one line per change, and with `--progress json` one event.
 */
export function createStepReporter({options, output, host: {stderr}}: CommandContext): StepReporter {
	const emitEvent = options.progress === 'json' ? createProgressEvents(stderr) : undefined;
	const redrawsLine = output.stderrIsTerminal && !output.json && options.progress !== 'none' && !emitEvent;
	let firstObservedAt: number | undefined;
	let lastLine = '';
	let isDrawn = false;
	const reported = new Set<string>();
	/** Prints one sentence per subject; by default, the subject is the sentence itself. */
	const reportOnce = (sentence: string, emit: (sentence: string) => void, subject = sentence) => {
		if (reported.has(subject)) return;
		reported.add(subject);
		clear();
		emit(sentence);
	};
	const clear = () => {
		if (isDrawn) stderr.write('\r\u001b[K');
		isDrawn = false;
	};
	const showObservation = (observation: Observation) => {
		firstObservedAt ??= observation.at;
		const text = formatObservation(observation);
		const minutes = Math.floor((observation.at - firstObservedAt) / 60_000);
		const line = redrawsLine && minutes > 0 ? `${text} · ${formatDuration(minutes * 60)}` : text;
		if (line === lastLine) return;
		lastLine = line;
		if (emitEvent) return emitEvent({event: 'seen', ...observation});
		if (!redrawsLine) return output.say(line);
		stderr.write(`\r\u001b[K${escapeText(line).slice(0, (stderr.columns || 80) - 1)}`);
		isDrawn = true;
	};
	return {
		reportObservation: showObservation,
		reportStep(step) {
			if (step.does === 'watching') return showObservation(step.observation);
			if (emitEvent)
				return emitEvent({
					event: step.does,
					...step,
					...(step.does === 'trying' && {failure: step.failure.message}),
				});
			switch (step.does) {
				case 'reading':
					return reportOnce(`Reading ${step.what}.`, output.sayIfInteractive);
				case 'backing up':
					return reportOnce("Backing up what can't be read after the migration.", output.sayIfInteractive);
				case 'sending':
					return reportOnce(sendingTexts[step.mode], output.say);
				case 'looking':
					return reportOnce(describeRecheck(step), output.say, 'looking');
				case 'trying':
					return reportOnce(describeRetry(step), output.say, `out of reach since ${step.since}`);
				default:
					return step satisfies never;
			}
		},
		[Symbol.dispose]: clear,
	};
}
