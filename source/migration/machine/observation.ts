import {shownFingerprint} from '../configuration/configuration.ts';
import type {EntryPointMark, MigrationRecord, Put} from '../journal/record.ts';
import type {Observation} from './stage.ts';
import {
	isAtRest,
	isAtWork,
	isInDoubt,
	isNotTaken,
	isSendable,
	isValidating,
	type MigrationState,
	stateTable,
} from './states.ts';
import type {MigrationEvent} from './transitions.ts';

/** What is seen, as an event: compared with what was sent, or was reviewed where nothing was sent. */
export function eventOf(seen: Observation, record: MigrationRecord): MigrationEvent {
	const {stage, check} = seen;
	const isOurs = holdsOurs(seen, record);
	const put = putUnderWay(record);
	if (put) {
		const told = arrived(seen, put, isOurs);
		if (told) return told;
	}
	switch (stage) {
		case 'previous':
			return check.compatible ? 'sees previous' : 'sees blocked';
		case 'validation':
			return isOurs ? 'sees ours in validation' : 'sees validation';
		case 'pending':
			return isOurs ? 'sees ours pending' : 'sees pending';
		case 'complete':
			return isOurs ? 'sees ours complete' : 'sees complete';
		case 'unknown':
			return 'sees unknown';
		default:
			return stage satisfies never;
	}
}

/** The PUT whose effect the state waits for. */
const putUnderWay = ({state, put}: MigrationRecord): Put | undefined =>
	isInDoubt(state) || isAtWork(state) ? put : undefined;

/**
 * What a reading shows of a PUT that may not appear everywhere yet: check, status and entry point are three readings, and
 * each may be older than the others. `undefined` where the stage alone says it.
 */
function arrived(
	{stage, entryPoint}: Observation,
	{mode, before}: Put,
	isOurs: boolean,
): MigrationEvent | undefined {
	// Both versions on, with our rules: whatever the stage was before, that is what validation was to reach.
	if (mode === 'validation' && stage === 'validation' && isOurs) return undefined;
	const isEntryPointOld = entryPoint?.version === before.version;
	// The same rules put again may make no new version: then only the stage can tell.
	if (isEntryPointOld && (stage === before.stage || !isOurs)) return 'sees nothing new';
	// Whatever the service calls what it does with them: our rules are there in a new version.
	if (isOurs && (stage === before.stage || (stage === 'unknown' && !isEntryPointOld)))
		return 'sees ours saved';
	return undefined;
}

/** Whether the entry point holds what ledge sent, or found there in validation, or has reviewed where neither is. */
function holdsOurs(now: Observation, record: MigrationRecord): boolean {
	const {entryPoint, stage} = now;
	const {state, put, reviewed, seen} = record;
	if (isLate(now, record)) return true;
	if (isValidating(state) && seen?.stage === 'validation') {
		// In validation an edited configuration is reviewed before it is sent: what was seen there last is what is known.
		return stage === 'validation' && entryPoint?.fingerprint === seen.entryPoint?.fingerprint;
	}
	if (!entryPoint) return false;
	if (put && !isGone(put)) return [put.fingerprint, put.stored?.fingerprint].includes(entryPoint.fingerprint);
	switch (state) {
		case 'not taken':
			return (
				put?.before.stage === 'validation' &&
				stage === 'validation' &&
				entryPoint.fingerprint === put.before.fingerprint
			);
		case 'reviewed':
			// Nothing of it was sent: who put the same there is someone else.
			return false;
		default:
			return entryPoint.fingerprint === reviewed?.fingerprint;
	}
}

/** A PUT that was refused, or counted as never arrived. */
const isGone = ({came}: Put): boolean => came === 'refused' || came === 'given up';

/** Whether that which counted as never arrived is there after all, in the stage to which it was to lead. */
function isLate({stage, entryPoint}: Observation, {state, put, reviewed}: MigrationRecord): boolean {
	if (!put || !isGone(put) || put.fingerprint !== reviewed?.fingerprint) return false;
	// A refusal that was none shows at once, or it was one.
	if (put.came === 'refused' && !isNotTaken(state)) return false;
	const isThere =
		put.mode === 'validation' ? stage === 'validation' : stage === 'pending' || stage === 'complete';
	return mayStillArrive(state) && isThere && entryPoint?.fingerprint === put.fingerprint;
}

