import {describe, expect, test} from 'vitest';
import {migrated, plain, startRulesTest} from './support.ts';

const apply = ['apply', 'rules.yaml', '--confirm', migrated.name];

/** The exported rules with one change in each phase, and a new custom rule. */
async function startWithChangedFile() {
	const rulesTest = await startRulesTest();
	const {stdout} = await rulesTest.run(['export']);
	rulesTest.write(
		'rules.yaml',
		stdout
			.replace('contains "scrapy"', 'contains "crawl"')
			.replace(
				'rate_limits:',
				'  - ref: mine\n    action: block\n    expression: ip.src eq 192.0.2.7\nrate_limits:',
			)
			.replace('requests_per_period: 20', 'requests_per_period: 100')
			.replace('score_threshold: 40', 'score_threshold: 60'),
	);
	rulesTest.takeRequests();
	return rulesTest;
}

const custom = `PUT /zones/${migrated.id}/rulesets/phases/http_request_firewall_custom/entrypoint`;
const rulePattern = new RegExp(`^PATCH /zones/${migrated.id}/rulesets/\\w+/rules/\\w+$`);

describe('rules apply', () => {
	test('sends one call per phase, each shown before, and a second run sends nothing', async () => {
		const rulesTest = await startWithChangedFile();
		const {code, stderr} = await rulesTest.run(apply);
		expect(code, stderr).toBe(0);
		const writes = rulesTest.takeWrites();
		expect(writes).toEqual([custom, expect.stringMatching(rulePattern), expect.stringMatching(rulePattern)]);
		for (const write of writes) expect(stderr).toContain(`will send  ${write}`);
		expect(stderr).toContain('ratelimit.requests_per_period: 20 → 100');
		expect(stderr).toContain('! It allows more: 20 requests in 60 s → 100 requests in 60 s.');
		expect(stderr).toContain('! OWASP: score threshold 40 → 60, blocks less.');
		expect((await rulesTest.readRules('limits'))[0]).toMatchObject({ratelimit: {requests_per_period: 100}});
		const rules = await rulesTest.readRules('custom');
		expect(rules.map(({ref}) => ref).at(-1)).toBe('mine');
		const again = await rulesTest.run(apply);
		expect([again.code, rulesTest.takeWrites()]).toEqual([0, []]);
		expect(again.stderr).toContain('Nothing to send.');
	});

	test('the printed commands restore all phases', async () => {
		const rulesTest = await startWithChangedFile();
		const before = (await rulesTest.run(['export', '--format', 'json'])).stdout;
		const {stderr} = await rulesTest.run(apply);
		const undoCommands = [...stderr.matchAll(/To undo \([^)]*\): (.*)/g)].map(([, command = '']) => command);
		expect(undoCommands).toHaveLength(3);
		for (const command of undoCommands)
			expect(await rulesTest.runPrinted(command), command).toMatchObject({code: 0});
		expect((await rulesTest.run(['export', '--format', 'json'])).stdout).toBe(before);
	});

	test('the first rules of a zone are undone by deleting them', async () => {
		const rulesTest = await startRulesTest();
		rulesTest.write('rules.yaml', 'custom_rules:\n  - action: block\n    expression: ssl\n');
		const {code, stderr} = await rulesTest.run(['apply', 'rules.yaml', '--confirm', plain.name], plain);
		expect(code, stderr).toBe(0);
		expect(await rulesTest.readRules('custom', plain)).toHaveLength(1);
		const [, command = ''] = /To undo \(custom rules\): (.*)/.exec(stderr) ?? [];
		expect(await rulesTest.runPrinted(command)).toMatchObject({code: 0});
		expect(await rulesTest.readRules('custom', plain)).toEqual([]);
	});

	test.each([
		['no zone name', ['apply', 'rules.yaml'], 2],
		['--yes', ['apply', 'rules.yaml', '--yes'], 2],
		['another name', ['apply', 'rules.yaml', '--confirm', plain.name], 2],
		['--read-only', [...apply, '--read-only'], 2],
		['--dry-run', [...apply, '--dry-run'], 0],
	])('sends nothing with %s', async (_name, words, exitCode) => {
		const rulesTest = await startWithChangedFile();
		const {code, stdout} = await rulesTest.run(words);
		expect(code).toBe(exitCode);
		expect(rulesTest.takeWrites()).toEqual([]);
		if (words.includes('--dry-run')) expect(stdout.match(/^# \d {2}(PUT|PATCH) /gm)).toHaveLength(3);
	});

	test.each([
		['the name of the zone', migrated.name, 0, 3],
		['another answer', 'y', 1, 0],
	])('asks for the zone name on a terminal, and gets %s', async (_name, answer, exitCode, writeCount) => {
		const rulesTest = await startWithChangedFile();
		const {code, stderr} = await rulesTest.run(['apply', 'rules.yaml'], migrated, {
			tty: true,
			input: `${answer}\n`,
		});
		expect(code, stderr).toBe(exitCode);
		expect(stderr).toContain(`Type ${migrated.name} to continue`);
		expect(stderr).toContain('The changes marked with ! reduce protection.');
		expect(rulesTest.takeWrites()).toHaveLength(writeCount);
	});

	test('prints one JSON object with the state of each phase', async () => {
		const rulesTest = await startWithChangedFile();
		const {code, stdout} = await rulesTest.run([...apply, '--json']);
		expect(code).toBe(0);
		expect(JSON.parse(stdout)).toMatchObject({
			zone: migrated,
			file: 'rules.yaml',
			sent: true,
			phases: [
				{section: 'custom_rules', state: 'applied', version: '2', newVersion: '3'},
				{section: 'rate_limits', state: 'applied', version: '3', newVersion: '4'},
				{section: 'managed_rules', state: 'applied', version: '1', newVersion: '2'},
			],
		});
	});

	test('a rule that the service would refuse is named with its line, and nothing is sent', async () => {
		const rulesTest = await startRulesTest();
		rulesTest.write(
			'rules.yaml',
			'custom_rules:\n  - action: block\n    expression: |-\n      ssl\n      and http.hots eq "a"\n  - action: allow\n    expression: ssl\n',
		);
		const {code, stderr} = await rulesTest.run(apply);
		expect(code).toBe(2);
		expect(stderr).toContain('rules.yaml:5: expression, line 2, column 5');
		expect(stderr).toContain('rules.yaml:6:5: Custom rules have no action "allow".');
		expect(stderr).not.toContain('--allow-unknown');
		expect(rulesTest.takeWrites()).toEqual([]);
	});

	test('a rule that only the tables of ledge refuse is refused with the option that sends it', async () => {
		const rulesTest = await startRulesTest();
		rulesTest.write('rules.yaml', 'custom_rules:\n  - action: block\n    expression: cf.brand_new eq "a"\n');
		const {code, stderr} = await rulesTest.run(apply);
		expect(code).toBe(2);
		expect(stderr).toContain('add --allow-unknown');
	});

	test('an unknown field fails before anything is read', async () => {
		const rulesTest = await startRulesTest();
		rulesTest.write('rules.yaml', 'custom_rules:\n  - action: block\n    expresion: ssl\n');
		const {code, stderr} = await rulesTest.run(apply);
		expect(code).toBe(2);
		expect(stderr).toContain('rules.yaml:3:5: unknown field "expresion". Did you mean "expression"?');
		expect(rulesTest.takeRequests()).toEqual([]);
	});

	test('escapes hostile data of the zone and of the file', async () => {
		const rulesTest = await startRulesTest();
		const hostile = '\u001b]0;x\u0007\u202e';
		await rulesTest.putRules('custom', [{action: 'block', expression: 'ssl', description: hostile}]);
		const exported = await rulesTest.run(['export', '--output', 'rules.yaml']);
		expect(exported.code).toBe(0);
		expect(rulesTest.read('rules.yaml')).toContain(String.raw`"\e]0;x\a\u202e"`);
		rulesTest.write('rules.yaml', rulesTest.read('rules.yaml').replace('action: block', 'action: log'));
		const runs = [
			await rulesTest.run(['diff', 'rules.yaml', '--allow-unknown']),
			await rulesTest.run(['export']),
			await rulesTest.run(['diff', 'rules.yaml', '--json']),
		];
		for (const {stdout, stderr} of runs) {
			expect(stdout + stderr).not.toMatch(/[\u001b\u0007\u202e]/);
			expect(stdout + stderr).not.toBe('');
		}
	});
});
