import {type Failure, isFailure} from '../../failure.ts';
import type {MigrationRecord} from '../journal/record.ts';
import {cannotNow} from '../machine/next-steps.ts';
import {eventOf, mayHaveFinished, putKnown, validationPut} from '../machine/observation.ts';
import type {Observation} from '../machine/stage.ts';
import {hasMovedOn, isComplete, isSurprise, type MigrationState, stateTable} from '../machine/states.ts';
import {type MigrationEvent, next} from '../machine/transitions.ts';
import {seen as readSeen} from '../zone/calls.ts';
import type {FlowParts, FlowWork} from './parts.ts';

/**
 * Delay before a surprising state is read again, in milliseconds: one of several reads may have been stale.
 */
const secondReading = 2_000;

/** The state machine of a zone: reads the zone, applies events and keeps the record. Sends nothing. */
export type Driving = {
	readonly parts: FlowParts;
	readonly record: MigrationRecord;
	/** Why the last reading could not be written to the journal. The reading itself succeeded. */
	readonly unkept: Failure | undefined;
	/**
	 * Applies an event and keeps the new record. Throws and changes nothing if the event is not allowed or
	 * the record cannot be kept.
	 */
	take(event: MigrationEvent, what: string, change?: Partial<MigrationRecord>): Promise<void>;
	/** Like `apply`, but succeeds even if the journal cannot be written: the service has already acted. */
	takeAnyway(event: MigrationEvent, change: Partial<MigrationRecord>): Promise<Failure | undefined>;
	/** Changes the record without an event. */
	change(change: Partial<MigrationRecord>): Promise<void>;
	/** Reads check, status and entry point, and advances the machine. */
	look(work: FlowWork): Promise<Observation>;
};

export function createDriving(parts: FlowParts): Driving {
	const {client, zone, journal} = parts;
	let record = journal.record;
	let unkept: Failure | undefined;

	async function keep(following: MigrationRecord): Promise<void> {
		await journal.keep(following);
		record = following;
		unkept = undefined;
	}

	async function keepAnyway(following: MigrationRecord): Promise<Failure | undefined> {
		try {
			await keep(following);
		} catch (error) {
			if (!isFailure(error)) throw error;
			record = following;
			unkept = error;
		}
		return unkept;
	}

	function following(event: MigrationEvent, what: string, change: Partial<MigrationRecord>): MigrationRecord {
		const state = next(record.state, event);
		if (state === undefined) throw cannotNow(zone, record, what);
		return dated({...record, ...change, state}, client.clock.now());
	}

	async function read(work: FlowWork): Promise<Observation> {
		let seen = await readSeen(client, zone, work.signal);
		while (isSurprising(record, seen)) {
			await client.clock.wait(secondReading * client.clock.scale, work.signal);
			const before = leadsTo(record, seen);
			seen = await readSeen(client, zone, work.signal);
			if (leadsTo(record, seen) === before) break;
		}
		return seen;
	}

	return {
		parts,
		get record() {
			return record;
		},
		get unkept() {
			return unkept;
		},
		async take(event, what, change = {}) {
			await keep(following(event, what, change));
		},
		async takeAnyway(event, change) {
			return keepAnyway(following(event, 'This', change));
		},
		async change(change) {
			await keep({...record, ...change});
		},
		async look(work) {
			work.onStep?.({does: 'reading', what: 'how far the migration is'});
			const seen = await read(work);
			const after = following(eventOf(seen, record), 'Looking', {
				seen,
				put: putKnown(seen, record),
			});
			// A reading that changes only its time is not written.
			if (isSame(after, record) && !unkept) record = after;
			else await keepAnyway(after);
			return seen;
		},
	};
}

const leadsTo = (record: MigrationRecord, seen: Observation): MigrationState | undefined =>
	next(record.state, eventOf(seen, record));

/**
 * True for a state that needs a second reading: one that cannot be left again, or that no PUT of ours
 * explains.
 */
function isSurprising(record: MigrationRecord, seen: Observation): boolean {
	const to = leadsTo(record, seen);
	if (to === record.state) return false;
	return to !== undefined && (isSurprise(to) || (isComplete(to) && !mayHaveFinished(record)));
}

const isSame = (one: MigrationRecord, other: MigrationRecord): boolean =>
	JSON.stringify(timeless(one)) === JSON.stringify(timeless(other));

const timeless = ({seen, ...rest}: MigrationRecord) => ({...rest, seen: seen && {...seen, at: 0}});

/** Sets when validation began and what was validated first, and when the migration was complete. */
function dated(record: MigrationRecord, now: number): MigrationRecord {
	const {state, validatingSince, completed} = record;
	if (hasMovedOn(state)) return completed === undefined ? record : {...record, completed: undefined};
	switch (stateTable[state].stage) {
		case 'previous':
			return validatingSince === undefined
				? record
				: {...record, validatingSince: undefined, firstValidated: undefined, validation: undefined};
		case 'validation': {
			const put = validationPut(record);
			const begun = put?.before.stage === 'previous' ? put.fingerprint : undefined;
			const firstValidated = record.firstValidated ?? begun;
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
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

export function createTurns(): InTurn {
	let last: Promise<unknown> = Promise.resolve();
	return work => {
		const mine = last.then(work);
		// The caller handles the failure; the next in line only waits.
		last = mine.catch(() => {});
		return mine;
	};
}
