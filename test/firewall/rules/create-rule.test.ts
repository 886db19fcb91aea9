import {describe, expect, test} from 'vitest';
import {
	formatCreateRuleCommand,
	formatCustomRulesExportCommand,
	formatFirewallListCommand,
} from '../../../source/firewall/commands.ts';
import {buildCreationRequests, createRule} from '../../../source/firewall/rules/create-rule.ts';
import {formatSameCustomRule} from '../../../source/firewall/rules/next-step.ts';
import type {RuleDraft} from '../../../source/firewall/rules/rule.ts';
import {neverAbortedSignal} from '../../service/scripted-transport.ts';
import {breakConnection, openZone, type TestZone} from '../support/zone.ts';

const expression = 'http.request.uri.path eq "/admin" and ip.src ne 192.0.2.1';
const draft: RuleDraft = {filter: {expression}, action: 'block'};

const create = (
	{client, zone}: TestZone,
	given: RuleDraft = draft,
	signal: AbortSignal = neverAbortedSignal,
) => createRule(client, zone, given, {signal});

/** Waits for a creation, and expects it to end in this state. */
async function expectState<State extends string>(
	creation: ReturnType<typeof createRule>,
	state: State,
): Promise<Extract<Awaited<typeof creation>, {state: State}>> {
	const result = await creation;
	expect(result).toMatchObject({state});
	return result as Extract<typeof result, {state: State}>;
}

describe('creating a rule in two calls', () => {
	test('sends a list of one filter, then a list of one rule that names it, and nothing else', async () => {
		const testZone = await openZone();
		const {rule, filter} = await expectState(create(testZone), 'created');
		expect(filter).toBe('made');
		expect(testZone.listWrites()).toEqual([
			{method: 'POST', path: `/zones/${testZone.zone.id}/filters`, body: [{expression}]},
			{
				method: 'POST',
				path: `/zones/${testZone.zone.id}/firewall/rules`,
				body: [{filter: {id: rule.filter.id}, action: 'block'}],
			},
		]);
		// The only read looks for an existing filter with the same expression.
		expect(testZone.listReads()).toHaveLength(1);
		expect((await testZone.readState()).rules).toEqual([rule]);
	});

	test('sends every setting that was given', async () => {
		const testZone = await openZone();
		const {rule} = await expectState(
			create(testZone, {
				filter: {expression, description: 'who may', ref: 'f', paused: true},
				action: 'bypass',
				products: ['waf', 'bic'],
				priority: 7,
				paused: true,
				description: 'around',
				ref: 'r',
			}),
			'created',
		);
		expect(testZone.listWrites().map(({body}) => body)).toEqual([
			[{expression, paused: true, description: 'who may', ref: 'f'}],
			[
				{
					filter: {id: rule.filter.id},
					action: 'bypass',
					products: ['waf', 'bic'],
					priority: 7,
					paused: true,
					description: 'around',
					ref: 'r',
				},
			],
		]);
		expect(rule).toMatchObject({action: 'bypass', products: ['waf', 'bic'], priority: 7, paused: true});
	});

	test('sends the requests shown before, except for the id that only the service knows', async () => {
		const testZone = await openZone();
		const shown = buildCreationRequests(testZone.zone, draft);
		const {rule} = await expectState(create(testZone), 'created');
		expect(JSON.parse(JSON.stringify(shown).replace('<id from step 1>', rule.filter.id))).toEqual(
			testZone.listWrites(),
		);
	});

	test('can share the filter of another rule', async () => {
		const testZone = await openZone();
		const first = await expectState(create(testZone), 'created');
		testZone.forgetRequests();
		const second = create(testZone, {filter: {id: first.rule.filter.id}, action: 'allow'});
		const {rule, filter} = await expectState(second, 'created');
		expect(filter).toBe('reused');
		expect(rule.filter.id).toBe(first.rule.filter.id);
		expect((await testZone.readState()).filters).toHaveLength(1);
	});

	test('creates nothing if the given filter does not exist', async () => {
		const testZone = await openZone();
		const {failure} = await expectState(
			create(testZone, {filter: {id: 'f'.repeat(32)}, action: 'block'}),
			'nothing',
		);
		expect(failure.details.left).toContain('Nothing was created');
		expect(testZone.listWrites()).toEqual([]);
	});
});

