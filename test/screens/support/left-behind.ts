import {openMigrationJournal} from '../../../source/migration/journal/journal.ts';
import {bypass, group, owaspPackage, scoringRule, snapshotOf} from '../../migration/support/previous-zone.ts';
import {migratedSampleZone} from './custom-rules.ts';
import type {TestStore} from './store.ts';

/** What the zone had before it was migrated: an OWASP group that was off, a rule that was off, a bypass. */
const snapshotBefore = snapshotOf({
	packages: [owaspPackage(undefined, [group('g1', 'off')], [scoringRule('r1', 'off', 'g2')])],
	firewallRules: [bypass('b1', 'ip.src eq 192.0.2.1')],
});

/** Saves a backup of that for the migrated zone, as its migration would have done. */
export async function saveBackupOfMigrated({env}: Pick<TestStore, 'env'>): Promise<void> {
	const zone = {...snapshotBefore.zone, id: migratedSampleZone.id, name: migratedSampleZone.name};
	const journal = await openMigrationJournal(env, {place: 'simulated', zone});
	const backup = await journal.backUp({...snapshotBefore, zone}, undefined);
	await journal.saveRecord({state: 'complete', backup});
	await journal.close();
}
