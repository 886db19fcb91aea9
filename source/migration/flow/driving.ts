import {type Failure, isFailure} from '../../failure.ts';
import type {MigrationRecord} from '../journal/record.ts';
import {createNotAllowedFailure} from '../machine/next-steps.ts';
import {findValidationPut, getObservationEvent, mayHaveFinished, updatePut} from '../machine/observation.ts';
import type {Observation} from '../machine/stage.ts';
import {hasMovedOn, isComplete, isUnexpectedState, type MachineState, stateTable} from '../machine/states.ts';
import {getNextState, type MigrationEvent} from '../machine/transitions.ts';
import {readObservation as readSeen} from '../zone/calls.ts';
import type {FlowParts, FlowWork} from './parts.ts';

/**
 * Delay before a surprising state is read again, in milliseconds: one of several reads may have been stale.
 */
const rereadDelayMs = 2_000;

/** The state machine of a zone: reads the zone, applies events and keeps the record. Sends nothing. */
export type MigrationDriver = {
	readonly parts: FlowParts;
	readonly record: MigrationRecord;
	/** Why the last reading could not be written to the journal. The reading itself succeeded. */
	readonly journalFailure: Failure | undefined;
	/**
	 * Applies an event and keeps the new record. Throws and changes nothing if the event is not allowed or
	 * the record cannot be kept.
	 */
	apply(event: MigrationEvent, action: string, change?: Partial<MigrationRecord>): Promise<void>;
	/** Like `apply`, but succeeds even if the journal cannot be written: the service has already acted. */
	applyAnyway(event: MigrationEvent, change: Partial<MigrationRecord>): Promise<Failure | undefined>;
	/** Changes the record without an event. */
	updateRecord(change: Partial<MigrationRecord>): Promise<void>;
	/** Reads check, status and entry point, and advances the machine. */
	look(work: FlowWork): Promise<Observation>;
};

export function createMigrationDriver(parts: FlowParts): MigrationDriver {
	const {client, zone, journal} = parts;
	let record = journal.record;
	let journalFailure: Failure | undefined;

	async function keep(nextRecord: MigrationRecord): Promise<void> {
		await journal.keep(nextRecord);
		record = nextRecord;
		journalFailure = undefined;
	}

	async function keepAnyway(nextRecord: MigrationRecord): Promise<Failure | undefined> {
		try {
			await keep(nextRecord);
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

	async function read(work: FlowWork): Promise<Observation> {
		let observation = await readSeen(client, zone, work.signal);
		while (isSurprising(record, observation)) {
			await client.clock.wait(rereadDelayMs * client.clock.scale, work.signal);
			const before = predictState(record, observation);
			observation = await readSeen(client, zone, work.signal);
			if (predictState(record, observation) === before) break;
		}
		return observation;
	}

	return {
		parts,
		get record() {
			return record;
		},
		get journalFailure() {
			return journalFailure;
		},
		async apply(event, action, change = {}) {
			await keep(advanceRecord(event, action, change));
		},
		async applyAnyway(event, change) {
			return keepAnyway(advanceRecord(event, 'This', change));
		},
		async updateRecord(change) {
			await keep({...record, ...change});
		},
		async look(work) {
			work.onStep?.({does: 'reading', what: 'how far the migration is'});
			const observation = await read(work);
			const after = advanceRecord(getObservationEvent(observation, record), 'Looking', {
				seen: observation,
				put: updatePut(observation, record),
			});
			// A reading that changes only its time is not written.
			if (isSameRecord(after, record) && !journalFailure) record = after;
			else await keepAnyway(after);
			return observation;
		},
	};
}

const predictState = (record: MigrationRecord, observation: Observation): MachineState | undefined =>
	getNextState(record.state, getObservationEvent(observation, record));

/**
 * True for a state that needs a second reading: one that cannot be left again, or that no PUT of ours
 * explains.
 */
function isSurprising(record: MigrationRecord, observation: Observation): boolean {
	const to = predictState(record, observation);
	if (to === record.state) return false;
	return to !== undefined && (isUnexpectedState(to) || (isComplete(to) && !mayHaveFinished(record)));
}

const isSameRecord = (one: MigrationRecord, other: MigrationRecord): boolean =>
	JSON.stringify(omitTime(one)) === JSON.stringify(omitTime(other));

const omitTime = ({seen, ...rest}: MigrationRecord) => ({...rest, seen: seen && {...seen, at: 0}});

/** Sets when validation began and what was validated first, and when the migration was complete. */
function withStageTimes(record: MigrationRecord, now: number): MigrationRecord {
	const {state, validatingSince, completed} = record;
	if (hasMovedOn(state)) return completed === undefined ? record : {...record, completed: undefined};
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

/** Runs work one at a time: concurrent readings would both advance the machine from the same state. */
export type RunInTurn = <T>(work: () => Promise<T>) => Promise<T>;

export function createTurnQueue(): RunInTurn {
	let last: Promise<unknown> = Promise.resolve();
	return work => {
		const result = last.then(work);
		// The caller handles the failure; the next in line only waits.
		last = result.catch(() => {});
		return result;
	};
}
