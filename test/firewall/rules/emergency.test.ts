import {describe, expect, test} from 'vitest';
import {
	formatCreateRuleCommand,
	formatResumeFilterCommand,
	formatResumeRuleCommand,
} from '../../../source/firewall/commands.ts';
import {updateFilter} from '../../../source/firewall/rules/changes.ts';
import {buildEmergencyRequest, createEmergencyRule} from '../../../source/firewall/rules/emergency.ts';
import {formatCustomRuleCommand} from '../../../source/firewall/rules/emergency-command.ts';
import type {EmergencyDraft} from '../../../source/firewall/rules/emergency-draft.ts';
import {neverAbortedSignal} from '../../service/scripted-transport.ts';
import {breakConnection, openZone, type TestZone} from '../support/zone.ts';

const expression = 'ip.src in {192.0.2.0/24}';
const draft: EmergencyDraft = {filter: {expression}, action: 'block'};

const block = ({client, zone}: TestZone, given: EmergencyDraft = draft) =>
	createEmergencyRule(client, zone, given, {signal: neverAbortedSignal});

describe('an emergency rule', () => {
	test('is one POST in the combined form, exactly as shown before, and nothing else', async () => {
		const testZone = await openZone();
		const result = await block(testZone);
		const truth = await testZone.readState();
		expect(result).toEqual({state: 'created', form: 'firewall rule', rule: truth.rules[0]});
		expect(testZone.listWrites()).toEqual([
			{
				method: 'POST',
				path: `/zones/${testZone.zone.id}/firewall/rules`,
				body: [{filter: {expression}, action: 'block'}],
			},
		]);
		expect(testZone.listWrites()).toEqual([buildEmergencyRequest(testZone.zone, draft)]);
		expect(testZone.listReads()).toEqual([]);
	});

	test.each([
		['an invalid expression', {filter: {expression: 'ip.src == '}, action: 'block'}],
		['an invalid rule', {...draft, action: 'bypass'}],
	] as const)('%s creates neither filter nor rule, and ledge says so', async (_name, given) => {
		const testZone = await openZone();
		const result = await block(testZone, given);
		expect(result).toMatchObject({state: 'nothing', failure: {details: {http: 400}}});
		expect(await testZone.readState()).toEqual({filters: [], rules: []});
		expect(testZone.listWrites()).toHaveLength(1);
	});

	test('leaves its filter if it exceeds the quota: ledge gives the id and one possible step', async () => {
		const testZone = await openZone('free');
		for (let number = 0; number < 5; number++)
			await testZone.createRule(await testZone.createFilter(`http.request.uri.path eq "/${number}"`), {
				action: 'block',
			});
		const result = await block(testZone);
		const [filter] = (await testZone.readState()).filters.filter(one => one.expression === expression);
		expect(result).toMatchObject({
			state: 'filter left',
			filter: {id: filter?.id},
			failure: {code: 'plan_lacks', exitCode: 5},
		});
		if (result.state !== 'filter left') return;
		expect(result.failure.details.left).toContain(`Created filter ${filter?.id}`);
		expect(result.failure.next).toBe(
			`Use a custom rule, which doesn't count toward the firewall rule limit: ${formatCustomRuleCommand(testZone.zone, draft)}`,
		);
		expect((await testZone.readState()).rules).toHaveLength(5);
	});

	test('leaves its filter if the plan lacks the action, and ledge says so', async () => {
		const testZone = await openZone('pro');
		const result = await block(testZone, {...draft, action: 'log'});
		const {filters, rules} = await testZone.readState();
		expect(result).toMatchObject({state: 'filter left', filter: {id: filters[0]?.id}});
		expect(rules).toEqual([]);
	});

	test('leaves neither filter nor rule if the plan lacks an operator, as a check confirms', async () => {
		const testZone = await openZone('pro');
		const result = await block(testZone, {filter: {expression: 'http.host matches "a+"'}, action: 'block'});
		expect(result).toMatchObject({state: 'nothing', failure: {details: {http: 403}}});
		expect(await testZone.readState()).toEqual({filters: [], rules: []});
	});

	test('leaves a filter that is found even if the service does not give its id', async () => {
		const testZone = await openZone();
		testZone.intercept(async request => {
			if (request.method !== 'POST') return undefined;
			await testZone.createFilter(expression);
			return Response.json({success: false, errors: [], messages: [], result: null}, {status: 403});
		});
		const result = await block(testZone);
		expect(result).toMatchObject({state: 'filter left', filter: (await testZone.readState()).filters[0]});
	});

	test('is not created if a filter with the same expression exists, which is offered', async () => {
		const testZone = await openZone();
		const existingFilter = await testZone.createFilter(expression);
		const result = await block(testZone);
		expect(result).toMatchObject({state: 'duplicate', filterId: existingFilter.id});
		expect(await testZone.readState()).toEqual({filters: [existingFilter], rules: []});
	});

	test('is suggested as a custom rule if the service has retired firewall rules', async () => {
		const testZone = await openZone();
		testZone.setFaults('status=410');
		const result = await block(testZone);
		expect(result).toMatchObject({state: 'gone', failure: {code: 'gone'}});
		if (result.state === 'gone') expect(result.failure.next).toContain('custom rule');
		expect(testZone.listWrites()).toHaveLength(1);
	});

	test.each([
		'status=403',
		'status=429 retry-after=9',
	])('%s: nothing is created or sent again', async fault => {
		const testZone = await openZone();
		testZone.setFaults(fault);
		expect((await block(testZone)).state).toBe('nothing');
		expect(testZone.listWrites()).toHaveLength(1);
		expect(await testZone.readState()).toEqual({filters: [], rules: []});
	});

	test('a lost answer: the rule is found', async () => {
		const testZone = await openZone();
		testZone.setFaults('method=POST lost-answer');
		const result = await block(testZone);
		expect(result).toEqual({
			state: 'created',
			form: 'firewall rule',
			rule: (await testZone.readState()).rules[0],
			foundAfterLostResponse: true,
		});
		expect(testZone.listWrites()).toHaveLength(1);
	});

	test('a lost answer without effect: nothing exists, and ledge says so', async () => {
		const testZone = await openZone();
		testZone.setFaults('method=POST status=500');
		expect(await block(testZone)).toMatchObject({
			state: 'nothing',
			failure: {details: {outcomeUnknown: false}},
		});
		expect(await testZone.readState()).toEqual({filters: [], rules: []});
	});

	test('a lost answer with only the filter there: the rule may still be created, and the next step is given', async () => {
		const testZone = await openZone('pro');
		testZone.setFaults('method=POST lost-answer');
		const result = await block(testZone, {...draft, action: 'log'});
		const {filters, rules} = await testZone.readState();
		if (result.state !== 'unsure') throw new Error(result.state);
		expect(result.failure.details.left).toContain(`filter ${filters[0]?.id} exists`);
		expect(result.failure.next).toContain(
			formatCreateRuleCommand(testZone.zone, {...draft, action: 'log'}, filters[0]?.id ?? ''),
		);
		expect(rules).toEqual([]);
	});

	test('a failure of the service with only the filter created: the next step is given', async () => {
		const testZone = await openZone();
		testZone.intercept(async request => {
			if (request.method !== 'POST') return undefined;
			await testZone.createFilter(expression);
			return Response.json({success: false, errors: [], messages: [], result: null}, {status: 500});
		});
		expect(await block(testZone)).toMatchObject({
			state: 'filter left',
			filter: (await testZone.readState()).filters[0],
		});
	});

	test('a broken connection with nothing there: it may still be created, and ledge says so', async () => {
		const testZone = await openZone();
		testZone.intercept(({method}) => (method === 'POST' ? breakConnection() : undefined));
		const result = await block(testZone);
		if (result.state !== 'unsure') throw new Error(result.state);
		expect(result.failure.details.left).toContain('may still take effect');
		expect(result.failure.details.left).not.toContain('Nothing was created');
	});

	test('a lost answer with a similar rule on a paused filter: nothing is reported as active', async () => {
		const testZone = await openZone();
		const existingFilter = await testZone.createFilter(expression);
		await testZone.createRule(existingFilter, {action: 'block'});
		await updateFilter(
			testZone.client,
			testZone.zone,
			{...existingFilter, paused: true},
			existingFilter,
			neverAbortedSignal,
		);
		testZone.setFaults('method=POST lost-answer');
		const result = await block(testZone);
		expect(result).toMatchObject({state: 'duplicate', filterId: existingFilter.id});
		if (result.state !== 'duplicate') return;
		expect(result.failure.details.left).toContain('paused');
		expect(result.failure.next).toContain(formatResumeFilterCommand(testZone.zone, existingFilter.id));
		expect(result.failure.next).not.toContain('rule create');
	});

	test('is already active if it is sent twice, and no second rule is suggested', async () => {
		const testZone = await openZone();
		await block(testZone);
		const {rules} = await testZone.readState();
		expect(await block(testZone)).toEqual({
			state: 'created',
			form: 'firewall rule',
			rule: rules[0],
			alreadyExisted: true,
		});
		expect(await testZone.readState()).toMatchObject({rules});
	});

	test('is not active if a similar rule is paused: ledge prints the command to resume it', async () => {
		const testZone = await openZone();
		const rule = await testZone.createRule(await testZone.createFilter(expression), {
			action: 'block',
			paused: true,
		});
		const result = await block(testZone);
		if (result.state !== 'duplicate') throw new Error(result.state);
		expect(result.failure.next).toBe(`Resume the rule: ${formatResumeRuleCommand(testZone.zone, rule.id)}`);
	});

	test('reports its write with both ids, or with that of a filter left behind', async () => {
		const done: string[] = [];
		const onWritten = (one: string) => void done.push(one);
		const testZone = await openZone('pro');
		await createEmergencyRule(testZone.client, testZone.zone, draft, {signal: neverAbortedSignal, onWritten});
		const [rule] = (await testZone.readState()).rules;
		const log = {filter: {expression: 'ssl'}, action: 'log'} as const;
		await createEmergencyRule(testZone.client, testZone.zone, log, {signal: neverAbortedSignal, onWritten});
		const leftFilter = (await testZone.readState()).filters.find(one => one.expression === 'ssl');
		expect(done).toEqual([
			`create filter ${rule?.filter.id} and rule ${rule?.id}`,
			`create filter ${leftFilter?.id}, but not its rule`,
		]);
	});

	test('a lost answer with a filter that has other rules: the filter is offered', async () => {
		const testZone = await openZone();
		const existingFilter = await testZone.createFilter(expression);
		await testZone.createRule(existingFilter, {action: 'allow'});
		testZone.setFaults('method=POST lost-answer');
		expect(await block(testZone)).toMatchObject({state: 'duplicate', filterId: existingFilter.id});
	});

	test('a lost answer and an unreadable state: ledge says so', async () => {
		const testZone = await openZone();
		testZone.setFaults('method=POST lost-answer; method=GET status=403');
		expect(await block(testZone)).toMatchObject({
			state: 'unsure',
			failure: {details: {outcomeUnknown: true}},
		});
	});
});
