import {type Failure, isFailure, toFailure} from '../../failure.ts';
import type {Clock} from '../../service/clock.ts';
import {getOutcome} from '../../service/outcome.ts';
import type {MigrationRecord} from '../journal/record.ts';
import {isAtRest} from '../machine/states.ts';
import type {MigrationDriver, RunInTurn} from './driving.ts';
import type {FlowWork} from './parts.ts';

/** Maximum duration of a migration according to the documentation, in milliseconds. */
export const maxWatchMs = 60 * 60_000;
const firstDelayMs = 2_000;
const maxDelayMs = 60_000;

/**
 * True for a failure that does not end watching: temporary or blocked, because the zone continues without
 * ledge.
 */
export const isTransientFailure = (error: unknown): error is Failure => {
	// After an interruption the user does not want to wait, whatever happened to the request.
	if (!isFailure(error) || error.code === 'interrupted') return false;
	switch (getOutcome(error)) {
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

type WatchOptions<Reading> = {
	read(): Promise<Reading>;
	isOver(reading: Reading): boolean;
	/** True if reading may be retried after this failure. */
	canRetry?(error: unknown): error is Failure;
	/** Called while reading fails and is retried. `since`: milliseconds since the epoch. */
	onFailure(failed: {readonly since: number; readonly failure: Failure}): void;
};

/**
 * Reads until `isOver`, with delays that grow from 2 s to a minute, for at most an hour of waiting. Counts
 * time spent waiting, not clock time: a computer that slept has not watched. Returns the last reading, or
 * throws its failure.
 */
export async function watchUntil<Reading>(
	{read, isOver, canRetry = isTransientFailure, onFailure}: WatchOptions<Reading>,
	clock: Clock,
	signal: AbortSignal,
): Promise<Reading> {
	let waited = 0;
	let since: number | undefined;
	for (let wait = firstDelayMs; ; wait = Math.min(wait * 1.5, maxDelayMs)) {
		try {
			const reading = await read();
			since = undefined;
			if (isOver(reading) || waited >= maxWatchMs) return reading;
		} catch (error) {
			if (!canRetry(error)) throw toFailure(error);
			since ??= clock.now();
			onFailure({since, failure: error});
			if (waited >= maxWatchMs) throw error;
		}
		await clock.wait(wait * clock.scale, signal);
		waited += wait;
	}
}

/** Watches until the machine is at rest. Throws if the last reading failed. */
export async function watchMigration(
	driver: MigrationDriver,
	runInTurn: RunInTurn,
	work: FlowWork,
): Promise<MigrationRecord> {
	await watchUntil(
		{
			async read() {
				const observation = await runInTurn(() => driver.look(work));
				work.onStep?.({does: 'watching', observed: observation});
			},
			isOver: () => isAtRest(driver.record.state),
			onFailure: failed => work.onStep?.({does: 'trying', ...failed}),
		},
		driver.parts.client.clock,
		work.signal,
	);
	return driver.record;
}
