import {type Failure, isFailure, toFailure} from '../../failure.ts';
import type {Clock} from '../../service/clock.ts';
import {getOutcome} from '../../service/outcome.ts';
import type {MigrationRecord} from '../journal/record.ts';
import {isAtRest} from '../machine/states.ts';
import type {FlowOptions} from './context.ts';
import type {MigrationDriver, RunInTurn} from './driver.ts';

/** Maximum duration of a migration according to the documentation, in milliseconds. */
export const maxWatchMs = 60 * 60_000;
const firstDelayMs = 2_000;
const maxDelayMs = 60_000;

/**
 * True for a failure that does not end watching: a temporary one, or a request that something in front of the
 * service blocked. The service goes on with the migration
 * whether or not ledge can read the zone.
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
	/**
	 * Called while reading fails and is retried. `since`: when the first of the consecutive failures
	 * occurred, in milliseconds since the epoch.
	 */
	onFailure(failedReading: {readonly since: number; readonly failure: Failure}): void;
};

/**
 * Reads until `isOver` returns true, with delays that grow from 2 s to a minute; waits at most an hour.
 * Counts the time spent waiting and not clock time, because a computer that slept has not watched. Returns
 * the last reading, or throws its failure.
 */
export async function watchUntil<Reading>(
	{read, isOver, canRetry = isTransientFailure, onFailure}: WatchOptions<Reading>,
	clock: Clock,
	signal: AbortSignal,
): Promise<Reading> {
	let waitedMs = 0;
	let since: number | undefined;
	for (let delayMs = firstDelayMs; ; delayMs = Math.min(delayMs * 1.5, maxDelayMs)) {
		try {
			const reading = await read();
			since = undefined;
			if (isOver(reading) || waitedMs >= maxWatchMs) return reading;
		} catch (error) {
			if (!canRetry(error)) throw toFailure(error);
			since ??= clock.now();
			onFailure({since, failure: error});
			if (waitedMs >= maxWatchMs) throw error;
		}
		await clock.wait(delayMs * clock.scale, signal);
		waitedMs += delayMs;
	}
}

/** Watches until the machine is at rest. Throws if the last reading failed. */
export async function watchMigration(
	driver: MigrationDriver,
	runInTurn: RunInTurn,
	options: FlowOptions,
): Promise<MigrationRecord> {
	await watchUntil(
		{
			async read() {
				const observation = await runInTurn(() => driver.observe(options));
				options.onStep?.({does: 'watching', observation});
			},
			isOver: () => isAtRest(driver.record.state),
			onFailure: failedReading => options.onStep?.({does: 'trying', ...failedReading}),
		},
		driver.context.client.clock,
		options.signal,
	);
	return driver.record;
}