function mayStillArrive(state: MigrationState): boolean {
	return isNotTaken(state) || isSendable(state);
}

/** What is known of the last PUT, once this was seen. */
export const putKnown = (seen: Observation, record: MigrationRecord): Put | undefined =>
	record.put && isLate(seen, record) ? {...record.put, came: 'accepted'} : record.put;

/**
 * That the entry point is not what was sent, in a sentence: the service may store other rules than were sent, and
 * takes them for what was meant. Nothing where it is the same, or where no PUT of ours is known to have been taken.
 */
export function otherThanSent({put, seen, state}: MigrationRecord): string | undefined {
	if (!put || !wasTaken({put, state})) return undefined;
	const there = (isAtRest(state) ? seen?.entryPoint : undefined) ?? put.stored;
	if (!there || there.fingerprint === put.fingerprint) return undefined;
	return `The entry point is not what was reviewed and sent: its fingerprint is ${shownFingerprint(there.fingerprint)}, and ${shownFingerprint(put.fingerprint)} was sent.`;
}

/**
 * What moved a zone on, without a point. Not always someone else: a PUT that counted as never arrived may have arrived
 * after something else was reviewed.
 */
export function movedOnInWords(zone: string, {put, seen}: Pick<MigrationRecord, 'put' | 'seen'>): string {
	const there = seen?.entryPoint?.fingerprint;
	const isPuts = put && isGone(put) && there === put.fingerprint && there !== put.before.fingerprint;
	return isPuts
		? `What ledge sent to ${zone} at ${new Date(put.at).toISOString()} has taken effect after all: it counted as never arrived`
		: `${zone} was changed elsewhere`;
}

/** Whether the last PUT arrived, as far as the state shows: a PUT that was given up leaves the state as before. */
export function wasTaken({put, state}: Pick<MigrationRecord, 'put' | 'state'>): boolean {
	return put !== undefined && !isGone(put) && stateTable[state].isTaken === true;
}

/** Whether what would be sent now is what counted as never arrived: else it is something that was reviewed since. */
export const isSentAgain = ({
	put,
	reviewed,
	goal,
}: Pick<MigrationRecord, 'put' | 'reviewed' | 'goal'>): boolean =>
	put?.came === 'given up' &&
	reviewed?.fingerprint === put.fingerprint &&
	(goal === undefined || goal === put.mode);

/** Whether a PUT of ours may have led to where nothing leads back from. */
export const mayHaveFinished = ({put}: MigrationRecord): boolean => put?.mode === 'pending' && !isGone(put);

/** What is compared of an entry point, to notice that somebody changed it. */
export const markOf = ({entryPoint}: Pick<Observation, 'entryPoint'>): EntryPointMark | undefined =>
	entryPoint && {version: entryPoint.version, fingerprint: entryPoint.fingerprint};

/** The PUT that put the current rules in validation, as far as it is known to have been taken. */
export const validationPut = ({put, state}: Pick<MigrationRecord, 'put' | 'state'>): Put | undefined =>
	put?.mode === 'validation' && wasTaken({put, state}) ? put : undefined;

/** Whether what was reviewed is what is in validation, or was sent to be there. */
export function isValidated(record: Pick<MigrationRecord, 'state' | 'reviewed' | 'put' | 'seen'>): boolean {
	const {reviewed, seen} = record;
	if (!reviewed) return false;
	return [seen?.entryPoint?.fingerprint, validationPut(record)?.fingerprint].includes(reviewed.fingerprint);
}

/** That what would end the validation was never in it, in a sentence; nothing where it was, or nothing is validated. */
export function neverValidated(record: MigrationRecord): string | undefined {
	const {state, reviewed, seen} = record;
	if (!reviewed || !isValidating(state) || !isSendable(state) || isValidated(record)) return undefined;
	const there = seen?.entryPoint?.fingerprint;
	return `What you reviewed was never validated: other rules are on. Its fingerprint is ${shownFingerprint(reviewed.fingerprint)}, and theirs ${there ? shownFingerprint(there) : 'none'}.`;
}
