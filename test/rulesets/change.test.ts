import {describe, expect, test} from 'vitest';
import {changeRuleset, type RulesetOutcome} from '../../source/rulesets/change.ts';
import type {RulesetEdit} from '../../source/rulesets/edit.ts';
import {customPhase, type Ruleset, type RulesetRule} from '../../source/rulesets/ruleset.ts';
import {openZone, type TestZone} from '../firewall/support/zone.ts';
import {neverAbortedSignal} from '../service/scripted-transport.ts';
import {
	editAsSomeoneElse,
	findRuleByName,
	listDescriptions,
	putCustomRules,
	readActualCustomRules,
	rule,
} from './support.ts';

/** Each kind of edit, of a ruleset with the rules a, b and c. */
const edits: Readonly<Record<string, (shown: Ruleset) => RulesetEdit>> = {
	add: () => ({kind: 'add', rule: rule('new'), position: {index: 1}}),
	change: shown => ({
		kind: 'change',
		id: findRuleByName(shown, 'b').id,
		rule: {...findRuleByName(shown, 'b'), enabled: false},
	}),
	move: shown => ({kind: 'move', id: findRuleByName(shown, 'c').id, position: {before: ''}}),
	delete: shown => ({kind: 'delete', id: findRuleByName(shown, 'b').id}),
	replace: shown => ({kind: 'replace', rules: shown.rules.toReversed()}),
};

/** What someone else does in between. */
const others: Readonly<Record<string, (now: Ruleset) => RulesetEdit>> = {
	'adds a rule': () => ({kind: 'add', rule: rule('theirs')}),
	'changes the same rule': now => ({
		kind: 'change',
		id: findRuleByName(now, 'b').id,
		rule: {...findRuleByName(now, 'b'), expression: 'http.host eq "theirs.example"'},
	}),
	'changes another rule': now => ({
		kind: 'change',
		id: findRuleByName(now, 'a').id,
		rule: {...findRuleByName(now, 'a'), action: 'managed_challenge'},
	}),
	'deletes another rule': now => ({kind: 'delete', id: findRuleByName(now, 'a').id}),
	'moves another rule': now => ({kind: 'move', id: findRuleByName(now, 'a').id, position: {after: ''}}),
};

async function createZoneWithRules(): Promise<{testZone: TestZone; shown: Ruleset}> {
	const testZone = await openZone();
	return {
		testZone,
		shown: await putCustomRules(
			testZone,
			['a', 'b', 'c'].map(name => rule(name)),
		),
	};
}

const applyEdit = (
	testZone: TestZone,
	baseline: Ruleset | undefined,
	edit: RulesetEdit,
): Promise<RulesetOutcome> =>
	changeRuleset(
		testZone.client,
		{zoneId: testZone.zone.id, phase: customPhase, baseline, edit, inspectCommand: 'ledge rules list'},
		{signal: neverAbortedSignal},
	);

/** Lets someone else write right before the first write of ledge, after its last read. */
function interceptWrites(testZone: TestZone, work: () => Promise<unknown>): void {
	let isFirst = true;
	testZone.intercept(async request => {
		if (request.method === 'GET' || !isFirst) return undefined;
		isFirst = false;
		await work();
		return undefined;
	});
}

