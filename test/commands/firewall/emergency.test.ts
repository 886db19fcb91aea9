import {beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {
	commandIn,
	errorOf,
	type FirewallService,
	freshEmergencyExpression,
	startFirewallService,
	zoneIds,
} from '../../support/firewall.ts';
import {ledge} from '../../support/ledge.ts';
import {runInTerminal} from '../../terminal/pseudo-terminal.ts';

let service: FirewallService;

beforeAll(async () => {
	service = await startFirewallService();
});

// Drops the recorded writes of earlier tests.
beforeEach(async () => {
	await service.takeWrites();
});

const emergency = (expression: string, ...more: string[]) =>
	service.run(['emergency', '--expression', expression, ...more]);
const findRules = async (expression: string) =>
	(await service.rules()).filter(rule => rule.filter.expression === expression);
const findFilter = async (expression: string, plan: keyof typeof zoneIds = 'enterprise') =>
	(await service.filters(plan)).find(filter => filter.expression === expression);
const rulesPath = `/zones/${zoneIds.enterprise}/firewall/rules`;

describe('firewall emergency', () => {
	test('blocks with one combined call and reports the active rule', async () => {
		const expression = freshEmergencyExpression();
		const {code, stdout, stderr} = await emergency(expression);
		expect({code, stdout}).toEqual({code: 0, stdout: ''});
		const [rule] = await findRules(expression);
		expect(stderr).toContain(
			`Active: rule ${rule?.id} (block) on filter ${rule?.filter.id}, in zone acme.example.`,
		);
		expect(await service.takeWrites()).toMatchObject([
			{method: 'POST', path: rulesPath, body: [{filter: {expression}, action: 'block'}]},
		]);
	});

	test('--json prints an array of the created rules', async () => {
		const expression = freshEmergencyExpression();
		const {stdout} = await emergency(expression, '--action', 'managed_challenge', '--json');
		expect(JSON.parse(stdout)).toMatchObject([{action: 'managed_challenge', filter: {expression}}]);
	});

	test('--dry-run shows the single request', async () => {
		const {code, stdout} = await emergency(freshEmergencyExpression(), '--dry-run');
		expect(code).toBe(0);
		expect(stdout.match(/^# \d/gm)).toEqual(['# 1']);
		expect(await service.takeWrites()).toEqual([]);
	});

	test('sends nothing without a valid expression', async () => {
		expect((await service.run(['emergency'])).code).toBe(2);
		expect((await emergency('ip.src eq')).code).toBe(2);
		expect(await service.takeWrites()).toEqual([]);
	});

	test('sends nothing in a full zone and lists the ways out', async () => {
		const plan = 'free';
		const base = await service.addFilter(freshEmergencyExpression(), plan);
		for (let ruleCount = (await service.rules(plan)).length; ruleCount < 5; ruleCount++)
			await service.addRule(base, {}, plan);
		const expression = freshEmergencyExpression();
		const ended = await service.run(['emergency', '--expression', expression, '--json'], {plan});
		expect(await findFilter(expression, plan)).toBeUndefined();
		expect(ended).toMatchObject({code: 5, stdout: ''});
		expect(errorOf(ended)).toMatchObject({code: 'plan_lacks', left: 'Nothing was sent.'});
		expect(await service.rules(plan)).toHaveLength(5);
		const suggestedCommands = String(errorOf(ended).next).split('\n').map(commandIn);
		expect(suggestedCommands).toContainEqual(
			expect.arrayContaining(['emergency', '--expression', expression, '--custom-rule']),
		);
	});

	test('names an existing filter with the same expression, and the command to reuse it', async () => {
		const expression = freshEmergencyExpression();
		const filter = await service.addFilter(expression);
		const ended = await emergency(expression, '--json');
		expect(ended).toMatchObject({code: 1, stdout: ''});
		expect(errorOf(ended).left).toContain(filter);
		expect(
			(await ledge(['firewall', ...commandIn(String(errorOf(ended).next))], {env: service.env})).code,
		).toBe(0);
		expect(await findRules(expression)).toHaveLength(1);
	});

	test.each([
		['429', `status=429 method=POST`, 1],
		['a token without permission', `status=403 code=10000 method=POST`, 4],
	])('creates nothing if rejected: %s', async (_what, faults, code) => {
		const expression = freshEmergencyExpression();
		const ended = await service.withFaults(faults, () => emergency(expression, '--json'));
		expect(ended).toMatchObject({code, stdout: ''});
		expect(errorOf(ended).left).toMatch(/^Nothing was created/);
		expect(await findFilter(expression)).toBeUndefined();
		expect(await service.takeWrites()).toHaveLength(1);
	});

	test('does not report a paused rule as active', async () => {
		const expression = freshEmergencyExpression();
		const {code, stderr} = await emergency(expression, '--paused');
		expect(code).toBe(0);
		expect(stderr).not.toMatch(/^Active\b/m);
		expect(stderr).toMatch(/^Resume it: .*$/m);
		expect(stderr).toContain(`ledge firewall rule resume ${(await findRules(expression))[0]?.id}`);
	});

	test('reports a rule that is already active and does not create a second one', async () => {
		const expression = freshEmergencyExpression();
		await emergency(expression);
		const {code, stderr} = await emergency(expression);
		const rules = await findRules(expression);
		expect(code).toBe(0);
		expect(rules).toHaveLength(1);
		expect(stderr).toContain(`Already active: rule ${rules[0]?.id}`);
	});

	test('takes addresses, networks, paths, countries and AS numbers, and shows the expression', async () => {
		const {code, stderr} = await service.run([
			'emergency',
			'203.0.113.201',
			'198.51.100.0/25',
			'/test-of-targets',
			'asn:64500',
			'--match',
			'any',
			'--confirm',
			'acme.example',
		]);
		expect(code).toBe(0);
		const expression =
			'ip.src in {203.0.113.201 198.51.100.0/25} or ip.src.asnum eq 64500 or http.request.uri.path eq "/test-of-targets"';
		expect(stderr).toContain(`Expression: ${expression}`);
		const [rule] = await findRules(expression);
		expect(rule).toMatchObject({action: 'block', paused: false});
		expect(stderr).toContain(`To undo: ledge firewall rule delete ${rule?.id} --zone-id`);
		const deletion = await service.run(['rule', 'delete', rule?.id ?? '', '--yes']);
		expect(deletion.code).toBe(0);
		expect(await findRules(expression)).toEqual([]);
		expect(await findFilter(expression)).toBeUndefined();
	});

	test('takes targets from a file and from standard input', async () => {
		const words = ['emergency', '--file', '-', '--dry-run'];
		const {code, stdout} = await service.run(words, {input: '203.0.113.202 # first wave\n203.0.113.203\n'});
		expect(code).toBe(0);
		expect(stdout).toContain('ip.src in {203.0.113.202 203.0.113.203}');
		expect((await service.run(words, {input: '# nothing\n'})).code).toBe(2);
	});

	test.each([
		['a text that is neither address nor path', ['example.com']],
		['targets and an expression', ['203.0.113.9', '--expression', 'ssl']],
		['an invalid address', ['203.0.113.999']],
		['a network with host bits', ['203.0.113.9/24']],
	])('sends nothing for %s', async (_what, words) => {
		expect((await service.run(['emergency', ...words])).code).toBe(2);
		expect(await service.takeWrites()).toEqual([]);
	});

	test('asks for the zone name to block every address', async () => {
		const {code, stderr} = await service.run(['emergency', '0.0.0.0/0', '--yes']);
		expect(code).toBe(2);
		expect(stderr).toContain('--confirm acme.example');
		expect(await service.takeWrites()).toEqual([]);
	});

	test('warns about blocking your own address', async () => {
		const env = {SSH_CONNECTION: '203.0.113.204 50000 192.0.2.1 22'};
		const {stderr} = await service.run(['emergency', '203.0.113.0/24', '--dry-run'], {env});
		expect(stderr).toContain('This rule also matches your own address 203.0.113.204');
	});

	test('reads its expression from standard input with --expression -', async () => {
		const expression = freshEmergencyExpression();
		const {code} = await service.run(['emergency', '--expression', '-'], {input: `${expression}\n`});
		expect(code).toBe(0);
		expect(await findRules(expression)).toHaveLength(1);
	});

	test.each(['status=500', 'status=429'])('does not wait for a zone that cannot be read: %s', async fault => {
		const expression = freshEmergencyExpression();
		const ended = await service.withFaults(`${fault} method=GET`, () => emergency(expression));
		expect(ended.code).toBe(0);
		expect(ended.stderr).toContain('plan is unknown');
		expect(await findRules(expression)).toHaveLength(1);
	});

	test('documents block as its default action', async () => {
		expect((await ledge(['firewall', 'emergency', '--help'])).stdout).toMatch(
			/--action[^-]*default: "?block/s,
		);
	});

	test('checks the result after a lost response and does not send twice', async () => {
		const expression = freshEmergencyExpression();
		const ended = await service.withFaults('lost-answer method=POST', () => emergency(expression));
		expect(ended.code).toBe(0);
		expect(await findRules(expression)).toHaveLength(1);
		expect(await service.takeWrites()).toHaveLength(1);
	});
});

describe('firewall emergency in a zone without firewall rules', () => {
	const retiredFault = 'status=410 path=/firewall/rules';
	const customRules = async () => {
		const response = await fetch(
			`${service.url}/zones/${zoneIds.enterprise}/rulesets/phases/http_request_firewall_custom/entrypoint`,
			{headers: {Authorization: 'Bearer simulated'}},
		);
		const {result} = (await response.json()) as {
			result: {rules?: {expression: string; action: string}[]} | null;
		};
		return result?.rules ?? [];
	};

	test('shows the custom rule first and asks for confirmation', async () => {
		const expression = freshEmergencyExpression();
		const ended = await service.withFaults(retiredFault, () => emergency(expression));
		expect(ended.code).toBe(1);
		expect(ended.stderr).toContain('410');
		expect(ended.stderr).toContain(JSON.stringify(expression));
		expect(ended.stderr).toContain('--yes');
		expect((await customRules()).some(rule => rule.expression === expression)).toBe(false);
	});

	test('activates it with --yes, before all other custom rules', async () => {
		const expression = freshEmergencyExpression();
		const ended = await service.withFaults(retiredFault, () => emergency(expression, '--yes'));
		expect(ended.code).toBe(0);
		expect(ended.stderr).toContain('Active: custom rule');
		expect(ended.stderr).not.toContain('could not be counted');
		expect((await customRules())[0]).toMatchObject({expression, action: 'block'});
		// One write: reading the firewall rules has already shown that they are retired.
		expect((await service.takeWrites()).map(({path}) => path)).toEqual([
			expect.stringContaining('/rulesets'),
		]);
	});

	test('--dry-run shows the custom rule without reporting it as active', async () => {
		const expression = freshEmergencyExpression();
		const ended = await service.withFaults(retiredFault, () => emergency(expression, '--dry-run', '--json'));
		expect(ended.code).toBe(0);
		expect(JSON.parse(ended.stdout)).toMatchObject([{url: expect.stringContaining('/rulesets')}]);
		expect(ended.stderr).not.toMatch(/^Active\b/m);
		expect(await service.takeWrites()).toEqual([]);
	});

	test('switches to a custom rule if only the write is rejected', async () => {
		const expression = freshEmergencyExpression();
		const ended = await service.withFaults(`${retiredFault} method=POST`, () =>
			emergency(expression, '--yes'),
		);
		expect(ended.code).toBe(0);
		expect(ended.stderr).toContain('Active: custom rule');
		expect(await service.takeWrites()).toHaveLength(2);
	});

	test('shows the custom rule in --json as well', async () => {
		const expression = freshEmergencyExpression();
		const ended = await service.withFaults(retiredFault, () => emergency(expression, '--json'));
		expect(ended).toMatchObject({code: 1, stdout: ''});
		expect(errorOf(ended).why).toContain(JSON.stringify(expression));
	});

	test('does not create a second one', async () => {
		const expression = freshEmergencyExpression();
		await service.withFaults(retiredFault, () => emergency(expression, '--yes'));
		const {code, stderr} = await service.withFaults(retiredFault, () => emergency(expression, '--yes'));
		expect(code).toBe(0);
		expect(stderr).toContain('Already active: custom rule');
		expect((await customRules()).filter(rule => rule.expression === expression)).toHaveLength(1);
	});

	test('does not report a paused rule as active, and says that the priority has no effect', async () => {
		const {code, stderr} = await service.withFaults(retiredFault, () =>
			emergency(freshEmergencyExpression(), '--paused', '--priority', '3', '--yes'),
		);
		expect(code).toBe(0);
		expect(stderr).not.toMatch(/^Active\b/m);
		expect(stderr).toContain('Priority 3 is ignored');
	});

	test('asks on a terminal and continues after a yes', async () => {
		const expression = freshEmergencyExpression();
		const {code, output} = await service.withFaults(retiredFault, () =>
			runInTerminal(['firewall', 'emergency', '--zone', 'acme.example', '--expression', expression], {
				env: service.env,
				answers: [{when: '[y/N]', type: 'y\r'}],
			}),
		);
		expect(code).toBe(0);
		expect(output).toContain('Active: custom rule');
		expect((await customRules())[0]).toMatchObject({expression});
	});

	test('--json contains the custom rule and its ruleset', async () => {
		const expression = freshEmergencyExpression();
		const {stdout} = await service.withFaults(retiredFault, () => emergency(expression, '--yes', '--json'));
		expect(JSON.parse(stdout)).toMatchObject([{expression, action: 'block', ruleset: expect.any(String)}]);
	});

	test('says that nothing was created if custom rules cannot be read either', async () => {
		const faults = `${retiredFault}; status=403 code=10000 path=/rulesets`;
		const ended = await service.withFaults(faults, () =>
			emergency(freshEmergencyExpression(), '--yes', '--json'),
		);
		expect(ended).toMatchObject({code: 4, stdout: ''});
		expect(errorOf(ended).left).toMatch(/Nothing was created/);
	});
});
