import {Failure, toFailure} from '../../failure.ts';
import {sendFirewallWrite} from '../../firewall/rules/writing.ts';
import type {Client} from '../../service/client.ts';
import {requireText} from '../../service/reading.ts';
import {type Change, executeChange, unwrapOutcome} from '../../service/settle.ts';
import {buildOverrideListCommand, readWafOverrides} from './listed-overrides.ts';
import type {MigrationZone} from './migration-zone.ts';
import {buildOverrideBody, isSameOverride, parseWafOverride, type WafOverride} from './override.ts';
import {type OverrideWork, refuseOtherZone, refuseUnlessPrevious} from './override-writing.ts';
import {getOverridesPath} from './paths.ts';
import type {Snapshot} from './snapshot.ts';

/** The outcome of restoring an override; `id`: its id in the backup, `as`: its current id. */
export type OverrideRestoration =
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
): Promise<readonly OverrideRestoration[]> {
	refuseOtherZone(backup, zone);
	const kept = backup.overrides.map(parseWafOverride);
	const requested = ids === 'all' ? kept : [...new Set(ids)].map(id => requireOverride(kept, id, backup));
	await refuseUnlessPrevious(client, zone, 'override is brought back', work.signal);
	const results: OverrideRestoration[] = [];
	for (const override of requested) {
		const {id} = override;
		const isStopped = results.some(({state}) => state === 'failed');
		results.push(
			isStopped
				? {state: 'not tried', id}
				: await restoreOverride(client, zone, backup, requested, override, work),
		);
	}
	return results;
}

/** An override of a backup, and the existing one that matches it; `found` is undefined if none exists. */
type OverrideMatch = {
	readonly override: WafOverride;
	readonly found?: Extract<OverrideRestoration, {readonly state: `there ${string}`}> | undefined;
};

/** Matches overrides of a backup with those that exist in the zone. */
export function matchExistingOverrides(
	backup: Snapshot,
	requested: readonly WafOverride[],
	existing: readonly WafOverride[],
): readonly OverrideMatch[] {
	const kept = new Set(backup.overrides.map(raw => parseWafOverride(raw).id));
	// An override with an id of the backup matches only itself, even if another has the same content.
	const free = existing.filter(({id}) => !kept.has(id));
	return requested.map(override => {
		const {id} = override;
		const itself = existing.find(one => one.id === id);
		if (itself) {
			const state = isSameOverride(itself, override) ? 'there already' : 'there otherwise';
			return {override, found: {state, id, as: id}};
		}
		const twin = free.findIndex(one => isSameOverride(one, override));
		const [found] = twin < 0 ? [] : free.splice(twin, 1);
		return {override, found: found && {state: 'there already', id, as: found.id}};
	});
}

function requireOverride(kept: readonly WafOverride[], id: string, backup: Snapshot): WafOverride {
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
	requested: readonly WafOverride[],
	override: WafOverride,
	{signal, onSend, onWrite}: OverrideWork,
): Promise<OverrideRestoration> {
	const {id} = override;
	const body = buildOverrideBody(override.raw);
	let present: readonly WafOverride[];
	try {
		present = await readWafOverrides(client, zone.id, signal);
	} catch (error) {
		return {state: 'failed', id, failure: toFailure(error)};
	}
	const match = matchExistingOverrides(backup, requested, present).find(one => one.override === override);
	if (match?.found) return match.found;
	const known = new Set(present.map(one => one.id));
	if (!client.dryRun) onSend?.(`restore override ${id}`);
	const change: Change<string> = {
		send: (_client, sending) =>
			sendFirewallWrite(
				client,
				{method: 'POST', path: getOverridesPath(zone.id), body},
				{
					read: item => requireText(item, 'id', 'the new override'),
					pretend: {...body, id: `<new id of ${id}>`},
				},
				sending,
			),
		async look(_client, looking) {
			const now = await readWafOverrides(client, zone.id, looking);
			const created = now.find(one => !known.has(one.id) && isSameOverride(one, override));
			return created
				? {shows: 'done', value: created.id}
				: {shows: 'not done', sentence: `override ${id} is not back.`};
		},
		where: buildOverrideListCommand(zone),
	};
	try {
		const as = unwrapOutcome(await executeChange(client, change, {signal}));
		if (!client.dryRun) onWrite?.(`restore override ${id} as ${as}`);
		return {state: 'restored', id, as};
	} catch (error) {
		return {state: 'failed', id, failure: toFailure(error)};
	}
}
