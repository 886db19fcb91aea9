import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeEach, expect, test} from 'vitest';
import {freshExpression, setUpFirewallService} from '../../support/firewall.ts';
import {createScratchFolder} from '../../support/ledge.ts';

const service = setUpFirewallService();
let stateFolder: string;
let expression: string;

beforeEach(() => {
	stateFolder = createScratchFolder();
	expression = freshExpression();
});

/** Runs a command, and returns its lines in the audit log as pairs of action and result. */
async function runAndReadAuditLog(faults: string, ...words: readonly string[]): Promise<unknown[]> {
	await service.withFaults(faults, () => service.run(words, {env: {LEDGE_STATE_DIR: stateFolder}}));
	return readFileSync(join(stateFolder, 'audit.ndjson'), 'utf8')
		.trim()
		.split('\n')
		.map(line => JSON.parse(line))
		.map(({target, what, result}) => {
			expect(target).toBe('Acme (simulated) › zone acme.example');
			return [what, result];
		});
}

const getCreateWords = () => ['rule', 'create', '--expression', expression, '--action', 'block'] as const;

test('creating a rule logs a line for its filter and one for the rule, each with its id', async () => {
	const lines = await runAndReadAuditLog('', ...getCreateWords());
	const [rule] = await service.rulesOf(expression);
	expect(lines).toEqual([
		[`create filter ${rule?.filter.id}`, 'done'],
		[`create rule ${rule?.id}`, 'done'],
	]);
});

test('a rejected rule logs the line of its filter and its own line with the reason', async () => {
	const lines = await runAndReadAuditLog('status=429 method=POST path=/firewall/rules', ...getCreateWords());
	expect(lines).toEqual([
		[`create filter ${(await service.filterOf(expression))?.id}`, 'done'],
		['create rule (block)', 'rate_limited'],
	]);
});

test('a rejected filter logs one line', async () => {
	expect(await runAndReadAuditLog('status=429 method=POST path=/filters', ...getCreateWords())).toEqual([
		['create filter', 'rate_limited'],
	]);
});

test('a deletion logs a line for the rule and one for the filter, even if the latter fails', async () => {
	const filter = await service.addFilter(expression);
	const rule = await service.addRule(filter);
	expect(
		await runAndReadAuditLog('status=500 method=DELETE path=/filters', 'rule', 'delete', rule, '--yes'),
	).toEqual([
		[`delete rule ${rule}`, 'done'],
		[`delete filter ${filter}`, 'service_failed'],
	]);
});

test('a successful deletion logs both', async () => {
	const filter = await service.addFilter(expression);
	const rule = await service.addRule(filter);
	expect(await runAndReadAuditLog('', 'rule', 'delete', rule, '--yes')).toEqual([
		[`delete rule ${rule}`, 'done'],
		[`delete filter ${filter}`, 'done'],
	]);
});

test('creating a filter logs a line with its id', async () => {
	const lines = await runAndReadAuditLog('', 'filter', 'create', '--expression', expression);
	expect(lines).toEqual([[`create filter ${(await service.filterOf(expression))?.id}`, 'done']]);
});

test('changing a rule and its filter logs a line for each', async () => {
	const filter = await service.addFilter(expression);
	const rule = await service.addRule(filter);
	const words = ['rule', 'update', rule, '--expression', freshExpression(), '--action', 'log', '--yes'];
	expect(await runAndReadAuditLog('status=429 method=PUT path=/firewall/rules', ...words)).toEqual([
		[`update filter ${filter}`, 'done'],
		[`update rule ${rule}`, 'rate_limited'],
	]);
});

test('a dry run logs nothing', async () => {
	await service.run([...getCreateWords(), '--dry-run'], {env: {LEDGE_STATE_DIR: stateFolder}});
	expect(() => readFileSync(join(stateFolder, 'audit.ndjson'))).toThrow();
});
