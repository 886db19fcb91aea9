import type {MigrationEvent, MigrationState} from './machine.ts';
import type {EntryPointMark, MigrationRecord, Put} from './record.ts';
import type {Seen} from './stage.ts';

/** What is seen, as an event: compared with what was sent, or was reviewed where nothing was sent. */
export function eventOf(seen: Seen, record: MigrationRecord): MigrationEvent {
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

/** The PUT of which the states tell, that wait for what it does. */
function putUnderWay({state, put}: MigrationRecord): Put | undefined {
	switch (state) {
		case 'validation in doubt':
		case 'starting validation':
		case 'deploy in doubt':
		case 'finishing':
			return put;
		default:
			return undefined;
	}
}

/**
 * What a reading tells of a PUT that may not show everywhere yet: check, status and entry point are three readings, and
 * each may be older than the others. `undefined` where the stage alone says it.
 */
function arrived(
	{stage, entryPoint}: Seen,
	{mode, before}: Put,
	isOurs: boolean,
): MigrationEvent | undefined {
	// Both versions on, with our rules: whatever the stage was before, that is what validation was to reach.
	if (mode === 'validation' && stage === 'validation' && isOurs) return undefined;
	const isEntryPointOld = entryPoint?.version === before.version;
	// The same rules put again may make no new version: then only the stage can tell.
	if (isEntryPointOld && (stage === before.stage || !isOurs)) return 'sees nothing new';
	if (isOurs && stage === before.stage) return 'sees ours saved';
	return undefined;
}

/** Whether the entry point holds what ledge sent, or found there in validation, or has reviewed where neither is. */
function holdsOurs({entryPoint}: Seen, record: MigrationRecord): boolean {
	const {state, put, reviewed, seen} = record;
	if (isValidating(state) && seen?.stage === 'validation') {
		// In validation an edited configuration is reviewed before it is sent: what was seen there last is what is known.
		return entryPoint?.fingerprint === seen.entryPoint?.fingerprint;
	}
	if (!entryPoint) return false;
	const isSettled = put === undefined || put.came === 'refused' || put.came === 'given up';
	if (!isSettled) return [put.fingerprint, put.stored?.fingerprint].includes(entryPoint.fingerprint);
	const wasValidating = state === 'not taken' && put?.before.stage === 'validation';
	return entryPoint.fingerprint === (wasValidating ? put.before.fingerprint : reviewed?.fingerprint);
}

const isValidating = (state: MigrationState): boolean =>
	state === 'validating' || state === 'validating unreviewed' || state === 'ready to update';

/** What is compared of an entry point, to notice that somebody changed it. */
export const markOf = ({entryPoint}: Pick<Seen, 'entryPoint'>): EntryPointMark | undefined =>
	entryPoint && {version: entryPoint.version, fingerprint: entryPoint.fingerprint};
