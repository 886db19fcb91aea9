import {describe, expect, test} from 'vitest';
import {formatDeleteFilterCommand, formatFirewallListCommand} from '../../../source/firewall/commands.ts';
import {
	buildDeletionRequests,
	deleteRule,
	describeFilterAfterDeletion,
	planDeletion,
} from '../../../source/firewall/rules/delete-rule.ts';
import type {Rule} from '../../../source/firewall/rules/rule.ts';
import {neverAbortedSignal} from '../../service/scripted-transport.ts';
import {breakConnection, openZone, type TestZone} from '../support/zone.ts';

const expression = 'http.request.uri.path eq "/admin"';

/** Creates a zone with a filter, and a rule on it for each action. */
async function createZoneWith(actions: readonly ('block' | 'allow')[]) {
	const testZone = await openZone();
	const filter = await testZone.createFilter(expression);
	const rules: Rule[] = [];
	for (const action of actions) rules.push(await testZone.createRule(filter, {action}));
	const [rule] = rules;
	if (!rule) throw new Error('a zone with no rule');
	return {at: testZone, filter, rule, rules};
}

const remove = (
	testZone: TestZone,
	rule: Rule,
	rules: readonly Rule[],
	filter: 'delete' | 'keep' = 'delete',
) =>
	deleteRule(testZone.client, testZone.zone, planDeletion(rule, rules, filter), {signal: neverAbortedSignal});

