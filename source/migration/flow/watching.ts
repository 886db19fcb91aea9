import {asFailure, type Failure, isFailure} from '../../failure.ts';
import type {Clock} from '../../service/clock.ts';
import {outcomeOf} from '../../service/outcome.ts';
import type {MigrationRecord} from '../journal/record.ts';
import {isAtRest} from '../machine/states.ts';
import type {Driving, InTurn} from './driving.ts';
import type {FlowWork} from './parts.ts';

/** Milliseconds. A migration lasts an hour at most, by the documentation. */
export const watchingTime = 60 * 60_000;
const firstWait = 2_000;
const longestWait = 60_000;

/** Readings that fail in passing, or were blocked, do not end the watching: the zone continues without ledge. */
export const mayPass = (error: unknown): error is Failure => {
	// Who stopped it does not want to wait, whatever became of the request.
	if (!isFailure(error) || error.code === 'interrupted') return false;
	switch (outcomeOf(error)) {
		case 'blocked':
		case 'malformed':
		case 'failed':
		case 'no answer':
		case 'not sent':
		case 'throttled':
		case 'refused without a reason':
			return true;
		default:
			return false;
	}
};

type Watching<Reading> = {
	read(): Promise<Reading>;
	isOver(reading: Reading): boolean;
	/** Whether others may follow a reading that failed so. */
	passes?(error: unknown): error is Failure;
	/** That it fails since then (milliseconds since the epoch), and is tried on. */
	onFailure(failed: {readonly since: number; readonly failure: Failure}): void;
};

/**
 * Reads until it is over, ever more seldom (after 2 s at first, a minute at last), for an hour of waiting at most: the
 * clock may be set, and a computer may sleep, without anything having been watched. Returns the last reading, and fails
 * as that did at the end of that time.
 */
export async function watchUntil<Reading>(
	{read, isOver, passes = mayPass, onFailure}: Watching<Reading>,
	clock: Clock,
	signal: AbortSignal,
): Promise<Reading> {
	let waited = 0;
	let since: number | undefined;
	for (let wait = firstWait; ; wait = Math.min(wait * 1.5, longestWait)) {
		try {
			const reading = await read();
			since = undefined;
			if (isOver(reading) || waited >= watchingTime) return reading;
		} catch (error) {
			if (!passes(error)) throw asFailure(error);
			since ??= clock.now();
			onFailure({since, failure: error});
			if (waited >= watchingTime) throw error;
		}
		await clock.wait(wait * clock.scale, signal);
		waited += wait;
	}
}

/** Looks until the machine is at rest. Fails when the zone cannot be read at the end of the time. */
export async function watch(driving: Driving, inTurn: InTurn, work: FlowWork): Promise<MigrationRecord> {
	await watchUntil(
		{
			async read() {
				const seen = await inTurn(() => driving.look(work));
				work.onStep?.({does: 'watching', observed: seen});
			},
			isOver: () => isAtRest(driving.record.state),
			onFailure: failed => work.onStep?.({does: 'trying', ...failed}),
		},
		driving.parts.client.clock,
		work.signal,
	);
	return driving.record;
}
