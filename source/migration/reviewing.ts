import {Failure} from '../failure.ts';
import {type Configuration, fingerprint, readConfiguration} from './configuration.ts';
import type {Driving} from './driving.ts';
import {readEntryPoint} from './entry-point.ts';
import {next} from './machine.ts';
import type {EntryPointMark} from './record.ts';
import type {Snapshot} from './snapshot.ts';
import type {Mode} from './stage.ts';
import {cannotNow} from './standing.ts';
import {watchingTime} from './watching.ts';

/**
 * What a person was shown when a configuration was reviewed: the fingerprint of what the service proposed, and the entry
 * point that was there. Whatever is there when it is sent has to be that still.
 */
export type ReviewBasis = {
	readonly proposed: string | undefined;
	readonly entryPoint: EntryPointMark | undefined;
};

/** The basis of what is shown out of a snapshot: its plan, its comparison. What was not read was not shown. */
export function basisOf({proposed, entryPoint}: Pick<Snapshot, 'proposed' | 'entryPoint'>): ReviewBasis {
	const there = entryPoint ? readEntryPoint(entryPoint) : undefined;
	return {
		proposed: proposed ? fingerprint(readConfiguration(proposed, 'What the service proposes')) : undefined,
		entryPoint: there && {version: there.version, fingerprint: fingerprint(there.configuration)},
	};
}

/** A person reviewed a configuration, and was shown that. It is kept first, and then is what was reviewed. */
export async function review(
	driving: Driving,
	configuration: Configuration,
	{proposed, entryPoint}: ReviewBasis,
	goal: Mode,
): Promise<void> {
	const {parts, record} = driving;
	if (next(record.state, 'review') === undefined || !record.seen)
		throw cannotNow(parts.zone, record.state, 'A review', record.seen);
	await parts.journal.keepReviewed(configuration);
	await driving.take('review', 'A review', {
		goal,
		reviewed: {
			fingerprint: fingerprint(configuration),
			proposed,
			entryPoint,
			rules: configuration.rules.length,
			at: parts.client.pace.now(),
		},
	});
}

/** What the service took may take an hour to show: until then beginning anew would only mislead. */
export function refuseTooEarly({parts, record}: Driving): void {
	const {state, put} = record;
	if (state === 'moved on' || next(state, 'take over') === undefined) return;
	const {pace} = parts.client;
	const at = put?.at ?? record.seen?.at ?? pace.now();
	const minutes = Math.ceil((at + watchingTime * pace.scale - pace.now()) / 60_000);
	if (minutes <= 0) return;
	throw new Failure('job_running', `The service is still at work on ${parts.zone.name}.`, {
		why: `A migration can take up to an hour; ${minutes} min of it are left.`,
		next: 'Watch it: `ledge migration status --watch`.',
	});
}
