import {describe, expect, test} from 'vitest';
import {changeRuleset, type RulesetOutcome} from '../../source/rulesets/change.ts';
import type {RulesetEdit} from '../../source/rulesets/edit.ts';
import {customPhase, type Ruleset, type RulesetRule} from '../../source/rulesets/ruleset.ts';
import {openZone, type TestZone} from '../firewall/support/zone.ts';
import {never} from '../service/scripted-transport.ts';
import {byOthers, customRulesOf, namesOf, rule, ruleNamed, withCustomRules} from './support.ts';

/** Each kind of edit, of a ruleset with the rules a, b and c. */
const edits: Readonly<Record<string, (shown: Ruleset) => RulesetEdit>> = {
	add: () => ({kind: 'add', rule: rule('new'), position: {index: 1}}),
	change: shown => ({
		kind: 'change',
		id: ruleNamed(shown, 'b').id,
		rule: {...ruleNamed(shown, 'b'), enabled: false},
	}),
	move: shown => ({kind: 'move', id: ruleNamed(shown, 'c').id, position: {before: ''}}),
	delete: shown => ({kind: 'delete', id: ruleNamed(shown, 'b').id}),
	replace: shown => ({kind: 'replace', rules: shown.rules.toReversed()}),
};

/** What someone else does in between. */
const others: Readonly<Record<string, (now: Ruleset) => RulesetEdit>> = {
	'adds a rule': () => ({kind: 'add', rule: rule('theirs')}),
	'changes the same rule': now => ({
		kind: 'change',
		id: ruleNamed(now, 'b').id,
		rule: {...ruleNamed(now, 'b'), expression: 'http.host eq "theirs.example"'},
	}),
	'changes another rule': now => ({
		kind: 'change',
		id: ruleNamed(now, 'a').id,
		rule: {...ruleNamed(now, 'a'), action: 'managed_challenge'},
	}),
	'deletes another rule': now => ({kind: 'delete', id: ruleNamed(now, 'a').id}),
	'moves another rule': now => ({kind: 'move', id: ruleNamed(now, 'a').id, position: {after: ''}}),
};

async function zoneWithRules(): Promise<{at: TestZone; shown: Ruleset}> {
	const at = await openZone();
	return {
		at,
		shown: await withCustomRules(
			at,
			['a', 'b', 'c'].map(name => rule(name)),
		),
	};
}

const make = (at: TestZone, baseline: Ruleset | undefined, edit: RulesetEdit): Promise<RulesetOutcome> =>
	changeRuleset(
		at.client,
		{zoneId: at.zone.id, phase: customPhase, baseline, edit, inspectCommand: 'ledge rules list'},
		{signal: never},
	);

/** Lets someone else write right before the first write of ledge, behind its last look. */
function interceptWrites(at: TestZone, work: () => Promise<unknown>): void {
	let isFirst = true;
	at.intercept(async request => {
		if (request.method === 'GET' || !isFirst) return undefined;
		isFirst = false;
		await work();
		return undefined;
	});
}

