import {formatFingerprint} from '../configuration/configuration.ts';
import type {EntryPointMark, MigrationRecord, Put} from '../journal/record.ts';
import type {Observation} from './stage.ts';
import {
	isAtRest,
	isAtWork,
	isInDoubt,
	isNotTaken,
	isSendable,
	isValidating,
	type MachineState,
	stateTable,
} from './states.ts';
import type {MigrationEvent} from './transitions.ts';

/**
 * Converts an observation to an event: compares it with what was sent, or with what was reviewed if nothing
 * was sent.
 */
export function getObservationEvent(observation: Observation, record: MigrationRecord): MigrationEvent {
	const {stage, check} = observation;
	const isOurs = hasOwnConfiguration(observation, record);
	const put = findPendingPut(record);
	if (put) {
		const arrival = findArrivalEvent(observation, put, isOurs);
		if (arrival) return arrival;
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

/** Returns the PUT whose effect the state waits for. */
const findPendingPut = ({state, put}: MigrationRecord): Put | undefined =>
	isInDoubt(state) || isAtWork(state) ? put : undefined;

/**
 * Determines what an observation says about a PUT that may not be visible everywhere yet: check, status and
 * entry point are separate readings, and each may be stale. Undefined if the stage alone decides.
 */
function findArrivalEvent(
	{stage, entryPoint}: Observation,
	{mode, before}: Put,
	isOurs: boolean,
): MigrationEvent | undefined {
	// Both versions are active with our rules, whatever the stage was before: validation has reached its
	// goal.
	if (mode === 'validation' && stage === 'validation' && isOurs) return undefined;
	const isEntryPointOld = entryPoint?.version === before.version;
	// Putting the same rules again may create no new version; then only the stage can tell.
	if (isEntryPointOld && (stage === before.stage || !isOurs)) return 'sees nothing new';
	// Our rules are there in a new version, whatever stage the service reports.
	if (isOurs && (stage === before.stage || (stage === 'unknown' && !isEntryPointOld)))
		return 'sees ours saved';
	return undefined;
}

/**
 * True if the entry point holds what ledge sent; without a PUT, what ledge last saw in validation or
 * reviewed.
 */
function hasOwnConfiguration(now: Observation, record: MigrationRecord): boolean {
	const {entryPoint, stage} = now;
	const {state, put, reviewed, seen} = record;
	if (hasArrivedLate(now, record)) return true;
	if (isValidating(state) && seen?.stage === 'validation') {
		// In validation an edited configuration is reviewed before it is sent, so compare with the last
		// observation.
		return stage === 'validation' && entryPoint?.fingerprint === seen.entryPoint?.fingerprint;
	}
	if (!entryPoint) return false;
	if (put && !hasPutFailed(put))
		return [put.fingerprint, put.stored?.fingerprint].includes(entryPoint.fingerprint);
	switch (state) {
		case 'not taken':
			return (
				put?.before.stage === 'validation' &&
				stage === 'validation' &&
				entryPoint.fingerprint === put.before.fingerprint
			);
		case 'reviewed':
			// Ledge sent nothing, so someone else put the same rules there.
			return false;
		default:
			return entryPoint.fingerprint === reviewed?.fingerprint;
	}
}

/** True if the PUT was refused or presumed lost. */
const hasPutFailed = ({came}: Put): boolean => came === 'refused' || came === 'given up';

/** True if a PUT presumed lost took effect, in the stage it was meant to reach. */
function hasArrivedLate({stage, entryPoint}: Observation, {state, put, reviewed}: MigrationRecord): boolean {
	if (!put || !hasPutFailed(put) || put.fingerprint !== reviewed?.fingerprint) return false;
	// A wrong refusal shows at once; otherwise it was a refusal.
	if (put.came === 'refused' && !isNotTaken(state)) return false;
	const hasReachedStage =
		put.mode === 'validation' ? stage === 'validation' : stage === 'pending' || stage === 'complete';
	return mayStillArrive(state) && hasReachedStage && entryPoint?.fingerprint === put.fingerprint;
}

function mayStillArrive(state: MachineState): boolean {
	return isNotTaken(state) || isSendable(state);
}

/** Returns the last PUT, updated by an observation. */
export const updatePut = (seen: Observation, record: MigrationRecord): Put | undefined =>
	record.put && hasArrivedLate(seen, record) ? {...record.put, came: 'accepted'} : record.put;

/**
 * Describes that the entry point is not what was sent: the service may store other rules and consider them
 * equivalent. Undefined if they are equal, or if no PUT is known to be accepted.
 */
export function describeStoredDifference({put, seen, state}: MigrationRecord): string | undefined {
	if (!put || !wasPutAccepted({put, state})) return undefined;
	const current = (isAtRest(state) ? seen?.entryPoint : undefined) ?? put.stored;
	if (!current || current.fingerprint === put.fingerprint) return undefined;
	return `The entry point is not what was reviewed and sent: its fingerprint is ${formatFingerprint(current.fingerprint)}, and ${formatFingerprint(put.fingerprint)} was sent.`;
}

/**
 * Describes who changed a zone, without a period: someone else, or a PUT presumed lost that arrived after
 * another review.
 */
export function describeMovedOn(zone: string, {put, seen}: Pick<MigrationRecord, 'put' | 'seen'>): string {
	const current = seen?.entryPoint?.fingerprint;
	const isPuts =
		put && hasPutFailed(put) && current === put.fingerprint && current !== put.before.fingerprint;
	return isPuts
		? `What ledge sent to ${zone} at ${new Date(put.at).toISOString()} has taken effect after all: it counted as never arrived`
		: `${zone} was changed elsewhere`;
}

/** True if the state shows that the last PUT was accepted. An abandoned PUT leaves the state as before. */
export function wasPutAccepted({put, state}: Pick<MigrationRecord, 'put' | 'state'>): boolean {
	return put !== undefined && !hasPutFailed(put) && stateTable[state].isTaken === true;
}

/** True if the configuration to send is the one presumed lost, and not one reviewed since. */
export const isResend = ({
	put,
	reviewed,
	goal,
}: Pick<MigrationRecord, 'put' | 'reviewed' | 'goal'>): boolean =>
	put?.came === 'given up' &&
	reviewed?.fingerprint === put.fingerprint &&
	(goal === undefined || goal === put.mode);

/** True if a PUT of ours may have caused a state that cannot be left. */
export const mayHaveFinished = ({put}: MigrationRecord): boolean =>
	put?.mode === 'pending' && !hasPutFailed(put);

/** Returns what identifies an entry point, to detect changes by others. */
export const getEntryPointMark = ({
	entryPoint,
}: Pick<Observation, 'entryPoint'>): EntryPointMark | undefined =>
	entryPoint && {version: entryPoint.version, fingerprint: entryPoint.fingerprint};

/** Returns the PUT that put the current rules in validation, if it is known to be accepted. */
export const findValidationPut = ({put, state}: Pick<MigrationRecord, 'put' | 'state'>): Put | undefined =>
	put?.mode === 'validation' && wasPutAccepted({put, state}) ? put : undefined;

/** True if the reviewed configuration is in validation, or was sent for it. */
export function isValidated(record: Pick<MigrationRecord, 'state' | 'reviewed' | 'put' | 'seen'>): boolean {
	const {reviewed, seen} = record;
	if (!reviewed) return false;
	return [seen?.entryPoint?.fingerprint, findValidationPut(record)?.fingerprint].includes(
		reviewed.fingerprint,
	);
}

/**
 * Describes that the configuration that would end validation was never validated. Undefined if it was, or if
 * nothing is in validation.
 */
export function describeUnvalidatedReview(record: MigrationRecord): string | undefined {
	const {state, reviewed, seen} = record;
	if (!reviewed || !isValidating(state) || !isSendable(state) || isValidated(record)) return undefined;
	const current = seen?.entryPoint?.fingerprint;
	return `What you reviewed was never validated: other rules are on. Its fingerprint is ${formatFingerprint(reviewed.fingerprint)}, and theirs ${current ? formatFingerprint(current) : 'none'}.`;
}