describe('if the first call fails', () => {
	test('an existing filter with the same expression is offered, and nothing is created', async () => {
		const testZone = await openZone();
		const existingFilter = await testZone.createFilter(expression);
		const {filterId, failure} = await expectState(create(testZone), 'duplicate');
		expect(filterId).toBe(existingFilter.id);
		expect(failure.next).toContain(formatCreateRuleCommand(testZone.zone, draft, existingFilter.id));
		expect(await testZone.readState()).toEqual({filters: [existingFilter], rules: []});
	});

	test('a duplicate whose id the service does not give is looked up', async () => {
		const testZone = await openZone();
		const existingFilter = await testZone.createFilter(expression);
		testZone.setFaults('method=POST path=/filters status=400 code=10102 message=duplicate');
		expect((await expectState(create(testZone), 'duplicate')).filterId).toBe(existingFilter.id);
	});

	test.each([
		['an expression that does not parse', '', 'ip.src ==== 1'],
		['a zone or token that is refused', 'method=POST path=/filters status=403', expression],
		['429', 'method=POST path=/filters status=429 retry-after=30', expression],
		['410', 'method=POST path=/filters status=410', expression],
	])('%s: nothing is created, and nothing is sent again', async (_name, faults, text) => {
		const testZone = await openZone();
		testZone.setFaults(faults);
		const {failure} = await expectState(
			create(testZone, {filter: {expression: text}, action: 'block'}),
			'nothing',
		);
		expect(failure.details.left).toContain('Nothing was created');
		expect(testZone.listWrites()).toHaveLength(1);
		expect(await testZone.readState()).toEqual({filters: [], rules: []});
	});

	test('an invalid zone id is refused before anything is sent', async () => {
		const testZone = await openZone();
		const result = await createRule(testZone.client, {...testZone.zone, id: '..'}, draft, {
			signal: neverAbortedSignal,
		});
		expect(result).toMatchObject({state: 'nothing', failure: {code: 'usage'}});
		expect(testZone.listWrites()).toEqual([]);
	});

	test('the id of a missing zone creates nothing', async () => {
		const testZone = await openZone();
		const result = await createRule(testZone.client, {...testZone.zone, id: '0'.repeat(32)}, draft, {
			signal: neverAbortedSignal,
		});
		expect(result.state).toBe('nothing');
		expect(await testZone.readState()).toEqual({filters: [], rules: []});
	});

	test('a lost answer: the filter is found, and the rule is created with it', async () => {
		const testZone = await openZone();
		testZone.setFaults('method=POST path=/filters lost-answer times=1');
		const {rule, filter, foundAfterLostResponse} = await expectState(create(testZone), 'created');
		expect({filter, afterDoubt: foundAfterLostResponse}).toEqual({filter: 'found', afterDoubt: true});
		const truth = await testZone.readState();
		expect(truth.rules).toEqual([rule]);
		expect(truth.filters.map(({id}) => id)).toEqual([rule.filter.id]);
		expect(testZone.listWrites()).toHaveLength(2);
	});

	test('a lost answer, and someone else created a different filter meanwhile: it is offered', async () => {
		const testZone = await openZone();
		testZone.intercept(async ({method}) => {
			if (method !== 'POST') return undefined;
			const theirs = await testZone.createFilter(expression);
			await testZone.change('filters', {...theirs, description: 'theirs'});
			return breakConnection();
		});
		const {filterId} = await expectState(create(testZone), 'duplicate');
		expect(await testZone.readState()).toMatchObject({
			filters: [{id: filterId, description: 'theirs'}],
			rules: [],
		});
	});

	test('a broken connection without a filter: ledge says that the filter may still be created', async () => {
		const testZone = await openZone();
		testZone.intercept(request => (request.method === 'POST' ? breakConnection() : undefined));
		const {what, failure} = await expectState(create(testZone), 'unsure');
		expect(what).toBe('filter');
		expect(failure.details.left).toContain('may still take effect');
		expect(failure.details.left).not.toContain('Nothing was created');
	});

	test('410: ledge suggests a custom rule, and no call for firewall rules', async () => {
		const testZone = await openZone();
		testZone.setFaults('method=POST path=/filters status=410');
		const {next} = (await expectState(create(testZone), 'nothing')).failure;
		expect(next).toContain(formatSameCustomRule(testZone.zone, draft, expression));
		expect(next).toContain(formatCustomRulesExportCommand(testZone.zone));
		expect(next).not.toContain('rule create');
	});

	test.each([
		['no reason', {errors: []}, 'often it is the plan of the zone, or a permission'],
		['a reason', {errors: [{message: 'too odd'}]}, 'Correct what the service reports'],
	])('a rejection that names %s is followed by fitting advice', async (_name, json, advice) => {
		const testZone = await openZone();
		const refusal = {success: false, messages: [], result: null, ...json};
		testZone.intercept(({method}) => (method === 'POST' ? Response.json(refusal, {status: 409}) : undefined));
		expect((await expectState(create(testZone), 'nothing')).failure.next).toContain(advice);
	});

	test('a rejection because of the plan is reported as such', async () => {
		const testZone = await openZone('pro');
		const given: RuleDraft = {filter: {expression: 'http.host matches "a+"'}, action: 'block'};
		expect((await expectState(create(testZone, given), 'nothing')).failure.code).toBe('plan_lacks');
	});

	test('an unreadable answer: the filter is found anyway', async () => {
		const testZone = await openZone();
		testZone.setFaults('method=POST path=/filters reset=10 times=1');
		expect((await expectState(create(testZone), 'created')).foundAfterLostResponse).toBe(true);
	});

	test('the service reports a failure before any effect: nothing is created, and ledge says so', async () => {
		const testZone = await openZone();
		testZone.setFaults('method=POST path=/filters status=500');
		const {failure} = await expectState(create(testZone), 'nothing');
		expect(failure.details).toMatchObject({outcomeUnknown: false});
		expect(testZone.listWrites()).toHaveLength(1);
		expect(await testZone.readState()).toEqual({filters: [], rules: []});
	});

	test('a successful answer without an id: the filter is found anyway', async () => {
		const testZone = await openZone();
		testZone.intercept(async (request, pass) => {
			if (request.method !== 'POST' || !request.url.endsWith('/filters')) return undefined;
			await pass();
			return Response.json({success: true, errors: [], messages: [], result: [{}]});
		});
		const {rule, foundAfterLostResponse} = await expectState(create(testZone), 'created');
		expect(foundAfterLostResponse).toBe(true);
		expect((await testZone.readState()).rules).toEqual([rule]);
	});

	test('a lost answer, and the filter is used by other rules: it is offered, not used', async () => {
		const testZone = await openZone();
		const existingFilter = await testZone.createFilter(expression);
		const rule = await testZone.createRule(existingFilter, {action: 'allow'});
		testZone.setFaults('method=POST path=/filters lost-answer times=1');
		expect((await expectState(create(testZone), 'duplicate')).filterId).toBe(existingFilter.id);
		expect((await testZone.readState()).rules).toEqual([rule]);
	});

	test('a lost answer and an unreadable state: both are reported', async () => {
		const testZone = await openZone();
		testZone.setFaults('method=POST path=/filters lost-answer times=1; method=GET status=403 after=1');
		const {what, failure} = await expectState(create(testZone), 'unsure');
		expect(what).toBe('filter');
		expect(failure.details.outcomeUnknown).toBe(true);
		expect(failure.next).toContain('ledge firewall filter list');
	});
});

