import {type Failure, isFailure} from '../../failure.ts';
import type {MigrationRecord} from '../journal/record.ts';
import {createNotAllowedFailure} from '../machine/next-steps.ts';
import {
	findValidationPut,
	getObservationEvent,
	mayHaveCompletedMigration,
	updatePut,
} from '../machine/observation.ts';
import type {Observation} from '../machine/stage.ts';
import {
	isComplete,
	isUnexpectedState,
	type MachineState,
	stateTable,
	wasChangedElsewhere,
} from '../machine/states.ts';
import {getNextState, type MigrationEvent} from '../machine/transitions.ts';
import {readObservation} from '../zone/calls.ts';
import type {FlowContext, FlowOptions} from './context.ts';

/**
 * Delay before a surprising state is read a second time, in milliseconds: the first reading may have been
 * stale.
 */
const rereadDelayMs = 2_000;

/** The state machine of a zone: reads the zone, applies events and saves the record. Sends nothing. */
export type MigrationDriver = {
	readonly context: FlowContext;
	readonly record: MigrationRecord;
	/** Why the last observation could not be written to the journal. The observation itself succeeded. */
	readonly journalFailure: Failure | undefined;
	/**
	 * Applies an event and saves the new record. Throws and changes nothing if the event is not allowed, with
	 * `action` as the subject of the message, or if the record cannot be saved.
	 */
	apply(event: MigrationEvent, action: string, change?: Partial<MigrationRecord>): Promise<void>;
	/** Like `apply`, but succeeds even if the journal cannot be written: the service has already acted. */
	applyDespiteJournalFailure(
		event: MigrationEvent,
		change: Partial<MigrationRecord>,
	): Promise<Failure | undefined>;
	/** Saves the record as it was read: one of an interrupted PUT differs from the journal. Never rejects. */
	saveInterruption(): Promise<unknown>;
	/** Changes the record without an event. */
	updateRecord(change: Partial<MigrationRecord>): Promise<void>;
	/** Reads check, status and entry point, and advances the machine. */
	observe(options: FlowOptions): Promise<Observation>;
};

export function createMigrationDriver(context: FlowContext): MigrationDriver {
	const {client, zone, journal} = context;
	let record = journal.record;
	let journalFailure: Failure | undefined;

	async function saveRecord(nextRecord: MigrationRecord): Promise<void> {
		await journal.saveRecord(nextRecord);
		record = nextRecord;
		journalFailure = undefined;
	}

	async function trySaveRecord(nextRecord: MigrationRecord): Promise<Failure | undefined> {
		try {
			await saveRecord(nextRecord);
		} catch (error) {
			if (!isFailure(error)) throw error;
			record = nextRecord;
			journalFailure = error;
		}
		return journalFailure;
	}

	function advanceRecord(
		event: MigrationEvent,
		action: string,
		change: Partial<MigrationRecord>,
	): MigrationRecord {
		const state = getNextState(record.state, event);
		if (state === undefined) throw createNotAllowedFailure(zone, record, action);
		return withStageTimes({...record, ...change, state}, client.clock.now());
	}

	async function readReliably(options: FlowOptions): Promise<Observation> {
		let observation = await readObservation(client, zone, options.signal);
		while (isSurprising(record, observation)) {
			await client.clock.wait(rereadDelayMs * client.clock.scale, options.signal);
			const stateBefore = predictState(record, observation);
			observation = await readObservation(client, zone, options.signal);
			if (predictState(record, observation) === stateBefore) break;
		}
		return observation;
	}

	return {
		context,
		get record() {
			return record;
		},
		get journalFailure() {
			return journalFailure;
		},
		async apply(event, action, change = {}) {
			await saveRecord(advanceRecord(event, action, change));
		},
		async applyDespiteJournalFailure(event, change) {
			return trySaveRecord(advanceRecord(event, 'This step', change));
		},
		saveInterruption: () => trySaveRecord(record),
		async updateRecord(change) {
			await saveRecord({...record, ...change});
		},
		async observe(options) {
			options.onStep?.({does: 'reading', what: 'the state of the migration'});
			const observation = await readReliably(options);
			const nextRecord = advanceRecord(getObservationEvent(observation, record), 'Reading the zone', {
				seen: observation,
				put: updatePut(observation, record),
			});
			// A reading that changes only its time is not written.
			if (isSameRecord(nextRecord, record) && !journalFailure) record = nextRecord;
			else await trySaveRecord(nextRecord);
			return observation;
		},
	};
}

const predictState = (record: MigrationRecord, observation: Observation): MachineState | undefined =>
	getNextState(record.state, getObservationEvent(observation, record));

/**
 * True for a state that needs a second reading: a state that cannot be left again, or one that none of our
 * PUTs explains.
 */
function isSurprising(record: MigrationRecord, observation: Observation): boolean {
	const nextState = predictState(record, observation);
	if (nextState === record.state) return false;
	return (
		nextState !== undefined &&
		(isUnexpectedState(nextState) || (isComplete(nextState) && !mayHaveCompletedMigration(record)))
	);
}

const isSameRecord = (one: MigrationRecord, other: MigrationRecord): boolean =>
	JSON.stringify(omitTime(one)) === JSON.stringify(omitTime(other));

const omitTime = ({seen, ...rest}: MigrationRecord) => ({...rest, seen: seen && {...seen, at: 0}});

/** Sets when validation began, what was validated first, and when the migration was complete. */
function withStageTimes(record: MigrationRecord, now: number): MigrationRecord {
	const {state, validatingSince, completed} = record;
	if (wasChangedElsewhere(state)) return completed === undefined ? record : {...record, completed: undefined};
	switch (stateTable[state].stage) {
		case 'previous':
			return validatingSince === undefined
				? record
				: {...record, validatingSince: undefined, firstValidated: undefined, validation: undefined};
		case 'validation': {
			const put = findValidationPut(record);
			const firstPut = put?.before.stage === 'previous' ? put.fingerprint : undefined;
			const firstValidated = record.firstValidated ?? firstPut;
			return {
				...record,
				validatingSince: validatingSince ?? now,
				...(firstValidated !== undefined && {firstValidated}),
			};
		}
		case 'complete':
			return {...record, completed: completed ?? now};
		default:
			return record;
	}
}

/** Runs tasks one at a time: concurrent readings would both advance the machine from the same state. */
export type RunInTurn = <T>(work: () => Promise<T>) => Promise<T>;

export function createTurnQueue(): RunInTurn {
	let lastResult: Promise<unknown> = Promise.resolve();
	return work => {
		const result = lastResult.then(work);
		// The caller handles the failure; the next in line only waits.
		lastResult = result.catch(() => {});
		return result;
	};
}
