import {Failure} from '../failure.ts';
import type {Driving} from './driving.ts';
import type {Confirmation, FlowWork} from './flow.ts';
import {readSnapshot} from './read-snapshot.ts';
import type {KeptBackup} from './record.ts';
import type {Snapshot} from './snapshot.ts';

/** Milliseconds after which the zone is read anew before a PUT: a backup is of what was there just before. */
const freshFor = 60 * 60_000;

/** Reads all that the zone holds. */
export const readZone = ({parts}: Driving, {signal, onStep}: FlowWork): Promise<Snapshot> =>
	readSnapshot(parts.client, parts.zone, parts.journal.target.place, {
		signal,
		onStep: (_what, objects) => onStep?.({does: 'backing up', objects}),
	});

/** Makes a backup where there is none of the last hour. Fails where what will be lost could not be read. */
export async function backUpFresh(
	driving: Driving,
	confirmation: Confirmation,
	work: FlowWork,
	keep: (snapshot: Snapshot) => Promise<KeptBackup>,
): Promise<KeptBackup> {
	const {parts, record} = driving;
	const kept = record.backup;
	const isFresh = kept !== undefined && parts.client.pace.now() - kept.at < freshFor;
	const before = isFresh ? parts.journal.snapshot() : undefined;
	const snapshot = before ?? (await readZone(driving, work));
	const lacking = snapshot.unread.filter(({what}) => lost.has(what));
	if (lacking.length > 0 && !confirmation.incompleteBackup)
		throw new Failure('unconfirmed', 'The backup is not complete; nothing was sent.', {
			why: lacking.map(({what, why}) => `Not read: ${what} (${why})`).join('\n'),
			next: 'After the migration nobody can read it any more. Give the credential the permission to read it, or say that the backup may lack it (--incomplete-backup).',
		});
	return before && kept ? kept : keep(snapshot);
}

/** Parts of a snapshot that are gone after the migration; the others can still be read then. */
const lost: ReadonlySet<string> = new Set([
	'the switch of the previous version',
	'the previous managed rules',
	'the URI-based overrides',
]);
