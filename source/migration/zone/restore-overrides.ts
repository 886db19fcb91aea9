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

/** What became of an override that was to come back; `id` is the one in the backup. */
export type Restored =
	| {readonly state: 'restored'; readonly id: string; readonly as: string}
	/** It is there with the same content; nothing was sent. */
	| {readonly state: 'there already'; readonly id: string; readonly as: string}
	/** One of its id is there with other content; nothing was sent. */
	| {readonly state: 'there otherwise'; readonly id: string; readonly as: string}
	| {readonly state: 'failed'; readonly id: string; readonly failure: Failure}
	/** The work stopped before it. */
	| {readonly state: 'not tried'; readonly id: string};

/**
 * Restores overrides of a backup while the previous version lives; the service assigns new ids. The zone is read right
 * before each create and after a lost answer: what exists by then, restored by someone else too, is not created again.
 * Stops at the first failure. Returns an outcome for every override that was asked for.
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

/** An override of a backup, and what exists of it already; `found` is missing where it has to be made. */
type BesideThere = {
	readonly override: WafOverride;
	readonly found?: Extract<Restored, {readonly state: `there ${string}`}> | undefined;
};

/** What of overrides of a backup is in force in a zone that has those. */
export function besideThose(
	backup: Snapshot,
	wanted: readonly WafOverride[],
	there: readonly WafOverride[],
): readonly BesideThere[] {
	const kept = new Set(backup.overrides.map(raw => readOverride(raw).id));
	// What has its old id counts as itself, and as no other override of the same content.
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

/** Creates one of the `wanted` overrides, unless the zone has it by now. */
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
