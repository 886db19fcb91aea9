import {Failure, toFailure} from '../../failure.ts';
import {sendFirewallWrite} from '../../firewall/rules/writing.ts';
import type {Client} from '../../service/client.ts';
import {isAbsent} from '../../service/outcome.ts';
import {type Change, executeChange} from '../../service/settle.ts';
import {buildAdvice, buildZoneCommand} from '../../text/advice.ts';
import type {MigrationZone} from './migration-zone.ts';
import {isSameOverride, parseWafOverride, type WafOverride} from './override.ts';
import {type OverrideWriteOptions, requirePreviousStage, requireSameZone} from './override-writing.ts';
import {getOverridePath} from './paths.ts';
import {buildOverrideListCommand, readWafOverride, readWafOverrides} from './read-overrides.ts';
import type {Snapshot} from './snapshot.ts';

/** The outcome of deleting an override. */
export type OverrideDeletion = {readonly override: WafOverride} & (
	| {readonly state: 'deleted' | 'gone before'}
	/** Left unchanged, because someone else changed the override after it was shown or backed up. */
	| {readonly state: 'changed'; readonly failure: Failure}
	/** Not deleted by this call. */
	| {readonly state: 'failed'; readonly failure: Failure}
	/** The response was lost, and the state could not be read or may still change. */
	| {readonly state: 'unknown'; readonly failure: Failure}
	/** An earlier failure stopped the work. */
	| {readonly state: 'not tried'}
);

type NamedZone = Pick<MigrationZone, 'id' | 'name'>;

type DeletionOptions = OverrideWriteOptions & {
	/** Called after each override. */
	onOutcome?(deletion: OverrideDeletion): Promise<void> | void;
};

/**
 * Deletes overrides, one request each. An override is deleted only if it is the same in `backup` (of this
 * zone), in `shownOverrides`, and right before its request. If someone else changed it, it is not deleted
 * and the next one follows; any other failure stops the work. Returns an outcome for every override; does
 * not reject on failures of the service.
 */
export async function deleteOverrides(
	client: Client,
	zone: NamedZone,
	shownOverrides: readonly WafOverride[],
	backup: Snapshot | undefined,
	{onOutcome, ...writeOptions}: DeletionOptions,
): Promise<readonly OverrideDeletion[]> {
	const deletions: OverrideDeletion[] = [];
	for (const override of shownOverrides) {
		const isStopped = deletions.some(({state}) => state === 'failed' || state === 'unknown');
		const deletion: OverrideDeletion = isStopped
			? {state: 'not tried', override}
			: await deleteOverride(client, zone, override, backup, writeOptions);
		deletions.push(deletion);
		await onOutcome?.(deletion);
	}
	return deletions;
}

async function deleteOverride(
	client: Client,
	zone: NamedZone,
	override: WafOverride,
	backup: Snapshot | undefined,
	{signal, onSend, onWritten}: OverrideWriteOptions,
): Promise<OverrideDeletion> {
	const {id} = override;
	const buildFailedDeletion = (failure: Failure): OverrideDeletion => ({
		state: 'failed',
		override,
		failure: failure.withDetails({left: failure.details.left ?? `Override ${id} was not deleted.`}),
	});
	let path: string;
	try {
		path = getOverridePath(zone.id, id);
		const backupOverride = backup && findInBackup(backup, zone, id);
		if (!backupOverride) return buildFailedDeletion(createNotBackedUpFailure(id));
		if (!isSameOverride(override, backupOverride))
			return {state: 'changed', override, failure: createChangedOverrideFailure(id)};
		await requirePreviousStage(client, zone, 'override was deleted', signal);
		const currentOverride = await readWafOverride(client, zone.id, id, signal);
		if (!currentOverride) return {state: 'gone before', override};
		if (!isSameOverride(currentOverride, backupOverride))
			return {state: 'changed', override, failure: createChangedOverrideFailure(id)};
	} catch (error) {
		return buildFailedDeletion(toFailure(error));
	}
	const auditEntry = `delete override ${id}`;
	if (!client.dryRun) onSend?.(auditEntry);
	const outcome = await executeChange(client, buildDeletion(zone, id, path), {signal});
	if (outcome.state === 'done') {
		if (!client.dryRun) onWritten?.(auditEntry);
		return {state: 'deleted', override};
	}
	const {failure} = outcome;
	// The service refused because the override is absent: someone else deleted it, unless it is still listed.
	if (outcome.state === 'refused' && isAbsent(failure)) {
		try {
			const exists = (await readWafOverrides(client, zone.id, signal)).some(one => one.id === id);
			return exists ? buildFailedDeletion(failure) : {state: 'gone before', override};
		} catch {
			return buildFailedDeletion(failure);
		}
	}
	return failure.details.outcomeUnknown
		? {state: 'unknown', override, failure}
		: buildFailedDeletion(failure);
}

