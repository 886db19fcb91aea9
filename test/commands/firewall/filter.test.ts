import {beforeEach, describe, expect, test} from 'vitest';
import {errorOf, freshExpression, setUpFirewallService, zoneIds} from '../../support/firewall.ts';
import {ledge} from '../../support/ledge.ts';
import {runInTerminal} from '../../terminal/pseudo-terminal.ts';

const service = setUpFirewallService();
let filter: string;
let expression: string;

beforeEach(async () => {
	expression = freshExpression();
	filter = await service.addFilter(expression);
});

const readFilter = (id = filter) => service.filter(id);
const filtersPath = `/zones/${zoneIds.enterprise}/filters`;

describe('firewall filter list and get', () => {
	test('list shows the number of rules for each filter, and their ids with --json', async () => {
		const rules = [await service.addRule(filter), await service.addRule(filter, {action: 'log'})];
		const {stdout} = await service.run(['filter', 'list']);
		expect(stdout.split('\n').find(line => line.startsWith(filter))).toMatch(/^\S+ +2 +- +http/);
		const {stdout: json} = await service.run(['filter', 'list', '--json']);
		const listed = JSON.parse(json) as {id: string; usedBy: string[]}[];
		expect(listed).toHaveLength((await service.filters()).length);
		expect(listed.find(one => one.id === filter)?.usedBy.toSorted()).toEqual(rules.toSorted());
	});

	test('get shows one filter and the rules that use it', async () => {
		const rule = await service.addRule(filter);
		const {stdout} = await service.run(['filter', 'get', filter]);
		expect(stdout).toContain(expression);
		expect(stdout).toMatch(new RegExp(`^used by +rule ${rule}`, 'm'));
	});

	test('list reads more than one page', async () => {
		for (let index = 0; index < 101; index++) await service.addFilter(freshExpression(), 'business');
		const {stdout} = await service.run(['filter', 'list', '--json'], {plan: 'business'});
		expect(JSON.parse(stdout)).toHaveLength((await service.filters('business')).length);
	});
});

describe('firewall filter create', () => {
	test('sends a list with one filter and prints its id', async () => {
		const newExpression = freshExpression();
		const {code, stderr} = await service.run([
			'filter',
			'create',
			'--expression',
			newExpression,
			'--description',
			'd',
		]);
		expect(code).toBe(0);
		const created = (await service.filters()).find(one => one.expression === newExpression);
		expect(stderr).toContain(created?.id);
		expect(await service.takeWrites()).toMatchObject([
			{method: 'POST', path: filtersPath, body: [{expression: newExpression, description: 'd'}]},
		]);
	});

	test.each(['create', 'update'])('%s --expression - reads standard input', async word => {
		const newExpression = freshExpression();
		const words = ['filter', word, ...(word === 'update' ? [filter] : []), '--expression', '-'];
		expect((await service.run(words, {input: `${newExpression}\n`})).code).toBe(0);
		expect(await service.filterOf(newExpression)).toBeDefined();
	});

	test('--json prints an array of the created filters', async () => {
		const newExpression = freshExpression();
		const {stdout} = await service.run(['filter', 'create', '--expression', newExpression, '--json']);
		const created = (await service.filters()).find(one => one.expression === newExpression);
		expect(JSON.parse(stdout)).toEqual([{id: created?.id, expression: newExpression, paused: false}]);
	});

	test('names an existing filter with the same expression, and sends nothing', async () => {
		const ended = await service.run(['filter', 'create', '--expression', expression]);
		expect(ended.code).toBe(1);
		expect(ended.stderr).toContain(filter);
		expect(await service.takeWrites()).toEqual([]);
	});

	test('checks the result after a lost response', async () => {
		const newExpression = freshExpression();
		const ended = await service.withFaults('lost-answer method=POST', () =>
			service.run(['filter', 'create', '--expression', newExpression]),
		);
		expect(ended.code).toBe(0);
		const created = (await service.filters()).filter(one => one.expression === newExpression);
		expect(created).toHaveLength(1);
		expect(ended.stderr).toContain(created[0]?.id);
	});
});

describe('firewall filter update', () => {
	const update = (...words: string[]) => service.run(['filter', 'update', filter, ...words]);

	test('of an unused filter asks nothing and keeps the other settings', async () => {
		const newExpression = freshExpression();
		expect((await update('--expression', newExpression)).code).toBe(0);
		expect(await service.takeWrites()).toMatchObject([
			{
				method: 'PUT',
				path: `${filtersPath}/${filter}`,
				body: {id: filter, expression: newExpression, paused: false},
			},
		]);
		expect((await readFilter())?.expression).toBe(newExpression);
	});

	test('names the rules that use the filter and asks for confirmation', async () => {
		const rule = await service.addRule(filter);
		const refused = await update('--expression', freshExpression());
		expect(refused.code).toBe(2);
		expect(refused.stderr).toContain(rule);
		expect((await readFilter())?.expression).toBe(expression);
		expect((await update('--expression', freshExpression(), '--yes')).code).toBe(0);
		expect((await readFilter())?.expression).not.toBe(expression);
	});

	test('of the description asks nothing, even if rules use the filter', async () => {
		await service.addRule(filter);
		expect((await update('--description', 'new')).code).toBe(0);
		expect((await readFilter())?.description).toBe('new');
	});

	test('to the expression of another filter names that filter', async () => {
		const other = freshExpression();
		const id = await service.addFilter(other);
		const ended = await update('--expression', other, '--json');
		expect(ended).toMatchObject({code: 1, stdout: ''});
		expect(ended.stderr).toContain(id);
		expect((await readFilter())?.expression).toBe(expression);
	});

	test('pauses and resumes a filter', async () => {
		await update('--paused');
		expect((await readFilter())?.paused).toBe(true);
		await update('--no-paused');
		expect((await readFilter())?.paused).toBe(false);
	});
});

