import {describe, expect, test} from 'vitest';
import {errorOf, freshExpression, setUpFirewallService, zoneIds} from '../../support/firewall.ts';
import {createScratchFolder, ledge} from '../../support/run.ts';

const service = setUpFirewallService();

type RefusalCase = {
	what: string;
	words: readonly string[];
	plan?: keyof typeof zoneIds;
	code: number;
	says: RegExp;
};

const getCreateWords = (...words: string[]) => ['rule', 'create', ...words];
const expressionOptions = ['--expression', 'not ssl'];

describe('a rule is refused before anything is sent for', () => {
	test.each<RefusalCase>([
		{
			what: 'an unknown action',
			words: getCreateWords(...expressionOptions, '--action', 'blok'),
			code: 2,
			says: /Did you mean "block"/,
		},
		{what: 'no action', words: getCreateWords(...expressionOptions), code: 2, says: /--action block/},
		{what: 'no expression', words: getCreateWords('--action', 'block'), code: 2, says: /--filter-id/},
		{
			what: 'bypass without products',
			words: getCreateWords(...expressionOptions, '--action', 'bypass'),
			code: 2,
			says: /zoneLockdown/,
		},
		{
			what: 'an unknown product',
			words: getCreateWords(...expressionOptions, '--action', 'bypass', '--products', 'waf,ratelimit'),
			code: 2,
			says: /Did you mean "rateLimit"/,
		},
		{
			what: 'products without bypass',
			words: getCreateWords(...expressionOptions, '--action', 'block', '--products', 'waf'),
			code: 2,
			says: /Only the bypass action takes products/,
		},
		{
			what: 'log below Enterprise',
			words: getCreateWords(...expressionOptions, '--action', 'log'),
			plan: 'business',
			code: 5,
			says: /Enterprise/,
		},
		{
			what: 'a regular expression below Business',
			words: getCreateWords('--expression', 'http.host matches "^a"', '--action', 'block'),
			plan: 'pro',
			code: 5,
			says: /\n +http\.host matches "\^a"\n +\^{7}\n/,
		},
		{
			what: 'bypassing the managed rules on the Free plan',
			words: getCreateWords(...expressionOptions, '--action', 'bypass', '--products', 'waf'),
			plan: 'free',
			code: 5,
			says: /Pro/,
		},
		{
			what: 'an expression that is broken twice, drawn both times',
			words: getCreateWords('--expression', 'http.hots eq "a" and ip.src == 1.2.3.0/24', '--action', 'block'),
			code: 2,
			says: /column 1:[\s\S]*\^{9}[\s\S]*column \d\d:[\s\S]*\^/,
		},
		{
			what: '4,097 bytes of expression',
			words: getCreateWords('--expression', `http.host eq "${'x'.repeat(4097 - 15)}"`, '--action', 'block'),
			code: 2,
			says: /4097/,
		},
		{
			what: 'a priority below 0',
			words: getCreateWords(...expressionOptions, '--action', 'block', '--priority=-1'),
			code: 2,
			says: /--priority/,
		},
		{
			what: 'a priority that does not fit',
			words: getCreateWords(...expressionOptions, '--action', 'block', '--priority', '2147483648'),
			code: 2,
			says: /2147483647/,
		},
		{
			what: '501 characters of description',
			words: getCreateWords(...expressionOptions, '--action', 'block', '--description', '東'.repeat(501)),
			code: 2,
			says: /501 characters; the limit is 500/,
		},
		{
			what: '51 characters of reference',
			words: getCreateWords(...expressionOptions, '--action', 'block', '--ref', 'r'.repeat(51)),
			code: 2,
			says: /51 characters; the limit is 50/,
		},
		{
			what: 'a malformed filter id',
			words: getCreateWords('--filter-id', '../x', '--action', 'block'),
			code: 2,
			says: /not a valid filter id/,
		},
	])('$what', async ({words, plan, code, says}) => {
		const ended = await service.run(words, {plan});
		expect(ended).toMatchObject({code, stdout: ''});
		expect(ended.stderr).toMatch(says);
		expect(await service.takeWrites()).toEqual([]);
	});

	test('a zone that already has all the rules its plan allows', async () => {
		const filter = await service.addFilter(freshExpression(), 'free');
		for (let ruleCount = (await service.rules('free')).length; ruleCount < 5; ruleCount++)
			await service.addRule(filter, {}, 'free');
		const ended = await service.run(getCreateWords(...expressionOptions, '--action', 'block'), {
			plan: 'free',
		});
		expect(ended.code).toBe(5);
		expect(ended.stderr).toContain('The Free plan allows 5, including paused rules; the zone has 5.');
		expect(await service.takeWrites()).toEqual([]);
	});
});