describe('if the second call fails', () => {
	test.each([
		['the quota', 'method=POST path=/firewall/rules status=403 code=1 message=quota'],
		['a token without permission', 'method=POST path=/firewall/rules status=403'],
		['429', 'method=POST path=/firewall/rules status=429 retry-after=30'],
		['a failure of the service', 'method=POST path=/firewall/rules status=500'],
	])('%s: the filter exists, and ledge prints the command to continue', async (_name, faults) => {
		const testZone = await openZone();
		testZone.setFaults(faults);
		const {filter, wasFilterCreated, failure} = await expectState(create(testZone), 'filter only');
		expect(wasFilterCreated).toBe(true);
		expect(failure.next).toContain(formatCreateRuleCommand(testZone.zone, draft, filter.id));
		expect(failure.details.left).toContain(filter.id);
		const truth = await testZone.readState();
		expect(truth.filters.map(({id}) => id)).toEqual([filter.id]);
		expect(truth.rules).toEqual([]);
		expect(testZone.listWrites()).toHaveLength(2);
	});

	test('a filter that someone deleted between the calls is not reported as existing', async () => {
		const testZone = await openZone();
		testZone.intercept(async request => {
			if (request.method !== 'POST' || !request.url.endsWith('/firewall/rules')) return undefined;
			await testZone.removeFilters();
			return undefined;
		});
		const {failure} = await expectState(create(testZone), 'nothing');
		expect(failure.details.left).toContain('no longer exists');
		expect(await testZone.readState()).toEqual({filters: [], rules: []});
	});

	test('the service enforces the quota of the plan: only the filter is created', async () => {
		const testZone = await openZone('free');
		for (let number = 0; number < 5; number++)
			await testZone.createRule(await testZone.createFilter(`http.request.uri.path eq "/${number}"`), {
				action: 'block',
			});
		const {filter, failure} = await expectState(create(testZone), 'filter only');
		expect(failure).toMatchObject({code: 'plan_lacks', exitCode: 5});
		const truth = await testZone.readState();
		expect(truth.filters.map(({id}) => id)).toContain(filter.id);
		expect(truth.rules).toHaveLength(5);
	});

	test('410: ledge suggests no command that cannot work', async () => {
		const testZone = await openZone();
		testZone.setFaults('method=POST path=/firewall/rules status=410');
		const {next} = (await expectState(create(testZone), 'filter only')).failure;
		expect(next).toContain(formatSameCustomRule(testZone.zone, draft, expression));
		expect(next).not.toContain('--filter-id');
	});

	test('a broken connection without a rule: the rule may still be created, so checking is the first step', async () => {
		const testZone = await openZone();
		testZone.intercept(({method, url}) =>
			method === 'POST' && url.endsWith('/firewall/rules') ? breakConnection() : undefined,
		);
		const {what, filter, failure} = await expectState(create(testZone), 'unsure');
		expect(what).toBe('rule');
		expect(failure.details.left).not.toContain('was not created');
		const next = failure.next ?? '';
		expect(next.indexOf(formatFirewallListCommand(testZone.zone, 'rule'))).toBeGreaterThanOrEqual(0);
		expect(next.indexOf(formatCreateRuleCommand(testZone.zone, draft, filter?.id ?? ''))).toBeGreaterThan(
			next.indexOf(formatFirewallListCommand(testZone.zone, 'rule')),
		);
	});

	test('a lost answer: the rule is found', async () => {
		const testZone = await openZone();
		testZone.setFaults('method=POST path=/firewall/rules lost-answer');
		const {rule, filter, foundAfterLostResponse} = await expectState(create(testZone), 'created');
		expect({filter, afterDoubt: foundAfterLostResponse}).toEqual({filter: 'made', afterDoubt: true});
		expect((await testZone.readState()).rules).toEqual([rule]);
		expect(testZone.listWrites()).toHaveLength(2);
	});

	test('a failure on a shared filter: older rules are not mistaken for the new one', async () => {
		const testZone = await openZone();
		const existingFilter = await testZone.createFilter(expression);
		const olderRule = await testZone.createRule(existingFilter, {action: 'block'});
		testZone.setFaults('method=POST path=/firewall/rules status=500');
		const {wasFilterCreated, failure} = await expectState(
			create(testZone, {filter: existingFilter, action: 'block'}),
			'filter only',
		);
		expect(wasFilterCreated).toBe(false);
		expect(failure.details.left).not.toContain('Created filter');
		expect((await testZone.readState()).rules).toEqual([olderRule]);
	});

	test('a lost answer on a shared filter: the new rule is distinguished from the older one', async () => {
		const testZone = await openZone();
		const existingFilter = await testZone.createFilter(expression);
		const olderRule = await testZone.createRule(existingFilter, {action: 'block'});
		testZone.setFaults('method=POST path=/firewall/rules lost-answer');
		const {rule, filter} = await expectState(
			create(testZone, {filter: existingFilter, action: 'allow'}),
			'created',
		);
		expect(filter).toBe('reused');
		expect(rule.id).not.toBe(olderRule.id);
		expect((await testZone.readState()).rules.map(({id}) => id).sort()).toEqual(
			[olderRule.id, rule.id].sort(),
		);
	});

	test('a failure after someone else added a rule to the filter: their rule is not claimed', async () => {
		const testZone = await openZone();
		testZone.intercept(async request => {
			if (request.method !== 'POST' || !request.url.endsWith('/firewall/rules')) return undefined;
			const [{filter}] = JSON.parse(await request.clone().text());
			await testZone.createRule(filter, {action: 'allow', description: 'of someone else'});
			return new Response('', {status: 500});
		});
		const {failure, filter} = await expectState(create(testZone), 'unsure');
		expect(failure.details.why).toContain('of someone else');
		expect((await testZone.readState()).filters.map(({id}) => id)).toEqual([filter?.id]);
	});

	test('a lost answer and an unreadable state: ledge says so, and names the existing filter', async () => {
		const testZone = await openZone();
		testZone.setFaults('method=POST path=/firewall/rules lost-answer; method=GET status=403 after=1');
		const {what, filter, failure} = await expectState(create(testZone), 'unsure');
		expect(what).toBe('rule');
		expect(failure.details.left).toContain(filter?.id);
		expect((await testZone.readState()).filters.map(({id}) => id)).toEqual([filter?.id]);
	});
});

