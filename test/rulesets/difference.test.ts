import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {describeRuleChange} from '../../source/rulesets/change-words.ts';
import {
	findOverwrittenChanges,
	isIdenticalRule,
	listRuleChanges,
	listRuleDifferences,
} from '../../source/rulesets/difference.ts';
import {applyRulesetEdit, restoreRulesetRules} from '../../source/rulesets/edit.ts';
import type {RulesetRule} from '../../source/rulesets/ruleset.ts';
import {getRunCount} from '../support/full.ts';

const createRule = (id: string, action = 'block'): RulesetRule => ({
	id,
	ref: id,
	action,
	expression: 'ssl',
	enabled: true,
});
const letters = fc.uniqueArray(fc.constantFrom(...'abcdef'), {maxLength: 6});
const ruleset = letters.chain(ids =>
	fc
		.array(fc.constantFrom('block', 'log'), {minLength: ids.length, maxLength: ids.length})
		.map(actions => ids.map((id, index) => createRule(id, actions[index]))),
);

describe('the difference', () => {
	test('between two states leads from one to the other with as few moves as possible', () => {
		fc.assert(
			fc.property(ruleset, ruleset, (before, after) => {
				const changes = listRuleChanges(before, after);
				const removed = new Set(
					changes.flatMap(change => (change.kind === 'removed' ? [change.rule.id] : [])),
				);
				const moved = new Set(changes.flatMap(change => (change.kind === 'moved' ? [change.rule.id] : [])));
				let rules = before.filter(({id}) => !removed.has(id) && !moved.has(id));
				for (const change of changes) {
					if (change.kind === 'changed')
						rules = rules.map(one => (one.id === change.rule.id ? change.rule : one));
					if (change.kind === 'added' || change.kind === 'moved')
						rules = rules.toSpliced(change.position - 1, 0, change.rule);
				}
				expect(rules).toEqual(after);
				expect(moved.size).toBe(countLeastMoves(before, after));
			}),
			{numRuns: getRunCount(2000)},
		);
	});

	test('after an edit of an outdated list names the lost changes of others, and none that are still there', () => {
		fc.assert(
			fc.property(ruleset, ruleset, ruleset, (before, theirs, now) => {
				const named = new Set(
					findOverwrittenChanges(before, theirs, now).map(({kind, rule}) => `${kind} ${rule.id}`),
				);
				const currentRules = new Map(now.map(rule => [rule.id, rule]));
				for (const {kind, rule} of listRuleChanges(before, theirs)) {
					const found = currentRules.get(rule.id);
					const isNamed = named.has(`${kind} ${rule.id}`);
					if (kind === 'added') expect(isNamed).toBe(found === undefined);
					if (kind === 'removed') expect(isNamed).toBe(found !== undefined);
					if (kind === 'changed') expect(isNamed).toBe(!found || !isIdenticalRule(found, rule));
				}
				expect(findOverwrittenChanges(before, theirs, theirs)).toEqual([]);
			}),
			{numRuns: getRunCount(1000)},
		);
	});

	test('ignores fields that the service fills in', () => {
		const given: RulesetRule = {action: 'skip', action_parameters: {ruleset: 'current'}, expression: 'ssl'};
		expect(
			isIdenticalRule(given, {
				...given,
				id: 'a',
				ref: 'a',
				description: '',
				enabled: true,
				logging: {enabled: true},
			}),
		).toBe(true);
		const execute: RulesetRule = {action: 'execute', action_parameters: {id: 'x'}, expression: 'true'};
		expect(isIdenticalRule(execute, {...execute, action_parameters: {id: 'x', version: 'latest'}})).toBe(
			true,
		);
		expect(isIdenticalRule(execute, {...execute, action_parameters: {id: 'x', version: '3'}})).toBe(false);
		expect(isIdenticalRule(given, {...given, logging: {enabled: false}})).toBe(false);
	});
});

