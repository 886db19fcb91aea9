import {describe, expect, test} from 'vitest';
import {describeEarlierRules} from '../../../source/firewall/rules/earlier-rules.ts';
import type {EmergencyDraft} from '../../../source/firewall/rules/emergency-draft.ts';
import {findRulesBeforeDraft, listEmergencyLimits} from '../../../source/firewall/rules/emergency-limits.ts';
import type {Rule} from '../../../source/firewall/rules/rule.ts';

const zone = {name: 'a.example'};
const block: EmergencyDraft = {action: 'block', filter: {expression: 'ssl'}};

const rule = (id: string, settings: Partial<Rule> = {}): Rule => ({
	id,
	paused: false,
	action: 'allow',
	priority: null,
	filter: {id: `f-${id}`, expression: 'ssl', paused: false},
	...settings,
});

const getIdsBefore = (draft: EmergencyDraft, rules: readonly Rule[]) =>
	findRulesBeforeDraft(draft, rules).map(({id}) => id);

describe('the rules that exempt requests from an emergency rule', () => {
	test('are those that allow or challenge and run before it, in order', () => {
		const rules = [rule('challenge', {action: 'js_challenge'}), rule('allow'), rule('first', {priority: 5})];
		expect(getIdsBefore(block, rules)).toEqual(['first', 'allow', 'challenge']);
	});

	test('do not include rules that end nothing or that block', () => {
		const rules = ['log', 'bypass', 'block'].map(action => rule(action, {action, priority: 1}));
		expect(getIdsBefore(block, rules)).toEqual([]);
	});

	test('do not include inactive rules: paused, or with a paused or deleted filter', () => {
		const rules = [
			rule('paused', {paused: true}),
			rule('filter paused', {filter: {id: 'f', expression: 'ssl', paused: true}}),
			rule('filter deleted', {filter: {id: 'f', deleted: true}}),
		];
		expect(getIdsBefore(block, rules)).toEqual([]);
	});

	test('with a priority are only those with a smaller one, or the same one and an earlier action', () => {
		const rules = [
			rule('none'),
			rule('2', {priority: 2}),
			rule('1', {priority: 1}),
			rule('0', {priority: 0}),
		];
		expect(getIdsBefore({...block, priority: 1}, rules)).toEqual(['0', '1']);
	});

	test('for a challenge do not include rules that block or whose action runs later', () => {
		const rules = [rule('allow'), rule('js', {action: 'js_challenge'})];
		expect(getIdsBefore({...block, action: 'challenge'}, rules)).toEqual(['allow']);
	});
});

test('three earlier rules are named with the requests they take, and the others are counted', () => {
	const rules = [
		rule('a', {description: 'Office'}),
		rule('b', {action: 'managed_challenge'}),
		rule('c', {action: 'teleport', priority: 1}),
		rule('d', {filter: {id: 'f', expression: 'ssl and http.host eq "b.example"', paused: false}}),
	];
	expect(describeEarlierRules(findRulesBeforeDraft(block, rules))).toEqual([
		"Rule c (teleport) runs first; ledge doesn't know its action teleport.",
		'Rule a (allow, "Office") runs first and lets all of these requests through.',
		'Rule d (allow) runs first and lets through requests that match: ssl and http.host eq "b.example"',
		'1 more earlier rule matches some of these requests.',
	]);
});

test('rules that match none of the requests are not named', () => {
	const other = rule('a', {filter: {id: 'f', expression: 'ip.src eq 192.0.2.1', paused: false}});
	const one: EmergencyDraft = {action: 'block', filter: {expression: 'ip.src eq 192.0.2.2'}};
	expect(getIdsBefore(one, [other])).toEqual([]);
});

test.each([
	['block', 3],
	['challenge', 4],
] as const)('the things that a %s does not protect from are listed', (action, count) => {
	const limits = listEmergencyLimits({action}, zone);
	expect(limits).toHaveLength(count);
	expect(limits.join(' ').includes('pass the challenge')).toBe(action === 'challenge');
});