describe('if it is interrupted', () => {
	test('before anything is sent, nothing is created', async () => {
		const testZone = await openZone();
		const {failure} = await expectState(create(testZone, draft, AbortSignal.abort()), 'nothing');
		expect(failure.code).toBe('interrupted');
		expect(testZone.listWrites()).toEqual([]);
	});

	test('between the calls, the filter exists, and the rule is not sent', async () => {
		const testZone = await openZone();
		const stop = new AbortController();
		const creation = createRule(testZone.client, testZone.zone, draft, {
			signal: stop.signal,
			onStep: step => step === 'rule' && stop.abort(),
		});
		const {filter, failure} = await expectState(creation, 'filter only');
		expect(failure.code).toBe('interrupted');
		expect(failure.next).toContain(formatCreateRuleCommand(testZone.zone, draft, filter.id));
		const truth = await testZone.readState();
		expect(truth.filters.map(({id}) => id)).toEqual([filter.id]);
		expect(truth.rules).toEqual([]);
	});

	test.each([
		['filters', 'filter only'],
		['firewall/rules', 'created'],
	] as const)('during the call for %s, the state is checked and reported', async (path, state) => {
		const testZone = await openZone();
		const stop = new AbortController();
		testZone.intercept(async (request, pass) => {
			if (request.method !== 'POST' || !request.url.endsWith(`/${path}`)) return undefined;
			await pass();
			stop.abort();
			return new Promise<never>(() => {});
		});
		const result = await create(testZone, draft, stop.signal);
		expect(result.state).toBe(state);
		const truth = await testZone.readState();
		expect(truth.filters).toHaveLength(1);
		expect(truth.rules).toHaveLength(state === 'created' ? 1 : 0);
	});
});

