import {describe, expect, test} from 'vitest';
import {createEmergencyRule, readStateBeforeEmergency} from '../../../source/firewall/rules/emergency.ts';
import type {EmergencyDraft} from '../../../source/firewall/rules/emergency-draft.ts';
import {createScriptedClock, neverAbortedSignal} from '../../service/scripted-transport.ts';
import {breakConnection, openZone, type TestZone} from '../support/zone.ts';

const expression = 'ip.src in {192.0.2.0/24}';
const draft: EmergencyDraft = {filter: {expression}, action: 'block'};
const id = 'a'.repeat(32);

const createRefusal =
	(status: number, ...errors: readonly object[]) =>
	() =>
		Response.json({success: false, errors, messages: [], result: null}, {status});
const createAcceptance = (result?: unknown) => () =>
	Response.json({success: true, errors: [], messages: [], result});
const rule = (more: object) => [{id, action: 'block', paused: false, priority: null, ...more}];
const quota = {message: 'The zone has reached the maximum number of firewall rules.'};

/** Responses to the combined call that report the quota, or nothing that can be understood. */
const unclearResponses: Readonly<Record<string, () => Response | Promise<Response>>> = {
	'200, refused for the quota': createRefusal(200, quota),
	'200, refused without a word': createRefusal(200),
	'200, empty': () => new Response(''),
	'200, damaged': () => new Response('{'),
	'200, without a result': createAcceptance(),
	'200, with null': createAcceptance(null),
	'200, with an empty list': createAcceptance([]),
	'200, with a rule that has no filter': createAcceptance(rule({})),
	'200, with a rule of another action': createAcceptance(
		rule({action: 'allow', filter: {id, expression, paused: false}}),
	),
	'200, with a rule of another expression': createAcceptance(
		rule({filter: {id, expression: 'ssl', paused: false}}),
	),
	'200, with a paused rule': createAcceptance(rule({paused: true, filter: {id, expression, paused: false}})),
	'204': () => new Response(null, {status: 204}),
	'302': () => new Response('', {status: 302, headers: {location: 'https://elsewhere.example'}}),
	'400 for the quota': createRefusal(400, quota),
	'400 without a word': createRefusal(400),
	'403 for the quota': createRefusal(403, {code: 10_999, ...quota}),
	'403 without a word': createRefusal(403),
	'403 of the edge': () => new Response('<html>', {status: 403, headers: {'content-type': 'text/html'}}),
	'409 for the quota': createRefusal(409, quota),
	'422 for the quota': createRefusal(422, quota),
	'500': createRefusal(500, {message: 'oops'}),
	'502 of a gateway': () => new Response('<html>', {status: 502}),
	'503 without a word': createRefusal(503),
	'504': createRefusal(504, {message: 'timeout'}),
	'no answer': breakConnection,
};

/** Responses that give a reason other than the quota. */
const clearRefusals: typeof unclearResponses = {
	'400': createRefusal(400, {code: 10_001, message: 'no such thing'}),
	'404': createRefusal(404, {code: 7003, message: 'Could not route'}),
	'405': createRefusal(405, {message: 'method not allowed'}),
	'409': createRefusal(409, {message: 'conflict'}),
	'413': createRefusal(413, {message: 'too large'}),
};

const effects = {
	'nothing was made': async () => {},
	'the filter was made': (testZone: TestZone) => testZone.createFilter(expression),
	'both were made': async (testZone: TestZone) =>
		testZone.createRule(await testZone.createFilter(expression), {action: 'block'}),
};

/** Sends the block to a zone that allows five rules. The call has this effect, then gets this response. */
async function sendBlock(
	createResponse: () => Response | Promise<Response>,
	effect: keyof typeof effects,
	{isFull = false, isRead = true}: {readonly isFull?: boolean; readonly isRead?: boolean} = {},
) {
	const testZone = await openZone('free', {clock: createScriptedClock()});
	for (let number = 0; isFull && number < 5; number++)
		await testZone.createRule(await testZone.createFilter(`http.request.uri.path eq "/${number}"`), {
			action: 'block',
		});
	const before = isRead
		? await readStateBeforeEmergency(testZone.client, testZone.zone, draft, neverAbortedSignal)
		: undefined;
	testZone.intercept(async ({method}) => {
		if (method !== 'POST') return undefined;
		await effects[effect](testZone);
		return createResponse();
	});
	const result = await createEmergencyRule(testZone.client, testZone.zone, draft, {
		signal: neverAbortedSignal,
		before,
	});
	const {filters, rules} = await testZone.readState();
	const hasExpression = (one: object) => 'expression' in one && one.expression === expression;
	return {
		result,
		hasFilter: filters.some(hasExpression),
		hasRule: rules.some(({filter}) => hasExpression(filter)),
		failure: 'failure' in result ? result.failure : undefined,
	};
}

describe.each(Object.keys(effects) as (keyof typeof effects)[])('%s', effect => {
	test.each(
		Object.keys({...unclearResponses, ...clearRefusals}),
	)('%s: the report matches what exists', async name => {
		const createResponse = clearRefusals[name] ?? unclearResponses[name] ?? breakConnection;
		for (const isRead of [true, false]) {
			const {result, hasFilter, hasRule, failure} = await sendBlock(createResponse, effect, {isRead});
			expect(result.state === 'created').toBe(hasRule);
			const left = failure?.details.left ?? '';
			if (hasFilter) expect(left).not.toContain('neither the filter nor the rule');
			if (failure?.details.outcomeUnknown) expect(left).not.toContain('Nothing was created');
			expect(failure?.next ?? '').not.toMatch(/again\. Then/);
		}
	});
});

describe.each(['nothing was made', 'the filter was made'] as const)('in a full zone, if %s', effect => {
	test.each(
		Object.entries(unclearResponses),
	)('%s: one next step is suggested, other than sending it again', async (_name, createResponse) => {
		const {failure, hasRule} = await sendBlock(createResponse, effect, {isFull: true});
		expect(hasRule).toBe(false);
		expect(failure?.next).not.toMatch(/send (it )?again/i);
		expect(failure?.next?.match(/ledge firewall/g)).toHaveLength(1);
		expect(failure?.next).toContain('--custom-rule');
	});
});

test('a quota reported by the service overrides a larger one known to ledge', async () => {
	const createResponse = unclearResponses['403 for the quota'] ?? breakConnection;
	const {failure} = await sendBlock(createResponse, 'the filter was made');
	expect(failure).toMatchObject({code: 'plan_lacks'});
	expect(failure?.next).toContain('--custom-rule');
});
