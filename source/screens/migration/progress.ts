import type {MigrationFlow} from '../../migration/flow/flow.ts';
import type {FlowStep} from '../../migration/flow/parts.ts';
import type {Observation} from '../../migration/machine/stage.ts';
import type {Ports} from '../../store/slice.ts';
import type {MigrationPhase, MigrationState} from './state.ts';

/** Interval between redraws while nothing changes, in milliseconds. */
const watchClock = 30_000;

export function phaseOf(step: Exclude<FlowStep, {does: 'watching' | 'trying'}>): MigrationPhase {
	switch (step.does) {
		case 'reading':
			return {name: 'reading', what: step.what};
		case 'backing up':
			return {name: 'backing up', objects: step.objects};
		case 'sending':
			return {name: 'sending', mode: step.mode};
		case 'looking':
			return {name: 'looking', until: step.until};
		default:
			return step satisfies never;
	}
}

/** Shows observations while watching, or why they fail: a change at once, no change every 30 s. */
export function watchProgress(
	{now, elapsed}: Pick<Ports, 'now' | 'elapsed'>,
	show: (part: Partial<MigrationState>) => void,
) {
	const since = now();
	let shown: {readonly at: number; readonly words: string} | undefined;
	let asked = since;
	const isNew = (words: string): boolean => {
		if (shown && shown.words === words && elapsed() - shown.at < watchClock) return false;
		shown = {at: elapsed(), words};
		return true;
	};
	return {
		observe(seen: Observation, {record, unkept}: Pick<MigrationFlow, 'record' | 'unkept'>) {
			const {stage, status, entryPoint} = seen;
			asked = now();
			const {state, newWaf, oldWaf} = status ?? {};
			if (!isNew([stage, state, newWaf, oldWaf, entryPoint?.version, record.state].join())) return;
			show({
				phase: {name: 'watching'},
				record: {...record, seen},
				unkept,
				watched: {since, at: asked},
			});
		},
		miss({since: from, failure}: Extract<FlowStep, {does: 'trying'}>) {
			if (isNew(failure.message)) show({watched: {since, at: asked, unreached: {since: from, failure}}});
		},
	};
}
