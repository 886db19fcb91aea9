import type {ChildProcess} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeEach, describe, expect, test} from 'vitest';
import {commandIn, errorOf, freshExpression, noRule, setUpFirewallService} from '../../support/firewall.ts';
import {startGate} from '../../support/gate.ts';
import {createScratchFolder, ledge} from '../../support/ledge.ts';
import {runInTerminal} from '../../terminal/pseudo-terminal.ts';

const service = setUpFirewallService();
let {rule, filter, expression} = noRule;

beforeEach(async () => {
	({rule, filter, expression} = await service.createOwnRule({priority: 5, description: 'kept'}));
});

describe('a rule that cannot be changed after its filter was', () => {
	test.each([
		['429', 'status=429 retry-after=2', 1],
		['a token without permission', 'status=403 code=10000', 4],
		['410', 'status=410', 1],
	])('is reported, with commands to continue and to undo: %s', async (_what, fault, code) => {
		const newExpression = freshExpression();
		const ended = await service.withFaults(`${fault} method=PUT path=/firewall/rules`, () =>
			service.run([
				'rule',
				'update',
				rule,
				'--expression',
				newExpression,
				'--action',
				'log',
				'--yes',
				'--json',
			]),
		);
		const {left, next} = errorOf(ended);
		expect(ended).toMatchObject({code, stdout: ''});
		expect(left).toBe(`Filter ${filter} was changed to: ${newExpression}\nRule ${rule} was not changed.`);
		expect((await service.filter(filter))?.expression).toBe(newExpression);
		const undoWords = commandIn(String(next).split('\n').at(-1) ?? '');
		expect((await ledge(['firewall', ...undoWords, '--yes'], {env: service.env})).code).toBe(0);
		expect((await service.filter(filter))?.expression).toBe(expression);
	});

	test('is reported with a working command that completes the change', async () => {
		const ended = await service.withFaults('status=429 method=PUT path=/firewall/rules', () =>
			service.run([
				'rule',
				'update',
				rule,
				'--expression',
				freshExpression(),
				'--description',
				"it's",
				'--json',
			]),
		);
		const continueWords = commandIn(String(errorOf(ended).next).split('\n')[0] ?? '');
		expect((await ledge(['firewall', ...continueWords], {env: service.env})).code).toBe(0);
		expect((await service.rule(rule))?.description).toBe("it's");
	});

	test.each([
		[['--action', 'log', '--yes'], 'was not changed'],
		[[], ''],
	])('is reported after ctrl-c; a change of the filter alone is completed: %j', async (more, ruleOutcome) => {
		const newExpression = freshExpression();
		let child: ChildProcess | undefined;
		const env = await startGate(service, {
			method: 'PUT',
			path: `/filters/${filter}`,
			when: 'after',
			does: () => {
				child?.kill('SIGINT');
				return 'hold';
			},
		});
		const ended = await service.run(
			['rule', 'update', rule, '--expression', newExpression, ...more, '--json'],
			{
				env,
				onStart: one => {
					child = one;
				},
			},
		);
		expect((await service.filter(filter))?.expression).toBe(newExpression);
		if (ruleOutcome === '')
			expect(JSON.parse(ended.stdout)).toMatchObject({filter: {expression: newExpression}});
		else
			expect(errorOf(ended).left).toBe(
				`Filter ${filter} was changed to: ${newExpression}\nRule ${rule} ${ruleOutcome}.`,
			);
	});
});

