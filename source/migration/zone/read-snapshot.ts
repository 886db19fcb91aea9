import {asFailure, Failure} from '../../failure.ts';
import {filtersPath, rulesPath} from '../../firewall/paths.ts';
import type {Client} from '../../service/client.ts';
import {planHas} from '../../service/plan.ts';
import {malformed, text} from '../../service/reading.ts';
import {isJsonObject, type JsonObject} from '../../text/json.ts';
import {stageOf} from '../machine/stage-of.ts';
import {allPages, type Listing} from './all-pages.ts';
import {check, proposedConfiguration, status, statusIn} from './calls.ts';
import {together} from './concurrent.ts';
import {managedEntryPoint} from './entry-point.ts';
import {type ManagedContents, tryManagedContents} from './managed-contents.ts';
import type {MigrationZone} from './migration-zone.ts';
import {
	groupsPath,
	overridesPath,
	packagesPath,
	pageRulesPath,
	wafRulesPath,
	wafSettingPath,
} from './paths.ts';
import {get} from './requests.ts';
import {
	countPackages,
	listParts,
	type PackageSnapshot,
	parts,
	type Snapshot,
	singleParts,
	type Unread,
} from './snapshot.ts';
import {isKnownLack, isWithheld, unreadReason} from './unavailable.ts';

type ReadingWork = {
	readonly signal: AbortSignal;
	/** Called after each part, with the number of objects so far. */
	onStep?(what: string, objects: number): void;
};

/**
 * Reads everything that a zone has before its migration, concurrently. Lists in `unread` what the service
 * withholds: retired, not in the plan, or not permitted. Throws on a temporary failure, so that a part never
 * passes for the whole.
 */
export async function readSnapshot(
	client: Client,
	zone: MigrationZone,
	place: string,
	{signal, onStep}: ReadingWork,
): Promise<Snapshot> {
	const unread: Unread[] = [];
	let objects = 0;
	let withoutCheck: Failure | undefined;
	const tell = (what: string, count: number) => {
		objects += count;
		onStep?.(what, objects);
	};
	/** Reads one part. If it is withheld, records that and returns `none`. */
	const part = async <T>(what: string, none: T, count: (value: T) => number, read: () => Promise<T>) => {
		let value = none;
		try {
			value = await read();
		} catch (error) {
			const failure = asFailure(error);
			if (!isWithheld(failure)) throw unreadable(failure, what);
			if (what === parts.check && failure.code === 'not_found') withoutCheck = failure;
			if (!isWithoutOverrides(zone, what))
				unread.push({
					what,
					why: failure.message,
					...(isKnownLack(zone, failure) && {isLacking: true}),
					...(unreadReason(failure) === 'not allowed to read' && {isForbidden: true}),
				});
		}
		tell(what, count(value));
		return value;
	};
	const single = emptyParts<(typeof singleParts)[number], JsonObject | null>(singleParts, null);
	const lists = emptyParts<(typeof listParts)[number], readonly JsonObject[]>(listParts, []);
	const one = async (name: keyof typeof single, read: () => Promise<JsonObject | null>): Promise<void> => {
		single[name] = await part(parts[name], null, value => (value ? 1 : 0), read);
	};
	const list = async (name: keyof typeof lists, listing: Listing, within: AbortSignal): Promise<void> => {
		lists[name] = await part<readonly JsonObject[]>(
			parts[name],
			[],
			value => value.length,
			() => allPages(client, listing, within),
		);
	};
	let packages: readonly PackageSnapshot[] = [];
	let managed: readonly ManagedContents[] | Failure = [];
	await together<readonly unknown[]>(signal, [
		within => one('check', async () => (await check(client, zone, within)).raw),
		within => one('status', async () => (await status(client, zone.id, within))?.raw ?? null),
		within => one('waf', () => wafSetting(client, zone.id, within)),
		async within => {
			packages = await part<typeof packages>(parts.packages, [], countPackages, () =>
				readPackages(client, zone.id, within),
			);
		},
		within => list('overrides', {path: overridesPath(zone.id), one: 'an override', unpaged: true}, within),
		within => list('firewallRules', {path: rulesPath(zone.id), one: 'a firewall rule'}, within),
		within => list('filters', {path: filtersPath(zone.id), one: 'a filter'}, within),
		within => list('pageRules', {path: pageRulesPath(zone.id), one: 'a page rule', unpaged: true}, within),
		within => one('proposed', async () => (await proposedConfiguration(client, zone.id, within)).raw),
		within => one('entryPoint', async () => (await managedEntryPoint(client, zone.id, within))?.raw ?? null),
		async within => {
			managed = await tryManagedContents(client, zone.id, within);
		},
	]);
	// Without a check, the zone or its migration does not exist; a migration in progress may have no check,
	// too.
	if (withoutCheck && !(single.status && isBegun(single.status))) throw withoutCheck;
	return {
		version: 1,
		taken: new Date(client.clock.now()).toISOString(),
		place,
		zone,
		...single,
		packages,
		...lists,
		// In a fixed order, independent of the order of the answers.
		unread: Object.values(parts).flatMap(what => unread.filter(one => one.what === what)),
		...(managed instanceof Failure ? {managedUnread: managed.message} : {managed}),
	};
}

