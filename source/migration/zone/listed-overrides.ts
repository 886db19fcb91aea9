import type {NamedCommand} from '../../failure.ts';
import type {Client} from '../../service/client.ts';
import {orAbsent} from '../../service/read-result.ts';
import {malformed} from '../../service/reading.ts';
import {ledge} from '../../text/advice.ts';
import {isJsonObject} from '../../text/json.ts';
import {allPages} from './all-pages.ts';
import type {MigrationZone} from './migration-zone.ts';
import {readOverride, type WafOverride} from './override.ts';
import {overridePath, overridesPath} from './paths.ts';
import {get} from './requests.ts';

/** Reads all URI overrides of a zone. */
export async function overrides(
	client: Client,
	zone: string,
	signal: AbortSignal,
): Promise<readonly WafOverride[]> {
	const listed = await allPages(
		client,
		{path: overridesPath(zone), one: 'an override', unpaged: true},
		signal,
	);
	return listed.map(readOverride);
}

/** Reads the current override with an id. Undefined if none exists. */
export async function overrideById(
	client: Client,
	zone: string,
	id: string,
	signal: AbortSignal,
): Promise<WafOverride | undefined> {
	const result = await orAbsent(() => get(client, overridePath(zone, id), {}, signal));
	if (result === undefined) return undefined;
	if (!isJsonObject(result)) throw malformed('override');
	return readOverride(result);
}

/** Builds the command that lists the overrides of a zone. */
export const overridesListing = ({id}: Pick<MigrationZone, 'id'>): NamedCommand =>
	ledge('migration overrides list', '--zone-id', id);
