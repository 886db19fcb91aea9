import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {
	computeFingerprint,
	type ManagedConfiguration,
} from '../../../source/migration/configuration/configuration.ts';
import type {JsonObject} from '../../../source/text/json.ts';
import {createMigratingZone, proposedConfiguration} from '../../support/migration.ts';

const executeRules = proposedConfiguration.rules.filter(({action}) => action === 'execute');
const allOff: ManagedConfiguration = {
	name: 'default',
	rules: executeRules.map(rule => ({
		...rule,
		action_parameters: {...(rule.action_parameters as JsonObject), overrides: {enabled: false}},
	})),
};
const limited: ManagedConfiguration = {
	name: 'default',
	rules: executeRules.map(rule => ({...rule, expression: 'ip.src eq 203.0.113.9'})),
};

async function planAndDeploy(configuration: ManagedConfiguration, ...more: readonly string[]) {
	const zone = await createMigratingZone({plan: 'pro'});
	writeFileSync(join(zone.cwd, 'c.json'), JSON.stringify(configuration));
	const fingerprint = computeFingerprint(configuration);
	const plan = await zone.run(['plan', 'c.json']);
	const end = await zone.run([
		'deploy',
		'c.json',
		'--fingerprint',
		fingerprint,
		'--confirm',
		zone.name,
		...more,
	]);
	return {plan: plan.stdout, end, writes: zone.writes()};
}

test('rulesets with all rules off are sent only with --without-rulesets, and reported at the end', async () => {
	const refused = await planAndDeploy(allOff);
	expect(refused.end.code).not.toBe(0);
	expect(refused.end.stderr).toContain('--without-rulesets');
	expect(refused.writes).toEqual([]);

	const accepted = await planAndDeploy(allOff, '--without-rulesets');
	expect(accepted.end.code).toBe(0);
	expect(accepted.end.stderr + accepted.end.stdout).toContain('deployed, all rules off');
});

test('rulesets limited to some requests are reported before and after the deploy', async () => {
	const {plan, end} = await planAndDeploy(limited);
	expect(plan).toContain('runs only for requests where ip.src eq 203.0.113.9');
	expect(end.stderr + end.stdout).toContain('only for ip.src eq 203.0.113.9');
});
