import {openMigrationJournal} from '../../../source/migration/journal/journal.ts';
import {bypass, group, owaspPackage, scoringRule, snapshotOf} from '../../migration/support/previous-zone.ts';
import {migrated} from './custom-rules.ts';
import type {TestStore} from './store.ts';

/** What the zone had before it was migrated: an OWASP group that was off, a rule that was off, a bypass. */
const before = snapshotOf({
	packages: [owaspPackage(undefined, [group('g1', 'off')], [scoringRule('r1', 'off', 'g2')])],
	firewallRules: [bypass('b1', 'ip.src eq 192.0.2.1')],
});

/** Keeps the backup of that, as the migration of the migrated zone would have. */
export async function backedUpBefore({env}: Pick<TestStore, 'env'>): Promise<void> {
	const zone = {...before.zone, id: migrated.id, name: migrated.name};
	const journal = await openMigrationJournal(env, {place: 'simulated', zone});
	const backup = await journal.backUp({...before, zone}, undefined);
	await journal.saveRecord({state: 'complete', backup});
	await journal.close();
}
