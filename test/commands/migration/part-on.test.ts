import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {
	computeFingerprint,
	type ManagedConfiguration,
} from '../../../source/migration/configuration/configuration.ts';
import type {JsonObject} from '../../../source/text/json.ts';
import {migratingZone, proposed} from '../../support/migration.ts';

const executing = proposed.rules.filter(({action}) => action === 'execute');
const allOff: ManagedConfiguration = {
	name: 'default',
	rules: executing.map(rule => ({
		...rule,
		action_parameters: {...(rule.action_parameters as JsonObject), overrides: {enabled: false}},
	})),
};
const limited: ManagedConfiguration = {
	name: 'default',
	rules: executing.map(rule => ({...rule, expression: 'ip.src eq 203.0.113.9'})),
};

async function deployed(configuration: ManagedConfiguration, ...more: readonly string[]) {
	const zone = await migratingZone({plan: 'pro'});
	writeFileSync(join(zone.cwd, 'c.json'), JSON.stringify(configuration));
	const digits = computeFingerprint(configuration);
	const plan = await zone.run(['plan', 'c.json']);
	const end = await zone.run(['deploy', 'c.json', '--fingerprint', digits, '--confirm', zone.name, ...more]);
	return {plan: plan.stdout, end, writes: zone.writes()};
}

test('rulesets with all rules off are sent only with --without-rulesets, and reported at the end', async () => {
	const refused = await deployed(allOff);
	expect(refused.end.code).not.toBe(0);
	expect(refused.end.stderr).toContain('--without-rulesets');
	expect(refused.writes).toEqual([]);

	const meant = await deployed(allOff, '--without-rulesets');
	expect(meant.end.code).toBe(0);
	expect(meant.end.stderr + meant.end.stdout).toContain('deployed, all rules off');
});

test('rulesets limited to some requests are reported before and after the deploy', async () => {
	const {plan, end} = await deployed(limited);
	expect(plan).toContain('runs only for requests where ip.src eq 203.0.113.9');
	expect(end.stderr + end.stdout).toContain('only for ip.src eq 203.0.113.9');
});
