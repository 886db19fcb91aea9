import {asFailure, Failure} from '../../failure.ts';
import {write} from '../../firewall/rules/writing.ts';
import type {Client} from '../../service/client.ts';
import {text} from '../../service/reading.ts';
import {type Change, carryOut, orThrow} from '../../service/settle.ts';
import {overrides, overridesListing} from './listed-overrides.ts';
import type {MigrationZone} from './migration-zone.ts';
import {isSameOverride, overrideBody, readOverride, type WafOverride} from './override.ts';
import {type OverrideWork, refuseOtherZone, refuseUnlessPrevious} from './override-writing.ts';
import {overridesPath} from './paths.ts';
import type {Snapshot} from './snapshot.ts';

/** The outcome of restoring an override; `id`: its id in the backup, `as`: its current id. */
export type Restored =
	| {readonly state: 'restored'; readonly id: string; readonly as: string}
	/** The zone has it with equal content; nothing was sent. */
	| {readonly state: 'there already'; readonly id: string; readonly as: string}
	/** The zone has an override with this id and other content; nothing was sent. */
	| {readonly state: 'there otherwise'; readonly id: string; readonly as: string}
	| {readonly state: 'failed'; readonly id: string; readonly failure: Failure}
	/** An earlier failure stopped the work. */
	| {readonly state: 'not tried'; readonly id: string};

/**
 * Restores overrides of a backup while the previous version is active; the service assigns new ids. Reads the
 * zone before each create and after a lost answer, and does not create what exists by then, even if someone
 * else restored it. Stops at the first failure. Returns an outcome for every requested override.
 */
export async function restoreOverrides(
	client: Client,
	zone: Pick<MigrationZone, 'id' | 'name'>,
	backup: Snapshot,
	ids: readonly string[] | 'all',
	work: OverrideWork,
): Promise<readonly Restored[]> {
	refuseOtherZone(backup, zone);
	const kept = backup.overrides.map(readOverride);
	const wanted = ids === 'all' ? kept : [...new Set(ids)].map(id => oneOf(kept, id, backup));
	await refuseUnlessPrevious(client, zone, 'override is brought back', work.signal);
	const results: Restored[] = [];
	for (const override of wanted) {
		const {id} = override;
		const isStopped = results.some(({state}) => state === 'failed');
		results.push(
			isStopped
				? {state: 'not tried', id}
				: await restoreOverride(client, zone, backup, wanted, override, work),
		);
	}
	return results;
}

/** An override of a backup, and the existing one that matches it; `found` is undefined if none exists. */
type BesideThere = {
	readonly override: WafOverride;
	readonly found?: Extract<Restored, {readonly state: `there ${string}`}> | undefined;
};

/** Matches overrides of a backup with those that exist in the zone. */
export function besideThose(
	backup: Snapshot,
	wanted: readonly WafOverride[],
	there: readonly WafOverride[],
): readonly BesideThere[] {
	const kept = new Set(backup.overrides.map(raw => readOverride(raw).id));
	// An override with an id of the backup matches only itself, even if another has the same content.
	const free = there.filter(({id}) => !kept.has(id));
	return wanted.map(override => {
		const {id} = override;
		const itself = there.find(one => one.id === id);
		if (itself) {
			const state = isSameOverride(itself, override) ? 'there already' : 'there otherwise';
			return {override, found: {state, id, as: id}};
		}
		const twin = free.findIndex(one => isSameOverride(one, override));
		const [found] = twin < 0 ? [] : free.splice(twin, 1);
		return {override, found: found && {state: 'there already', id, as: found.id}};
	});
}

function oneOf(kept: readonly WafOverride[], id: string, backup: Snapshot): WafOverride {
	const found = kept.find(one => one.id === id);
	if (found) return found;
	throw new Failure('not_found', `The backup of ${backup.taken} holds no override ${id}.`, {
		next:
			kept.length === 0 ? 'It holds no override at all.' : `It holds: ${kept.map(one => one.id).join(', ')}`,
	});
}

/** Creates one of the `requested` overrides unless the zone has it by now. */
async function restoreOverride(
	client: Client,
	zone: Pick<MigrationZone, 'id'>,
	backup: Snapshot,
	wanted: readonly WafOverride[],
	override: WafOverride,
	{signal, sends, wrote}: OverrideWork,
): Promise<Restored> {
	const {id} = override;
	const body = overrideBody(override.raw);
	let present: readonly WafOverride[];
	try {
		present = await overrides(client, zone.id, signal);
	} catch (error) {
		return {state: 'failed', id, failure: asFailure(error)};
	}
	const beside = besideThose(backup, wanted, present).find(one => one.override === override);
	if (beside?.found) return beside.found;
	const known = new Set(present.map(one => one.id));
	if (!client.dryRun) sends?.(`restore override ${id}`);
	const change: Change<string> = {
		send: (_client, sending) =>
			write(
				client,
				{method: 'POST', path: overridesPath(zone.id), body},
				{read: item => text(item, 'id', 'the new override'), pretend: {...body, id: `<new id of ${id}>`}},
				sending,
			),
		async look(_client, looking) {
			const now = await overrides(client, zone.id, looking);
			const made = now.find(one => !known.has(one.id) && isSameOverride(one, override));
			return made
				? {shows: 'done', value: made.id}
				: {shows: 'not done', sentence: `override ${id} is not back.`};
		},
		where: overridesListing(zone),
	};
	try {
		const as = orThrow(await carryOut(client, change, {signal}));
		if (!client.dryRun) wrote?.(`restore override ${id} as ${as}`);
		return {state: 'restored', id, as};
	} catch (error) {
		return {state: 'failed', id, failure: asFailure(error)};
	}
}
