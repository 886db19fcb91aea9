import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeEach, expect, test} from 'vitest';
import {firewallService, freshExpression} from '../../support/firewall.ts';
import {scratch} from '../../support/ledge.ts';

const service = firewallService();
let state: string;
let expression: string;

beforeEach(() => {
	state = scratch();
	expression = freshExpression();
});

/** Runs a command, and gives what the audit log says of it. */
async function audited(faults: string, ...words: readonly string[]): Promise<unknown[]> {
	await service.during(faults, () => service.run(words, {env: {LEDGE_STATE_DIR: state}}));
	return readFileSync(join(state, 'audit.ndjson'), 'utf8')
		.trim()
		.split('\n')
		.map(line => JSON.parse(line))
		.map(({target, what, result}) => {
			expect(target).toBe('Acme (simulated) › zone acme.example');
			return [what, result];
		});
}

const create = () => ['rule', 'create', '--expression', expression, '--action', 'block'] as const;

test('creating a rule logs a line for its filter and one for the rule, each with its id', async () => {
	const lines = await audited('', ...create());
	const [rule] = await service.rulesOf(expression);
	expect(lines).toEqual([
		[`create filter ${rule?.filter.id}`, 'done'],
		[`create rule ${rule?.id}`, 'done'],
	]);
});

test('a rejected rule logs the line of its filter and its own line with the reason', async () => {
	const lines = await audited('status=429 method=POST path=/firewall/rules', ...create());
	expect(lines).toEqual([
		[`create filter ${(await service.filterOf(expression))?.id}`, 'done'],
		['create rule (block)', 'rate_limited'],
	]);
});

test('a rejected filter logs one line', async () => {
	expect(await audited('status=429 method=POST path=/filters', ...create())).toEqual([
		['create filter', 'rate_limited'],
	]);
});

test('a deletion logs a line for the rule and one for the filter, even if the latter fails', async () => {
	const filter = await service.addFilter(expression);
	const rule = await service.addRule(filter);
	expect(await audited('status=500 method=DELETE path=/filters', 'rule', 'delete', rule, '--yes')).toEqual([
		[`delete rule ${rule}`, 'done'],
		[`delete filter ${filter}`, 'service_failed'],
	]);
});

test('a successful deletion logs both', async () => {
	const filter = await service.addFilter(expression);
	const rule = await service.addRule(filter);
	expect(await audited('', 'rule', 'delete', rule, '--yes')).toEqual([
		[`delete rule ${rule}`, 'done'],
		[`delete filter ${filter}`, 'done'],
	]);
});

test('creating a filter logs a line with its id', async () => {
	const lines = await audited('', 'filter', 'create', '--expression', expression);
	expect(lines).toEqual([[`create filter ${(await service.filterOf(expression))?.id}`, 'done']]);
});

test('changing a rule and its filter logs a line for each', async () => {
	const filter = await service.addFilter(expression);
	const rule = await service.addRule(filter);
	const words = ['rule', 'update', rule, '--expression', freshExpression(), '--action', 'log', '--yes'];
	expect(await audited('status=429 method=PUT path=/firewall/rules', ...words)).toEqual([
		[`update filter ${filter}`, 'done'],
		[`update rule ${rule}`, 'rate_limited'],
	]);
});

test('a dry run logs nothing', async () => {
	await service.run([...create(), '--dry-run'], {env: {LEDGE_STATE_DIR: state}});
	expect(() => readFileSync(join(state, 'audit.ndjson'))).toThrow();
});
