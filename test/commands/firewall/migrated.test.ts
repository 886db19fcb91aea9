import {describe, expect, test} from 'vitest';
import {zoneIds} from '../../support/firewall.ts';
import {commandIn, type FirewallInProcess, firewallInProcess} from '../../support/firewall-in-process.ts';

/** A zone of the Pro plan, and what the service says of its migration. */
async function zoneIn(state: string): Promise<FirewallInProcess> {
	const at = await firewallInProcess('pro');
	const {simulator} = at.service;
	const pass = simulator.fetch;
	Object.assign(simulator, {
		async fetch(request: Request) {
			if (!request.url.includes('/waf_migration/status')) return pass(request);
			if (state === 'nobody says')
				return Response.json({success: false, errors: [], messages: [], result: null}, {status: 403});
			const isNew = state === 'complete';
			const result = {
				migration_state: state,
				new_waf_status: isNew ? 'enabled' : 'disabled',
				old_waf_status: isNew ? 'disabled' : 'enabled',
			};
			return Response.json({success: true, errors: [], messages: [], result});
		},
	});
	return at;
}

const expression = 'ip.src eq 192.0.2.1';
const bypass = ['--action', 'bypass', '--products', 'waf'];
const sentence = 'no effect on the new managed rules';

describe('a bypass of the managed rules', () => {
	test('warns in a migrated zone, with a working command for the skip rule', async () => {
		const at = await zoneIn('complete');
		const made = await at.run(['rule', 'create', '--expression', expression, ...bypass]);
		expect(made.code).toBe(0);
		expect(made.stderr).toContain(sentence);
		const printed = /ledge firewall emergency .*--custom-rule/.exec(made.stderr)?.[0] ?? '';
		expect(commandIn(printed)).toContain('--custom-rule');
		at.writes();
		expect((await at.runPrinted(`${printed} --yes`)).code).toBe(0);
		expect(at.writes()).toMatchObject([{method: 'POST', path: expect.stringContaining('/rulesets')}]);
	});

	test.each(['emergency', 'update'] as const)('also warns with %s', async what => {
		const at = await zoneIn('complete');
		const rule = await at.addRule(await at.addFilter('ip.src eq 192.0.2.7'));
		const words = what === 'emergency' ? ['emergency', '--expression', expression] : ['rule', 'update', rule];
		const {code, stderr} = await at.run([...words, ...bypass, '--yes']);
		expect(code).toBe(0);
		expect(stderr).toContain(sentence);
	});

	test.each([
		'start',
		'validation',
		'nobody says',
	])('in a zone where the migration is "%s": no warning', async state => {
		const at = await zoneIn(state);
		const made = await at.run(['rule', 'create', '--expression', expression, ...bypass]);
		expect(made.code).toBe(0);
		expect(made.stderr).not.toContain(sentence);
	});

	test('is marked in the list and when shown alone', async () => {
		const at = await zoneIn('complete');
		const filter = await at.addFilter(expression);
		const rule = await at.addRule(filter, {action: 'bypass', products: ['waf', 'bic']});
		await at.addRule(filter);
		const lines = (await at.run(['rule', 'list'])).stdout.trimEnd().split('\n');
		expect(lines.filter(line => line.includes(sentence))).toEqual([expect.stringContaining(rule)]);
		expect((await at.run(['rule', 'get', rule])).stdout).toContain(sentence);
		expect(JSON.parse((await at.run(['rule', 'get', rule, '--json'])).stdout)).not.toHaveProperty('note');
	});

	test('is not checked if no rule bypasses the managed rules', async () => {
		const at = await zoneIn('complete');
		await at.addRule(await at.addFilter(expression));
		await at.run(['rule', 'list']);
		const calls = (await at.service.calls()).map(({path}) => path);
		expect(calls.filter(path => path.includes('waf_migration'))).toEqual([]);
		expect(calls.some(path => path.includes(zoneIds.pro))).toBe(true);
	});
});
