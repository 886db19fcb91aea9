import {type Advice, asFailure, type Failure, type NamedCommand} from '../failure.ts';
import {advice} from '../text/advice.ts';
import {again} from './again.ts';
import type {Client} from './client.ts';
import {refusedWith} from './refusal.ts';

/** What the state shows of a change when it is read. */
type Shown<T, Part = never, Other = never> =
	/** What was sent exists, and is new. */
	| {readonly shows: 'done'; readonly value: T}
	/** Nothing of it exists, or only a part; `sentence` names what was looked for. */
	| {readonly shows: 'not done'; readonly sentence: string; readonly part?: Part | undefined}
	/**
	 * In its place is something that this change did not make: it existed before, or it differs from what was sent.
	 * `blocks`: while it exists, the service refuses this change, so that it cannot take effect later.
	 */
	| {
			readonly shows: 'other';
			readonly sentence: string;
			readonly other: Other;
			readonly blocks?: true;
	  };

/** A change of the service's state, with what is needed to find out whether it took effect. */
export type Change<T, Part = never, Other = never> = {
	/** Sends it. Called once. */
	send(client: Client, signal: AbortSignal): Promise<T>;
	/** Reads the state, and compares it with what was sent and with what existed before. Called as often as it takes. */
	look(client: Client, signal: AbortSignal): Promise<Shown<T, Part, Other>>;
	/** The command that shows what `look` reads. */
	readonly where: string | NamedCommand;
};

/** A change whose outcome is unknown: all that `settle` needs to look again, at any later time. */
export type Unsettled<T, Part = never, Other = never> = {
	readonly change: Change<T, Part, Other>;
	/** How the write failed. */
	readonly failure: Failure;
	/** Milliseconds by the clock of the client that is never set back. */
	readonly sentAt: number;
};

/** What became of a change. The `left` and `next` of each failure describe the state as it is now. */
export type Outcome<T, Part = never, Other = never> =
	/** `lost`: the answer was lost, and reading the state has shown it. */
	| {readonly state: 'done'; readonly value: T; readonly lost: boolean}
	/** The service refused it, or it was never sent. */
	| {readonly state: 'refused'; readonly failure: Failure}
	/** The outcome was unknown; the state shows that it took no effect, and it cannot take effect later. */
	| {readonly state: 'not done'; readonly failure: Failure; readonly sentence: string; readonly part?: Part}
	/** The same, but the service may still be working on it. */
	| {
			readonly state: 'may still arrive';
			readonly failure: Failure;
			readonly sentence: string;
			readonly part?: Part;
			readonly unsettled: Unsettled<T, Part, Other>;
	  }
	/** The outcome was unknown, and what exists now is not from this change. */
	| {
			readonly state: 'other';
			readonly failure: Failure;
			readonly sentence: string;
			readonly other: Other;
			readonly unsettled: Unsettled<T, Part, Other>;
	  }
	/** The outcome is unknown, and the state could not be read. */
	| {
			readonly state: 'unreadable';
			readonly failure: Failure;
			readonly unread: Failure;
			readonly unsettled: Unsettled<T, Part, Other>;
	  };

/** What a look can find: never that the service refused it. */
export type Settled<T, Part = never, Other = never> = Exclude<Outcome<T, Part, Other>, {state: 'refused'}>;

/** Milliseconds that reading the state may take once the person has stopped the work. */
const longestLook = 5_000;
/** Milliseconds before a second look: a call whose answer was lost is often still being worked on. */
const betweenLooks = 1_000;
/** Milliseconds after which the service has dropped a call that nobody answered: edges wait 100 s for an answer. */
const lateAtMost = 120_000;

/**
 * Sends a change once. Where its outcome is unknown (`details.outcomeUnknown`), reads the state and settles it. Never
 * rejects. When the signal is aborted, the state is still read, for at most five seconds.
 */
export async function carryOut<T, Part, Other>(
	client: Client,
	change: Change<T, Part, Other>,
	{signal, onLook}: {readonly signal: AbortSignal; onLook?: (() => void) | undefined},
): Promise<Outcome<T, Part, Other>> {
	const sentAt = client.clock.elapsed();
	try {
		return {state: 'done', value: await change.send(client, signal), lost: false};
	} catch (error) {
		const failure = asFailure(error);
		if (!failure.details.outcomeUnknown) {
			const {left} = failure.details;
			const state = left === undefined ? {left: 'Nothing was changed.', unchanged: true} : {left};
			return {state: 'refused', failure: failure.with({...state, next: again(failure)})};
		}
		onLook?.();
		return settle(client, {change, failure, sentAt}, {signal, looks: 2});
	}
}

