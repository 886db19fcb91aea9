import {isFailure} from '../failure.ts';
import {isJsonObject, type JsonObject} from '../json.ts';
import {entryPointPath} from '../rulesets/calls.ts';
import {managedPhase} from '../rulesets/ruleset.ts';
import type {Client} from '../service/client.ts';
import {malformed, text} from '../service/reading.ts';
import {isUnrouted} from '../service/refusal.ts';
import {answeredConfiguration, get, phaseTwo} from './asking.ts';
import {type Configuration, requestBody} from './configuration.ts';
import type {Mode} from './stage.ts';

/** The entry point of the managed phase, read; `raw` is it as the service gave it. */
export type ManagedEntryPoint = {
	readonly raw: JsonObject;
	readonly id: string;
	readonly version: string;
	readonly configuration: Configuration;
};

/** The entry point of the managed phase; `undefined` where there is none yet (service-contract.md 7). */
export async function managedEntryPoint(
	client: Client,
	zone: string,
	signal: AbortSignal,
): Promise<ManagedEntryPoint | undefined> {
	let result: unknown;
	try {
		result = await get(client, entryPointPath(zone, managedPhase), {}, signal);
	} catch (error) {
		if (isFailure(error, 'not_found') && !isUnrouted(error)) return undefined;
		throw error;
	}
	return readEntryPoint(result);
}

/** What is put, and when the oldest of the readings was answered that it rests on, milliseconds since the epoch. */
export type Rested = {readonly configuration: Configuration; readonly since: number};

/** Milliseconds that such a reading counts. Of no pace: this is no wait that a test would shorten. */
const freshFor = 10_000;

/**
 * Puts a configuration: what cannot be undone (service-contract.md 6). The one place that sends it, and never twice;
 * only sending.ts, which holds the guards, may call it. After a success, what the service says is there, where it can
 * be read; a failure with `details.doubtful` leaves open whether it was taken.
 * What would leave later than 10 s after the readings it rests on is not sent, and fails with `changed_meanwhile`.
 */
export async function putConfiguration(
	client: Client,
	zone: string,
	mode: Mode,
	{configuration, since}: Rested,
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
			strict: true,
			pretend: null,
			freshFor: {since, milliseconds: freshFor},
		},
		signal,
	);
	try {
		return readEntryPoint(result);
	} catch {
		// It was taken, and what is there is read next; the shape of this answer is not specified.
		return undefined;
	}
}

/** An entry point out of what the service answered, or of a snapshot that keeps it. */
export function readEntryPoint(result: unknown): ManagedEntryPoint {
	if (!isJsonObject(result)) throw malformed('entry point ruleset');
	// A ruleset without any rule is given without the list, too.
	const {rules = []} = result;
	return {
		raw: result,
		id: text(result, 'id', 'the entry point ruleset'),
		version: text(result, 'version', 'the entry point ruleset'),
		configuration: answeredConfiguration({...result, rules: rules ?? []}, 'The entry point ruleset'),
	};
}
