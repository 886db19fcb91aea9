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
 * What a person was shown when a configuration was reviewed: the fingerprint of what the service proposed, and the entry
 * point that was there. Whatever is there when it is sent has to be that still.
 */
export type ReviewBasis = {
	readonly proposed?: string | undefined;
	readonly entryPoint?: EntryPointMark | undefined;
	/** When it was shown, milliseconds since the epoch; none: just now. */
	readonly at?: number | undefined;
};

/** The basis of what is shown out of a snapshot: its plan, its comparison. What was not read was not shown. */
export function basisOf({proposed, entryPoint}: Pick<Snapshot, 'proposed' | 'entryPoint'>): ReviewBasis {
	const there = entryPoint ? readEntryPoint(entryPoint) : undefined;
	return {
		proposed: proposed ? fingerprint(readConfiguration(proposed, 'What the service proposes')) : undefined,
		entryPoint: there && {version: there.version, fingerprint: fingerprint(there.configuration)},
	};
}

/** Whether the entry point is as it was at another moment. */
export const isSameMark = (one: EntryPointMark | undefined, other: EntryPointMark | undefined): boolean =>
	one?.version === other?.version && one?.fingerprint === other?.fingerprint;

/**
 * Which of two reviews of the same configuration is the later one: the one in the journal, or the plan that was shown. A
 * time that is still to come is of a clock that was ahead, and tells nothing.
 */
export const laterReview = (
	known: Reviewed | undefined,
	shown: Reviewed | undefined,
	now: number,
): Reviewed | undefined => (known && (!shown || (shown.at <= known.at && known.at <= now)) ? known : shown);

/** A person reviewed a configuration, and was shown that. It is kept first, and then is what was reviewed. */
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
 * A person asks for a PUT, of the configuration with this fingerprint or of what was reviewed. From then on nothing that
 * was asked for before goes by `resume`, whatever keeps this one from going; what was sent already stays sent.
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

/** What the service took may take an hour to show: until then starting again would only mislead. */
export function refuseTooEarly({parts, record}: Driving): void {
	const {state, put} = record;
	if (hasMovedOn(state) || next(state, 'take over') === undefined) return;
	const {clock} = parts.client;
	const at = put?.at ?? record.seen?.at ?? clock.now();
	const minutes = Math.ceil((at + watchingTime * clock.scale - clock.now()) / 60_000);
	// A time that is still to come is of a clock that was ahead: it would keep a person waiting for as long as it was.
	if (minutes <= 0 || at > clock.now()) return;
	throw new Failure('job_running', `The service is still at work on ${parts.zone.name}.`, {
		why: `A migration can last an hour; ${minutes} min of it are left.`,
		next: advice`Watch it: \`${inZone('migration status --watch')}\`.`,
	});
}