describe('firewall filter delete', () => {
	test('deletes unused filters after confirmation', async () => {
		const other = await service.addFilter(freshExpression());
		expect((await service.run(['filter', 'delete', filter, other])).code).toBe(2);
		expect(await service.takeWrites()).toEqual([]);
		expect((await service.run(['filter', 'delete', filter, other, '--yes'])).code).toBe(0);
		expect(await readFilter()).toBeUndefined();
		expect(await readFilter(other)).toBeUndefined();
	});

	test('deletes none if a rule uses one of them, and names the rule', async () => {
		const rule = await service.addRule(filter);
		const unusedFilter = await service.addFilter(freshExpression());
		const ended = await service.run(['filter', 'delete', unusedFilter, filter, '--yes', '--json']);
		expect(ended).toMatchObject({code: 1, stdout: ''});
		expect(errorOf(ended)).toMatchObject({code: 'in_use', why: expect.stringContaining(rule)});
		expect(await service.takeWrites()).toEqual([]);
	});

	test('of a missing filter succeeds', async () => {
		const {code, stdout} = await service.run(['filter', 'delete', 'f'.repeat(32), '--yes', '--json']);
		expect(code).toBe(0);
		expect(JSON.parse(stdout)).toEqual([{id: 'f'.repeat(32), deleted: false}]);
	});
});

describe('firewall filter validate', () => {
	const validate = (...words: string[]) =>
		ledge(['firewall', 'filter', 'validate', ...words], {env: service.env});

	test('exits with 0 for a valid expression', async () => {
		expect(await validate('not ssl')).toMatchObject({code: 0, stdout: 'valid\n', stderr: ''});
	});

	test('exits with 1 for an invalid expression, with carets under the error', async () => {
		const {code, stdout, stderr} = await validate('http.host eq "a" adn ssl');
		expect({code, stderr}).toEqual({code: 1, stderr: ''});
		expect(stdout).toMatch(/^not valid\nline 1, column 18: /);
		expect(stdout).toContain('\n  http.host eq "a" adn ssl\n                   ^^^\n');
	});

	test('--json prints both verdicts on stdout, with the same exit code', async () => {
		const {code, stdout} = await validate('http.hots eq "a"', '--json');
		expect(code).toBe(1);
		expect(JSON.parse(stdout)).toMatchObject({
			valid: false,
			service: {valid: false, message: expect.any(String)},
			ledge: {valid: false, errors: [{line: 1, column: 1}]},
		});
	});

	test('reads standard input with -', async () => {
		const words = ['firewall', 'filter', 'validate', '-'];
		expect((await ledge(words, {env: service.env, input: 'ssl\n'})).code).toBe(0);
		expect((await ledge(words, {env: service.env, input: 'ssl and\n'})).code).toBe(1);
	});

	test('refuses more than 4,096 bytes without calling the service', async () => {
		const before = (await service.calls()).length;
		const words = ['firewall', 'filter', 'validate', '-', '--json'];
		const ended = await ledge(words, {env: service.env, input: `http.host eq "${'x'.repeat(5000)}"`});
		expect(ended).toMatchObject({code: 2, stdout: ''});
		expect(errorOf(ended).why).toContain('5015');
		expect((await service.calls()).length).toBe(before);
	});

	test('with a zone reports features its plan lacks, which the service does not check', async () => {
		const words = ['http.host matches "a"', '--zone-id', zoneIds.free];
		const {code, stdout} = await validate(...words);
		expect(code).toBe(1);
		expect(stdout).toMatch(/^not valid in .*acme-blog\.example\n/);
		expect(stdout).toContain('Business');
		expect((await validate('http.host matches "a"')).code).toBe(0);
	});

	test('follows the verdict of the service, and reports that ledge disagrees', async () => {
		const faults = 'status=400 message=Filter%20parsing%20error path=/validate-expr';
		const {code, stdout} = await service.withFaults(faults, () => validate('not ssl'));
		expect(code).toBe(1);
		expect(stdout).toContain('The service rejects it, but ledge finds no error.');
		expect(stdout).toContain('Filter parsing error');
	});

	test('gives no verdict if the service cannot check', async () => {
		const {code, stdout} = await service.withFaults('status=403 code=10000 path=/validate-expr', () =>
			validate('ssl'),
		);
		expect({code, stdout}).toEqual({code: 4, stdout: ''});
	});
});

test('answering no on a terminal changes nothing', async () => {
	const {code} = await runInTerminal(['firewall', 'filter', 'delete', filter, '--zone', 'acme.example'], {
		env: service.env,
		answers: [{when: '[y/N]', type: '\r'}],
	});
	expect(code).toBe(1);
	expect(await readFilter()).toBeDefined();
});

test.each([
	['create', '--expression', 'ssl'],
	['update', 'f', '--paused'],
	['delete', 'f', '--yes'],
])('firewall filter %s with --read-only is refused before looking for credentials', async (...words) => {
	const ended = await ledge(['firewall', 'filter', ...words, '--zone', 'acme.example', '--read-only']);
	expect(ended.code).toBe(2);
	expect(ended.stderr).toContain('read-only');
});
