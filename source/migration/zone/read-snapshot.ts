import {Failure, toFailure} from '../../failure.ts';
import {getFiltersPath, getFirewallRulesPath} from '../../firewall/paths.ts';
import type {Client} from '../../service/client.ts';
import {isPlanAtLeast} from '../../service/plan.ts';
import {createMalformedFailure, requireText} from '../../service/response-fields.ts';
import {isJsonObject, type JsonObject} from '../../text/json.ts';
import {resolveMigrationStage} from '../machine/resolve-stage.ts';
import {type PagedListing, readAllPages} from './all-pages.ts';
import {
	parseMigrationStatus,
	readMigrationCheck,
	readMigrationStatus,
	readProposedConfiguration,
} from './calls.ts';
import {readConcurrently} from './concurrent.ts';
import {readManagedEntryPoint} from './entry-point.ts';
import {type ManagedContents, tryReadManagedContents} from './managed-contents.ts';
import type {MigrationZone} from './migration-zone.ts';
import {
	getGroupsPath,
	getOverridesPath,
	getPackagesPath,
	getPageRulesPath,
	getWafRulesPath,
	getWafSettingPath,
} from './paths.ts';
import {readResultWithExactNumbers} from './requests.ts';
import {
	arrayPartKeys,
	countPackages,
	type PackageSnapshot,
	type Snapshot,
	singlePartKeys,
	snapshotPartNames,
	type UnreadPart,
} from './snapshot.ts';
import {isKnownAbsence, isWithheld, toUnreadReason} from './withheld.ts';

type SnapshotOptions = {
	readonly signal: AbortSignal;
	/** Called after each part, with the number of objects so far. */
	onStep?(what: string, objects: number): void;
};

/**
 * Reads everything that a zone has before its migration, concurrently. Lists in `unread` what the service
 * withholds: what is retired, not in the plan, or not permitted. Throws on a temporary failure, so that an
 * incomplete snapshot is never taken for a complete one.
 */
export async function readSnapshot(
	client: Client,
	zone: MigrationZone,
	serviceOrigin: string,
	{signal, onStep}: SnapshotOptions,
): Promise<Snapshot> {
	const unread: UnreadPart[] = [];
	let objectCount = 0;
	let missingCheckFailure: Failure | undefined;
	const reportProgress = (what: string, count: number) => {
		objectCount += count;
		onStep?.(what, objectCount);
	};
	/** Reads one part. If the service withholds it, records that and returns `emptyValue`. */
	const readPart = async <T>(
		what: string,
		emptyValue: T,
		countObjects: (value: T) => number,
		read: () => Promise<T>,
	) => {
		let value = emptyValue;
		try {
			value = await read();
		} catch (error) {
			const failure = toFailure(error);
			if (!isWithheld(failure)) throw withUnreadNote(failure, what);
			if (what === snapshotPartNames.check && failure.code === 'not_found') missingCheckFailure = failure;
			if (!cannotHaveOverrides(zone, what))
				unread.push({
					what,
					why: failure.message,
					...(isKnownAbsence(zone, failure) && {isLacking: true}),
					...(toUnreadReason(failure) === 'not allowed to read' && {isForbidden: true}),
				});
		}
		reportProgress(what, countObjects(value));
		return value;
	};
	const singleValues = createEmptyParts<(typeof singlePartKeys)[number], JsonObject | null>(
		singlePartKeys,
		null,
	);
	const listValues = createEmptyParts<(typeof arrayPartKeys)[number], readonly JsonObject[]>(
		arrayPartKeys,
		[],
	);
	const readSinglePart = async (
		name: keyof typeof singleValues,
		read: () => Promise<JsonObject | null>,
	): Promise<void> => {
		singleValues[name] = await readPart(snapshotPartNames[name], null, value => (value ? 1 : 0), read);
	};
	const readArrayPart = async (
		name: keyof typeof listValues,
		listing: PagedListing,
		childSignal: AbortSignal,
	): Promise<void> => {
		listValues[name] = await readPart<readonly JsonObject[]>(
			snapshotPartNames[name],
			[],
			value => value.length,
			() => readAllPages(client, listing, childSignal),
		);
	};
	let packages: readonly PackageSnapshot[] = [];
	let catalogue: readonly ManagedContents[] | Failure = [];
	await readConcurrently<readonly unknown[]>(signal, [
		childSignal =>
			readSinglePart('check', async () => (await readMigrationCheck(client, zone, childSignal)).raw),
		childSignal =>
			readSinglePart(
				'status',
				async () => (await readMigrationStatus(client, zone.id, childSignal))?.raw ?? null,
			),
		childSignal => readSinglePart('waf', () => readWafSetting(client, zone.id, childSignal)),
		async childSignal => {
			packages = await readPart<typeof packages>(snapshotPartNames.packages, [], countPackages, () =>
				readPackages(client, zone.id, childSignal),
			);
		},
		childSignal =>
			readArrayPart(
				'overrides',
				{path: getOverridesPath(zone.id), itemName: 'an override', unpaged: true},
				childSignal,
			),
		childSignal =>
			readArrayPart(
				'firewallRules',
				{path: getFirewallRulesPath(zone.id), itemName: 'a firewall rule'},
				childSignal,
			),
		childSignal =>
			readArrayPart('filters', {path: getFiltersPath(zone.id), itemName: 'a filter'}, childSignal),
		childSignal =>
			readArrayPart(
				'pageRules',
				{path: getPageRulesPath(zone.id), itemName: 'a page rule', unpaged: true},
				childSignal,
			),
		childSignal =>
			readSinglePart(
				'proposed',
				async () => (await readProposedConfiguration(client, zone.id, childSignal)).raw,
			),
		childSignal =>
			readSinglePart(
				'entryPoint',
				async () => (await readManagedEntryPoint(client, zone.id, childSignal))?.raw ?? null,
			),
		async childSignal => {
			catalogue = await tryReadManagedContents(client, zone.id, childSignal);
		},
	]);
	// Without a check, the zone or its migration does not exist. A migration in progress may have no check
	// either.
	if (missingCheckFailure && !(singleValues.status && hasMigrationBegun(singleValues.status)))
		throw missingCheckFailure;
	return {
		version: 1,
		taken: new Date(client.clock.now()).toISOString(),
		place: serviceOrigin,
		zone,
		...singleValues,
		packages,
		...listValues,
		// In a fixed order, regardless of the order of the responses.
		unread: Object.values(snapshotPartNames).flatMap(what => unread.filter(one => one.what === what)),
		...(catalogue instanceof Failure ? {catalogueUnreadReason: catalogue.message} : {catalogue}),
	};
}

