import type {NamedCommand} from '../../failure.ts';
import type {Client} from '../../service/client.ts';
import {readIfPresent} from '../../service/read-result.ts';
import {createMalformedFailure} from '../../service/response-fields.ts';
import {buildCommand} from '../../text/advice.ts';
import {isJsonObject} from '../../text/json.ts';
import {readAllPages} from './all-pages.ts';
import type {MigrationZone} from './migration-zone.ts';
import {parseWafOverride, type WafOverride} from './override.ts';
import {getOverridePath, getOverridesPath} from './paths.ts';
import {readResultWithExactNumbers} from './requests.ts';

/** Reads all URI overrides of a zone. */
export async function readWafOverrides(
	client: Client,
	zoneId: string,
	signal: AbortSignal,
): Promise<readonly WafOverride[]> {
	const rawOverrides = await readAllPages(
		client,
		{path: getOverridesPath(zoneId), itemName: 'an override', unpaged: true},
		signal,
	);
	return rawOverrides.map(parseWafOverride);
}

/** Reads the current override with the given id. Undefined if none exists. */
export async function readWafOverride(
	client: Client,
	zoneId: string,
	id: string,
	signal: AbortSignal,
): Promise<WafOverride | undefined> {
	const result = await readIfPresent(() =>
		readResultWithExactNumbers(client, getOverridePath(zoneId, id), {}, signal),
	);
	if (result === undefined) return undefined;
	if (!isJsonObject(result)) throw createMalformedFailure('override');
	return parseWafOverride(result);
}

/** Builds the command that lists the overrides of a zone. */
export const buildOverrideListCommand = ({id}: Pick<MigrationZone, 'id'>): NamedCommand =>
	buildCommand('migration overrides list', '--zone-id', id);
