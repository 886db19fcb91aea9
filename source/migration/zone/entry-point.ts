import {entryPointPath} from '../../rulesets/paths.ts';
import {managedPhase} from '../../rulesets/ruleset.ts';
import type {Client} from '../../service/client.ts';
import {orAbsent} from '../../service/read-result.ts';
import {malformed, text} from '../../service/reading.ts';
import {isJsonObject, type JsonObject} from '../../text/json.ts';
import {type Configuration, withoutOwn} from '../configuration/configuration.ts';
import {answeredConfiguration, get} from './requests.ts';

/** The parsed entry point of the managed phase; `raw`: as the service sent it. */
export type ManagedEntryPoint = {
	readonly raw: JsonObject;
	readonly id: string;
	readonly version: string;
	readonly configuration: Configuration;
};

/** Reads the entry point of the managed phase. Undefined if none exists yet. */
export async function managedEntryPoint(
	client: Client,
	zone: string,
	signal: AbortSignal,
): Promise<ManagedEntryPoint | undefined> {
	return orAbsent(async () =>
		readEntryPoint(await get(client, entryPointPath(zone, managedPhase), {}, signal)),
	);
}

/** Parses an entry point from an answer of the service or from a snapshot. */
export function readEntryPoint(result: unknown): ManagedEntryPoint {
	if (!isJsonObject(result)) throw malformed('entry point ruleset');
	// The service omits an empty list of rules.
	const {rules = []} = result;
	return {
		raw: result,
		id: text(result, 'id', 'the entry point ruleset'),
		version: text(result, 'version', 'the entry point ruleset'),
		configuration: withoutOwn(
			answeredConfiguration({...result, rules: rules ?? []}, 'The entry point ruleset'),
		),
	};
}
