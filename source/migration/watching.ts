import {asFailure, type Failure, isFailure} from '../failure.ts';
import type {Driving} from './driving.ts';
import type {FlowWork} from './flow.ts';
import type {MigrationRecord} from './record.ts';
import {isStanding} from './standing.ts';
import type {InTurn} from './turns.ts';

/** Milliseconds. The documentation says that a migration takes up to an hour. */
export const watchingTime = 60 * 60_000;
const firstWait = 2_000;
const longestWait = 60_000;

/** Readings that fail in passing do not end the watching: the zone goes on without us. */
export const mayPass = (error: unknown): error is Failure =>
	isFailure(
		error,
		'unreachable',
		'connection_lost',
		'timed_out',
		'service_failed',
		'answer_malformed',
		'rate_limited',
	);

/**
 * Looks until the machine stands still, ever more seldom (after 2 s at first, a minute at last), for an hour of waiting
 * at most: the clock may be set, and a computer may sleep, without anything having been watched.
 * Fails when the zone cannot be read at the end of that time.
 */
export async function watch(driving: Driving, inTurn: InTurn, work: FlowWork): Promise<MigrationRecord> {
	const {pace} = driving.parts.client;
	let waited = 0;
	let failed: Failure | undefined;
	for (let wait = firstWait; ; wait = Math.min(wait * 1.5, longestWait)) {
		try {
			const seen = await inTurn(() => driving.look(work));
			failed = undefined;
			work.onStep?.({does: 'watching', seen});
			if (isStanding(driving.record.state)) return driving.record;
		} catch (error) {
			if (!mayPass(error)) throw asFailure(error);
			failed = error;
		}
		if (waited >= watchingTime) {
			if (failed) throw failed;
			return driving.record;
		}
		await pace.wait(wait * pace.scale, work.signal);
		waited += wait;
	}
}
