import {Failure, isFailure} from '../../failure.ts';
import type {Client} from '../../service/client.ts';
import type {Clock} from '../../service/clock.ts';
import {isAbsent, isFact, outcomeOf} from '../../service/outcome.ts';
import {malformed} from '../../service/reading.ts';
import {advice, inZone} from '../../text/advice.ts';
import {isJsonObject, type JsonObject} from '../../text/json.ts';
import {type Configuration, fingerprint} from '../configuration/configuration.ts';
import type {Check, MigrationStatus, Observation, Stage} from '../machine/stage.ts';
import {stageOf, wordIn} from '../machine/stage-of.ts';
import {together} from './concurrent.ts';
import {managedEntryPoint} from './entry-point.ts';
import type {MigrationZone} from './migration-zone.ts';
import {checkPath, proposalPath, statusPath} from './paths.ts';
import {answeredConfiguration, explained, get, phaseTwo} from './requests.ts';
import {isWithoutManagedRules, orWithheld} from './unavailable.ts';

/**
 * Reads whether the zone can migrate; only `compatible: true` counts. Throws `not_eligible` if the service
 * has no answer for a zone on the Free plan; for other zones throws the service's refusal.
 */
export async function check(
	client: Client,
	zone: CheckedZone,
	signal: AbortSignal,
): Promise<Check & {readonly raw: JsonObject}> {
	let result: unknown;
	try {
		result = await get(client, checkPath(zone.id), phaseTwo, signal);
	} catch (error) {
		if (isFailure(error) && isWithoutManagedRules(zone, error)) throw withoutMigration(error);
		throw explained(error, 'migration check');
	}
	if (result === null && zone.plan === 'free') throw withoutMigration();
	if (!isJsonObject(result)) throw malformed('result of the compatibility check');
	const {compatible} = result;
	if (typeof compatible !== 'boolean')
		throw malformed('"compatible" in the result of the compatibility check');
	return {compatible, state: wordIn(result, 'migration_state'), raw: result};
}

/** The zone to check; its plan decides what a refusal means. */
export type CheckedZone = Pick<MigrationZone, 'id'> & Partial<Pick<MigrationZone, 'plan'>>;

const withoutMigration = (said?: Failure): Failure =>
	new Failure('not_eligible', 'This zone has no migration: the service has no check for it.', {
		why: said?.message ?? 'It answers the compatibility check with nothing.',
		next: 'Zones of the Free plan never had the previous managed rules: nothing has to be migrated there.',
		http: said?.details.http,
		ray: said?.details.ray,
		service: said?.details.service,
	});

/** Reads the status of both versions. Undefined if the service reports none. */
export async function status(
	client: Client,
	zone: string,
	signal: AbortSignal,
): Promise<(MigrationStatus & {readonly raw: JsonObject}) | undefined> {
	let result: unknown;
	try {
		result = await get(client, statusPath(zone), {}, signal);
	} catch (error) {
		if (isNowhere(error)) return undefined;
		throw explained(error, 'migration status');
	}
	if (result === null) return undefined;
	if (!isJsonObject(result)) throw malformed('result of the migration status');
	return {...statusIn(result), raw: result};
}

/** True if the service does not have the resource, or no longer. */
const isNowhere = (error: unknown): boolean =>
	isAbsent(error) || (isFailure(error) && outcomeOf(error) === 'retired');

/** Parses the migration status; keeps a field of another type as JSON text. */
export const statusIn = (result: JsonObject): MigrationStatus => ({
	state: wordIn(result, 'migration_state'),
	newWaf: wordIn(result, 'new_waf_status'),
	oldWaf: wordIn(result, 'old_waf_status'),
	created: wordIn(result, 'created'),
	source: wordIn(result, 'source'),
});