describe('concurrent changes', () => {
	test('to fields of a filter that are not being changed are kept', async () => {
		const newExpression = freshExpression();
		const env = await startGate(service, {
			method: 'GET',
			path: `/filters/${filter}`,
			when: 'after',
			does: () =>
				service.changeAsOthers('filters', {id: filter, expression, paused: true, description: 'B was here'}),
		});
		const words = [
			'firewall',
			'filter',
			'update',
			filter,
			'--expression',
			newExpression,
			'--zone',
			'acme.example',
		];
		const {code} = await runInTerminal(words, {env, answers: [{when: '[y/N]', type: 'y\r'}]});
		expect(code).toBe(0);
		expect(await service.filter(filter)).toMatchObject({
			expression: newExpression,
			paused: true,
			description: 'B was here',
		});
	});

	test('to a filter are not overwritten while its confirmation is open', async () => {
		const theirs = freshExpression();
		const env = await startGate(service, {
			method: 'GET',
			path: `/filters/${filter}`,
			when: 'after',
			does: () => service.changeAsOthers('filters', {id: filter, expression: theirs, paused: false}),
		});
		const words = ['firewall', 'filter', 'update', filter, '--expression', freshExpression()];
		const {code, output} = await runInTerminal([...words, '--zone', 'acme.example'], {
			env,
			answers: [{when: '[y/N]', type: 'y\r'}],
		});
		expect(code).toBe(1);
		expect(output).toContain('was changed by someone else');
		expect((await service.filter(filter))?.expression).toBe(theirs);
	});

	test('to a rule are kept while its filter is changed', async () => {
		const env = await startGate(service, {
			method: 'PUT',
			path: `/filters/${filter}`,
			when: 'after',
			does: () =>
				service.changeAsOthers('firewall/rules', {
					id: rule,
					filter: {id: filter},
					action: 'block',
					priority: 5,
					paused: true,
					description: 'kept',
				}),
		});
		const words = ['--expression', freshExpression(), '--priority', '51', '--description', 'new'];
		expect((await service.run(['rule', 'update', rule, ...words], {env})).code).toBe(0);
		expect(await service.rule(rule)).toMatchObject({paused: true, priority: 51, description: 'new'});
	});

	describe('to a rule are kept and reported while the confirmation is open', () => {
		const theirs = {action: 'allow', priority: 9, description: 'theirs'};
		const answers = [{when: 'Type acme.example', type: 'acme.example\r'}];
		test.each<[string, string, (rule: string) => string[], string]>([
			['resumed', 'true', rule => ['rule', 'resume', rule], 'resumed'],
			['updated', 'ssl or not ssl', rule => ['rule', 'update', rule, '--no-paused'], 'changed'],
		])('when the rule is %s', async (_what, broad, getWords, intent) => {
			const paused = await service.addRule(await service.addFilter(broad), {paused: true});
			const broadFilter = (await service.rule(paused))?.filter.id ?? '';
			const change = () =>
				service.changeAsOthers('firewall/rules', {
					id: paused,
					filter: {id: broadFilter},
					paused: true,
					...theirs,
				});
			const env = await startGate(service, {method: 'GET', path: paused, when: 'after', does: change});
			const {code, output} = await runInTerminal(
				['firewall', ...getWords(paused), '--zone', 'acme.example'],
				{
					env,
					answers,
				},
			);
			expect(output).toContain('Someone else changed: action, priority, description.');
			expect(output).toContain(`Rule ${paused} was not ${intent}.`);
			expect(code).toBe(1);
			expect(await service.rule(paused)).toMatchObject({paused: true, ...theirs});
		});
	});

	test('to a filter are kept and reported while its deletion awaits confirmation', async () => {
		const unused = await service.addFilter(freshExpression());
		const theirs = freshExpression();
		const env = await startGate(service, {
			method: 'GET',
			path: `/filters/${unused}`,
			when: 'after',
			does: () => service.changeAsOthers('filters', {id: unused, expression: theirs}),
		});
		const words = ['firewall', 'filter', 'delete', unused, '--zone', 'acme.example'];
		const {code, output} = await runInTerminal(words, {env, answers: [{when: '[y/N]', type: 'y\r'}]});
		expect(output).toContain('Someone else changed: expression.');
		expect(output).toContain(`Filter ${unused} was not deleted.`);
		expect(code).toBe(1);
		expect((await service.filter(unused))?.expression).toBe(theirs);
	});

	test('to a rule are kept and reported while another rule is paused', async () => {
		const other = await service.addRule(filter, {description: 'old'});
		const env = await startGate(service, {
			method: 'PUT',
			path: rule,
			when: 'after',
			does: () =>
				service.changeAsOthers('firewall/rules', {
					id: other,
					filter: {id: filter},
					action: 'block',
					description: 'theirs',
				}),
		});
		const ended = await service.run(['rule', 'pause', rule, other, '--yes', '--json'], {env});
		expect(ended.code).toBe(1);
		expect(errorOf(ended)).toMatchObject({
			code: 'changed_meanwhile',
			why: 'Someone else changed: description.',
			left: `Rule ${other} was not paused.\nFailed at ${other}. Paused before it: ${rule}.`,
		});
		expect(await service.rule(rule)).toMatchObject({paused: true});
		expect(await service.rule(other)).toMatchObject({paused: false, description: 'theirs'});
	});
});

describe('pressing ctrl-c twice', () => {
	test('reports what exists and what is unknown, on stderr and in the audit log', async () => {
		const state = createScratchFolder();
		const newExpression = freshExpression();
		let child: ChildProcess | undefined;
		const interruptAndHold = () => {
			child?.kill('SIGINT');
			return 'hold' as const;
		};
		const env = await startGate(
			service,
			{method: 'POST', path: '/firewall/rules', when: 'before', does: interruptAndHold},
			{method: 'GET', path: '/firewall/rules', when: 'before', skip: 1, does: interruptAndHold},
		);
		const ended = await service.run(
			['rule', 'create', '--expression', newExpression, '--action', 'block', '--json'],
			{
				env: {...env, LEDGE_STATE_DIR: state},
				onStart: one => {
					child = one;
				},
			},
		);
		const createdFilter = await service.filterOf(newExpression);
		expect(ended).toMatchObject({code: 130, stdout: ''});
		expect(errorOf(ended)).toMatchObject({
			code: 'interrupted',
			left: `Done: create filter ${createdFilter?.id}.\nThis may have been done: create rule (block).`,
		});
		const lines = readFileSync(join(state, 'audit.ndjson'), 'utf8').trim().split('\n');
		expect(lines.map(line => JSON.parse(line))).toMatchObject([
			{what: `create filter ${createdFilter?.id}`, result: 'done'},
			{what: 'create rule (block)', result: 'interrupted'},
		]);
	});
});
