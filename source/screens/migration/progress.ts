import type {FlowStep} from '../../migration/flow/context.ts';
import type {MigrationFlow} from '../../migration/flow/flow.ts';
import type {Observation} from '../../migration/machine/stage.ts';
import type {Ports} from '../../store/slice.ts';
import {outlivesScreen} from '../shell/leaving.ts';
import type {Work} from '../shell/work-slice.ts';
import type {MigrationPhase, MigrationState} from './state.ts';

/** Interval between redraws while nothing changes, in milliseconds. */
const redrawIntervalMs = 30_000;

/** Converts a step of the flow to a phase. `kind`: of the operation that reports it. */
export function toMigrationPhase(
	step: Exclude<FlowStep, {does: 'watching' | 'trying'}>,
	kind: Work['kind'],
): MigrationPhase {
	switch (step.does) {
		case 'reading':
			return {name: 'reading', what: step.what};
		case 'backing up':
			return {name: 'backing up', objectCount: step.objects};
		case 'sending':
			return {name: 'sending', mode: step.mode};
		case 'looking':
			return {name: 'looking', until: step.until, stopsOnLeaving: !outlivesScreen({kind})};
		default:
			return step satisfies never;
	}
}

/**
 * Creates functions that show observations while watching, or why reading fails. A change is shown at once;
 * without a change, the time is updated every 30 s.
 */
export function createWatchProgress(
	{now, elapsed}: Pick<Ports, 'now' | 'elapsed'>,
	show: (part: Partial<MigrationState>) => void,
) {
	const startedAt = now();
	let lastDrawn: {readonly at: number; readonly stateText: string} | undefined;
	let lastObserved = startedAt;
	const recordIfNew = (stateText: string): boolean => {
		if (lastDrawn && lastDrawn.stateText === stateText && elapsed() - lastDrawn.at < redrawIntervalMs)
			return false;
		lastDrawn = {at: elapsed(), stateText};
		return true;
	};
	return {
		observe(
			observation: Observation,
			{record, journalFailure}: Pick<MigrationFlow, 'record' | 'journalFailure'>,
		) {
			const {stage, status, entryPoint} = observation;
			lastObserved = now();
			const {state, newWaf, oldWaf} = status ?? {};
			if (!recordIfNew([stage, state, newWaf, oldWaf, entryPoint?.version, record.state].join())) return;
			show({
				phase: {name: 'watching'},
				record: {...record, seen: observation},
				journalFailure,
				watchStatus: {since: startedAt, at: lastObserved},
			});
		},
		reportFailure({since: outageStart, failure}: Extract<FlowStep, {does: 'trying'}>) {
			if (recordIfNew(failure.message))
				show({watchStatus: {since: startedAt, at: lastObserved, outage: {since: outageStart, failure}}});
		},
	};
}
