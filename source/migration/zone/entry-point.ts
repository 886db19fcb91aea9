import {getEntryPointPath} from '../../rulesets/paths.ts';
import {managedPhase} from '../../rulesets/ruleset.ts';
import type {Client} from '../../service/client.ts';
import {readIfPresent} from '../../service/read-result.ts';
import {createMalformedFailure, requireText} from '../../service/response-fields.ts';
import {isJsonObject, type JsonObject} from '../../text/json.ts';
import {type ManagedConfiguration, omitServiceFields} from '../configuration/configuration.ts';
import {parseConfigurationResponse, readResultWithExactNumbers} from './requests.ts';

/** The parsed entry point of the managed phase. `raw`: the object as the service sent it. */
export type ManagedEntryPoint = {
	readonly raw: JsonObject;
	readonly id: string;
	readonly version: string;
	readonly configuration: ManagedConfiguration;
};

/** Reads the entry point of the managed phase. Undefined if none exists yet. */
export async function readManagedEntryPoint(
	client: Client,
	zoneId: string,
	signal: AbortSignal,
): Promise<ManagedEntryPoint | undefined> {
	return readIfPresent(async () =>
		parseManagedEntryPoint(
			await readResultWithExactNumbers(client, getEntryPointPath(zoneId, managedPhase), {}, signal),
		),
	);
}

/** Parses an entry point from a response of the service or from a snapshot. */
export function parseManagedEntryPoint(result: unknown): ManagedEntryPoint {
	if (!isJsonObject(result)) throw createMalformedFailure('entry point ruleset');
	// The service omits an empty list of rules.
	const {rules = []} = result;
	return {
		raw: result,
		id: requireText(result, 'id', 'the entry point ruleset'),
		version: requireText(result, 'version', 'the entry point ruleset'),
		configuration: omitServiceFields(
			parseConfigurationResponse({...result, rules: rules ?? []}, 'The entry point ruleset'),
		),
	};
}
