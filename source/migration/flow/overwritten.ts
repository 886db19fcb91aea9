import {getRulesetsPath} from '../../rulesets/paths.ts';
import type {Client} from '../../service/client.ts';
import type {ManagedConfiguration} from '../configuration/configuration.ts';
import {compareConfigurations} from '../configuration/difference.ts';
import type {RecordedPut} from '../journal/record.ts';
import {type ManagedEntryPoint, parseManagedEntryPoint} from '../zone/entry-point.ts';
import {readResultWithExactNumbers} from '../zone/requests.ts';

/**
 * Lists what others changed between the last reading and the PUT, which overwrote it. The service has no
 * precondition for the PUT; only a version that rose by more than one shows it. Undefined if nothing was
 * lost; empty if the versions could not be read. Never rejects.
 */
export async function listOverwrittenChanges(
	client: Client,
	zoneId: string,
	before: RecordedPut['before'],
	{id, version, configuration}: Pick<ManagedEntryPoint, 'id' | 'version' | 'configuration'>,
	signal: AbortSignal,
): Promise<readonly string[] | undefined> {
	const [versionBefore, versionAfter] = [Number(before.version ?? 0), Number(version)];
	if (!(versionAfter > versionBefore + 1)) return undefined;
	const readRules = async (number: number): Promise<ManagedConfiguration> => {
		const path = getRulesetsPath(zoneId, id, 'versions', String(number));
		return parseManagedEntryPoint(await readResultWithExactNumbers(client, path, {}, signal)).configuration;
	};
	try {
		const overwritten = await readRules(versionAfter - 1);
		// The service itself may write more than one version of what was sent.
		if (compareConfigurations(overwritten, configuration).length === 0) return undefined;
		const shown = before.version === undefined ? {...overwritten, rules: []} : await readRules(versionBefore);
		const differences = compareConfigurations(shown, overwritten);
		return differences.length === 0
			? undefined
			: differences.map(({about, before: was, after: is}) => `${about}: ${was} → ${is}`);
	} catch {
		// Without an entry point before, the service may begin with any version.
		return before.version === undefined ? undefined : [];
	}
}
