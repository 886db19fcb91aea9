import {describe, expect, test} from 'vitest';
import {commandIn, errorOf, freshExpression, setUpFirewallService, zoneIds} from '../../support/firewall.ts';
import {ledge} from '../../support/ledge.ts';
import {runInTerminal} from '../../terminal/pseudo-terminal.ts';

const service = setUpFirewallService();

const create = (expression: string, ...more: string[]) =>
	service.run(['rule', 'create', '--expression', expression, '--action', 'block', ...more]);
describe('firewall rule create', () => {
	test('creates the filter, then the rule that refers to it, with the documented bodies', async () => {
		const expression = freshExpression();
		const {code, stdout, stderr} = await create(expression);
		expect({code, stdout}).toEqual({code: 0, stdout: ''});
		const [rule] = await service.rulesOf(expression);
		const lines = stderr.split('\n').filter(line => !/^warning: Rule .* runs first/.test(line));
		expect(lines.join('\n')).toBe(
			`Created filter ${rule?.filter.id}.\nCreated rule ${rule?.id} (block) on filter ${rule?.filter.id}, in zone acme.example.\n`,
		);
		expect((await service.takeWrites()).map(({method, path, body}) => ({method, path, body}))).toEqual([
			{method: 'POST', path: `/zones/${zoneIds.enterprise}/filters`, body: [{expression}]},
			{
				method: 'POST',
				path: `/zones/${zoneIds.enterprise}/firewall/rules`,
				body: [{filter: {id: rule?.filter.id}, action: 'block'}],
			},
		]);
	});

	test('sends every given setting', async () => {
		const expression = freshExpression();
		const words = [
			'--products',
			'waf,bic',
			'--priority',
			'7',
			'--description',
			'For "us"',
			'--ref',
			'r1',
			'--paused',
		];
		const ended = await service.run([
			'rule',
			'create',
			'--expression',
			expression,
			'--action',
			'bypass',
			...words,
		]);
		expect(ended.code).toBe(0);
		expect((await service.takeWrites())[1]?.body).toEqual([
			{
				filter: {id: (await service.filterOf(expression))?.id},
				action: 'bypass',
				products: ['waf', 'bic'],
				priority: 7,
				paused: true,
				description: 'For "us"',
				ref: 'r1',
			},
		]);
	});

	test('--filter-id creates a second rule on the same filter in one call', async () => {
		const expression = freshExpression();
		const filter = await service.addFilter(expression);
		await service.addRule(filter);
		const {code, stderr} = await service.run(['rule', 'create', '--filter-id', filter, '--action', 'log']);
		expect(code).toBe(0);
		expect(stderr).toContain(`on filter ${filter} (existing, shared with 1 rule)`);
		expect(await service.takeWrites()).toHaveLength(1);
		expect((await service.rulesOf(expression)).map(rule => rule.action)).toEqual(['block', 'log']);
	});

	test('recognizes an equivalent filter written differently, and uses it with --reuse-filter', async () => {
		const filter = await service.addFilter('http.host eq "same.example" and (not ssl)');
		const ruleOptions = ['--expression', '(http.host=="same.example") && !ssl', '--action', 'log'];
		const refused = await service.run(['rule', 'create', ...ruleOptions]);
		expect(refused.code).not.toBe(0);
		expect(refused.stderr).toContain(filter);
		expect(await service.takeWrites()).toEqual([]);
		expect(await service.run(['rule', 'create', ...ruleOptions, '--reuse-filter'])).toMatchObject({code: 0});
		expect((await service.takeWrites()).map(({body}) => body)).toMatchObject([[{filter: {id: filter}}]]);
	});

	test('--json prints an array of the created rules', async () => {
		const expression = freshExpression();
		const {code, stdout, stderr} = await create(expression, '--json');
		expect({code, stderr}).toEqual({code: 0, stderr: ''});
		const [rule] = await service.rulesOf(expression);
		expect(JSON.parse(stdout)).toEqual([
			{
				id: rule?.id,
				paused: false,
				action: 'block',
				priority: null,
				filter: {id: rule?.filter.id, expression, paused: false},
				filterCreated: true,
				earlierRules: expect.arrayContaining([
					expect.objectContaining({action: 'allow', effect: 'lets through'}),
				]),
			},
		]);
	});

	test('--dry-run shows both requests, the second with a placeholder for the id, and sends none', async () => {
		const {code, stdout} = await create(freshExpression(), '--dry-run');
		expect(code).toBe(0);
		expect(stdout).toMatch(/^# 1 {2}POST .*\/filters$/m);
		expect(stdout).toMatch(/^# 2 {2}POST .*\/firewall\/rules$/m);
		expect(stdout).toContain('"id": "<id from step 1>"');
		expect(stdout).toContain('--data-binary @body.json');
		expect(await service.takeWrites()).toEqual([]);
	});

	test('--dry-run with a missing filter fails as the real run does', async () => {
		const words = ['rule', 'create', '--filter-id', '0'.repeat(32), '--action', 'block', '--dry-run'];
		const ended = await service.run(words);
		expect(ended).toMatchObject({code: 3, stdout: ''});
		expect((await service.withFaults('status=500 path=/filters/', () => service.run(words))).code).toBe(1);
	});

	test('--dry-run warns that an existing filter with the same expression would be refused', async () => {
		const expression = freshExpression();
		const filter = await service.addFilter(expression);
		const {code, stderr} = await create(expression, '--dry-run');
		expect(code).toBe(0);
		expect(stderr).toMatch(new RegExp(`^warning: .*${filter}.*reject.*--reuse-filter`));
	});

	test('--dry-run with --reuse-filter shows a single request using the filter', async () => {
		const expression = freshExpression();
		const filter = await service.addFilter(expression);
		const {stdout} = await create(expression, '--dry-run', '--reuse-filter');
		expect(stdout.match(/^# \d/gm)).toEqual(['# 1']);
		expect(stdout).toContain(filter);
	});

	test('--expression - reads standard input', async () => {
		const expression = freshExpression();
		const words = ['rule', 'create', '--expression', '-', '--action', 'block'];
		expect((await service.run(words, {input: `${expression}\n`})).code).toBe(0);
		expect(await service.rulesOf(expression)).toHaveLength(1);
	});

	test('--read-only is refused before looking for credentials', async () => {
		const words = [
			'firewall',
			'rule',
			'create',
			'--expression',
			'not ssl',
			'--action',
			'block',
			'--read-only',
		];
		expect((await ledge(words)).code).toBe(2);
	});

	test('prints the target on a terminal', async () => {
		const words = ['firewall', 'rule', 'create', '--zone', 'acme.example', '--action', 'block'];
		const {code, output} = await runInTerminal([...words, '--expression', freshExpression()], {
			env: service.env,
		});
		expect(code).toBe(0);
		expect(output).toContain('remote: Acme (simulated) › zone acme.example');
	});
});

describe('an existing filter with the same expression', () => {
	test('is named with a command that creates the rule on it', async () => {
		const expression = freshExpression();
		const filter = await service.addFilter(expression);
		const refused = await create(expression, '--priority', '3', '--description', "it's");
		expect(refused).toMatchObject({code: 1, stdout: ''});
		expect(refused.stderr).toContain(filter);
		expect(await service.rulesOf(expression)).toEqual([]);
		const continueWords = commandIn(refused.stderr);
		expect(continueWords).toContain(filter);
		expect((await ledge(['firewall', ...continueWords], {env: service.env})).code).toBe(0);
		expect(await service.rulesOf(expression)).toMatchObject([
			{action: 'block', priority: 3, description: "it's"},
		]);
	});

	test('is used directly with --reuse-filter', async () => {
		const expression = freshExpression();
		const filter = await service.addFilter(expression);
		const {code, stderr} = await create(expression, '--reuse-filter');
		expect(code).toBe(0);
		expect(stderr).toContain(filter);
		expect(await service.rulesOf(expression)).toMatchObject([{filter: {id: filter}}]);
	});

	test.each([
		['y\r', 0, 1],
		['\r', 1, 0],
	])('is offered on a terminal: %j', async (answer, code, rules) => {
		const expression = freshExpression();
		await service.addFilter(expression);
		const ended = await runInTerminal(
			[
				'firewall',
				'rule',
				'create',
				'--zone',
				'acme.example',
				'--action',
				'block',
				'--expression',
				expression,
			],
			{env: service.env, answers: [{when: '[y/N]', type: answer}]},
		);
		expect(ended.code).toBe(code);
		expect(await service.rulesOf(expression)).toHaveLength(rules);
	});

	test('is listed with the rules that use it', async () => {
		const expression = freshExpression();
		const rule = await service.addRule(await service.addFilter(expression));
		expect((await create(expression)).stderr).toContain(rule);
	});
});

describe('a failing second call', () => {
	const rulesCall = 'path=/firewall/rules method=POST';

	test.each([
		['429', `status=429 retry-after=1 ${rulesCall}`, 1],
		['a token without permission', `status=403 code=10000 message=Authentication%20error ${rulesCall}`, 4],
		['a service that fails', `status=503 ${rulesCall}`, 1],
		['no response in time', `hang ${rulesCall}`, 1],
	])('leaves the filter, and prints the command to continue: %s', async (_what, faults, code) => {
		const expression = freshExpression();
		const ended = await service.withFaults(faults, () => create(expression, '--json'));
		const filter = await service.filterOf(expression);
		const error = errorOf(ended);
		expect(ended).toMatchObject({code, stdout: ''});
		expect(error.left).toContain(filter?.id);
		expect(await service.rulesOf(expression)).toEqual([]);
		const posts = (await service.takeWrites()).filter(call => call.path.endsWith('/firewall/rules'));
		expect(posts).toHaveLength(1);
		const continueCommand = String(error.next).split('\n').at(-1) ?? '';
		expect((await ledge(['firewall', ...commandIn(continueCommand)], {env: service.env})).code).toBe(0);
		expect(await service.rulesOf(expression)).toHaveLength(1);
	});

	test('with a lost response is checked: the rule is found and not created twice', async () => {
		const expression = freshExpression();
		const ended = await service.withFaults(`lost-answer ${rulesCall}`, () => create(expression));
		expect(ended.code).toBe(0);
		const found = await service.rulesOf(expression);
		expect(found).toHaveLength(1);
		expect(ended.stderr).toContain(found[0]?.id);
	});

	test('with a lost response is reported as unknown if nothing can be read', async () => {
		const expression = freshExpression();
		// after=1: the rules can be read once before the call; later reads fail.
		const faults = `lost-answer ${rulesCall}; status=500 path=/firewall/rules method=GET after=1`;
		const ended = await service.withFaults(faults, () => create(expression, '--json'));
		expect(ended).toMatchObject({code: 1, stdout: ''});
		expect(errorOf(ended).left).toMatch(/unknown/);
		expect(errorOf(ended).left).toContain((await service.filterOf(expression))?.id);
	});
});

describe('a failing first call', () => {
	const filtersCall = 'path=/filters method=POST';

	test.each([
		['429', `status=429 ${filtersCall}`, 1],
		['a token without permission', `status=403 code=10000 ${filtersCall}`, 4],
		['a service that fails', `status=500 ${filtersCall}`, 1],
	])('leaves nothing: %s', async (_what, faults, code) => {
		const expression = freshExpression();
		const ended = await service.withFaults(faults, () => create(expression, '--json'));
		expect(ended).toMatchObject({code, stdout: ''});
		expect(errorOf(ended).left).toMatch(/^Nothing was created/);
		expect(await service.filterOf(expression)).toBeUndefined();
		expect(await service.rulesOf(expression)).toEqual([]);
	});

	test('with a lost response continues with the created filter', async () => {
		const expression = freshExpression();
		const ended = await service.withFaults(`lost-answer times=1 ${filtersCall}`, () => create(expression));
		expect(ended.code).toBe(0);
		expect(await service.rulesOf(expression)).toHaveLength(1);
	});
});
