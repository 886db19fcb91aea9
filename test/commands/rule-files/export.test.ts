import {readdirSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {migrated, plain, startRulesTest} from './support.ts';

const refusal = () =>
	new Response(
		JSON.stringify({
			success: false,
			result: null,
			messages: [],
			errors: [{code: 9109, message: 'Unauthorized'}],
		}),
		{status: 403, headers: {'content-type': 'application/json'}},
	);

describe('rules export', () => {
	test('writes a file that differs in nothing from the zone, and overwrites one only with --yes', async () => {
		const rulesTest = await startRulesTest();
		for (const name of ['rules.yaml', 'rules.json']) {
			expect((await rulesTest.run(['export', '--output', name])).code).toBe(0);
			expect(await rulesTest.run(['diff', name, '--exit-code'])).toMatchObject({
				code: 0,
				stdout: expect.stringContaining('no difference'),
			});
			expect((await rulesTest.run(['export', '--output', name])).code).toBe(2);
		}
		expect((await rulesTest.run(['export', '--output', 'rules.txt'])).code).toBe(2);
		expect((await rulesTest.run(['export', '--output', 'rules.txt', '--format', 'yaml'])).code).toBe(0);
		expect(rulesTest.read('rules.txt')).toBe(rulesTest.read('rules.yaml'));
		expect(rulesTest.takeWrites()).toEqual([]);
	});

	test('keeps comments when it overwrites the file of the same zone only', async () => {
		const rulesTest = await startRulesTest();
		await rulesTest.run(['export', '--output', 'rules.yaml']);
		const commented = rulesTest
			.read('rules.yaml')
			.replace('custom_rules:\n', 'custom_rules:\n  # the office\n');
		rulesTest.write('rules.yaml', commented);
		await rulesTest.run(['export', '--output', 'rules.yaml', '--yes']);
		expect(rulesTest.read('rules.yaml')).toBe(commented);
		const other = await rulesTest.run(['export', '--output', 'rules.yaml', '--yes'], plain);
		expect(other.code).toBe(0);
		expect(other.stderr).toContain(`held the rules of ${migrated.name}: its comments are not kept`);
		expect(rulesTest.read('rules.yaml')).not.toContain('the office');
	});

	test('names the phases that it leaves out', async () => {
		const rulesTest = await startRulesTest();
		const {code, stdout, stderr} = await rulesTest.run(['export'], {name: 'acme.example'});
		expect(code).toBe(0);
		expect(stderr).toMatch(/managed_rules: left out\. .* has not completed its migration/);
		expect(stdout).not.toContain('\nmanaged_rules:');
		rulesTest.setHook((_index, {url}) => (url.includes('http_ratelimit') ? refusal() : undefined));
		const withheld = await rulesTest.run(['export']);
		expect(withheld.code).toBe(0);
		expect(withheld.stderr).toContain('rate_limits: left out.');
		expect(withheld.stdout).toMatch(/\ncustom_rules:\n[\s\S]*\nmanaged_rules:\n/);
		rulesTest.setHook((_index, {url}) =>
			url.includes('/rulesets') || url.includes('/waf_') ? refusal() : undefined,
		);
		expect((await rulesTest.run(['export'])).code).toBe(4);
	});

	test('--no-ids is applied to another zone as it is', async () => {
		const rulesTest = await startRulesTest();
		const words = ['export', '--no-ids', '--format', 'json'];
		await rulesTest.putRules('limits', []);
		const exported = (await rulesTest.run(words)).stdout;
		rulesTest.write('rules.json', exported);
		const applied = await rulesTest.run(['apply', 'rules.json', '--confirm', plain.name], plain);
		expect(applied.stderr).toContain(`The file was exported from zone ${migrated.name}.`);
		const {zone: _, ...rules} = JSON.parse((await rulesTest.run(words, plain)).stdout) as Record<
			string,
			unknown
		>;
		const {zone: __, managed_rules, ...expected} = JSON.parse(exported) as Record<string, unknown>;
		expect(rules).toMatchObject(expected);
		expect(exported).not.toContain('"id": "5f1c');
	});

	test('--all-zones writes one file per zone, and diff --all-zones compares them', async () => {
		const rulesTest = await startRulesTest();
		const noZone = {name: ''};
		const all = await rulesTest.run(['export', '--all-zones', '--output', 'zones'], noZone);
		expect(all.code, all.stderr).toBe(0);
		const files = readdirSync(join(rulesTest.cwd, 'zones'));
		expect(files).toContain(`${migrated.name}.yaml`);
		expect(files.length).toBeGreaterThan(5);
		const diff = ['diff', 'zones', '--all-zones', '--json'];
		const list = async () => {
			const {code, stdout} = await rulesTest.run([...diff, '--exit-code'], noZone);
			const results = JSON.parse(stdout) as {
				zone: {name: string};
				different?: boolean;
				file: string | null;
			}[];
			return {
				code,
				different: results.filter(({different}) => different).map(({zone}) => zone.name),
				results,
			};
		};
		expect(await list()).toMatchObject({code: 0, different: []});
		await rulesTest.putRules('limits', []);
		expect(await list()).toMatchObject({code: 1, different: [migrated.name]});
		rulesTest.write(`zones/${plain.name}.yaml`, 'custom_rules: [oops]\n');
		const broken = (await list()).results.find(({zone}) => zone.name === plain.name);
		expect(broken).toMatchObject({failed: {code: 'input_malformed'}});
		expect((await rulesTest.run(['export', '--all-zones', '--output', 'x'])).code).toBe(2);
		expect((await rulesTest.run(['export', '--all-zones'], noZone)).code).toBe(2);
		expect(rulesTest.takeWrites()).toEqual([]);
	});

	test('says what it wrote as JSON', async () => {
		const rulesTest = await startRulesTest();
		const {stdout} = await rulesTest.run(['export', '--output', 'r.yaml', '--json']);
		expect(JSON.parse(stdout)).toMatchObject({
			file: 'r.yaml',
			zone: migrated,
			rules: 9,
			sections: [
				{section: 'custom_rules', rules: 4},
				{section: 'rate_limits', rules: 3},
				{section: 'managed_rules', rules: 2},
			],
			leftOut: [],
			format: 'yaml',
		});
	});
});

test('rules versions and restore take --rate-limits', async () => {
	const rulesTest = await startRulesTest();
	const before = await rulesTest.readRules('limits');
	await rulesTest.putRules('limits', before.slice(1));
	const versions = await rulesTest.run(['versions', '--rate-limits', '--json']);
	expect(JSON.parse(versions.stdout)).toMatchObject([{version: '4', inForce: true}, {version: '3'}]);
	const {stdout} = await rulesTest.run(['versions', '3', '--rate-limits']);
	expect(stdout).toContain('Logins by address');
	expect((await rulesTest.run(['restore', '3', '--rate-limits'])).code).toBe(2);
	const restored = await rulesTest.run(['restore', '3', '--rate-limits', '--yes']);
	expect(restored.code, restored.stderr).toBe(0);
	expect((await rulesTest.readRules('limits')).map(({description}) => description)).toEqual(
		before.map(({description}) => description),
	);
	const again = await rulesTest.run(['restore', '5', '--rate-limits']);
	expect(again.stderr).toContain('No difference, so nothing was sent.');
});