/** Reads the state for a change whose outcome is unknown, with all that was known when it was sent. Sends nothing, never rejects. */
export async function settle<T, Part, Other>(
	client: Client,
	unsettled: Unsettled<T, Part, Other>,
	{signal, looks = 1}: {readonly signal: AbortSignal; readonly looks?: 1 | 2},
): Promise<Settled<T, Part, Other>> {
	const {change, failure} = unsettled;
	const see = advice`See \`${change.where}\` before you send it again.`;
	let shown: Shown<T, Part, Other>;
	try {
		shown = await lookedAt(client, unsettled, looks, signal);
	} catch (error) {
		const unread = asFailure(error);
		return {state: 'unreadable', failure: unknown(failure, unread, see), unread, unsettled};
	}
	if (shown.shows === 'done') return {state: 'done', value: shown.value, lost: true};
	const late = mayArrive(client, unsettled) && !('blocks' in shown);
	const {sentence} = shown;
	const left = currentState(late, sentence);
	if (shown.shows === 'other')
		return {
			state: 'other',
			failure: failure.with({outcomeUnknown: late, left, next: see}),
			sentence,
			other: shown.other,
			unsettled,
		};
	const part = shown.part === undefined ? {} : {part: shown.part};
	if (late)
		return {
			state: 'may still arrive',
			failure: failure.with({outcomeUnknown: true, left, next: see}),
			sentence,
			...part,
			unsettled,
		};
	const next = advice`Send it again; \`${change.where}\` shows the current state.`;
	return {state: 'not done', failure: failure.with({outcomeUnknown: false, left, next}), sentence, ...part};
}

/** The state as the last look shows it: what is not found at first is looked for once more. */
async function lookedAt<T, Part, Other>(
	client: Client,
	{change}: Unsettled<T, Part, Other>,
	looks: 1 | 2,
	signal: AbortSignal,
): Promise<Shown<T, Part, Other>> {
	let limited: AbortSignal | undefined;
	const withinTime = async <R>(work: (signal: AbortSignal) => Promise<R>): Promise<R> => {
		if (!signal.aborted || looks === 1) {
			try {
				return await work(signal);
			} catch (error) {
				if (!signal.aborted || looks === 1) throw error;
			}
		}
		limited ??= AbortSignal.timeout(longestLook);
		return work(limited);
	};
	const look = (looking: AbortSignal) => change.look(client, looking);
	const first = await withinTime(look);
	if (first.shows === 'done' || looks === 1) return first;
	await withinTime(waiting => client.clock.wait(betweenLooks * client.clock.scale, waiting));
	return withinTime(look);
}

/**
 * Whether a change of unknown outcome can still take effect: only the envelope of the service ends a call. What an
 * edge or a proxy answers in its place (a page, a redirect, a cut answer, nothing) leaves the call running, for a while.
 */
function mayArrive(client: Client, {failure, sentAt}: Unsettled<unknown, unknown, unknown>): boolean {
	const {http} = failure.details;
	const isEnded = refusedWith(failure) !== undefined && http !== 504 && http !== 524;
	return !isEnded && client.clock.elapsed() - sentAt < lateAtMost;
}

/** What exists in place of what was sent; it may still change where the call may still take effect. */
const currentState = (late: boolean, sentence: string): string =>
	`${late ? 'The outcome of the call is unknown, and it may still take effect. ' : ''}Current state: ${sentence}`;

/** The failure of a write of unknown outcome whose state could not be read. */
const unknown = (failure: Failure, unread: Failure, next: Advice): Failure =>
	failure.with({
		outcomeUnknown: true,
		why: [failure.details.why, `The state could not be read afterwards: ${unread.message}`]
			.filter(Boolean)
			.join('\n'),
		left: 'It is not known whether the service did it.',
		next,
	});

/** The value of a change that was done; else its failure is thrown. */
export function orThrow<T>(outcome: Outcome<T, unknown, unknown>): T {
	if (outcome.state === 'done') return outcome.value;
	throw outcome.failure;
}