describe.each(Object.entries(edits))('%s', (kind, buildEdit) => {
	test('takes one call and leads to the intended rules', async () => {
		const {testZone, shown} = await createZoneWithRules();
		testZone.forgetRequests();
		const outcome = await applyEdit(testZone, shown, buildEdit(shown));
		expect(outcome).toMatchObject({state: 'done', lost: false, concurrentEdits: undefined});
		expect(testZone.listWrites()).toHaveLength(1);
		expect(outcome.state === 'done' && outcome.ruleset).toEqual(await readActualCustomRules(testZone));
	});

	test.each(
		Object.entries(others),
	)('sends nothing if someone else %s first, and reports the change', async (_what, buildOtherEdit) => {
		const {testZone, shown} = await createZoneWithRules();
		const theirs = await editAsSomeoneElse(testZone, buildOtherEdit(shown));
		testZone.forgetRequests();
		const outcome = await applyEdit(testZone, shown, buildEdit(shown));
		expect(outcome).toMatchObject({state: 'changed meanwhile', failure: {code: 'changed_meanwhile'}});
		expect(outcome.state === 'changed meanwhile' && outcome.changes).toHaveLength(1);
		expect(testZone.listWrites()).toEqual([]);
		expect(await readActualCustomRules(testZone)).toEqual(theirs);
	});

	test.each(
		Object.entries(others),
	)('lists the change if someone else %s after the last read, and what is lost', async (_what, buildOtherEdit) => {
		const {testZone, shown} = await createZoneWithRules();
		let theirs: Ruleset | undefined;
		interceptWrites(testZone, async () => {
			theirs = await editAsSomeoneElse(testZone, buildOtherEdit(shown));
		});
		const outcome = await applyEdit(testZone, shown, buildEdit(shown));
		if (outcome.state !== 'done') {
			// The service refuses an edit that names a deleted rule.
			expect(outcome.state).toBe('nothing');
			expect(await readActualCustomRules(testZone)).toEqual(theirs);
			return;
		}
		const {concurrentEdits, ruleset} = outcome;
		expect(concurrentEdits?.changes).toHaveLength(1);
		expect(concurrentEdits?.unexplained).toEqual([]);
		expect(concurrentEdits?.version).toBe(theirs?.version);
		// Each rule that they changed is kept, or reported as overwritten.
		const overwrittenIds = new Set(concurrentEdits?.overwritten.map(change => change.rule.id));
		const isKept = (found: RulesetRule | undefined, theirRule: RulesetRule) =>
			found?.expression === theirRule.expression && found.action === theirRule.action;
		for (const theirRule of theirs?.rules ?? []) {
			const now = ruleset.rules.find(({id}) => id === theirRule.id);
			const isUntouched = shown.rules.some(before => before.id === theirRule.id && isKept(before, theirRule));
			if (!isUntouched && !isKept(now, theirRule)) expect(overwrittenIds).toContain(theirRule.id);
		}
	});

	test.each([
		'lost-answer',
		'status=500',
		'status=429',
		'status=409',
		'status=503',
		'late-status=502',
	])('with %s reports the actual state', async fault => {
		const {testZone, shown} = await createZoneWithRules();
		testZone.forgetRequests();
		testZone.setFaults(`method=${getEditMethod(kind)} ${fault}`);
		const outcome = await applyEdit(testZone, shown, buildEdit(shown));
		expect(testZone.listWrites()).toHaveLength(1);
		const now = await readActualCustomRules(testZone);
		const isChanged = now?.version !== shown.version;
		if (outcome.state === 'done') {
			expect(isChanged).toBe(true);
			expect(outcome.lost).toBe(true);
		} else if (outcome.state === 'nothing') expect(isChanged).toBe(false);
		else expect(outcome.state).toBe('unsure');
	});
});

const getEditMethod = (kind: string): string =>
	({add: 'POST', change: 'PATCH', move: 'PATCH', delete: 'DELETE', replace: 'PUT'})[kind] ?? '';

test('changes made by others after a lost answer do not count as overwritten', async () => {
	const {testZone, shown} = await createZoneWithRules();
	testZone.intercept(async (request, pass) => {
		if (request.method !== 'POST') return undefined;
		await pass();
		await editAsSomeoneElse(testZone, {kind: 'add', rule: rule('theirs')});
		return Response.error();
	});
	const outcome = await applyEdit(testZone, shown, {kind: 'add', rule: rule('new'), position: {index: 1}});
	expect(outcome).toMatchObject({state: 'done', lost: true, rule: {description: 'new'}});
	expect(outcome.state === 'done' && outcome.concurrentEdits).toBeUndefined();
	expect(listDescriptions(await readActualCustomRules(testZone))).toEqual(['new', 'a', 'b', 'c', 'theirs']);
});

test('a result that differs from the intended one is reported', async () => {
	const {testZone, shown} = await createZoneWithRules();
	testZone.intercept(async (request, pass) => {
		if (request.method !== 'POST') return undefined;
		const responseBody = (await (await pass()).json()) as {
			result: {rules: {description: string; enabled: boolean}[]};
		};
		for (const returnedRule of responseBody.result.rules)
			if (returnedRule.description === 'new') returnedRule.enabled = false;
		return Response.json(responseBody);
	});
	const outcome = await applyEdit(testZone, shown, {kind: 'add', rule: rule('new')});
	expect(outcome.state === 'done' && outcome.concurrentEdits?.unexplained.length).toBeGreaterThan(0);
});

test('a first rule creates the entry point', async () => {
	const testZone = await openZone();
	testZone.forgetRequests();
	const outcome = await applyEdit(testZone, undefined, {kind: 'add', rule: rule('new')});
	expect(outcome).toMatchObject({state: 'done', rule: {description: 'new'}, concurrentEdits: undefined});
	expect(testZone.listWrites()).toMatchObject([
		{method: 'POST', path: `/zones/${testZone.zone.id}/rulesets`},
	]);
});

test('an unknown outcome can be checked again later', async () => {
	const {testZone, shown} = await createZoneWithRules();
	let isSent = false;
	testZone.intercept(async (request, pass) => {
		if (request.method === 'POST') {
			isSent = true;
			await pass();
			return Response.error();
		}
		return isSent ? Response.error() : undefined;
	});
	const outcome = await applyEdit(testZone, shown, {kind: 'add', rule: rule('new')});
	if (outcome.state !== 'unsure') throw new Error(`It is ${outcome.state}.`);
	testZone.intercept(() => undefined);
	expect(await outcome.lookAgain(testZone.client, {signal: neverAbortedSignal})).toMatchObject({
		state: 'done',
		lost: true,
		rule: {description: 'new'},
	});
});
