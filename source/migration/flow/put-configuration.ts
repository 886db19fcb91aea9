import {getEntryPointPath} from '../../rulesets/paths.ts';
import {managedPhase} from '../../rulesets/ruleset.ts';
import type {Client} from '../../service/client.ts';
import {buildConfigurationBody, type ManagedConfiguration} from '../configuration/configuration.ts';
import type {MigrationMode} from '../machine/stage.ts';
import {type ManagedEntryPoint, parseManagedEntryPoint} from '../zone/entry-point.ts';
import {phaseTwoQuery} from '../zone/requests.ts';

/** A configuration to put, and the age of the readings that it is based on. */
export type PutRequest = {
	readonly configuration: ManagedConfiguration;
	/** When the response to the oldest reading arrived, in milliseconds since the epoch. */
	readonly oldestReadingAt: number;
	/**
	 * Milliseconds from the first response to the last one. Added to the validity, so that slow reading alone
	 * does not make the readings stale.
	 */
	readonly readingMs?: number;
	/** Called when the request is sent, after waiting for the quota. */
	readonly onSend?: () => void;
};

/**
 * Time for which the readings are valid after the last response, in milliseconds. LEDGE_TIME_SCALE does not
 * change it, because nothing waits for it.
 */
const validityMs = 10_000;
/** Maximum age of the oldest reading, in milliseconds. */
const maxAgeMs = 60_000;

/**
 * Puts a configuration, which cannot be undone. This is the only function that sends it, and it never
 * retries; only sending.ts, which has the guards, may call it. Returns the entry point in the response, or
 * undefined if the response cannot be parsed. A failure with `details.outcomeUnknown` may have taken effect.
 * Throws `changed_meanwhile` without sending 10 s after the last reading or 60 s after the oldest one.
 */
export async function putConfiguration(
	client: Client,
	zoneId: string,
	mode: MigrationMode,
	{configuration, oldestReadingAt, readingMs = 0, onSend}: PutRequest,
	signal: AbortSignal,
): Promise<ManagedEntryPoint | undefined> {
	const {result} = await client.call(
		{
			method: 'PUT',
			path: getEntryPointPath(zoneId, managedPhase),
			query: {waf_migration: mode, ...phaseTwoQuery},
			body: {kind: 'json', value: buildConfigurationBody(configuration)},
			repeat: 'never',
			writes: true,
			exactNumbers: true,
			responseLimit: 'listing',
			dryRunResult: null,
			freshFor: {since: oldestReadingAt, milliseconds: Math.min(readingMs + validityMs, maxAgeMs), readingMs},
			...(onSend && {onSend}),
		},
		signal,
	);
	try {
		return parseManagedEntryPoint(result);
	} catch {
		// The PUT was accepted. The shape of the response is unspecified, and the state is read next anyway.
		return undefined;
	}
}
