import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {type Configuration, fingerprint} from '../../../source/migration/configuration/configuration.ts';
import {managedRulesets} from '../../../source/migration/configuration/mapping.ts';
import {ledge, scratch} from '../../support/run.ts';

const unknown = 'f'.repeat(32);
const {owasp} = managedRulesets;

/** The proposal of a simulated zone with an exception for this rule of OWASP, in a file. */
async function withException(cwd: string, id: string): Promise<Configuration> {
	const {stdout} = await run(cwd, ['config']);
	const proposed: Configuration = JSON.parse(stdout);
	const exception = {
		action: 'skip',
		action_parameters: {rules: {[owasp.id]: [id]}},
		expression: 'http.host eq "acme-shop.example"',
		description: 'search',
		enabled: true,
	};
	const configuration = {...proposed, rules: [exception, ...proposed.rules]};
	writeFileSync(join(cwd, 'c.json'), JSON.stringify(configuration));
	return configuration;
}

const run = (cwd: string, words: readonly string[]) =>
	ledge(['migration', ...words, '--zone', 'acme-shop.example', '--simulate'], {
		cwd,
		env: {LEDGE_STATE_DIR: join(cwd, 'state'), LEDGE_TIME_SCALE: '0.01'},
	});

test('an exception for a rule that OWASP does not hold is refused by the plan, the rehearsal and the sending', async () => {
	const cwd = scratch();
	const configuration = await withException(cwd, unknown);
	const planned = await run(cwd, ['plan', 'c.json']);
	expect(planned.code, planned.stderr).toBe(1);
	expect(planned.stdout).toContain(`OWASP Core Ruleset has no rule ${unknown}: the service refuses it.`);
	const rehearsed = await run(cwd, ['rehearse', 'c.json']);
	expect(rehearsed.code).not.toBe(0);
	expect(rehearsed.stdout + rehearsed.stderr).toContain(unknown);
	// Not even the simulated copy is asked.
	expect(rehearsed.stderr).not.toContain('Backing up');
	expect(rehearsed.stderr).toContain('nothing was sent to the zone');
	const words = ['--fingerprint', fingerprint(configuration), '--confirm', 'acme-shop.example'];
	expect((await run(cwd, ['deploy', 'c.json', ...words])).code).toBe(2);
});

test('one for a rule that it holds is rehearsed as planned, and taken', async () => {
	const cwd = scratch();
	const held = '6179ae15870a4bb7b2d480d4843b323c';
	const configuration = await withException(cwd, held);
	const planned = await run(cwd, ['plan', 'c.json']);
	expect(planned.code, planned.stdout).toBe(0);
	const rehearsed = await run(cwd, ['rehearse', 'c.json', '--json']);
	expect(rehearsed.code, rehearsed.stderr).toBe(0);
	expect(JSON.parse(rehearsed.stdout).cannotShow.join()).not.toContain('ids of managed rules');
	const words = ['--fingerprint', fingerprint(configuration), '--confirm', 'acme-shop.example'];
	const sent = await run(cwd, ['deploy', 'c.json', ...words]);
	expect(sent.code, sent.stderr).toBe(0);
});