/** True if the status alone shows that the migration has begun. */
function hasMigrationBegun(rawStatus: JsonObject): boolean {
	const stage = resolveMigrationStage({compatible: false, state: undefined}, parseMigrationStatus(rawStatus));
	return stage === 'validation' || stage === 'pending' || stage === 'complete';
}

const createEmptyParts = <Name extends string, Part>(
	names: readonly Name[],
	part: Part,
): Record<Name, Part> => Object.fromEntries(names.map(name => [name, part])) as Record<Name, Part>;

const withUnreadNote = (failure: Failure, what: string): Failure =>
	failure.code === 'interrupted'
		? failure
		: failure.withDetails({left: failure.details.left ?? `Could not read ${what}.`});

/** The parts without which a backup is incomplete. */
const requiredBackupParts: ReadonlySet<string> = new Set([
	snapshotPartNames.waf,
	snapshotPartNames.packages,
	snapshotPartNames.overrides,
	snapshotPartNames.firewallRules,
	snapshotPartNames.filters,
	snapshotPartNames.pageRules,
	snapshotPartNames.entryPoint,
]);

/** Lists the required parts that could not be read, except those that the zone is known not to have. */
export const listMissingParts = ({unread}: Pick<Snapshot, 'unread'>): readonly UnreadPart[] =>
	unread.filter(({what, isLacking}) => requiredBackupParts.has(what) && !isLacking);

/** Only the Enterprise plan has overrides; on other plans a refusal means none exist. */
const cannotHaveOverrides = ({plan}: MigrationZone, what: string): boolean =>
	what === snapshotPartNames.overrides && plan !== undefined && !isPlanAtLeast(plan, 'enterprise');

async function readWafSetting(client: Client, zoneId: string, signal: AbortSignal): Promise<JsonObject> {
	const result = await readResultWithExactNumbers(client, getWafSettingPath(zoneId), {}, signal);
	if (!isJsonObject(result)) throw createMalformedFailure('setting of the previous version');
	return result;
}

/** Reads all packages with their groups and rules, concurrently. */
async function readPackages(
	client: Client,
	zoneId: string,
	signal: AbortSignal,
): Promise<readonly PackageSnapshot[]> {
	const packages = await readAllPages(client, {path: getPackagesPath(zoneId), itemName: 'a package'}, signal);
	return readConcurrently<readonly PackageSnapshot[]>(
		signal,
		packages.map(one => async (childSignal: AbortSignal): Promise<PackageSnapshot> => {
			const id = requireText(one, 'id', 'a package');
			const [groups, rules] = await readConcurrently<readonly [readonly JsonObject[], readonly JsonObject[]]>(
				childSignal,
				[
					innerSignal =>
						readAllPages(client, {path: getGroupsPath(zoneId, id), itemName: 'a group'}, innerSignal),
					innerSignal =>
						readAllPages(client, {path: getWafRulesPath(zoneId, id), itemName: 'a rule'}, innerSignal),
				],
			);
			return {package: one, groups, rules};
		}),
	);
}