describe('the zone', () => {
	const create = (zone: readonly string[], env: Readonly<Record<string, string>> = {}) =>
		ledge(['firewall', 'rule', 'create', ...expressionOptions, '--action', 'block', '--json', ...zone], {
			env: {...service.env, ...env},
		});

	test.each([
		['with an unknown id', ['--zone-id', 'f'.repeat(32)], 3, 'zone_not_found'],
		['with a malformed id', ['--zone-id', 'acme'], 3, 'zone_not_found'],
		['with an unknown name', ['--zone', 'nobody.example'], 3, 'zone_not_found'],
		['with the name of two zones', ['--zone', 'acme-moved.example'], 2, 'usage'],
		['that is not named', [], 2, 'usage'],
	])('%s is refused', async (_what, zone, code, error) => {
		const ended = await create(zone);
		expect(ended).toMatchObject({code, stdout: ''});
		expect(errorOf(ended).code).toBe(error);
		expect(await service.takeWrites()).toEqual([]);
	});

	test('can come from CLOUDFLARE_ZONE_ID', async () => {
		expect((await create([], {CLOUDFLARE_ZONE_ID: zoneIds.business})).code).toBe(0);
	});

	test.each([
		[{CLOUDFLARE_ACCOUNT_ID: '0'.repeat(32)}, []],
		[{}, ['--account-id', '0'.repeat(32)]],
	])('given by id is refused if it belongs to another account: %j %j', async (env, words) => {
		const ended = await create(['--zone-id', zoneIds.business, ...words], env);
		expect(ended).toMatchObject({code: 2, stdout: ''});
		expect(errorOf(ended).what).toContain('another account');
		expect(await service.takeWrites()).toEqual([]);
	});

	test('must be named if there are several', async () => {
		const ended = await ledge(['firewall', 'rule', 'list'], {env: service.env});
		expect(ended).toMatchObject({code: 2, stdout: ''});
		expect(ended.stderr).toContain(zoneIds.enterprise);
	});
});

describe('a token', () => {
	test('that is unknown exits with 4 and creates nothing', async () => {
		const expression = freshExpression();
		const ended = await service.run(getCreateWords('--expression', expression, '--action', 'block'), {
			env: {CLOUDFLARE_API_TOKEN: 'unknown'},
		});
		expect(ended).toMatchObject({code: 4, stdout: ''});
		expect((await service.filters()).some(filter => filter.expression === expression)).toBe(false);
	});

	test('that may not read firewall rules exits with 4 before anything is sent', async () => {
		const ended = await service.withFaults('status=403 code=10000 path=/firewall/rules', () =>
			service.run(getCreateWords('--expression', freshExpression(), '--action', 'block')),
		);
		expect(ended.code).toBe(4);
		expect(await service.takeWrites()).toEqual([]);
	});
});

test('one state file of the simulated service follows a rule from creation to deletion', async () => {
	const cwd = createScratchFolder();
	const worldOptions = ['--simulate', '--state', 'world.sqlite', '--zone', 'acme-shop.example'];
	const run = (...words: string[]) => ledge(['firewall', ...words, ...worldOptions], {cwd});
	const created = await run('rule', 'create', ...expressionOptions, '--action', 'block', '--json');
	const [{id, filter, simulated}] = JSON.parse(created.stdout);
	expect(simulated).toBe(true);
	const reusing = await run(
		'rule',
		'create',
		...expressionOptions,
		'--action',
		'challenge',
		'--reuse-filter',
		'--json',
	);
	const [second] = JSON.parse(reusing.stdout);
	expect(second.filter.id).toBe(filter.id);
	const firstDeletion = await run('rule', 'delete', second.id, '--yes');
	expect(firstDeletion.stderr).toContain(id);
	expect((await run('filter', 'delete', filter.id, '--yes')).code).toBe(1);
	expect((await run('rule', 'delete', id, '--yes')).code).toBe(0);
	expect((await run('filter', 'get', filter.id)).code).toBe(3);
});