describe('deleting a rule', () => {
	test('deletes the rule first and then its filter, as shown before', async () => {
		const {at: testZone, rule, rules} = await createZoneWith(['block']);
		const shown = buildDeletionRequests(testZone.zone, planDeletion(rule, rules, 'delete'));
		const result = await remove(testZone, rule, rules);
		expect(result).toEqual({state: 'deleted', rule, filter: {state: 'deleted'}});
		expect(testZone.listWrites().map(({method, path}) => ({method, path}))).toEqual(shown);
		expect(await testZone.readState()).toEqual({filters: [], rules: []});
	});

	test('keeps the filter unless its deletion was requested', async () => {
		const {at: testZone, rule, rules, filter} = await createZoneWith(['block']);
		expect(await remove(testZone, rule, rules, 'keep')).toMatchObject({filter: {state: 'kept'}});
		expect(await testZone.readState()).toEqual({filters: [filter], rules: []});
	});

	test('keeps a filter that another rule uses, and names that rule', async () => {
		const {at: testZone, rule, rules, filter} = await createZoneWith(['block', 'allow']);
		const result = await remove(testZone, rule, rules);
		expect(result).toMatchObject({state: 'deleted', filter: {state: 'kept, shared', users: [rules[1]]}});
		if (result.state === 'deleted')
			expect(describeFilterAfterDeletion(rule, result.filter)).toContain(rules[1]?.id);
		expect(await testZone.readState()).toEqual({filters: [filter], rules: [rules[1]]});
	});

	test('keeps a filter that another rule began to use after the plan was made', async () => {
		const {at: testZone, rule, rules, filter} = await createZoneWith(['block']);
		const plan = planDeletion(rule, rules, 'delete');
		const laterRule = await testZone.createRule(filter, {action: 'allow'});
		const result = await deleteRule(testZone.client, testZone.zone, plan, {signal: neverAbortedSignal});
		expect(result).toMatchObject({filter: {state: 'kept, shared', users: [laterRule]}});
		expect(await testZone.readState()).toEqual({filters: [filter], rules: [laterRule]});
	});

	test('keeps a filter that the service refuses to delete, and says so', async () => {
		const {at: testZone, rule, rules, filter} = await createZoneWith(['block']);
		testZone.setFaults('method=DELETE path=/filters status=400 code=1 message=used%20by%20a%20rate%20limit');
		const result = await remove(testZone, rule, rules);
		expect(result).toMatchObject({state: 'deleted', filter: {state: 'kept, refused'}});
		if (result.state === 'deleted') {
			expect(describeFilterAfterDeletion(rule, result.filter)).toContain('"used by a rate limit"');
			expect(describeFilterAfterDeletion(rule, result.filter)).not.toContain('something else');
		}
		expect(await testZone.readState()).toEqual({filters: [filter], rules: []});
	});

	test.each([
		[
			'a page of the edge',
			'unsure',
			() => new Response('<html>', {status: 403, headers: {'cf-mitigated': 'challenge'}}),
		],
		[
			'a refusal without a reason',
			'rule only',
			() => Response.json({success: false, errors: [], messages: [], result: null}, {status: 400}),
		],
	] as const)('%s is not mistaken for use of the filter', async (_name, state, refusal) => {
		const {at: testZone, rule, rules, filter} = await createZoneWith(['block']);
		testZone.intercept(({method, url}) =>
			method === 'DELETE' && url.includes('/filters') ? refusal() : undefined,
		);
		expect(await remove(testZone, rule, rules)).toMatchObject({state});
		expect(await testZone.readState()).toEqual({filters: [filter], rules: []});
	});

	test('does not mistake an unknown route for a deleted filter', async () => {
		const {at: testZone, rule, rules, filter} = await createZoneWith(['block']);
		testZone.setFaults('method=DELETE path=/filters status=404 code=7003 message=Could%20not%20route');
		expect(await remove(testZone, rule, rules)).toMatchObject({state: 'rule only'});
		expect(await testZone.readState()).toEqual({filters: [filter], rules: []});
	});

	test('410 for the filter: ledge suggests no command that cannot work', async () => {
		const {at: testZone, rule, rules, filter} = await createZoneWith(['block']);
		testZone.setFaults('method=DELETE path=/filters status=410');
		const result = await remove(testZone, rule, rules);
		expect(result.state).toBe('rule only');
		if (result.state === 'rule only')
			expect(result.failure.next).not.toContain(formatDeleteFilterCommand(testZone.zone, filter.id));
	});

	test('shows in a dry run what the plan says, although everything still exists', async () => {
		const shown: string[] = [];
		const testZone = await openZone('pro', {
			dryRun: true,
			events: {planned: ({method, url}) => void shown.push(`${method} ${new URL(url).pathname}`)},
		});
		const filter = await testZone.createFilter(expression);
		const rules = [
			await testZone.createRule(filter, {action: 'block'}),
			await testZone.createRule(filter, {action: 'allow'}),
		] as const;
		await remove(testZone, rules[1], [rules[1]]);
		expect(shown).toHaveLength(2);
		expect(shown[1]).toContain(`/filters/${filter.id}`);
	});

	test('a broken connection with the rule still there: it may still be deleted, and its filter is named', async () => {
		const {at: testZone, rule, rules, filter} = await createZoneWith(['block']);
		testZone.intercept(({method}) => (method === 'DELETE' ? breakConnection() : undefined));
		const result = await remove(testZone, rule, rules);
		expect(result).toMatchObject({state: 'unsure', what: 'rule'});
		if (result.state !== 'unsure') return;
		expect(result.failure.details.left).toContain('may still take effect');
		expect(result.failure.next).toContain(formatFirewallListCommand(testZone.zone, 'rule'));
		expect(result.failure.next).toContain(formatDeleteFilterCommand(testZone.zone, filter.id));
	});

	test('reports each successful write with its id', async () => {
		const {at: testZone, rule, rules, filter} = await createZoneWith(['block']);
		const done: string[] = [];
		const onWritten = (one: string) => void done.push(one);
		await deleteRule(testZone.client, testZone.zone, planDeletion(rule, rules, 'delete'), {
			signal: neverAbortedSignal,
			onWritten,
		});
		expect(done).toEqual([`delete rule ${rule.id}`, `delete filter ${filter.id}`]);
	});

	test('reports a filter that was deleted meanwhile as gone', async () => {
		const {at: testZone, rule, rules} = await createZoneWith(['block']);
		testZone.setFaults('method=DELETE path=/filters status=404 code=10001 message=no%20such%20filter');
		expect(await remove(testZone, rule, rules)).toMatchObject({filter: {state: 'gone before'}});
	});

	test('deletes only the rule if its filter is already deleted', async () => {
		const {at: testZone, rule} = await createZoneWith(['block']);
		const orphan: Rule = {...rule, filter: {id: rule.filter.id, deleted: true}};
		expect(await remove(testZone, orphan, [orphan])).toMatchObject({filter: {state: 'gone before'}});
	});

	test.each([
		'status=403',
		'status=429',
		'status=500',
		'status=410',
	])('if the rule cannot be deleted (%s), both stay, and ledge says so', async fault => {
		const {at: testZone, rule, rules, filter} = await createZoneWith(['block']);
		testZone.setFaults(`method=DELETE path=/firewall/rules ${fault}`);
		expect(await remove(testZone, rule, rules)).toMatchObject({state: 'nothing'});
		expect(await testZone.readState()).toEqual({filters: [filter], rules: [rule]});
		expect(testZone.listWrites()).toHaveLength(1);
	});

	test.each([
		'status=403',
		'status=429',
		'status=500',
	])('if the filter cannot be deleted (%s), the rule is gone, and ledge prints the command for the filter', async fault => {
		const {at: testZone, rule, rules, filter} = await createZoneWith(['block']);
		testZone.setFaults(`method=DELETE path=/filters ${fault}`);
		const result = await remove(testZone, rule, rules);
		expect(result).toMatchObject({state: 'rule only', rule});
		if (result.state === 'rule only')
			expect(result.failure.next).toContain(formatDeleteFilterCommand(testZone.zone, filter.id));
		expect(await testZone.readState()).toEqual({filters: [filter], rules: []});
	});

	test('if interrupted between the two, the rule is gone, the filter stays, and ledge says so', async () => {
		const {at: testZone, rule, rules, filter} = await createZoneWith(['block']);
		const stop = new AbortController();
		const result = await deleteRule(testZone.client, testZone.zone, planDeletion(rule, rules, 'delete'), {
			signal: stop.signal,
			onStep: step => step === 'filter' && stop.abort(),
		});
		expect(result).toMatchObject({state: 'rule only', failure: {code: 'interrupted'}});
		expect(await testZone.readState()).toEqual({filters: [filter], rules: []});
	});

	test('checks the state after a lost answer', async () => {
		const {at: testZone, rule, rules} = await createZoneWith(['block']);
		testZone.setFaults('method=DELETE lost-answer');
		expect(await remove(testZone, rule, rules)).toMatchObject({state: 'deleted', filter: {state: 'deleted'}});
		expect(await testZone.readState()).toEqual({filters: [], rules: []});
		expect(testZone.listWrites()).toHaveLength(2);
	});

	test.each([
		['rule', '/firewall/rules'],
		['filter', '/filters'],
	])('reports a lost answer about the %s if nothing can be read', async (what, path) => {
		const {at: testZone, rule, rules} = await createZoneWith(['block']);
		testZone.intercept(async request => {
			if (request.method !== 'DELETE' || !request.url.includes(path)) return undefined;
			testZone.setFaults('method=GET status=403');
			throw new TypeError('fetch failed', {cause: Object.assign(new Error('reset'), {code: 'ECONNRESET'})});
		});
		expect(await remove(testZone, rule, rules)).toMatchObject({state: 'unsure', what});
	});
});
