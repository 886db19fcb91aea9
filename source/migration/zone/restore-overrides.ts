import {Failure, toFailure} from '../../failure.ts';
import {sendFirewallWrite} from '../../firewall/rules/writing.ts';
import type {Client} from '../../service/client.ts';
import {requireText} from '../../service/response-fields.ts';
import {type Change, executeChange, unwrapOutcome} from '../../service/settle.ts';
import type {MigrationZone} from './migration-zone.ts';
import {buildOverrideBody, isSameOverride, parseWafOverride, type WafOverride} from './override.ts';
import {type OverrideWriteOptions, requirePreviousStage, requireSameZone} from './override-writing.ts';
import {getOverridesPath} from './paths.ts';
import {buildOverrideListCommand, readWafOverrides} from './read-overrides.ts';
import type {Snapshot} from './snapshot.ts';

/** The outcome of restoring an override. `id`: its id in the backup; `as`: its current id. */
export type OverrideRestoration =
	| {readonly state: 'restored'; readonly id: string; readonly as: string}
	/** The zone already has it, with the same content; nothing was sent. */
	| {readonly state: 'there already'; readonly id: string; readonly as: string}
	/** The zone has an override with the same id and other content; nothing was sent. */
	| {readonly state: 'there otherwise'; readonly id: string; readonly as: string}
	| {readonly state: 'failed'; readonly id: string; readonly failure: Failure}
	/** An earlier failure stopped the work. */
	| {readonly state: 'not tried'; readonly id: string};

/**
 * Restores overrides of a backup while the previous version is active; the service assigns new ids. Reads the
 * zone before each request and after a lost response, and does not create an override that exists by then,
 * even if someone else restored it. Stops at the first failure. Returns an outcome for every requested
 * override.
 */
export async function restoreOverrides(
	client: Client,
	zone: Pick<MigrationZone, 'id' | 'name'>,
	backup: Snapshot,
	ids: readonly string[] | 'all',
	options: OverrideWriteOptions,
): Promise<readonly OverrideRestoration[]> {
	requireSameZone(backup, zone);
	const backupOverrides = backup.overrides.map(parseWafOverride);
	const requestedOverrides =
		ids === 'all'
			? backupOverrides
			: [...new Set(ids)].map(id => requireOverride(backupOverrides, id, backup));
	await requirePreviousStage(client, zone, 'override was restored', options.signal);
	const restorations: OverrideRestoration[] = [];
	for (const override of requestedOverrides) {
		const {id} = override;
		const isStopped = restorations.some(({state}) => state === 'failed');
		restorations.push(
			isStopped
				? {state: 'not tried', id}
				: await restoreOverride(client, zone, backup, requestedOverrides, override, options),
		);
	}
	return restorations;
}

/** An override of a backup, and the outcome if the zone already has a matching one. */
type OverrideMatch = {
	readonly override: WafOverride;
	readonly existingOutcome?: Extract<OverrideRestoration, {readonly state: `there ${string}`}> | undefined;
};

/** Matches overrides of a backup with those that exist in the zone. */
export function matchExistingOverrides(
	backup: Snapshot,
	requestedOverrides: readonly WafOverride[],
	existingOverrides: readonly WafOverride[],
): readonly OverrideMatch[] {
	const backedUpIds = new Set(backup.overrides.map(raw => parseWafOverride(raw).id));
	// An override whose id is in the backup matches only that entry, even if another entry has the same
	// content.
	const unmatchedOverrides = existingOverrides.filter(({id}) => !backedUpIds.has(id));
	return requestedOverrides.map(override => {
		const {id} = override;
		const sameIdOverride = existingOverrides.find(one => one.id === id);
		if (sameIdOverride) {
			const state = isSameOverride(sameIdOverride, override) ? 'there already' : 'there otherwise';
			return {override, existingOutcome: {state, id, as: id}};
		}
		const twinIndex = unmatchedOverrides.findIndex(one => isSameOverride(one, override));
		const [twinOverride] = twinIndex < 0 ? [] : unmatchedOverrides.splice(twinIndex, 1);
		return {override, existingOutcome: twinOverride && {state: 'there already', id, as: twinOverride.id}};
	});
}

function requireOverride(backupOverrides: readonly WafOverride[], id: string, backup: Snapshot): WafOverride {
	const override = backupOverrides.find(one => one.id === id);
	if (override) return override;
	throw new Failure('not_found', `The backup of ${backup.taken} contains no override ${id}.`, {
		next:
			backupOverrides.length === 0
				? 'It contains no overrides.'
				: `It contains: ${backupOverrides.map(one => one.id).join(', ')}`,
	});
}

/** Creates one of the `requestedOverrides`, unless the zone has it by now. */
async function restoreOverride(
	client: Client,
	zone: Pick<MigrationZone, 'id'>,
	backup: Snapshot,
	requestedOverrides: readonly WafOverride[],
	override: WafOverride,
	{signal, onSend, onWritten}: OverrideWriteOptions,
): Promise<OverrideRestoration> {
	const {id} = override;
	const body = buildOverrideBody(override.raw);
	let currentOverrides: readonly WafOverride[];
	try {
		currentOverrides = await readWafOverrides(client, zone.id, signal);
	} catch (error) {
		return {state: 'failed', id, failure: toFailure(error)};
	}
	const match = matchExistingOverrides(backup, requestedOverrides, currentOverrides).find(
		one => one.override === override,
	);
	if (match?.existingOutcome) return match.existingOutcome;
	const knownIds = new Set(currentOverrides.map(one => one.id));
	if (!client.dryRun) onSend?.(`restore override ${id}`);
	const change: Change<string> = {
		send: (_client, sendSignal) =>
			sendFirewallWrite(
				client,
				{method: 'POST', path: getOverridesPath(zone.id), body},
				{
					read: item => requireText(item, 'id', 'the new override'),
					dryRunResult: {...body, id: `<new id of ${id}>`},
				},
				sendSignal,
			),
		async checkEffect(_client, checkSignal) {
			const latestOverrides = await readWafOverrides(client, zone.id, checkSignal);
			const createdOverride = latestOverrides.find(
				one => !knownIds.has(one.id) && isSameOverride(one, override),
			);
			return createdOverride
				? {effect: 'done', value: createdOverride.id}
				: {effect: 'not done', sentence: `no restored copy of override ${id} exists.`};
		},
		inspectCommand: buildOverrideListCommand(zone),
	};
	try {
		const newId = unwrapOutcome(await executeChange(client, change, {signal}));
		if (!client.dryRun) onWritten?.(`restore override ${id} as ${newId}`);
		return {state: 'restored', id, as: newId};
	} catch (error) {
		return {state: 'failed', id, failure: toFailure(error)};
	}
}
