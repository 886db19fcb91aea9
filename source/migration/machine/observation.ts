import {formatFingerprint} from '../configuration/configuration.ts';
import type {EntryPointMark, MigrationRecord, RecordedPut} from '../journal/record.ts';
import type {Observation} from './stage.ts';
import {
	hasUnknownOutcome,
	isAtRest,
	isAtWork,
	isNotAccepted,
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

/** Returns the PUT whose effect the current state waits for. */
const findPendingPut = ({state, put}: MigrationRecord): RecordedPut | undefined =>
	hasUnknownOutcome(state) || isAtWork(state) ? put : undefined;

/**
 * Finds the event for a PUT that may not be visible everywhere yet: check, status and entry point are
 * separate readings, and each may be stale. Undefined if the stage alone decides.
 */
function findArrivalEvent(
	{stage, entryPoint}: Observation,
	{mode, before}: RecordedPut,
	isOurs: boolean,
): MigrationEvent | undefined {
	// Both versions are active with our rules: validation has reached its goal, regardless of the stage
	// before.
	if (mode === 'validation' && stage === 'validation' && isOurs) return undefined;
	const isEntryPointOld = entryPoint?.version === before.version;
	// Putting the same rules again may not create a new version; then only the stage can show the effect.
	if (isEntryPointOld && (stage === before.stage || !isOurs)) return 'sees nothing new';
	// Our rules are stored in a new version, regardless of the stage that the service reports.
	if (isOurs && (stage === before.stage || (stage === 'unknown' && !isEntryPointOld)))
		return 'sees ours saved';
	return undefined;
}

/**
 * True if the entry point holds what ledge sent. Without a PUT: what ledge last saw in validation, or
 * reviewed.
 */
function hasOwnConfiguration(observation: Observation, record: MigrationRecord): boolean {
	const {entryPoint, stage} = observation;
	const {state, put, reviewed, seen} = record;
	if (hasArrivedLate(observation, record)) return true;
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
export const hasPutFailed = ({came}: RecordedPut): boolean => came === 'refused' || came === 'given up';

/** True if a PUT presumed lost took effect, in the stage it was meant to reach. */
function hasArrivedLate({stage, entryPoint}: Observation, {state, put, reviewed}: MigrationRecord): boolean {
	if (!put || !hasPutFailed(put) || put.fingerprint !== reviewed?.fingerprint) return false;
	// If a refusal was wrong, this shows at once. Otherwise it was a real refusal.
	if (put.came === 'refused' && !isNotAccepted(state)) return false;
	const hasReachedStage =
		put.mode === 'validation' ? stage === 'validation' : stage === 'pending' || stage === 'complete';
	return mayStillArrive(state) && hasReachedStage && entryPoint?.fingerprint === put.fingerprint;
}

function mayStillArrive(state: MachineState): boolean {
	return isNotAccepted(state) || isSendable(state);
}

/** Returns the last PUT, updated by an observation. */
export const updatePut = (observation: Observation, record: MigrationRecord): RecordedPut | undefined =>
	record.put && hasArrivedLate(observation, record) ? {...record.put, came: 'accepted'} : record.put;

/**
 * Describes how the entry point differs from what was sent: the service may store other rules that it
 * considers equivalent. Undefined if they are equal, or if it is not known that a PUT was accepted.
 */
export function describeStoredDifference({put, seen, state}: MigrationRecord): string | undefined {
	if (!put || !wasPutAccepted({put, state})) return undefined;
	const currentMark = (isAtRest(state) ? seen?.entryPoint : undefined) ?? put.stored;
	if (!currentMark || currentMark.fingerprint === put.fingerprint) return undefined;
	return `The entry point differs from what was reviewed and sent: its fingerprint is ${formatFingerprint(currentMark.fingerprint)}, but ${formatFingerprint(put.fingerprint)} was sent.`;
}

/** Describes what the last PUT overwrote. Undefined if nothing. */
export function describeOverwritten({put}: Pick<MigrationRecord, 'put'>): string | undefined {
	if (!put?.overwritten) return undefined;
	const changes = put.overwritten.length === 0 ? '' : `: ${put.overwritten.join('; ')}`;
	return `The managed rules were changed right before the PUT, which overwrote that${changes}. The versions of the managed rules still have it.`;
}

/**
 * Describes who changed the zone, without a period: someone else, or a PUT that was presumed lost and arrived
 * after another review.
 */
export function describeZoneChange(
	zoneName: string,
	{put, seen}: Pick<MigrationRecord, 'put' | 'seen'>,
): string {
	const currentFingerprint = seen?.entryPoint?.fingerprint;
	const isFromPut =
		put &&
		hasPutFailed(put) &&
		currentFingerprint === put.fingerprint &&
		currentFingerprint !== put.before.fingerprint;
	return isFromPut
		? `What ledge sent to ${zoneName} at ${new Date(put.at).toISOString()} took effect after all: it was presumed lost`
		: `${zoneName} was changed elsewhere`;
}

/**
 * True if the state shows that the last PUT was accepted. A PUT that was given up leaves the state as it was.
 */
export function wasPutAccepted({put, state}: Pick<MigrationRecord, 'put' | 'state'>): boolean {
	return put !== undefined && !hasPutFailed(put) && stateTable[state].isAccepted === true;
}

/** True if the configuration to send is the one that was presumed lost, and not one reviewed since. */
export const isResend = ({
	put,
	reviewed,
	goal,
}: Pick<MigrationRecord, 'put' | 'reviewed' | 'goal'>): boolean =>
	put?.came === 'given up' &&
	reviewed?.fingerprint === put.fingerprint &&
	(goal === undefined || goal === put.mode);

/** True if the last PUT may have turned the previous version off, which cannot be undone. */
export const mayHaveCompletedMigration = ({put}: MigrationRecord): boolean =>
	put?.mode === 'pending' && !hasPutFailed(put);

/** Returns the mark of the entry point, so that changes by others are detected. */
export const getEntryPointMark = ({
	entryPoint,
}: Pick<Observation, 'entryPoint'>): EntryPointMark | undefined =>
	entryPoint && {version: entryPoint.version, fingerprint: entryPoint.fingerprint};

/** Returns the PUT that began validation of the current rules, if it is known to be accepted. */
export const findValidationPut = ({
	put,
	state,
}: Pick<MigrationRecord, 'put' | 'state'>): RecordedPut | undefined =>
	put?.mode === 'validation' && wasPutAccepted({put, state}) ? put : undefined;

/**
 * Returns when the configuration in validation was last changed. Undefined if it is the first configuration.
 */
export function getLastConfigurationChange(
	record: Pick<MigrationRecord, 'put' | 'state'>,
): number | undefined {
	const put = findValidationPut(record);
	return put?.before.stage === 'validation' ? put.at : undefined;
}

/** True if the reviewed configuration is in validation, or was sent for it. */
export function isValidated(record: Pick<MigrationRecord, 'state' | 'reviewed' | 'put' | 'seen'>): boolean {
	const {reviewed, seen} = record;
	if (!reviewed) return false;
	return [seen?.entryPoint?.fingerprint, findValidationPut(record)?.fingerprint].includes(
		reviewed.fingerprint,
	);
}

/**
 * Describes that the configuration which would end validation was never validated. Undefined if it was, or if
 * nothing is in validation.
 */
export function describeUnvalidatedReview(record: MigrationRecord): string | undefined {
	const {state, reviewed, seen} = record;
	if (!reviewed || !isValidating(state) || !isSendable(state) || isValidated(record)) return undefined;
	const currentFingerprint = seen?.entryPoint?.fingerprint;
	return `The reviewed configuration was never validated: other rules are active. Its fingerprint is ${formatFingerprint(reviewed.fingerprint)}; theirs is ${currentFingerprint ? formatFingerprint(currentFingerprint) : 'none'}.`;
}
