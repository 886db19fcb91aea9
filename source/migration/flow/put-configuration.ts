import {entryPointPath} from '../../rulesets/paths.ts';
import {managedPhase} from '../../rulesets/ruleset.ts';
import type {Client} from '../../service/client.ts';
import {type Configuration, requestBody} from '../configuration/configuration.ts';
import type {Mode} from '../machine/stage.ts';
import {type ManagedEntryPoint, readEntryPoint} from '../zone/entry-point.ts';
import {phaseTwo} from '../zone/requests.ts';

/** What is put, and the readings that it rests on. */
export type Rested = {
	readonly configuration: Configuration;
	/** When the oldest of the readings was answered, milliseconds since the epoch. */
	readonly since: number;
	/** Milliseconds from then until the last of them was: a slow line makes nothing older by itself. */
	readonly took?: number;
	/** Called when it goes out, right after the last wait for the quota. */
	readonly leaves?: () => void;
};

/** Milliseconds that the readings count once all are complete. Not scaled by the clock: nothing waits for it. */
const freshFor = 10_000;
/** Milliseconds that the oldest of them counts, however slow the line is. */
const longestFresh = 60_000;

/**
 * Puts a configuration: what cannot be undone. The one place that sends it, and never twice;
 * only sending.ts, which holds the guards, may call it. After a success, what the service says is there, where it can
 * be read; a failure with `details.outcomeUnknown` leaves open whether it was taken.
 * What would leave later than 10 s after the readings it rests on, or a minute after the first of them, is not sent,
 * and fails with `changed_meanwhile`.
 */
export async function putConfiguration(
	client: Client,
	zone: string,
	mode: Mode,
	{configuration, since, took = 0, leaves}: Rested,
	signal: AbortSignal,
): Promise<ManagedEntryPoint | undefined> {
	const {result} = await client.call(
		{
			method: 'PUT',
			path: entryPointPath(zone, managedPhase),
			query: {waf_migration: mode, ...phaseTwo},
			body: {kind: 'json', value: requestBody(configuration)},
			repeat: 'never',
			writes: true,
			exactNumbers: true,
			answers: 'listing',
			pretend: null,
			freshFor: {since, milliseconds: Math.min(took + freshFor, longestFresh), took},
			...(leaves && {leaves}),
		},
		signal,
	);
	try {
		return readEntryPoint(result);
	} catch {
		// It was taken, and the state is read next; the shape of this answer is not specified.
		return undefined;
	}
}
