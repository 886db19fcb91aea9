import {Failure} from '../failure.ts';
import {type Configuration, fingerprint} from './configuration.ts';
import type {Driving} from './driving.ts';
import {next} from './machine.ts';
import {markOf} from './observation.ts';
import type {Mode} from './stage.ts';
import {cannotNow} from './standing.ts';
import {watchingTime} from './watching.ts';

/** A person reviewed a configuration, made from that proposal. It is kept first, and then is what was reviewed. */
export async function review(
	driving: Driving,
	configuration: Configuration,
	proposed: Configuration | undefined,
	goal: Mode,
): Promise<void> {
	const {parts, record} = driving;
	if (next(record.state, 'review') === undefined || !record.seen)
		throw cannotNow(parts.zone, record.state, 'A review');
	await parts.journal.keepReviewed(configuration);
	await driving.take('review', 'A review', {
		goal,
		reviewed: {
			fingerprint: fingerprint(configuration),
			proposed: proposed && fingerprint(proposed),
			entryPoint: markOf(record.seen),
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
