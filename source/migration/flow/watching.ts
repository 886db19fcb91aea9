import {asFailure, type Failure, isFailure} from '../../failure.ts';
import type {Clock} from '../../service/clock.ts';
import {outcomeOf} from '../../service/outcome.ts';
import type {MigrationRecord} from '../journal/record.ts';
import {isAtRest} from '../machine/states.ts';
import type {Driving, InTurn} from './driving.ts';
import type {FlowWork} from './parts.ts';

/** Maximum duration of a migration according to the documentation, in milliseconds. */
export const watchingTime = 60 * 60_000;
const firstWait = 2_000;
const longestWait = 60_000;

/**
 * True for a failure that does not end watching: temporary or blocked, because the zone continues without
 * ledge.
 */
export const mayPass = (error: unknown): error is Failure => {
	// After an interruption the user does not want to wait, whatever happened to the request.
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
	/** True if reading may be retried after this failure. */
	passes?(error: unknown): error is Failure;
	/** Called while reading fails and is retried. `since`: milliseconds since the epoch. */
	onFailure(failed: {readonly since: number; readonly failure: Failure}): void;
};

/**
 * Reads until `isOver`, with delays that grow from 2 s to a minute, for at most an hour of waiting. Counts
 * time spent waiting, not clock time: a computer that slept has not watched. Returns the last reading, or
 * throws its failure.
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

/** Watches until the machine is at rest. Throws if the last reading failed. */
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
