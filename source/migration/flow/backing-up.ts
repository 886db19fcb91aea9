import {Failure} from '../../failure.ts';
import {holdsSame} from '../journal/backup.ts';
import type {KeptBackup} from '../journal/record.ts';
import {factsIn} from '../zone/read-facts.ts';
import {readSnapshot} from '../zone/read-snapshot.ts';
import {parts as partWords, type Snapshot} from '../zone/snapshot.ts';
import type {Driving} from './driving.ts';
import type {Confirmation, FlowWork} from './parts.ts';

/** Reads all that the zone holds. */
export const readZone = ({parts}: Driving, {signal, onStep}: FlowWork): Promise<Snapshot> =>
	readSnapshot(parts.client, parts.zone, parts.journal.target.place, {
		signal,
		onStep: (_what, objects) => onStep?.({does: 'backing up', objects}),
	});

/** Keeps a backup of what was read, unless the newest one holds just that: there is one backup for one content. */
export async function keepBackup(driving: Driving, snapshot: Snapshot): Promise<KeptBackup> {
	const {parts, record} = driving;
	const kept = parts.journal.snapshot();
	if (kept && record.backup && holdsSame(kept, snapshot)) return record.backup;
	const {reviewed} = record;
	const configuration = reviewed && (await parts.journal.readReviewed(reviewed.fingerprint));
	const backup = await parts.journal.backUp(snapshot, configuration);
	await driving.change({backup});
	return backup;
}

/**
 * Reads the zone just before a PUT and keeps a backup of it (not in a dry run, which writes nothing): anybody may have
 * changed something since the last one. Fails where what will be lost could not be read. Returns what was read.
 */
export async function backUpNow(
	driving: Driving,
	confirmation: Confirmation,
	work: FlowWork,
): Promise<Snapshot> {
	const snapshot = await readZone(driving, work);
	// What comes after the previous version must not replace the backup of it; looking reports why nothing is sent.
	const {stage} = factsIn(snapshot);
	if (stage !== 'previous' && stage !== 'validation') return snapshot;
	const lacking = snapshot.unread.filter(({what}) => needed.has(what));
	if (lacking.length > 0 && !confirmation.incompleteBackup)
		throw new IncompleteBackup('unconfirmed', 'The backup is not complete; nothing was sent.', {
			why: lacking.map(({what, why}) => `Not read: ${what} (${why})`).join('\n'),
			next: lacking.some(({what}) => what !== partWords.firewallRules)
				? `It can no longer be read after the migration. ${wayOut}`
				: `What was not read was not checked: too many firewall rules, or long ones, cannot be migrated. ${wayOut}`,
		});
	if (!driving.parts.client.dryRun) await keepBackup(driving, snapshot);
	return snapshot;
}

/** The backup would lack what is lost: nothing is sent before a person has said that it may, and the message says so. */
export class IncompleteBackup extends Failure {}

const wayOut =
	'Give the credential the permission to read it, or say that the backup may lack it (--incomplete-backup).';

/**
 * Parts of a snapshot that are gone after the migration, and the firewall rules, which decide whether the zone
 * is eligible; the others can still be read then.
 */
const needed: ReadonlySet<string> = new Set([
	partWords.waf,
	partWords.packages,
	partWords.overrides,
	partWords.firewallRules,
]);
