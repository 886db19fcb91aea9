import {Failure, isFailure} from '../../failure.ts';
import type {Client} from '../../service/client.ts';
import type {Clock} from '../../service/clock.ts';
import {getOutcome, isAbsent, isConclusiveFailure} from '../../service/outcome.ts';
import {createMalformedFailure} from '../../service/response-fields.ts';
import {buildAdvice, buildZoneCommand} from '../../text/advice.ts';
import {isJsonObject, type JsonObject} from '../../text/json.ts';
import {computeFingerprint, type ManagedConfiguration} from '../configuration/configuration.ts';
import {readServiceWord, resolveMigrationStage} from '../machine/resolve-stage.ts';
import type {CompatibilityCheck, MigrationStage, MigrationStatus, Observation} from '../machine/stage.ts';
import {readConcurrently} from './concurrent.ts';
import {readManagedEntryPoint} from './entry-point.ts';
import type {MigrationZone} from './migration-zone.ts';
import {getCheckPath, getProposalPath, getStatusPath} from './paths.ts';
import {
	explainAbsence,
	parseConfigurationResponse,
	phaseTwoQuery,
	readResultWithExactNumbers,
} from './requests.ts';
import {isWithoutManagedRules, toFailureIfWithheld} from './withheld.ts';

/**
 * Reads whether the zone can migrate; only `compatible: true` counts. If the service has no check for a zone
 * on the Free plan, throws `not_eligible`; for other zones, throws the service's refusal.
 */
export async function readMigrationCheck(
	client: Client,
	zone: MigrationCheckTarget,
	signal: AbortSignal,
): Promise<CompatibilityCheck & {readonly raw: JsonObject}> {
	let result: unknown;
	try {
		result = await readResultWithExactNumbers(client, getCheckPath(zone.id), phaseTwoQuery, signal);
	} catch (error) {
		if (isFailure(error) && isWithoutManagedRules(zone, error)) throw createNoMigrationFailure(error);
		throw explainAbsence(error, 'migration check');
	}
	if (result === null && zone.plan === 'free') throw createNoMigrationFailure();
	if (!isJsonObject(result)) throw createMalformedFailure('result of the compatibility check');
	const {compatible} = result;
	if (typeof compatible !== 'boolean')
		throw createMalformedFailure('"compatible" in the result of the compatibility check');
	return {compatible, state: readServiceWord(result, 'migration_state'), raw: result};
}

/** The zone whose check is read. Its plan decides what a refusal means. */
export type MigrationCheckTarget = Pick<MigrationZone, 'id'> & Partial<Pick<MigrationZone, 'plan'>>;

const createNoMigrationFailure = (refusal?: Failure): Failure =>
	new Failure('not_eligible', 'There is no migration for this zone: the service offers no check for it.', {
		why: refusal?.message ?? 'The compatibility check returned no result.',
		next: 'Zones on the Free plan never had the previous managed rules: there is nothing to migrate.',
		http: refusal?.details.http,
		ray: refusal?.details.ray,
		service: refusal?.details.service,
	});

/** Reads the status of both versions. Undefined if the service reports none. */
export async function readMigrationStatus(
	client: Client,
	zoneId: string,
	signal: AbortSignal,
): Promise<(MigrationStatus & {readonly raw: JsonObject}) | undefined> {
	let result: unknown;
	try {
		result = await readResultWithExactNumbers(client, getStatusPath(zoneId), {}, signal);
	} catch (error) {
		if (isAbsentOrRetired(error)) return undefined;
		throw explainAbsence(error, 'migration status');
	}
	if (result === null) return undefined;
	if (!isJsonObject(result)) throw createMalformedFailure('result of the migration status');
	return {...parseMigrationStatus(result), raw: result};
}

/** True if the service does not have the resource, or has retired it. */
const isAbsentOrRetired = (error: unknown): boolean =>
	isAbsent(error) || (isFailure(error) && getOutcome(error) === 'retired');

/** Parses the migration status. A field that is not a string is kept as JSON text. */
export const parseMigrationStatus = (result: JsonObject): MigrationStatus => ({
	state: readServiceWord(result, 'migration_state'),
	newWaf: readServiceWord(result, 'new_waf_status'),
	oldWaf: readServiceWord(result, 'old_waf_status'),
	created: readServiceWord(result, 'created'),
	source: readServiceWord(result, 'source'),
});

/** Reads the configuration that the service proposes. */
export async function readProposedConfiguration(
	client: Client,
	zoneId: string,
	signal: AbortSignal,
): Promise<{readonly configuration: ManagedConfiguration; readonly raw: JsonObject}> {
	let result: unknown;
	try {
		result = await readResultWithExactNumbers(client, getProposalPath(zoneId), phaseTwoQuery, signal);
	} catch (error) {
		if (isFailure(error) && isConclusiveFailure(error) && getOutcome(error) === 'refused')
			throw createNoProposalFailure(error);
		throw explainAbsence(error, 'proposed configuration');
	}
	if (!isJsonObject(result)) throw createMalformedFailure('proposed configuration');
	return {configuration: parseConfigurationResponse(result, "The service's proposal"), raw: result};
}