/** Reads the configuration that the service proposes. */
export async function proposedConfiguration(
	client: Client,
	zone: string,
	signal: AbortSignal,
): Promise<{readonly configuration: Configuration; readonly raw: JsonObject}> {
	let result: unknown;
	try {
		result = await get(client, proposalPath(zone), phaseTwo, signal);
	} catch (error) {
		if (isFailure(error) && isFact(error) && outcomeOf(error) === 'refused') throw withoutProposal(error);
		throw explained(error, 'proposed configuration');
	}
	if (!isJsonObject(result)) throw malformed('proposed configuration');
	return {configuration: answeredConfiguration(result, 'What the service proposes'), raw: result};
}

const withoutProposal = ({message, details: {http, ray, service}}: Failure): Failure =>
	new Failure('not_eligible', 'The service proposes no configuration for this zone.', {
		why: message,
		next: advice`See whether it can migrate: \`${inZone('migration check')}\``,
		http,
		ray,
		service,
	});

/** Reads what the service reports about a zone: check, status and entry point, concurrently. */
export async function seen(client: Client, zone: CheckedZone, signal: AbortSignal): Promise<Observation> {
	const answers = datedAnswers(client.clock);
	const [{checked, stated}, entry] = await together(signal, [
		within => checkAndStatus(client, zone, within, answers),
		within => answers.dated(orWithheld(managedEntryPoint(client, zone.id, within))),
	]);
	if (entry instanceof Failure) throw entry;
	return {
		at: answers.first(),
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

type DatedAnswers = {
	dated<T>(reading: Promise<T>): Promise<T>;
	/** Returns when the first answer came. */
	first(): number;
};

/** Tracks answers that form one observation, which is as old as the first of them. */
function datedAnswers({now}: Clock): DatedAnswers {
	let at: number | undefined;
	return {
		async dated(reading) {
			const answer = await reading;
			at ??= now();
			return answer;
		},
		first: () => at ?? now(),
	};
}

export async function readStage(client: Client, zone: CheckedZone, signal: AbortSignal): Promise<Stage> {
	const {checked, stated} = await checkAndStatus(client, zone, signal);
	return stageOf(checked, stated);
}

/**
 * Reads check and status. After the beginning of the migration, the status suffices if the check is refused.
 * If both are refused, throws the failure of the check, which explains a zone on the Free plan.
 */
export async function checkAndStatus(
	client: Client,
	zone: CheckedZone,
	signal: AbortSignal,
	{dated}: DatedAnswers = datedAnswers(client.clock),
): Promise<{readonly checked: Check; readonly stated: MigrationStatus | undefined}> {
	const [checked, stated] = await together(signal, [
		within => dated(orWithheld(check(client, zone, within))),
		within => dated(orWithheld(status(client, zone.id, within))),
	]);
	if (checked instanceof Failure) {
		if (stated === undefined || stated instanceof Failure) throw checked;
		const none: Check = {compatible: false, state: undefined, unanswered: checked.message};
		switch (stageOf(none, stated)) {
			case 'validation':
			case 'pending':
			case 'complete':
				return {checked: none, stated: withoutRaw(stated)};
			default:
				throw checked;
		}
	}
	if (stated instanceof Failure) throw stated;
	const {compatible, state} = checked;
	return {checked: {compatible, state}, stated: stated && withoutRaw(stated)};
}

function withoutRaw(status: MigrationStatus & {readonly raw?: unknown}): MigrationStatus {
	const {raw: _, ...said} = status;
	return said;
}

/** Timeout for reading the stage of a zone, in milliseconds: only a warning depends on it. */
const longestAsk = 3_000;

const asked = new WeakMap<Client, Map<string, Promise<boolean>>>();

/**
 * True if the migration status reports only the new managed rules; false if unknown. Asks once per client and
 * zone. Never throws.
 */
export function isMigrated(client: Client, zone: string): Promise<boolean> {
	const answers = asked.get(client) ?? new Map<string, Promise<boolean>>();
	asked.set(client, answers);
	const known = answers.get(zone) ?? askedNow(client, zone);
	answers.set(zone, known);
	return known;
}

async function askedNow(client: Client, zone: string): Promise<boolean> {
	try {
		const stated = await status(client, zone, AbortSignal.timeout(longestAsk));
		return stageOf({compatible: false, state: undefined}, stated) === 'complete';
	} catch {
		return false;
	}
}
