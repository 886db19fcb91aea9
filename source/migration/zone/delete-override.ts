import {Failure} from '../../failure.ts';
import {write} from '../../firewall/rules/writing.ts';
import type {Client} from '../../service/client.ts';
import {type Change, carryOut, orThrow} from '../../service/settle.ts';
import {advice, inZone} from '../../text/advice.ts';
import {overrideById, overrides, overridesListing} from './listed-overrides.ts';
import {isSameOverride, readOverride, type WafOverride} from './override.ts';
import {type OverrideWork, refuseOtherZone, refuseUnlessPrevious} from './override-writing.ts';
import {overridePath} from './paths.ts';
import type {MigrationZone, Snapshot} from './snapshot.ts';

/** What became of an override that was to go: `gone before` when it no longer existed. */
type OverrideDeletion = {readonly state: 'deleted' | 'gone before'; readonly id: string};

/**
 * Deletes an override for good. Refused unless a backup of this zone holds it
 * just as it is now, and where the previous version is not known to live. After a lost answer the
 * zone is read.
 */
export async function deleteOverride(
	client: Client,
	zone: Pick<MigrationZone, 'id' | 'name'>,
	id: string,
	backup: Snapshot | undefined,
	{signal, sends, wrote}: OverrideWork,
): Promise<OverrideDeletion> {
	const path = overridePath(zone.id, id);
	const kept = backup && heldBy(backup, zone, id);
	if (!kept) throw notKept(id);
	await refuseUnlessPrevious(client, zone, 'override is deleted', signal);
	const there = await overrideById(client, zone.id, id, signal);
	if (!there) return {state: 'gone before', id};
	if (!isSameOverride(there, kept))
		throw new Failure('changed_meanwhile', `Override ${id} is not as the backup has it.`, {
			why: 'It was changed elsewhere since the backup was made.',
			next: 'Make a new backup, which then holds it as it is, and delete it with that one.',
			left: 'Nothing was deleted.',
		});
	const what = `delete override ${id}`;
	if (!client.dryRun) sends?.(what);
	const change: Change<void> = {
		send: (_client, sending) => write(client, {method: 'DELETE', path}, {read: () => undefined}, sending),
		async look(_client, looking) {
			const still = (await overrides(client, zone.id, looking)).some(one => one.id === id);
			return still
				? {shows: 'not done', sentence: `override ${id} is still there.`}
				: {shows: 'done', value: undefined};
		},
		where: overridesListing(zone),
	};
	orThrow(await carryOut(client, change, {signal}));
	if (!client.dryRun) wrote?.(what);
	return {state: 'deleted', id};
}

/** What a person was shown, and agreed to delete, has to be what the backup has, which was made after that. */
export function refuseUnlessShown(
	shown: WafOverride,
	zone: Pick<MigrationZone, 'id' | 'name'>,
	backup: Snapshot | undefined,
): void {
	const kept = backup && heldBy(backup, zone, shown.id);
	if (!kept || isSameOverride(shown, kept)) return;
	throw new Failure('changed_meanwhile', `Override ${shown.id} has changed since it was shown.`, {
		why: 'It was changed elsewhere.',
		next: advice`See what it is now with \`${inZone('migration overrides list')}\`.`,
		left: 'Nothing was deleted of it.',
	});
}

/** The override of an id in a backup, which must be of this very zone. */
function heldBy(
	backup: Snapshot,
	zone: Pick<MigrationZone, 'id' | 'name'>,
	id: string,
): WafOverride | undefined {
	refuseOtherZone(backup, zone);
	const raw = backup.overrides.find(one => one.id === id);
	return raw && readOverride(raw);
}

const notKept = (id: string): Failure =>
	new Failure('unconfirmed', `Override ${id} is in no backup, so it is not deleted.`, {
		why: 'What is deleted here can only be brought back from a backup.',
		next: advice`Make a backup first: \`${inZone('migration overrides delete')}\` does, and then deletes.`,
	});