test('a planned rule is shown in full and not sent', async () => {
	const shown: unknown[] = [];
	const testZone = await openZone('pro', {
		dryRun: true,
		events: {planned: ({body}) => void shown.push(JSON.parse(body?.content ?? ''))},
	});
	await expectState(create(testZone), 'created');
	expect(shown).toEqual([[{expression}], [{filter: {id: '<id from step 1>'}, action: 'block'}]]);
	expect(testZone.listWrites()).toEqual([]);
});

test('a read-only client creates nothing', async () => {
	const testZone = await openZone('pro', {readOnly: true});
	expect((await expectState(create(testZone), 'nothing')).failure.code).toBe('read_only');
	expect(testZone.listWrites()).toEqual([]);
});

describe('each successful write is reported with its id when it ends', () => {
	const recordWrites = async (testZone: TestZone, given: RuleDraft = draft) => {
		const reportedWrites: string[] = [];
		const result = await createRule(testZone.client, testZone.zone, given, {
			signal: neverAbortedSignal,
			onWritten: one => void reportedWrites.push(one),
		});
		return {done: reportedWrites, result};
	};

	test('for both the filter and the rule', async () => {
		const testZone = await openZone();
		const {done: reportedWrites, result} = await recordWrites(testZone);
		if (result.state !== 'created') throw result.failure;
		expect(reportedWrites).toEqual([
			`create filter ${result.rule.filter.id}`,
			`create rule ${result.rule.id}`,
		]);
	});

	test('for the filter alone if the rule is rejected', async () => {
		const testZone = await openZone();
		testZone.setFaults('method=POST path=/firewall/rules status=429');
		const {done: reportedWrites} = await recordWrites(testZone);
		expect(reportedWrites).toEqual([`create filter ${(await testZone.readState()).filters[0]?.id}`]);
	});

	test('for none if nothing was created, or only planned', async () => {
		const testZone = await openZone();
		testZone.setFaults('method=POST status=429');
		expect((await recordWrites(testZone)).done).toEqual([]);
		expect((await recordWrites(await openZone('pro', {dryRun: true}))).done).toEqual([]);
	});
});