/** Counts the common rules outside of the longest series in the same order, trying all subsets. */
function countLeastMoves(before: readonly RulesetRule[], after: readonly RulesetRule[]): number {
	const indexes = after.map(({id}) => before.findIndex(one => one.id === id)).filter(place => place >= 0);
	let longest = 0;
	for (let choice = 0; choice < 2 ** indexes.length; choice++) {
		const chosen = indexes.filter((_, index) => (choice >> index) & 1);
		if (chosen.every((place, index) => index === 0 || place > (chosen[index - 1] ?? 0)))
			longest = Math.max(longest, chosen.length);
	}
	return indexes.length - longest;
}

test('an edit keeps every rule it does not name', () => {
	fc.assert(
		fc.property(ruleset, fc.constantFrom(...'abcdef'), fc.nat({max: 8}), (rules, id, index) => {
			const ids = (all: readonly RulesetRule[]) => all.map(rule => rule.id).toSorted();
			for (const position of [{index}, {before: id}, {after: id}, {before: ''}, {after: ''}])
				expect(ids(applyRulesetEdit(rules, {kind: 'move', id: rules[0]?.id ?? 'none', position}))).toEqual(
					ids(rules),
				);
			expect(applyRulesetEdit(rules, {kind: 'delete', id})).toEqual(rules.filter(rule => rule.id !== id));
			expect(
				applyRulesetEdit(rules, {kind: 'change', id, rule: createRule('x', 'log')}).map(rule => rule.id),
			).toEqual(rules.map(rule => rule.id));
		}),
		{numRuns: getRunCount(500)},
	);
});

describe('the difference of a rule', () => {
	const before = {
		...createRule('1'),
		description: 'Office',
		action_parameters: {response: {status_code: 404}},
	};

	test('names each field that differs, also nested ones, and never the defaults of the service', () => {
		const after = {
			...before,
			action: 'log',
			expression: 'not ssl',
			description: '',
			enabled: false,
			logging: {enabled: false},
			action_parameters: {response: {status_code: 403, content: 'no'}},
		};
		expect(listRuleDifferences(before, after)).toEqual([
			'state: active → paused',
			'action: block → log',
			'expression: ssl → not ssl',
			'description: Office → none',
			'response.status_code: 404 → 403',
			'response.content: none → no',
		]);
		expect(listRuleDifferences(before, {...before, logging: {enabled: false}})).toEqual([]);
	});

	test('is described under the current name, with what the rule does if the expression stays', () => {
		const change = {kind: 'changed', before, position: 1} as const;
		expect(describeRuleChange({...change, rule: {...before, description: 'Home'}}, 'planned')).toBe(
			'1 (Office) will be changed: description: Office → Home (block ssl)',
		);
		expect(describeRuleChange({...change, rule: {...before, expression: 'not ssl', action: 'log'}})).toBe(
			'1 (Office) was changed: action: block → log; expression: ssl → not ssl',
		);
	});
});

describe('restoring a state whose rules have other ids now', () => {
	const earlier = [
		{...createRule('1'), description: 'Office'},
		{...createRule('2'), expression: 'two'},
		{...createRule('3'), expression: 'three', description: 'Logins'},
		{...createRule('4'), expression: 'four', description: 'Gone'},
		{...createRule('5'), expression: 'five', ref: 'own'},
	];
	const current = [
		{...createRule('12'), expression: 'two'},
		{...createRule('11'), description: 'Office'},
		{...createRule('13', 'log'), expression: 'other', description: 'Logins'},
		{...createRule('15', 'log'), expression: 'changed', ref: 'own'},
	];

	test('moves and changes the same rules, and only adds those that are gone', () => {
		const restored = restoreRulesetRules(current, earlier);
		expect(restored.map(({id, ref}) => [id, ref])).toEqual([
			['11', '11'],
			['12', '12'],
			['13', '13'],
			[undefined, undefined],
			['15', 'own'],
		]);
		expect(listRuleChanges(current, restored).map(({kind, rule: {id}}) => [kind, id])).toEqual([
			['moved', '11'],
			['changed', '13'],
			['added', undefined],
			['changed', '15'],
		]);
	});

	test('a description of several rules says nothing', () => {
		const [, , logins] = earlier;
		const other = {...createRule('13', 'log'), expression: 'other', description: 'Logins'};
		const restored = restoreRulesetRules([other, {...other, id: '14', ref: '14'}], logins ? [logins] : []);
		expect(restored.map(({id}) => id)).toEqual([undefined]);
	});
});
