import {beforeEach, describe, expect, test} from 'vitest';
import {errorOf, freshExpression, noRule, setUpFirewallService, zoneIds} from '../../support/firewall.ts';
import {ledge} from '../../support/ledge.ts';
import {runInTerminal} from '../../terminal/pseudo-terminal.ts';

const service = setUpFirewallService();
let {rule, filter, expression} = noRule;

beforeEach(async () => {
	({rule, filter, expression} = await service.createOwnRule({priority: 5, description: 'kept', ref: 'r'}));
});

const readRule = (id = rule) => service.rule(id);
const readFilter = (id = filter) => service.filter(id);
const getRulePath = (id = rule) => `/zones/${zoneIds.enterprise}/firewall/rules/${id}`;

describe('firewall rule list and get', () => {
	test('list sorts by evaluation order: priority first, then action', async () => {
		const other = freshExpression();
		const last = await service.addRule(await service.addFilter(other));
		const first = await service.addRule(filter, {priority: 1, action: 'log'});
		const {code, stdout, stderr} = await service.run(['rule', 'list', '--json']);
		expect({code, stderr}).toEqual({code: 0, stderr: ''});
		const ids = (JSON.parse(stdout) as {id: string}[]).map(one => one.id);
		expect(ids.length).toBe((await service.rules()).length);
		expect(ids.indexOf(first)).toBeLessThan(ids.indexOf(rule));
		expect(ids.indexOf(rule)).toBeLessThan(ids.indexOf(last));
	});

	test('list prints each rule on one line, however long its expression', async () => {
		const longExpression = `http.request.uri.path in {${Array.from({length: 40}, (_, n) => `"/${n}-${rule}"`).join(' ')}}`;
		const id = await service.addRule(await service.addFilter(longExpression), {paused: true});
		const {stdout} = await service.run(['rule', 'list']);
		expect(stdout).toMatch(/^ID +ACTION +PRIORITY +PAUSED +FILTER +EXPRESSION$/m);
		const line = stdout.split('\n').find(one => one.startsWith(id));
		expect(line).toMatch(/ block +- +paused /);
		expect(line?.endsWith(longExpression)).toBe(true);
	});

	test('list on a terminal says if the order is uncertain and which priorities would fix it', async () => {
		// A zone without sample rules.
		const zone = '37448c39c748f8ae404e1e10860b5954';
		for (const action of ['block', 'challenge']) {
			const words = ['rule', 'create', '--expression', freshExpression(), '--action', action];
			await ledge(['firewall', ...words, '--zone-id', zone], {env: service.env});
		}
		const list = async (id: string) =>
			(await runInTerminal(['firewall', 'rule', 'list', '--zone-id', id], {env: service.env})).output;
		expect(await list(zone)).toContain('No rule has a priority');
		expect(await list(zoneIds.enterprise)).not.toContain('No rule has a priority');
	});

	test('list on a terminal cuts expressions to the line width', async () => {
		const {output} = await runInTerminal(['firewall', 'rule', 'list', '--zone', 'acme.example'], {
			env: service.env,
			columns: 140,
		});
		const lines = output.split('\r\n').filter(line => /^[0-9a-f]{32} /.test(line));
		expect(lines.length).toBeGreaterThan(10);
		for (const line of lines) expect([...line].length).toBeLessThanOrEqual(140);
	});

	test('get shows one rule, one property per line', async () => {
		const {stdout} = await service.run(['rule', 'get', rule]);
		expect(stdout).toMatch(new RegExp(`^filter +${filter}$`, 'm'));
		expect(stdout).toMatch(/^description +kept$/m);
		const {stdout: json} = await service.run(['rule', 'get', rule, '--json']);
		expect(JSON.parse(json)).toMatchObject({id: rule, priority: 5, filter: {id: filter, expression}});
	});

	test.each(['get', 'update', 'pause'])('%s of a missing rule exits with 3', async word => {
		const more = word === 'update' ? ['--priority', '1'] : [];
		const ended = await service.run(['rule', word, 'f'.repeat(32), ...more]);
		expect(ended.code).toBe(3);
		expect(ended.stderr).toContain('There is no rule');
		expect(ended.stderr).toContain(`ledge firewall rule list --zone-id ${zoneIds.enterprise}`);
	});

	test('an invalid id is refused with the list command for the same zone', async () => {
		const worldOptions = ['--simulate', '--zone', 'acme.example', '--state', 'my world.sqlite'];
		const {code, stderr} = await ledge(['firewall', 'rule', 'get', 'no/id', ...worldOptions]);
		expect(code).toBe(2);
		expect(stderr).toContain(
			"`ledge firewall rule list --zone acme.example --simulate --state 'my world.sqlite'`",
		);
	});

	test('advice keeps the options of the simulated service', async () => {
		const worldOptions = ['--simulate', '--zone', 'acme.example', '--state', 'world.sqlite'];
		const {stderr} = await ledge(['firewall', 'rule', 'get', 'f'.repeat(32), ...worldOptions]);
		expect(stderr).toContain(`rule list --zone-id ${zoneIds.enterprise} --simulate --state world.sqlite\``);
	});
});