const createNoProposalFailure = ({message, details: {http, ray, service}}: Failure): Failure =>
	new Failure('not_eligible', 'The service proposes no configuration for this zone.', {
		why: message,
		next: buildAdvice`Check whether it can be migrated: \`${buildZoneCommand('migration check')}\``,
		http,
		ray,
		service,
	});

/** Reads what the service reports about a zone: check, status and entry point, concurrently. */
export async function readObservation(
	client: Client,
	zone: MigrationCheckTarget,
	signal: AbortSignal,
): Promise<Observation> {
	const tracker = createResponseTracker(client.clock);
	const [{check, status}, entry] = await readConcurrently(signal, [
		childSignal => readCheckAndStatus(client, zone, childSignal, tracker),
		childSignal => tracker.track(toFailureIfWithheld(readManagedEntryPoint(client, zone.id, childSignal))),
	]);
	if (entry instanceof Failure) throw entry;
	return {
		at: tracker.getFirstTime(),
		stage: resolveMigrationStage(check, status),
		check,
		status,
		...(entry && {
			entryPoint: {
				id: entry.id,
				version: entry.version,
				fingerprint: computeFingerprint(entry.configuration),
				rules: entry.configuration.rules.length,
			},
		}),
	};
}

type ResponseTracker = {
	track<T>(reading: Promise<T>): Promise<T>;
	/** Returns when the first response arrived, in milliseconds since the epoch. */
	getFirstTime(): number;
};

/** Records when the first of several responses arrived. An observation is as old as its first response. */
function createResponseTracker({now}: Clock): ResponseTracker {
	let firstResponseAt: number | undefined;
	return {
		async track(reading) {
			const response = await reading;
			firstResponseAt ??= now();
			return response;
		},
		getFirstTime: () => firstResponseAt ?? now(),
	};
}

export async function readStage(
	client: Client,
	zone: MigrationCheckTarget,
	signal: AbortSignal,
): Promise<MigrationStage> {
	const {check, status} = await readCheckAndStatus(client, zone, signal);
	return resolveMigrationStage(check, status);
}

/**
 * Reads check and status. Once the migration has begun, the status suffices if the check is refused. If both
 * are refused, throws the failure of the check, which explains a zone on the Free plan.
 */
export async function readCheckAndStatus(
	client: Client,
	zone: MigrationCheckTarget,
	signal: AbortSignal,
	{track}: ResponseTracker = createResponseTracker(client.clock),
): Promise<{readonly check: CompatibilityCheck; readonly status: MigrationStatus | undefined}> {
	const [check, status] = await readConcurrently(signal, [
		childSignal => track(toFailureIfWithheld(readMigrationCheck(client, zone, childSignal))),
		childSignal => track(toFailureIfWithheld(readMigrationStatus(client, zone.id, childSignal))),
	]);
	if (check instanceof Failure) {
		if (status === undefined || status instanceof Failure) throw check;
		const missingCheck: CompatibilityCheck = {compatible: false, state: undefined, unanswered: check.message};
		switch (resolveMigrationStage(missingCheck, status)) {
			case 'validation':
			case 'pending':
			case 'complete':
				return {check: missingCheck, status: omitRaw(status)};
			default:
				throw check;
		}
	}
	if (status instanceof Failure) throw status;
	const {compatible, state} = check;
	return {check: {compatible, state}, status: status && omitRaw(status)};
}

function omitRaw(status: MigrationStatus & {readonly raw?: unknown}): MigrationStatus {
	const {raw: _, ...rest} = status;
	return rest;
}

/** Timeout for reading the stage of a zone, in milliseconds: only a warning depends on it. */
const statusTimeoutMs = 3_000;

const migratedByClient = new WeakMap<Client, Map<string, Promise<boolean>>>();

/**
 * True if the migration status reports only the new managed rules; false if that is unknown. Asks once per
 * client and zone, but again if it had not migrated. Never throws.
 */
export function isMigrated(client: Client, zoneId: string): Promise<boolean> {
	const migratedByZone = migratedByClient.get(client) ?? new Map<string, Promise<boolean>>();
	migratedByClient.set(client, migratedByZone);
	const migrated = migratedByZone.get(zoneId) ?? readIsMigrated(client, zoneId);
	migratedByZone.set(zoneId, migrated);
	void migrated.then(hasMigrated => hasMigrated || migratedByZone.delete(zoneId));
	return migrated;
}

async function readIsMigrated(client: Client, zoneId: string): Promise<boolean> {
	try {
		const status = await readMigrationStatus(client, zoneId, AbortSignal.timeout(statusTimeoutMs));
		return resolveMigrationStage({compatible: false, state: undefined}, status) === 'complete';
	} catch {
		return false;
	}
}
