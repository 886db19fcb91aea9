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
	/** What was read just now, and how many objects there are by then. */
	onStep?(what: string, objects: number): void;
};

/**
 * Everything that a zone holds before its migration, read side by side. What the service withholds
 * (retired, not in the plan, not for this credential) is in `unread`; a failure that may pass fails the whole:
 * nobody should take a part for all of it.
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
	/** Reads one part; what is withheld is named, and `none` is used in its place. */
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
	// A service that has no check for this id has no such zone, or no migration; but what has begun may have none.
	if (withoutCheck && !(single.status && isBegun(single.status))) throw withoutCheck;
	return {
		version: 1,
		taken: new Date(client.clock.now()).toISOString(),
		place,
		zone,
		...single,
		packages,
		...lists,
		// In the order of the parts, whichever answered first.
		unread: Object.values(parts).flatMap(what => unread.filter(one => one.what === what)),
		...(managed instanceof Failure ? {managedUnread: managed.message} : {managed}),
	};
}

/** Whether the status alone shows that the zone is further than the beginning of a migration. */
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

/** What of a snapshot is the zone's own: a backup that misses any of it is not whole. */
const ownParts: ReadonlySet<string> = new Set([
	parts.waf,
	parts.packages,
	parts.overrides,
	parts.firewallRules,
	parts.filters,
	parts.pageRules,
	parts.entryPoint,
]);

/** What a backup misses although the zone may have it. */
export const missingIn = ({unread}: Pick<Snapshot, 'unread'>): readonly Unread[] =>
	unread.filter(({what, isLacking}) => ownParts.has(what) && !isLacking);

/** Overrides are of the Enterprise plan: elsewhere a refusal means that there are none. */
const isWithoutOverrides = ({plan}: MigrationZone, what: string): boolean =>
	what === parts.overrides && plan !== undefined && !planHas(plan, 'enterprise');

async function wafSetting(client: Client, zone: string, signal: AbortSignal): Promise<JsonObject> {
	const result = await get(client, wafSettingPath(zone), {}, signal);
	if (!isJsonObject(result)) throw malformed('setting of the previous version');
	return result;
}

/** The packages with their groups and rules, those of all packages side by side. */
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