describe.each(Object.entries(edits))('%s', (kind, editOf) => {
	test('takes one call and leads to the intended rules', async () => {
		const {at, shown} = await zoneWithRules();
		at.forget();
		const outcome = await make(at, shown, editOf(shown));
		expect(outcome).toMatchObject({state: 'done', lost: false, concurrentEdits: undefined});
		expect(at.writes()).toHaveLength(1);
		expect(outcome.state === 'done' && outcome.ruleset).toEqual(await customRulesOf(at));
	});

	test.each(
		Object.entries(others),
	)('sends nothing if someone else %s first, and reports the change', async (_what, doing) => {
		const {at, shown} = await zoneWithRules();
		const theirs = await byOthers(at, doing(shown));
		at.forget();
		const outcome = await make(at, shown, editOf(shown));
		expect(outcome).toMatchObject({state: 'changed meanwhile', failure: {code: 'changed_meanwhile'}});
		expect(outcome.state === 'changed meanwhile' && outcome.changes).toHaveLength(1);
		expect(at.writes()).toEqual([]);
		expect(await customRulesOf(at)).toEqual(theirs);
	});

	test.each(
		Object.entries(others),
	)('lists the change if someone else %s after the last look, and can restore what was overwritten', async (_what, doing) => {
		const {at, shown} = await zoneWithRules();
		let theirs: Ruleset | undefined;
		interceptWrites(at, async () => {
			theirs = await byOthers(at, doing(shown));
		});
		const outcome = await make(at, shown, editOf(shown));
		if (outcome.state !== 'done') {
			// The service itself refuses a list that names a rule that is gone.
			expect(outcome.state).toBe('nothing');
			expect(await customRulesOf(at)).toEqual(theirs);
			return;
		}
		const {concurrentEdits, ruleset} = outcome;
		expect(concurrentEdits?.changes).toHaveLength(1);
		expect(concurrentEdits?.unexplained).toEqual([]);
		expect(concurrentEdits?.version).toBe(theirs?.version);
		// A rule of theirs is there as they made it, or it is named.
		const named = new Set(concurrentEdits?.overwritten.map(change => change.rule.id));
		const kept = (found: RulesetRule | undefined, was: RulesetRule) =>
			found?.expression === was.expression && found.action === was.action;
		for (const was of theirs?.rules ?? []) {
			const now = ruleset.rules.find(({id}) => id === was.id);
			const isUntouched = shown.rules.some(before => before.id === was.id && kept(before, was));
			if (!isUntouched && !kept(now, was)) expect(named).toContain(was.id);
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
		const {at, shown} = await zoneWithRules();
		at.forget();
		at.faults(`method=${editMethod(kind)} ${fault}`);
		const outcome = await make(at, shown, editOf(shown));
		expect(at.writes()).toHaveLength(1);
		const now = await customRulesOf(at);
		const isChanged = now?.version !== shown.version;
		if (outcome.state === 'done') {
			expect(isChanged).toBe(true);
			expect(outcome.lost).toBe(true);
		} else if (outcome.state === 'nothing') expect(isChanged).toBe(false);
		else expect(outcome.state).toBe('unsure');
	});
});

const editMethod = (kind: string): string =>
	({add: 'POST', change: 'PATCH', move: 'PATCH', delete: 'DELETE', replace: 'PUT'})[kind] ?? '';

test('changes made by others after a lost answer do not count as overwritten', async () => {
	const {at, shown} = await zoneWithRules();
	at.intercept(async (request, pass) => {
		if (request.method !== 'POST') return undefined;
		await pass();
		await byOthers(at, {kind: 'add', rule: rule('theirs')});
		return Response.error();
	});
	const outcome = await make(at, shown, {kind: 'add', rule: rule('new'), position: {index: 1}});
	expect(outcome).toMatchObject({state: 'done', lost: true, rule: {description: 'new'}});
	expect(outcome.state === 'done' && outcome.concurrentEdits).toBeUndefined();
	expect(namesOf(await customRulesOf(at))).toEqual(['new', 'a', 'b', 'c', 'theirs']);
});

test('a result that differs from the intended one is reported', async () => {
	const {at, shown} = await zoneWithRules();
	at.intercept(async (request, pass) => {
		if (request.method !== 'POST') return undefined;
		const answer = (await (await pass()).json()) as {
			result: {rules: {description: string; enabled: boolean}[]};
		};
		for (const made of answer.result.rules) if (made.description === 'new') made.enabled = false;
		return Response.json(answer);
	});
	const outcome = await make(at, shown, {kind: 'add', rule: rule('new')});
	expect(outcome.state === 'done' && outcome.concurrentEdits?.unexplained.length).toBeGreaterThan(0);
});

test('a first rule creates the entry point', async () => {
	const at = await openZone();
	at.forget();
	const outcome = await make(at, undefined, {kind: 'add', rule: rule('new')});
	expect(outcome).toMatchObject({state: 'done', rule: {description: 'new'}, concurrentEdits: undefined});
	expect(at.writes()).toMatchObject([{method: 'POST', path: `/zones/${at.zone.id}/rulesets`}]);
});

test('a doubt can be checked again later', async () => {
	const {at, shown} = await zoneWithRules();
	let isSent = false;
	at.intercept(async (request, pass) => {
		if (request.method === 'POST') {
			isSent = true;
			await pass();
			return Response.error();
		}
		return isSent ? Response.error() : undefined;
	});
	const outcome = await make(at, shown, {kind: 'add', rule: rule('new')});
	if (outcome.state !== 'unsure') throw new Error(`It is ${outcome.state}.`);
	at.intercept(() => undefined);
	expect(await outcome.lookAgain(at.client, {signal: never})).toMatchObject({
		state: 'done',
		lost: true,
		rule: {description: 'new'},
	});
});
