import {Failure} from '../../failure.ts';
import {isSameSnapshot} from '../journal/backup.ts';
import type {StoredBackup} from '../journal/record.ts';
import {getEligibilityFacts} from '../zone/read-facts.ts';
import {readSnapshot} from '../zone/read-snapshot.ts';
import {type Snapshot, snapshotPartNames} from '../zone/snapshot.ts';
import type {FlowOptions, PutConfirmation} from './context.ts';
import type {MigrationDriver} from './driver.ts';

/** Reads everything that a backup of the zone contains. */
export const readZoneSnapshot = (
	{context}: MigrationDriver,
	{signal, onStep}: FlowOptions,
): Promise<Snapshot> =>
	readSnapshot(context.client, context.zone, context.journal.target.place, {
		signal,
		onStep: (_what, objects) => onStep?.({does: 'backing up', objects}),
	});

/** Saves a backup of a snapshot. If the newest backup has the same content, returns that one instead. */
export async function saveBackup(driver: MigrationDriver, snapshot: Snapshot): Promise<StoredBackup> {
	const {context, record} = driver;
	const newestSnapshot = context.journal.loadBackup();
	if (newestSnapshot && record.backup && isSameSnapshot(newestSnapshot, snapshot)) return record.backup;
	const {reviewed} = record;
	const configuration = reviewed && (await context.journal.readReviewed(reviewed.fingerprint));
	const backup = await context.journal.backUp(snapshot, configuration);
	await driver.updateRecord({backup});
	return backup;
}

/**
 * Reads the zone just before a PUT and saves a backup of it; a dry run writes none. Throws
 * `IncompleteBackupFailure` if something that the migration deletes could not be read. Returns the snapshot.
 */
export async function backUpBeforePut(
	driver: MigrationDriver,
	confirmation: PutConfirmation,
	options: FlowOptions,
): Promise<Snapshot> {
	const snapshot = await readZoneSnapshot(driver, options);
	// Only the previous version is backed up, so that no later state replaces its backup. If the zone has
	// already moved on, the next check reports why nothing is sent.
	const {stage} = getEligibilityFacts(snapshot);
	if (stage !== 'previous' && stage !== 'validation') return snapshot;
	const unreadParts = snapshot.unread.filter(({what}) => requiredParts.has(what));
	if (unreadParts.length > 0 && !confirmation.incompleteBackup)
		throw new IncompleteBackupFailure('unconfirmed', 'The backup is incomplete; nothing was sent.', {
			why: unreadParts.map(({what, why}) => `Could not read ${what} (${why})`).join('\n'),
			next: unreadParts.some(({what}) => what !== snapshotPartNames.firewallRules)
				? `This can no longer be read after the migration. ${permissionAdvice}`
				: `The firewall rules were not checked: too many of them, or overly long ones, block the migration. ${permissionAdvice}`,
		});
	if (!driver.context.client.dryRun) await saveBackup(driver, snapshot);
	return snapshot;
}

/**
 * Thrown if the backup would lack data that the migration deletes. The user must confirm this before anything
 * is sent.
 */
export class IncompleteBackupFailure extends Failure {}

const permissionAdvice =
	'Grant the credential read permission, or accept an incomplete backup (--incomplete-backup).';

/**
 * Parts that the migration deletes, and the firewall rules, which decide whether the zone is eligible. All
 * other parts can still be read after the migration.
 */
const requiredParts: ReadonlySet<string> = new Set([
	snapshotPartNames.waf,
	snapshotPartNames.packages,
	snapshotPartNames.overrides,
	snapshotPartNames.firewallRules,
]);