/** True if the status alone shows that the migration has begun. */
function isBegun(stated: JsonObject): boolean {
	const stage = stageOf({compatible: false, state: undefined}, statusIn(stated));
	return stage === 'validation' || stage === 'pending' || stage === 'complete';
}

const emptyParts = <Name extends string, Part>(names: readonly Name[], part: Part): Record<Name, Part> =>
	Object.fromEntries(names.map(name => [name, part])) as Record<Name, Part>;

const unreadable = (failure: Failure, what: string): Failure =>
	failure.code === 'interrupted'
		? failure
		: failure.with({left: failure.details.left ?? `Not read: ${what}.`});

/** The zone's own parts; a backup that lacks one is incomplete. */
const ownParts: ReadonlySet<string> = new Set([
	parts.waf,
	parts.packages,
	parts.overrides,
	parts.firewallRules,
	parts.filters,
	parts.pageRules,
	parts.entryPoint,
]);

/** Lists the parts that a backup lacks although the zone may have them. */
export const missingIn = ({unread}: Pick<Snapshot, 'unread'>): readonly Unread[] =>
	unread.filter(({what, isLacking}) => ownParts.has(what) && !isLacking);

/** Only the Enterprise plan has overrides; on other plans a refusal means none exist. */
const isWithoutOverrides = ({plan}: MigrationZone, what: string): boolean =>
	what === parts.overrides && plan !== undefined && !planHas(plan, 'enterprise');

async function wafSetting(client: Client, zone: string, signal: AbortSignal): Promise<JsonObject> {
	const result = await get(client, wafSettingPath(zone), {}, signal);
	if (!isJsonObject(result)) throw malformed('setting of the previous version');
	return result;
}

/** Reads all packages with their groups and rules, concurrently. */
async function readPackages(
	client: Client,
	zone: string,
	signal: AbortSignal,
): Promise<readonly PackageSnapshot[]> {
	const packages = await allPages(client, {path: packagesPath(zone), one: 'a package'}, signal);
	return together<readonly PackageSnapshot[]>(
		signal,
		packages.map(one => async (within: AbortSignal): Promise<PackageSnapshot> => {
			const id = text(one, 'id', 'a package');
			const [groups, rules] = await together<readonly [readonly JsonObject[], readonly JsonObject[]]>(
				within,
				[
					inner => allPages(client, {path: groupsPath(zone, id), one: 'a group'}, inner),
					inner => allPages(client, {path: wafRulesPath(zone, id), one: 'a rule'}, inner),
				],
			);
			return {package: one, groups, rules};
		}),
	);
}
