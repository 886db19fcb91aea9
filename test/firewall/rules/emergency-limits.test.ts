import {describe, expect, test} from 'vitest';
import type {EmergencyDraft} from '../../../source/firewall/rules/emergency.ts';
import {emergencyLimits, rulesBefore} from '../../../source/firewall/rules/emergency-limits.ts';
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

const idsBefore = (draft: EmergencyDraft, rules: readonly Rule[]) =>
	rulesBefore(draft, rules).map(({id}) => id);

describe('the rules that let requests past an emergency rule', () => {
	test('are those that allow or challenge and go before it, in their order', () => {
		const rules = [rule('challenge', {action: 'js_challenge'}), rule('allow'), rule('first', {priority: 5})];
		expect(idsBefore(block, rules)).toEqual(['first', 'allow', 'challenge']);
	});

	test('are none that end nothing, or end in a block', () => {
		const rules = ['log', 'bypass', 'block'].map(action => rule(action, {action, priority: 1}));
		expect(idsBefore(block, rules)).toEqual([]);
	});

	test('are none that are not in force: paused, of a paused filter, of a deleted one', () => {
		const rules = [
			rule('paused', {paused: true}),
			rule('filter paused', {filter: {id: 'f', expression: 'ssl', paused: true}}),
			rule('filter deleted', {filter: {id: 'f', deleted: true}}),
		];
		expect(idsBefore(block, rules)).toEqual([]);
	});

	test('are, with a priority, only those of a smaller one, or of the same one and an action that goes first', () => {
		const rules = [
			rule('none'),
			rule('2', {priority: 2}),
			rule('1', {priority: 1}),
			rule('0', {priority: 0}),
		];
		expect(idsBefore({...block, priority: 1}, rules)).toEqual(['0', '1']);
	});

	test('are, for a challenge, no rules that block or that come after it by their action', () => {
		const rules = [rule('allow'), rule('js', {action: 'js_challenge'})];
		expect(idsBefore({...block, action: 'challenge'}, rules)).toEqual(['allow']);
	});
});

describe('what an emergency rule does not protect from', () => {
	const about = (...given: Parameters<typeof emergencyLimits>) =>
		emergencyLimits(...given).map(limit => limit.about);

	test('is always what does not come through the zone, and what was let through before', () => {
		expect(about(block, zone, [], 'firewall rule')).toEqual(['elsewhere', 'past']);
	});

	test('names two of the rules that let through, and counts the others', () => {
		const rules = [rule('a', {description: 'Office'}), rule('b'), rule('c'), rule('d')];
		const [first] = emergencyLimits(block, zone, rules, 'firewall rule');
		expect(first?.sentence).toBe(
			'What the rules allow "Office", allow b and 2 more let through: they go before it.',
		);
	});

	test('says what is only challenged apart from what is let through', () => {
		const rules = [rule('a'), rule('b', {action: 'managed_challenge'})];
		expect(about(block, zone, rules, 'firewall rule').slice(0, 2)).toEqual([
			'let through before',
			'challenged before',
		]);
	});

	test('says so of an action that ledge does not know', () => {
		expect(about(block, zone, [rule('a', {action: 'teleport', priority: 1})], 'firewall rule')[0]).toBe(
			'decided before',
		);
	});

	test('says that the order is not known where the rules were not read', () => {
		expect(about(block, zone, undefined, 'firewall rule')[0]).toBe('order unknown');
	});

	test('has no rules before a custom rule, which goes first', () => {
		expect(about(block, zone, [rule('a')], 'custom rule')).toEqual(['elsewhere', 'past']);
	});

	test('is, of a challenge, whoever passes it', () => {
		expect(about({...block, action: 'challenge'}, zone, [], 'firewall rule')[0]).toBe('challenge');
	});
});
