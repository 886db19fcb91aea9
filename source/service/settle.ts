import {type Advice, type Failure, type NamedCommand, toFailure} from '../failure.ts';
import {buildAdvice} from '../text/advice.ts';
import type {Client} from './client.ts';
import {getRefusalBody} from './refusal.ts';
import {getRetryAdvice} from './retry-advice.ts';

/**
 * What the current state says about a change. `Part`: what exists if only a part took effect. `Other`: what
 * exists instead of the change.
 */
type StateReading<T, Part = never, Other = never> =
	/** The object that was sent exists and is new. */
	| {readonly effect: 'done'; readonly value: T}
	/** The object does not exist, or only a part of it does. `sentence` says what was not found. */
	| {readonly effect: 'not done'; readonly sentence: string; readonly part?: Part | undefined}
	/**
	 * Something exists that this change did not create: it is older, or differs from what was sent. `blocks`:
	 * while it exists, the service refuses this change, so the change cannot take effect later.
	 */
	| {
			readonly effect: 'other';
			readonly sentence: string;
			readonly other: Other;
			readonly blocks?: true;
	  };

/** A change of the service's state, and how to find out whether it took effect. */
export type Change<T, Part = never, Other = never> = {
	/** Sends the change. Called once. */
	send(client: Client, signal: AbortSignal): Promise<T>;
	/** Compares the current state with what was sent and what existed before. Called repeatedly. */
	checkEffect(client: Client, signal: AbortSignal): Promise<StateReading<T, Part, Other>>;
	/** The command that shows this state to the person. */
	readonly inspectCommand: string | NamedCommand;
	/** Set if the service works on the change after its response: without its effect, its outcome stays unknown. */
	readonly continuesAfterCall?: true;
};

/** A change of unknown outcome: all that `settleChange` needs to check again at any time. */
export type UnsettledChange<T, Part = never, Other = never> = {
	readonly change: Change<T, Part, Other>;
	readonly failure: Failure;
	/** Monotonic milliseconds of the client's clock. */
	readonly sentAt: number;
};

/** Outcome of a change. `left` and `next` of each failure describe the current state. */
export type Outcome<T, Part = never, Other = never> =
	/** `lost` is true if the response was lost, and reading the state found the effect. */
	| {readonly state: 'done'; readonly value: T; readonly lost: boolean}
	/** Refused by the service, or never sent. */
	| {readonly state: 'refused'; readonly failure: Failure}
	/** The outcome was unknown. The state shows no effect, and none can follow. */
	| {readonly state: 'not done'; readonly failure: Failure; readonly sentence: string; readonly part?: Part}
	/** The state shows no effect, but the service may still be working on it. */
	| {
			readonly state: 'may still arrive';
			readonly failure: Failure;
			readonly sentence: string;
			readonly part?: Part;
			readonly unsettled: UnsettledChange<T, Part, Other>;
	  }
	/** The outcome was unknown; what exists now is not from this change. */
	| {
			readonly state: 'other';
			readonly failure: Failure;
			readonly sentence: string;
			readonly other: Other;
			readonly unsettled: UnsettledChange<T, Part, Other>;
	  }
	/** The outcome is unknown, and the state could not be read: `settlingFailure` says why. */
	| {
			readonly state: 'unreadable';
			readonly failure: Failure;
			readonly settlingFailure: Failure;
			readonly unsettled: UnsettledChange<T, Part, Other>;
	  };

/** Outcomes of reading the state, which never include a refusal. */
export type SettledOutcome<T, Part = never, Other = never> = Exclude<
	Outcome<T, Part, Other>,
	{state: 'refused'}
>;

/** Time limit in milliseconds for reading the state after an abort. */
const maxStateReadMs = 5_000;
/** Milliseconds before a second read: a call whose response was lost is often still running. */
const stateReadPauseMs = 1_000;
/**
 * A change can take effect for this many milliseconds after it was sent. Then the service has dropped the
 * call: edges wait 100 s for a response.
 */
const maxLateMs = 120_000;

/**
 * Sends a change once. If its outcome is unknown (`details.outcomeUnknown`), reads the state to settle it.
 * Never rejects. After an abort it still reads the state, for at most five seconds.
 */
export async function executeChange<T, Part, Other>(
	client: Client,
	change: Change<T, Part, Other>,
	{signal, onRecheck}: {readonly signal: AbortSignal; onRecheck?: (() => void) | undefined},
): Promise<Outcome<T, Part, Other>> {
	const sentAt = client.clock.elapsed();
	try {
		return {state: 'done', value: await change.send(client, signal), lost: false};
	} catch (error) {
		const failure = toFailure(error);
		if (!failure.details.outcomeUnknown) {
			const {left} = failure.details;
			const state = left === undefined ? {left: 'Nothing was changed.', unchanged: true} : {left};
			return {state: 'refused', failure: failure.withDetails({...state, next: getRetryAdvice(failure)})};
		}
		onRecheck?.();
		return settleChange(client, {change, failure, sentAt}, {signal, maxReads: 2});
	}
}

