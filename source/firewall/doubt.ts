import {asFailure, type Failure} from '../failure.ts';
import type {Client} from '../service/client.ts';
import {again} from './next-step.ts';

/** Milliseconds that looking at the state may take once the person has stopped the work. */
const longestLook = 5_000;
/** Milliseconds before a second look: a call whose answer was lost can still be under way at the service. */
const betweenLooks = 1_000;

/** What a look at the state found: what was to be there, or what is there instead, in a sentence. */
export type Look<T> = {readonly found: T} | {readonly instead: string};

/**
 * Reads the state after a write whose answer was lost; what is not found is looked for once more. When the signal
 * is aborted, now or meanwhile, the look goes on for at most five seconds, so that it can be said what is there.
 * Fails when the state cannot be read.
 */
export async function lookAfterDoubt<T>(
	client: Client,
	look: (signal: AbortSignal) => Promise<Look<T>>,
	signal: AbortSignal,
): Promise<Look<T>> {
	let limited: AbortSignal | undefined;
	const withinTime = async <R>(work: (signal: AbortSignal) => Promise<R>): Promise<R> => {
		if (!signal.aborted) {
			try {
				return await work(signal);
			} catch (error) {
				if (!signal.aborted) throw error;
			}
		}
		limited ??= AbortSignal.timeout(longestLook);
		return work(limited);
	};
	const first = await withinTime(look);
	if ('found' in first) return first;
	await withinTime(waiting => client.pace.wait(betweenLooks * client.pace.scale, waiting));
	return withinTime(look);
}

/**
 * A write whose result can be read: after a lost answer the state decides. Gives what is there when it is what was
 * asked for; else fails with the truth in `left`.
 */
export async function settled<T>(
	client: Client,
	write: () => Promise<T>,
	{look, where}: {look(signal: AbortSignal): Promise<Look<T>>; readonly where: string},
	signal: AbortSignal,
): Promise<T> {
	try {
		return await write();
	} catch (error) {
		const failure = asFailure(error);
		if (!failure.details.doubtful)
			throw failure.with({left: failure.details.left ?? 'Nothing was changed.', next: again(failure)});
		let seen: Look<T>;
		try {
			seen = await lookAfterDoubt(client, look, signal);
		} catch (unread) {
			throw unknown(failure, asFailure(unread), `See \`${where}\` before you send it again.`);
		}
		if ('found' in seen) return seen.found;
		const late = mayArriveLate(failure);
		throw failure.with({
			doubtful: late,
			left: lookedAfterwards(failure, seen.instead),
			next: late
				? `See \`${where}\` before you send it again.`
				: `Send it again; \`${where}\` shows what is there.`,
		});
	}
}

/**
 * Whether a write can still take effect after it has failed: nothing ended it at the service, which may be working on
 * it. What the service answered is over, but for the answers of an edge that only stopped waiting for it.
 */
export const mayArriveLate = ({details: {http, doubtful}}: Failure): boolean =>
	doubtful === true && (http === undefined || http === 504 || http === 524);

/** What a look found instead of what was to be there; true of its moment only, where the call may still arrive. */
export const lookedAfterwards = (failure: Failure, instead: string): string =>
	mayArriveLate(failure)
		? `The call had no answer and may still take effect. Looked afterwards: ${instead}`
		: `Looked afterwards: ${instead}`;

/** The failure of a write of which nobody can say whether it was made, because the state could not be read. */
export const unknown = (failure: Failure, unread: Failure, next: string, left = ''): Failure =>
	failure.with({
		doubtful: true,
		why: [failure.details.why, `The state could not be read afterwards: ${unread.message}`]
			.filter(Boolean)
			.join('\n'),
		left: `${left && `${left} `}It is not known whether the service did it.`,
		next,
	});