describe('firewall rule update', () => {
	test('sends a field that ledge does not know only with --allow-unknown', async () => {
		const words = ['rule', 'update', rule, '--expression', 'cf.brand_new eq "a"'];
		expect(await service.run(words)).toMatchObject({
			code: 2,
			stderr: expect.stringContaining('add --allow-unknown'),
		});
		expect(await service.takeWrites()).toEqual([]);
		const {stderr} = await service.run([...words, '--allow-unknown']);
		expect(stderr).toContain('Unknown field cf.brand_new');
		expect(await service.takeWrites()).toMatchObject([
			{method: 'PUT', body: {id: filter, expression: 'cf.brand_new eq "a"'}},
		]);
	});

	test('changes only the named settings, and does not send the expression', async () => {
		const {code} = await service.run(['rule', 'update', rule, '--action', 'log', '--paused', '--yes']);
		expect(code).toBe(0);
		const [write, ...more] = await service.takeWrites();
		expect(more).toEqual([]);
		expect(write).toMatchObject({
			method: 'PUT',
			path: getRulePath(),
			body: {
				id: rule,
				filter: {id: filter},
				action: 'log',
				paused: true,
				priority: 5,
				description: 'kept',
				ref: 'r',
			},
		});
		expect(await readRule()).toMatchObject({action: 'log', paused: true, priority: 5, description: 'kept'});
	});

	test.each([
		['9', 9],
		['none', null],
	])('of the priority alone sends one PATCH (%s)', async (word, priority) => {
		expect((await service.run(['rule', 'update', rule, '--priority', word])).code).toBe(0);
		expect(await service.takeWrites()).toMatchObject([
			{method: 'PATCH', path: getRulePath(), body: {id: rule, priority}},
		]);
		expect((await readRule())?.priority).toBe(priority);
	});

	test('--filter-id switches to another filter', async () => {
		const other = await service.addFilter(freshExpression());
		expect((await service.run(['rule', 'update', rule, '--filter-id', other])).code).toBe(0);
		expect((await readRule())?.filter.id).toBe(other);
	});

	test('--expression changes its filter without asking if no other rule uses it', async () => {
		const newExpression = freshExpression();
		expect((await service.run(['rule', 'update', rule, '--expression', newExpression])).code).toBe(0);
		expect((await readRule())?.filter).toMatchObject({id: filter, expression: newExpression});
	});

	test('--expression - reads standard input', async () => {
		const newExpression = freshExpression();
		await service.run(['rule', 'update', rule, '--expression', '-'], {input: newExpression});
		expect((await readRule())?.filter.expression).toBe(newExpression);
	});

	test('warns that a bypass loses its products when the action changes', async () => {
		const bypass = await service.addRule(filter, {action: 'bypass', products: ['waf', 'rateLimit']});
		const {code, stderr} = await service.run(['rule', 'update', bypass, '--action', 'block']);
		expect(code).toBe(0);
		expect(stderr).toContain(`Rule ${bypass} loses its products waf,rateLimit`);
	});

	test('--expression asks if another rule uses the filter, and names that rule', async () => {
		const other = await service.addRule(filter);
		const words = ['rule', 'update', rule, '--expression', freshExpression()];
		const refused = await service.run(words);
		expect(refused.code).toBe(2);
		expect(refused.stderr).toContain(other);
		expect((await readFilter())?.expression).toBe(expression);
		expect((await service.run([...words, '--yes'])).code).toBe(0);
		expect((await readFilter())?.expression).not.toBe(expression);
	});

	test('checks the result after a lost response', async () => {
		const ended = await service.withFaults('lost-answer method=PUT', () =>
			service.run(['rule', 'update', rule, '--description', 'new']),
		);
		expect(ended.code).toBe(0);
		expect((await readRule())?.description).toBe('new');
	});

	test('reports the current state if the service rejects the change', async () => {
		const ended = await service.withFaults('status=500 method=PUT', () =>
			service.run(['rule', 'update', rule, '--description', 'new', '--json']),
		);
		expect(ended).toMatchObject({code: 1, stdout: ''});
		expect(errorOf(ended).left).toContain(`rule ${rule} does not have this change`);
		expect((await readRule())?.description).toBe('kept');
	});

	test.each([
		['nothing', []],
		['a priority that is no number', ['--priority', 'high']],
		['products without bypass', ['--products', 'waf']],
		['a description of 501 characters', ['--description', 'é'.repeat(501)]],
		['a broken expression', ['--expression', 'http.host eq']],
		['an expression and a filter', ['--expression', 'ssl', '--filter-id', 'f'.repeat(32)]],
	])('with %s is refused before anything is sent', async (_what, words) => {
		expect((await service.run(['rule', 'update', rule, ...words])).code).toBe(2);
		expect(await service.takeWrites()).toEqual([]);
	});
});

