import {beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {
	errorOf,
	type FirewallService,
	freshExpression,
	startFirewallService,
	zoneIds,
} from '../support/firewall.ts';
import {runInTerminal} from '../terminal/pseudo-terminal.ts';

let service: FirewallService;
/** A rule of its own for each test, and its filter. */
let rule: string;
let filter: string;
let expression: string;

beforeAll(async () => {
	service = await startFirewallService();
});

beforeEach(async () => {
	expression = freshExpression();
	filter = await service.addFilter(expression);
	rule = await service.addRule(filter, {priority: 5, description: 'kept', ref: 'r'});
});

const seen = async (id = rule) => (await service.rules()).find(one => one.id === id);
const seenFilter = async (id = filter) => (await service.filters()).find(one => one.id === id);
const path = (id = rule) => `/zones/${zoneIds.enterprise}/firewall/rules/${id}`;

describe('firewall rule list and get', () => {
	test('list is in the order of evaluation: priority first, then the action', async () => {
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

	test('list as a table has each rule whole on a line, however long its expression is', async () => {
		const long = `http.request.uri.path in {${Array.from({length: 40}, (_, n) => `"/${n}-${rule}"`).join(' ')}}`;
		const id = await service.addRule(await service.addFilter(long), {paused: true});
		const {stdout} = await service.run(['rule', 'list']);
		expect(stdout).toMatch(/^ID +ACTION +PRIORITY +PAUSED +FILTER +EXPRESSION$/m);
		const line = stdout.split('\n').find(one => one.startsWith(id));
		expect(line).toMatch(/ block +- +paused /);
		expect(line?.endsWith(long)).toBe(true);
	});

	test('list on a terminal cuts expressions to its lines', async () => {
		const {output} = await runInTerminal(['firewall', 'rule', 'list', '--zone', 'acme.example'], {
			env: service.env,
			columns: 140,
		});
		const lines = output.split('\r\n').filter(line => /^[0-9a-f]{32} /.test(line));
		expect(lines.length).toBeGreaterThan(10);
		for (const line of lines) expect([...line].length).toBeLessThanOrEqual(140);
	});

	test('get shows one rule, a line for each thing', async () => {
		const {stdout} = await service.run(['rule', 'get', rule]);
		expect(stdout).toMatch(new RegExp(`^filter +${filter}$`, 'm'));
		expect(stdout).toMatch(/^description +kept$/m);
		const {stdout: json} = await service.run(['rule', 'get', rule, '--json']);
		expect(JSON.parse(json)).toMatchObject({id: rule, priority: 5, filter: {id: filter, expression}});
	});

	test.each(['get', 'update', 'pause'])('%s of a rule that is not there is exit 3', async word => {
		const more = word === 'update' ? ['--priority', '1'] : [];
		const ended = await service.run(['rule', word, 'f'.repeat(32), ...more]);
		expect(ended.code).toBe(3);
		expect(ended.stderr).toContain('There is no rule');
	});
});

describe('firewall rule update', () => {
	test('changes what is named, keeps the rest, and sends no expression', async () => {
		const {code} = await service.run(['rule', 'update', rule, '--action', 'log', '--paused']);
		expect(code).toBe(0);
		const [write, ...more] = await service.writes();
		expect(more).toEqual([]);
		expect(write).toMatchObject({
			method: 'PUT',
			path: path(),
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
		expect(await seen()).toMatchObject({action: 'log', paused: true, priority: 5, description: 'kept'});
	});

	test.each([
		['9', 9],
		['none', null],
	])('of the priority alone is one PATCH (%s)', async (word, priority) => {
		expect((await service.run(['rule', 'update', rule, '--priority', word])).code).toBe(0);
		expect(await service.writes()).toMatchObject([
			{method: 'PATCH', path: path(), body: {id: rule, priority}},
		]);
		expect((await seen())?.priority).toBe(priority);
	});

	test('--filter-id gives it another filter', async () => {
		const other = await service.addFilter(freshExpression());
		expect((await service.run(['rule', 'update', rule, '--filter-id', other])).code).toBe(0);
		expect((await seen())?.filter.id).toBe(other);
	});

	test('--expression changes its filter, without a question where nothing else uses it', async () => {
		const wanted = freshExpression();
		expect((await service.run(['rule', 'update', rule, '--expression', wanted])).code).toBe(0);
		expect((await seen())?.filter).toMatchObject({id: filter, expression: wanted});
	});

	test('--expression asks when another rule uses the filter, which is named', async () => {
		const other = await service.addRule(filter);
		const words = ['rule', 'update', rule, '--expression', freshExpression()];
		const refused = await service.run(words);
		expect(refused.code).toBe(2);
		expect(refused.stderr).toContain(other);
		expect((await seenFilter())?.expression).toBe(expression);
		expect((await service.run([...words, '--yes'])).code).toBe(0);
		expect((await seenFilter())?.expression).not.toBe(expression);
	});

	test('whose answer is lost is looked after', async () => {
		const ended = await service.during('lost-answer method=PUT', () =>
			service.run(['rule', 'update', rule, '--description', 'new']),
		);
		expect(ended.code).toBe(0);
		expect((await seen())?.description).toBe('new');
	});

	test('of what the service does not take says what is there', async () => {
		const ended = await service.during('status=500 method=PUT', () =>
			service.run(['rule', 'update', rule, '--description', 'new', '--json']),
		);
		expect(ended).toMatchObject({code: 1, stdout: ''});
		expect(errorOf(ended).left).toContain(`rule ${rule} is not changed`);
		expect((await seen())?.description).toBe('kept');
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
		expect(await service.writes()).toEqual([]);
	});
});

describe('firewall rule pause and resume', () => {
	test('pause and resume several, and leave alone what is so already', async () => {
		const other = await service.addRule(filter, {paused: true});
		const paused = await service.run(['rule', 'pause', rule, other]);
		expect(paused.code).toBe(0);
		expect(paused.stderr).toContain(`Rule ${other} is paused already.`);
		expect(await service.writes()).toHaveLength(1);
		expect((await seen())?.paused).toBe(true);
		const {stdout} = await service.run(['rule', 'resume', rule, other, '--json']);
		expect(JSON.parse(stdout)).toMatchObject([
			{id: rule, paused: false},
			{id: other, paused: false},
		]);
		expect((await seen(other))?.paused).toBe(false);
	});

	test('of several says which were done when one fails', async () => {
		const other = await service.addRule(filter);
		const third = await service.addRule(filter);
		const ended = await service.during('status=400 method=PUT after=1', () =>
			service.run(['rule', 'pause', rule, other, third, '--json']),
		);
		expect(ended).toMatchObject({code: 1, stdout: ''});
		expect(errorOf(ended).left).toContain(
			`It failed at ${other}. Paused before it: ${rule}. Not tried: ${third}.`,
		);
		expect([(await seen())?.paused, (await seen(other))?.paused]).toEqual([true, false]);
	});
});

describe('firewall rule delete', () => {
	const remove = (...words: string[]) => service.run(['rule', 'delete', ...words, '--yes']);

	test('deletes the rule first, then its filter', async () => {
		const {code, stderr} = await remove(rule);
		expect(code).toBe(0);
		expect(stderr).toContain(`Its filter ${filter} is deleted.`);
		expect((await service.writes()).map(call => `${call.method} ${call.path}`)).toEqual([
			`DELETE ${path()}`,
			`DELETE /zones/${zoneIds.enterprise}/filters/${filter}`,
		]);
		expect(await seen()).toBeUndefined();
		expect(await seenFilter()).toBeUndefined();
	});

	test('keeps a filter that another rule uses, and names that rule', async () => {
		const other = await service.addRule(filter);
		const {code, stderr} = await remove(rule);
		expect(code).toBe(0);
		expect(stderr).toContain(other);
		expect(await seenFilter()).toBeDefined();
		expect(await seen(other)).toBeDefined();
	});

	test('of all rules of a filter deletes it behind the last one', async () => {
		const other = await service.addRule(filter);
		const {code, stdout} = await remove(rule, other, '--json');
		expect(code).toBe(0);
		expect(JSON.parse(stdout)).toEqual([
			{id: rule, deleted: true, filter: {id: filter, state: 'kept, shared', usedBy: [other]}},
			{id: other, deleted: true, filter: {id: filter, state: 'deleted'}},
		]);
		expect(await seenFilter()).toBeUndefined();
	});

	test('--keep-filter leaves the filter', async () => {
		expect((await remove(rule, '--keep-filter')).code).toBe(0);
		expect(await seenFilter()).toBeDefined();
	});

	test('of a rule that is not there is done', async () => {
		const {code, stderr} = await remove('f'.repeat(32));
		expect(code).toBe(0);
		expect(stderr).toContain('There is no rule');
		expect(await service.writes()).toEqual([]);
	});

	test('wants to be confirmed, and says what goes', async () => {
		const refused = await service.run(['rule', 'delete', rule]);
		expect(refused.code).toBe(2);
		expect(refused.stderr).toContain(`rule ${rule} (block) and its filter ${filter}`);
		expect(await service.writes()).toEqual([]);
	});

	test('whose second call fails says that the rule is gone and the filter is not, and how to go on', async () => {
		const ended = await service.during('status=429 path=/filters/ method=DELETE', () =>
			remove(rule, '--json'),
		);
		expect(ended).toMatchObject({code: 1, stdout: ''});
		expect(errorOf(ended).left).toBe(`Rule ${rule} is deleted. Filter ${filter} is still there.`);
		expect(errorOf(ended).next).toContain(`ledge firewall filter delete ${filter}`);
		expect(await seen()).toBeUndefined();
		expect(await seenFilter()).toBeDefined();
	});

	test('whose first answer is lost goes on with the filter', async () => {
		const ended = await service.during('lost-answer times=1 path=/firewall/rules/ method=DELETE', () =>
			remove(rule),
		);
		expect(ended.code).toBe(0);
		expect(await seenFilter()).toBeUndefined();
	});

	test('--dry-run shows both requests in their order', async () => {
		const {code, stdout} = await service.run(['rule', 'delete', rule, '--dry-run']);
		expect(code).toBe(0);
		expect(stdout).toMatch(/# 1 {2}DELETE .*\/firewall\/rules\/[\s\S]*# 2 {2}DELETE .*\/filters\//);
		expect(await service.writes()).toEqual([]);
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
	expect(await service.writes()).toEqual([]);
});
