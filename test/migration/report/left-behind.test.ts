import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {toFailure} from '../../../source/failure.ts';
import {computeFingerprint} from '../../../source/migration/configuration/configuration.ts';
import {managedRulesets} from '../../../source/migration/configuration/mapping.ts';
import {openMigrationFolder} from '../../../source/migration/journal/folder.ts';
import {openMigrationJournal} from '../../../source/migration/journal/journal.ts';
import {planMigration} from '../../../source/migration/plan/plan.ts';
import {readLeftBehindItems} from '../../../source/migration/report/left-behind.ts';
import type {Environment} from '../../../source/state/directory.ts';
import {createScratchFolder} from '../../support/ledge.ts';
import {configurationOf, createExecuteRule} from '../support/configurations.ts';
import {bypass, group, owaspPackage, scoringRule, snapshotOf} from '../support/previous-zone.ts';

const {platform, owasp} = managedRulesets;
const snapshot = snapshotOf({
	packages: [owaspPackage(undefined, [group('g1', 'off')], [scoringRule('r1', 'off', 'g2')])],
	firewallRules: [bypass('b1', 'ip.src eq 192.0.2.1')],
});
const target = {place: 'https://api.example', zone: snapshot.zone};
const sentConfiguration = configurationOf(createExecuteRule(platform.id), createExecuteRule(owasp.id));

/** A state directory with the backup of a migrated zone, and the reviewed configuration if `reviewed`. */
async function createCompletedMigration({reviewed = true} = {}) {
	const environment = {LEDGE_STATE_DIR: join(createScratchFolder(), 'state')};
	const journal = await openMigrationJournal(environment, target);
	const backup = await journal.backUp(snapshot, undefined);
	if (reviewed) await journal.saveReviewed(sentConfiguration);
	await journal.saveRecord({
		state: 'complete',
		backup,
		...(reviewed && {
			reviewed: {fingerprint: computeFingerprint(sentConfiguration), proposed: undefined, rules: 2, at: 1},
		}),
	});
	await journal.close();
	return {environment, backup};
}

const label = 'zone acme.example';

describe('the settings left behind by a migration', () => {
	test('are those of the plan of the sent configuration, read from the backup', async () => {
		const {environment, backup} = await createCompletedMigration();
		const {notMigrated} = planMigration(snapshot, sentConfiguration);
		expect(notMigrated.map(({id}) => id)).toEqual(['g1', 'r1', 'b1']);
		expect(readLeftBehindItems(environment, target, label)).toEqual({
			items: notMigrated,
			backup: backup.folder,
			taken: snapshot.taken,
			unread: [],
			damaged: [],
		});
	});

	test('are also found without a review', async () => {
		const {environment} = await createCompletedMigration({reviewed: false});
		const found = readLeftBehindItems(environment, target, label);
		expect(found.items.map(({id}) => id)).toEqual(['g1', 'r1', 'b1']);
	});

	test('are unknown without a home directory or a complete backup', async () => {
		const getFailureReason = (environment: Environment): string | undefined => {
			try {
				readLeftBehindItems(environment, target, label);
				return undefined;
			} catch (error) {
				return toFailure(error).details.why;
			}
		};
		expect(getFailureReason({})).toContain('home');
		const environment = {LEDGE_STATE_DIR: join(createScratchFolder(), 'state')};
		expect(getFailureReason(environment)).toContain('has no backup from before the migration');
		const damagedFolder = join(openMigrationFolder(environment, target), 'backup-2026-11-21T0310Z');
		mkdirSync(damagedFolder);
		writeFileSync(join(damagedFolder, 'snapshot.json'), '{');
		expect(getFailureReason(environment)).toContain(`${damagedFolder} is damaged`);
	});
});