describe('firewall rule pause and resume', () => {
	test('change several rules and skip those already in that state', async () => {
		const other = await service.addRule(filter, {paused: true});
		const paused = await service.run(['rule', 'pause', rule, other, '--yes']);
		expect(paused.code).toBe(0);
		expect(paused.stderr).toMatch(
			new RegExp(`^Rule \\S.* \\(\\w+, paused, ${other}\\) is already paused\\.$`, 'm'),
		);
		expect(await service.takeWrites()).toHaveLength(1);
		expect((await readRule())?.paused).toBe(true);
		const {stdout} = await service.run(['rule', 'resume', rule, other, '--json']);
		expect(JSON.parse(stdout)).toMatchObject([
			{id: rule, paused: false},
			{id: other, paused: false},
		]);
		expect((await readRule(other))?.paused).toBe(false);
	});

	test('do not list skipped rules if one fails', async () => {
		const pausedRule = await service.addRule(filter, {paused: true});
		const last = await service.addRule(filter);
		const ended = await service.withFaults('status=400 method=PUT after=1', () =>
			service.run(['rule', 'pause', pausedRule, rule, last, '--yes', '--json']),
		);
		expect(errorOf(ended).left).toContain(`Failed at ${last}. Paused before it: ${rule}.`);
	});

	test('list the completed rules if one fails', async () => {
		const other = await service.addRule(filter);
		const third = await service.addRule(filter);
		const ended = await service.withFaults('status=400 method=PUT after=1', () =>
			service.run(['rule', 'pause', rule, other, third, '--yes', '--json']),
		);
		expect(ended).toMatchObject({code: 1, stdout: ''});
		expect(errorOf(ended).left).toContain(
			`Failed at ${other}. Paused before it: ${rule}. Not tried: ${third}.`,
		);
		expect([(await readRule())?.paused, (await readRule(other))?.paused]).toEqual([true, false]);
	});
});

test.each([
	['update', '--priority', '1'],
	['pause'],
	['resume'],
	['delete', '--yes'],
])('firewall rule %s with --read-only is refused', async (word, ...more) => {
	const ended = await service.run(['rule', word, rule, ...more, '--read-only']);
	expect(ended.code).toBe(2);
	expect(ended.stderr).toContain('read-only');
	expect(await service.takeWrites()).toEqual([]);
});
