import {describe, expect, test} from 'vitest';
import {createEmergencyRule, readStateBeforeEmergency} from '../../../source/firewall/rules/emergency.ts';
import type {EmergencyDraft} from '../../../source/firewall/rules/emergency-draft.ts';
import {never, scriptedClock} from '../../service/scripted-transport.ts';
import {broken, openZone, type TestZone} from '../support/zone.ts';

const expression = 'ip.src in {192.0.2.0/24}';
const draft: EmergencyDraft = {filter: {expression}, action: 'block'};
const id = 'a'.repeat(32);

const refusing =
	(status: number, ...errors: readonly object[]) =>
	() =>
		Response.json({success: false, errors, messages: [], result: null}, {status});
const accepting = (result?: unknown) => () =>
	Response.json({success: true, errors: [], messages: [], result});
const rule = (more: object) => [{id, action: 'block', paused: false, priority: null, ...more}];
const quota = {message: 'The zone has reached the maximum number of firewall rules.'};

/** Answers to the combined call that say that there is no room, or nothing that can be understood. */
const silent: Readonly<Record<string, () => Response | Promise<Response>>> = {
	'200, refused for the quota': refusing(200, quota),
	'200, refused without a word': refusing(200),
	'200, empty': () => new Response(''),
	'200, damaged': () => new Response('{'),
	'200, without a result': accepting(),
	'200, with null': accepting(null),
	'200, with an empty list': accepting([]),
	'200, with a rule that has no filter': accepting(rule({})),
	'200, with a rule of another action': accepting(
		rule({action: 'allow', filter: {id, expression, paused: false}}),
	),
	'200, with a rule of another expression': accepting(rule({filter: {id, expression: 'ssl', paused: false}})),
	'200, with a paused rule': accepting(rule({paused: true, filter: {id, expression, paused: false}})),
	'204': () => new Response(null, {status: 204}),
	'302': () => new Response('', {status: 302, headers: {location: 'https://elsewhere.example'}}),
	'400 for the quota': refusing(400, quota),
	'400 without a word': refusing(400),
	'403 for the quota': refusing(403, {code: 10_999, ...quota}),
	'403 without a word': refusing(403),
	'403 of the edge': () => new Response('<html>', {status: 403, headers: {'content-type': 'text/html'}}),
	'409 for the quota': refusing(409, quota),
	'422 for the quota': refusing(422, quota),
	'500': refusing(500, {message: 'oops'}),
	'502 of a gateway': () => new Response('<html>', {status: 502}),
	'503 without a word': refusing(503),
	'504': refusing(504, {message: 'timeout'}),
	'no answer': broken,
};

/** Answers that name another reason than the quota. */
const worded: typeof silent = {
	'400': refusing(400, {code: 10_001, message: 'no such thing'}),
	'404': refusing(404, {code: 7003, message: 'Could not route'}),
	'405': refusing(405, {message: 'method not allowed'}),
	'409': refusing(409, {message: 'conflict'}),
	'413': refusing(413, {message: 'too large'}),
};

const effects = {
	'nothing was made': async () => {},
	'the filter was made': (at: TestZone) => at.filter(expression),
	'both were made': async (at: TestZone) => at.rule(await at.filter(expression), {action: 'block'}),
};

/** Sends the block to a zone of five rules at most, which is answered like this after that effect. */
async function sendBlock(
	answer: () => Response | Promise<Response>,
	effect: keyof typeof effects,
	{isFull = false, isRead = true}: {readonly isFull?: boolean; readonly isRead?: boolean} = {},
) {
	const at = await openZone('free', {clock: scriptedClock()});
	for (let number = 0; isFull && number < 5; number++)
		await at.rule(await at.filter(`http.request.uri.path eq "/${number}"`), {action: 'block'});
	const before = isRead ? await readStateBeforeEmergency(at.client, at.zone, draft, never) : undefined;
	at.intercept(async ({method}) => {
		if (method !== 'POST') return undefined;
		await effects[effect](at);
		return answer();
	});
	const result = await createEmergencyRule(at.client, at.zone, draft, {signal: never, before});
	const {filters, rules} = await at.truth();
	const has = (one: object) => 'expression' in one && one.expression === expression;
	return {
		result,
		hasFilter: filters.some(has),
		hasRule: rules.some(({filter}) => has(filter)),
		failure: 'failure' in result ? result.failure : undefined,
	};
}

describe.each(Object.keys(effects) as (keyof typeof effects)[])('%s', effect => {
	test.each(Object.keys({...silent, ...worded}))('%s: the report matches what exists', async name => {
		const answer = worded[name] ?? silent[name] ?? broken;
		for (const isRead of [true, false]) {
			const {result, hasFilter, hasRule, failure} = await sendBlock(answer, effect, {isRead});
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
		Object.entries(silent),
	)('%s: one next step is suggested, other than sending it again', async (_name, answer) => {
		const {failure, hasRule} = await sendBlock(answer, effect, {isFull: true});
		expect(hasRule).toBe(false);
		expect(failure?.next).not.toMatch(/send (it )?again/i);
		expect(failure?.next?.match(/ledge firewall/g)).toHaveLength(1);
		expect(failure?.next).toContain('--custom-rule');
	});
});

test('a quota reported by the service overrides a larger one known to ledge', async () => {
	const answer = silent['403 for the quota'] ?? broken;
	const {failure} = await sendBlock(answer, 'the filter was made');
	expect(failure).toMatchObject({code: 'plan_lacks'});
	expect(failure?.next).toContain('--custom-rule');
});
