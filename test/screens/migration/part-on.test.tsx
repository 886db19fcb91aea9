import {expect, test} from 'vitest';
import {checkConfiguration} from '../../../source/migration/configuration/checks.ts';
import {managedRulesets} from '../../../source/migration/configuration/mapping.ts';
import {mustConfirmNoRulesets} from '../../../source/screens/migration/state.ts';
import {configurationOf, createExecuteRule} from '../../migration/support/configurations.ts';
import {migrationWith, verification} from '../support/migration.ts';
import {drawMigrationRows, sizes} from '../support/migration-rows.tsx';

const {platform, owasp} = managedRulesets;

test('a configuration with all rules off needs another confirmation', async () => {
	const migration = migrationWith({
		step: 'confirm',
		configuration: configurationOf(createExecuteRule(platform.id, {enabled: false})),
	});
	expect(mustConfirmNoRulesets(migration)).toBe(true);
	expect((await drawMigrationRows(migration, sizes[2])).join('\n')).toContain(
		'This deploys no managed ruleset: no managed rules would remain.',
	);
});

test('the confirmation mentions a ruleset that only runs for some requests', async () => {
	const configuration = configurationOf(createExecuteRule(platform.id, undefined, {expression: 'ssl'}));
	const findings = checkConfiguration(configuration, {name: 'example.com', plan: 'enterprise'});
	const rows = await drawMigrationRows(migrationWith({step: 'confirm', configuration, findings}), sizes[2]);
	expect(rows.join('\n')).toContain('Managed Ruleset runs only for requests where ssl');
});

test('the end says which parts of a ruleset are on', async () => {
	const partlyOn = {
		...verification,
		managedRulesets: [
			{...platform, activity: 'all rules off'},
			{...owasp, activity: 'on', only: ['ssl']},
		],
	} as const;
	const migration = migrationWith({step: 'done', verification: partlyOn, record: {state: 'complete'}});
	const rows = (await drawMigrationRows(migration, sizes[2])).join('\n');
	expect(rows).toContain('Managed Ruleset, deployed, all rules off');
	expect(rows).toContain('! OWASP Core Ruleset, deployed, enabled, only for ssl');
});