const buildDeletion = (zone: NamedZone, id: string, path: string): Change<void> => ({
	send: (client, signal) =>
		sendFirewallWrite(client, {method: 'DELETE', path}, {read: () => undefined}, signal),
	async checkEffect(client, signal) {
		const exists = (await readWafOverrides(client, zone.id, signal)).some(one => one.id === id);
		return exists
			? {effect: 'not done', sentence: `override ${id} still exists.`}
			: {effect: 'done', value: undefined};
	},
	inspectCommand: buildOverrideListCommand(zone),
});

/** Finds an override in a backup. Throws if the backup is of another zone. */
function findInBackup(backup: Snapshot, zone: NamedZone, id: string): WafOverride | undefined {
	requireSameZone(backup, zone);
	const raw = backup.overrides.find(one => one.id === id);
	return raw && parseWafOverride(raw);
}

const createChangedOverrideFailure = (id: string): Failure =>
	new Failure('changed_meanwhile', `Override ${id} has changed since it was shown.`, {
		why: 'Someone else changed it.',
		left: `Override ${id} was not deleted.`,
		next: buildAdvice`Check its current state with \`${buildZoneCommand('migration overrides list')}\`.`,
	});

const createNotBackedUpFailure = (id: string): Failure =>
	new Failure('unconfirmed', `Override ${id} is in no backup, so it was not deleted.`, {
		why: 'A deleted override can be restored only from a backup.',
		next: buildAdvice`Make a backup first: \`${buildZoneCommand('migration overrides delete')}\` makes one, then deletes.`,
	});

/** Formats an override for a list, with its description, URLs and id. */
export const formatOverrideLabel = ({id, description, urls}: WafOverride): string =>
	[description && `"${description}"`, urls.join(', ') || 'no URL', id].filter(Boolean).join('  ');

/** Formats an outcome as a sentence. */
export function formatDeletionSentence(deletion: OverrideDeletion): string {
	const {id, description} = deletion.override;
	const name = description ? `${id} ("${description}")` : id;
	switch (deletion.state) {
		case 'deleted':
			return `Deleted override ${name}.`;
		case 'gone before':
			return `Override ${name} was already deleted.`;
		case 'changed':
			return `Kept override ${name}: someone else changed it.`;
		case 'failed':
			return `Override ${name} was not deleted: ${deletion.failure.message}`;
		case 'unknown':
			return `Override ${name} may have been deleted: ${deletion.failure.message}`;
		case 'not tried':
			return `Override ${name} was not deleted: not attempted.`;
		default:
			return deletion satisfies never;
	}
}

/**
 * Returns the first failure, with the outcomes of all overrides in `left`. Undefined if no deletion failed.
 */
export function findDeletionFailure(deletions: readonly OverrideDeletion[]): Failure | undefined {
	const failures = deletions.flatMap(one => ('failure' in one ? [one] : []));
	const {failure} = failures.find(({state}) => state !== 'changed') ?? failures[0] ?? {};
	if (!failure || deletions.length === 1) return failure;
	const sentences = deletions.map(formatDeletionSentence);
	const {left} = failure.details;
	// The sentences do not include the state that was read after a lost response.
	const state = failure.details.outcomeUnknown ? [left] : [];
	return failure.withDetails({left: [...state, ...sentences].filter(Boolean).join('\n')});
}
