import {Failure} from '../../failure.ts';
import {planHas} from '../../service/plan.ts';
import {advice, inZone} from '../../text/advice.ts';
import {type Configuration, fingerprint, readConfiguration} from '../configuration/configuration.ts';
import type {EntryPointMark, Reviewed} from '../journal/record.ts';
import {cannotNow} from '../machine/next-steps.ts';
import type {Mode} from '../machine/stage.ts';
import {hasMovedOn, isNotTaken} from '../machine/states.ts';
import {next} from '../machine/transitions.ts';
import {readEntryPoint} from '../zone/entry-point.ts';
import type {Snapshot} from '../zone/snapshot.ts';
import type {Driving} from './driving.ts';
import {watchingTime} from './watching.ts';

/**
 * What the user saw when reviewing: the fingerprint of the proposal, and the entry point. Neither may change
 * before the configuration is sent.
 */
export type ReviewBasis = {
	readonly proposed?: string | undefined;
	readonly entryPoint?: EntryPointMark | undefined;
	/** When it was shown, in milliseconds since the epoch; undefined: now. */
	readonly at?: number | undefined;
};

/** Returns the review basis of what is shown from a snapshot. Excludes parts that were not read. */
export function basisOf({proposed, entryPoint}: Pick<Snapshot, 'proposed' | 'entryPoint'>): ReviewBasis {
	const there = entryPoint ? readEntryPoint(entryPoint) : undefined;
	return {
		proposed: proposed ? fingerprint(readConfiguration(proposed, 'What the service proposes')) : undefined,
		entryPoint: there && {version: there.version, fingerprint: fingerprint(there.configuration)},
	};
}

export const isSameMark = (one: EntryPointMark | undefined, other: EntryPointMark | undefined): boolean =>
	one?.version === other?.version && one?.fingerprint === other?.fingerprint;

/**
 * Picks the later of two reviews of a configuration: the one in the journal, or the one of the plan. Ignores
 * a time in the future, which comes from a wrong clock.
 */
export const laterReview = (
	known: Reviewed | undefined,
	shown: Reviewed | undefined,
	now: number,
): Reviewed | undefined => (known && (!shown || (shown.at <= known.at && known.at <= now)) ? known : shown);

/** Records a review. Keeps the configuration first. */
export async function review(
	driving: Driving,
	configuration: Configuration,
	{proposed, entryPoint, at = driving.parts.client.clock.now()}: ReviewBasis,
	goal: Mode,
): Promise<void> {
	const {parts, record} = driving;
	if (next(record.state, 'review') === undefined || !record.seen)
		throw cannotNow(parts.zone, record, 'A review');
	await parts.journal.keepReviewed(configuration);
	await driving.take('review', 'A review', {
		goal,
		reviewed: {
			fingerprint: fingerprint(configuration),
			proposed,
			entryPoint,
			rules: configuration.rules.length,
			at,
		},
	});
}

/**
 * Records that the user requested a PUT of the reviewed configuration, or of the one with fingerprint
 * `digits`. Cancels earlier requests, so that `resume` does not send them; what was sent stays sent.
 */
export async function ask(
	{parts, record, change}: Driving,
	mode: Mode,
	digits = record.reviewed?.fingerprint,
): Promise<void> {
	const {state, reviewed} = record;
	const mayFollow = isNotTaken(state) || next(state, 'review') !== undefined;
	if (!reviewed || !mayFollow) return;
	const {plan} = parts.zone;
	const isPossible = mode === 'pending' || plan === undefined || planHas(plan, 'enterprise');
	const goal = isPossible && digits === reviewed.fingerprint ? mode : undefined;
	if (record.goal !== goal) await change({goal});
}

/** Throws `job_running` while the last PUT may still take effect, up to an hour after it. */
export function refuseTooEarly({parts, record}: Driving): void {
	const {state, put} = record;
	if (hasMovedOn(state) || next(state, 'take over') === undefined) return;
	const {clock} = parts.client;
	const at = put?.at ?? record.seen?.at ?? clock.now();
	const minutes = Math.ceil((at + watchingTime * clock.scale - clock.now()) / 60_000);
	// A time in the future comes from a wrong clock and must not extend the wait.
	if (minutes <= 0 || at > clock.now()) return;
	throw new Failure('job_running', `The service is still at work on ${parts.zone.name}.`, {
		why: `A migration can last an hour; ${minutes} min of it are left.`,
		next: advice`Watch it: \`${inZone('migration status --watch')}\`.`,
	});
}
