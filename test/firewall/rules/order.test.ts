import {describe, expect, test} from 'vitest';
import {
	computeFirstPriority,
	describeFirstPriority,
	sortForEvaluation,
} from '../../../source/firewall/rules/order.ts';
import type {Rule} from '../../../source/firewall/rules/rule.ts';

const rule = (priority: number | null, action = 'allow'): Rule => ({
	id: `${action} ${priority}`,
	paused: false,
	action,
	priority,
	filter: {id: 'f', deleted: true},
});

describe('the priority that runs first', () => {
	test.each([
		['there are no rules', [], 1],
		['no rule has one', [null, null], 1],
		['all have greater ones', [10, 20, null], 1],
		['another one has 2', [2, 20], 1],
		['another one has 1', [1, 20, null], 0],
	] as const)('is right if %s', (_what, others, first) => {
		const rules = others.map(priority => rule(priority));
		expect(computeFirstPriority(rules)).toEqual({priority: first, ties: []});
		const newRule = rule(first, 'block');
		expect(sortForEvaluation([...rules, newRule])[0]).toBe(newRule);
	});

	test('is 0 and tied if another rule has 0, and that rule is named', () => {
		const rules = [rule(0), rule(5)];
		expect(computeFirstPriority(rules)).toEqual({priority: 0, ties: [rules[0]]});
	});
});

describe('the sentence about running first', () => {
	test.each([
		['there are no rules', [], 1, true, 'Priority 1, before all other rules: there are no other rules.'],
		[
			'no rule has a priority',
			[null],
			1,
			true,
			'Priority 1, before all other rules: no other rule has a priority, and rules without one run last.',
		],
		[
			'the lowest is 1',
			[1, 20, null],
			0,
			true,
			'Priority 0, before all other rules: below the current lowest, 1.',
		],
		[
			'the lowest is 10',
			[10, 20],
			1,
			true,
			'Priority 1, before all other rules: below the current lowest, 10.',
		],
		[
			'the lowest is 0',
			[0, 20],
			0,
			false,
			'No priority is lower than 0, and rule allow 0 (allow) already has it: among equal priorities the action decides, and block runs last.',
		],
	] as const)('is right if %s', (_what, others, priority, isFirst, sentence) => {
		const rules = others.map(one => rule(one));
		expect(describeFirstPriority(rules, 'block')).toEqual({priority, isFirst, sentence});
		if (isFirst) {
			const newRule = rule(priority, 'block');
			expect(sortForEvaluation([...rules, newRule])[0]).toBe(newRule);
		}
	});

	test('says that another block of the smallest priority makes no difference to a block', () => {
		expect(describeFirstPriority([rule(0, 'block'), rule(20)], 'block')).toEqual({
			priority: 0,
			isFirst: true,
			sentence:
				'Priority 0, like 1 other rule with the action block: which of them runs first makes no difference.',
		});
	});

	test('gives the smallest possible priority, as uncertain, if the rules could not be read', () => {
		expect(describeFirstPriority(undefined, 'block')).toMatchObject({priority: 0, isFirst: false});
	});
});
