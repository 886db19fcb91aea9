import {describe, expect, test} from 'vitest';
import {zoneIds} from '../../support/firewall.ts';
import {
	commandIn,
	type FirewallInProcess,
	startFirewallInProcess,
} from '../../support/firewall-in-process.ts';

/** Serves a Pro zone with this migration state; with 'unreadable', reading it is refused (403). */
async function serveZone(state: string): Promise<FirewallInProcess> {
	const firewall = await startFirewallInProcess('pro');
	const {simulator} = firewall.service;
	const originalFetch = simulator.fetch;
	Object.assign(simulator, {
		async fetch(request: Request) {
			if (!request.url.includes('/waf_migration/status')) return originalFetch(request);
			if (state === 'unreadable')
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
	return firewall;
}

const expression = 'ip.src eq 192.0.2.1';
const bypass = ['--action', 'bypass', '--products', 'waf'];
const sentence = 'no effect on the new managed rules';

describe('a bypass of the managed rules', () => {
	test('warns in a migrated zone, with a working command for the skip rule', async () => {
		const firewall = await serveZone('complete');
		const created = await firewall.run(['rule', 'create', '--expression', expression, ...bypass]);
		expect(created.code).toBe(0);
		expect(created.stderr).toContain(sentence);
		const printed = /ledge firewall emergency .*--custom-rule/.exec(created.stderr)?.[0] ?? '';
		expect(commandIn(printed)).toContain('--custom-rule');
		firewall.takeWrites();
		expect((await firewall.runPrinted(`${printed} --yes`)).code).toBe(0);
		expect(firewall.takeWrites()).toMatchObject([
			{method: 'POST', path: expect.stringContaining('/rulesets')},
		]);
	});

	test.each(['emergency', 'update'] as const)('also warns with %s', async what => {
		const firewall = await serveZone('complete');
		const rule = await firewall.addRule(await firewall.addFilter('ip.src eq 192.0.2.7'));
		const words = what === 'emergency' ? ['emergency', '--expression', expression] : ['rule', 'update', rule];
		const {code, stderr} = await firewall.run([...words, ...bypass, '--yes']);
		expect(code).toBe(0);
		expect(stderr).toContain(sentence);
	});

	test.each([
		'start',
		'validation',
		'unreadable',
	])('in a zone where the migration is "%s": no warning', async state => {
		const firewall = await serveZone(state);
		const created = await firewall.run(['rule', 'create', '--expression', expression, ...bypass]);
		expect(created.code).toBe(0);
		expect(created.stderr).not.toContain(sentence);
	});

	test('is marked in the list and when shown alone', async () => {
		const firewall = await serveZone('complete');
		const filter = await firewall.addFilter(expression);
		const rule = await firewall.addRule(filter, {action: 'bypass', products: ['waf', 'bic']});
		await firewall.addRule(filter);
		const lines = (await firewall.run(['rule', 'list'])).stdout.trimEnd().split('\n');
		expect(lines.filter(line => line.includes(sentence))).toEqual([expect.stringContaining(rule)]);
		expect((await firewall.run(['rule', 'get', rule])).stdout).toContain(sentence);
		expect(JSON.parse((await firewall.run(['rule', 'get', rule, '--json'])).stdout)).not.toHaveProperty(
			'note',
		);
	});

	test('is not checked if no rule bypasses the managed rules', async () => {
		const firewall = await serveZone('complete');
		await firewall.addRule(await firewall.addFilter(expression));
		await firewall.run(['rule', 'list']);
		const calls = (await firewall.service.calls()).map(({path}) => path);
		expect(calls.filter(path => path.includes('waf_migration'))).toEqual([]);
		expect(calls.some(path => path.includes(zoneIds.pro))).toBe(true);
	});
});