/** Reads the state for a change of unknown outcome. Sends nothing, never rejects. */
export async function settleChange<T, Part, Other>(
	client: Client,
	unsettled: UnsettledChange<T, Part, Other>,
	{signal, maxReads = 1}: {readonly signal: AbortSignal; readonly maxReads?: 1 | 2},
): Promise<SettledOutcome<T, Part, Other>> {
	const {change, failure} = unsettled;
	const inspectAdvice = buildAdvice`See \`${change.inspectCommand}\` before you send it again.`;
	let reading: StateReading<T, Part, Other>;
	try {
		reading = await readState(client, unsettled, maxReads, signal);
	} catch (error) {
		const readFailure = toFailure(error);
		return {
			state: 'unreadable',
			failure: buildUnreadableFailure(failure, readFailure, inspectAdvice),
			settlingFailure: readFailure,
			unsettled,
		};
	}
	if (reading.effect === 'done') return {state: 'done', value: reading.value, lost: true};
	const mayArriveLate = canStillArrive(client, unsettled) && !('blocks' in reading);
	const {sentence} = reading;
	const left = describeCurrentState(mayArriveLate, sentence);
	if (reading.effect === 'other')
		return {
			state: 'other',
			failure: failure.withDetails({outcomeUnknown: mayArriveLate, left, next: inspectAdvice}),
			sentence,
			other: reading.other,
			unsettled,
		};
	const part = reading.part === undefined ? {} : {part: reading.part};
	if (mayArriveLate)
		return {
			state: 'may still arrive',
			failure: failure.withDetails({outcomeUnknown: true, left, next: inspectAdvice}),
			sentence,
			...part,
			unsettled,
		};
	const next = buildAdvice`Send it again; \`${change.inspectCommand}\` shows the current state.`;
	return {
		state: 'not done',
		failure: failure.withDetails({outcomeUnknown: false, left, next}),
		sentence,
		...part,
	};
}

/** Reads the state; reads once more if the effect is not found at first. */
async function readState<T, Part, Other>(
	client: Client,
	{change}: UnsettledChange<T, Part, Other>,
	maxReads: 1 | 2,
	signal: AbortSignal,
): Promise<StateReading<T, Part, Other>> {
	let timeoutSignal: AbortSignal | undefined;
	const runWithinTime = async <R>(work: (signal: AbortSignal) => Promise<R>): Promise<R> => {
		if (!signal.aborted || maxReads === 1) {
			try {
				return await work(signal);
			} catch (error) {
				if (!signal.aborted || maxReads === 1) throw error;
			}
		}
		timeoutSignal ??= AbortSignal.timeout(maxStateReadMs);
		return work(timeoutSignal);
	};
	const readOnce = (readSignal: AbortSignal) => change.checkEffect(client, readSignal);
	const firstReading = await runWithinTime(readOnce);
	if (firstReading.effect === 'done' || maxReads === 1) return firstReading;
	await runWithinTime(waitSignal => client.clock.wait(stateReadPauseMs * client.clock.scale, waitSignal));
	return runWithinTime(readOnce);
}

/**
 * True if a change of unknown outcome can still take effect. A response with the service's envelope ends a
 * call; without a complete response, or with one from an edge or proxy (a page, a redirect), the call may
 * still be running; so it may after a 504 or 524. Work that goes on after the call can always take effect.
 */
function canStillArrive(
	client: Client,
	{change, failure, sentAt}: UnsettledChange<unknown, unknown, unknown>,
): boolean {
	if (change.continuesAfterCall) return true;
	const {http} = failure.details;
	const isEnded = getRefusalBody(failure) !== undefined && http !== 504 && http !== 524;
	return !isEnded && client.clock.elapsed() - sentAt < maxLateMs;
}

const describeCurrentState = (mayArriveLate: boolean, sentence: string): string =>
	`${mayArriveLate ? 'The outcome of the call is unknown, and it may still take effect. ' : ''}Current state: ${sentence}`;

const buildUnreadableFailure = (failure: Failure, readFailure: Failure, next: Advice): Failure =>
	failure.withDetails({
		outcomeUnknown: true,
		why: [failure.details.why, `The state could not be read afterwards: ${readFailure.message}`]
			.filter(Boolean)
			.join('\n'),
		left: 'The change may have taken effect.',
		next,
	});

/** Returns the value of a successful change; throws its failure otherwise. */
export function unwrapOutcome<T>(outcome: Outcome<T, unknown, unknown>): T {
	if (outcome.state === 'done') return outcome.value;
	throw outcome.failure;
}
