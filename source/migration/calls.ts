import {Failure, isFailure} from '../failure.ts';
import {isJsonObject, type JsonObject} from '../json.ts';
import type {Client} from '../service/client.ts';
import {malformed, optionalText} from '../service/reading.ts';
import {answeredConfiguration, explained, get, isUnrouted, phaseTwo} from './asking.ts';
import {type Configuration, fingerprint} from './configuration.ts';
import {managedEntryPoint} from './entry-point.ts';
import {checkPath, proposalPath, statusPath} from './paths.ts';
import type {Check, MigrationStatus, Seen, Stage} from './stage.ts';
import {stageOf} from './stage-of.ts';
import {together} from './together.ts';

export {type ManagedEntryPoint, managedEntryPoint, putConfiguration} from './entry-point.ts';
export {stageOf} from './stage-of.ts';

/**
 * Whether the zone can migrate (platform.md, "Check WAF update compatibility"). A service that gives no answer, as it
 * does for a zone of the Free plan, fails with `not_eligible`; nothing but `compatible: true` counts as that.
 */
export async function check(
	client: Client,
	zone: string,
	signal: AbortSignal,
): Promise<Check & {readonly raw: JsonObject}> {
	let result: unknown;
	try {
		result = await get(client, checkPath(zone), phaseTwo, signal);
	} catch (error) {
		if (isFailure(error, 'refused_by_service') && error.details.http === 403) throw withoutMigration(error);
		throw explained(error, 'migration check');
	}
	if (result === null) throw withoutMigration();
	if (!isJsonObject(result)) throw malformed('result of the compatibility check');
	const {compatible} = result;
	if (typeof compatible !== 'boolean')
		throw malformed('"compatible" in the result of the compatibility check');
	return {compatible, state: optionalText(result, 'migration_state'), raw: result};
}

const withoutMigration = (said?: Failure): Failure =>
	new Failure('not_eligible', 'There is no migration of this zone: the service has no check for it.', {
		why: said?.message ?? 'It answers the compatibility check with nothing.',
		next: 'Zones of the Free plan never had the previous managed rules: nothing has to be migrated there.',
		http: said?.details.http,
		ray: said?.details.ray,
		service: said?.details.service,
	});

/** What the service says of both versions (platform.md, "Get WAF status"); `undefined` where it says nothing at all. */
export async function status(
	client: Client,
	zone: string,
	signal: AbortSignal,
): Promise<(MigrationStatus & {readonly raw: JsonObject}) | undefined> {
	let result: unknown;
	try {
		result = await get(client, statusPath(zone), {}, signal);
	} catch (error) {
		if (isFailure(error, 'not_found', 'gone') && !isUnrouted(error)) return undefined;
		throw explained(error, 'migration status');
	}
	if (result === null) return undefined;
	if (!isJsonObject(result)) throw malformed('result of the migration status');
	return {
		state: optionalText(result, 'migration_state'),
		newWaf: optionalText(result, 'new_waf_status'),
		oldWaf: optionalText(result, 'old_waf_status'),
		created: optionalText(result, 'created'),
		source: optionalText(result, 'source'),
		raw: result,
	};
}

/** The configuration that the service proposes (platform.md, "Get new WAF configuration"). */
export async function proposedConfiguration(
	client: Client,
	zone: string,
	signal: AbortSignal,
): Promise<{readonly configuration: Configuration; readonly raw: JsonObject}> {
	let result: unknown;
	try {
		result = await get(client, proposalPath(zone), phaseTwo, signal);
	} catch (error) {
		throw explained(error, 'proposed configuration');
	}
	if (!isJsonObject(result)) throw malformed('proposed configuration');
	return {configuration: answeredConfiguration(result, 'What the service proposes'), raw: result};
}

/** What the service says of a zone now: check, status and entry point, read side by side. */
export async function seen(client: Client, zone: string, signal: AbortSignal): Promise<Seen> {
	const [{checked, stated}, entry] = await together(signal, [
		within => checkAndStatus(client, zone, within),
		within => managedEntryPoint(client, zone, within),
	]);
	return {
		at: client.pace.now(),
		stage: stageOf(checked, stated),
		check: checked,
		status: stated,
		...(entry && {
			entryPoint: {
				id: entry.id,
				version: entry.version,
				fingerprint: fingerprint(entry.configuration),
				rules: entry.configuration.rules.length,
			},
		}),
	};
}

/** The stage alone, without the entry point. */
export async function readStage(client: Client, zone: string, signal: AbortSignal): Promise<Stage> {
	const {checked, stated} = await checkAndStatus(client, zone, signal);
	return stageOf(checked, stated);
}

/**
 * Both answers about the migration. A zone that is further than its beginning may have no check any more: what the
 * status says of it is enough.
 */
export async function checkAndStatus(
	client: Client,
	zone: string,
	signal: AbortSignal,
): Promise<{readonly checked: Check; readonly stated: MigrationStatus | undefined}> {
	const [checked, stated] = await together(signal, [
		within =>
			check(client, zone, within).then(
				({compatible, state}) => ({compatible, state}),
				(error: unknown) => {
					if (isFailure(error, 'not_eligible', 'not_found', 'gone', 'refused_by_service')) return error;
					throw error;
				},
			),
		async within => {
			const answer = await status(client, zone, within);
			if (!answer) return undefined;
			const {raw: _, ...said} = answer;
			return said;
		},
	]);
	if (!(checked instanceof Error)) return {checked, stated};
	const none: Check = {compatible: false, state: undefined};
	switch (stated && stageOf(none, stated)) {
		case 'validation':
		case 'pending':
		case 'complete':
			return {checked: none, stated};
		default:
			throw checked;
	}
}
