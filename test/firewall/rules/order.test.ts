import {describe, expect, test} from 'vitest';
import {evaluationOrder, firstPriority} from '../../../source/firewall/rules/order.ts';
import type {Rule} from '../../../source/firewall/rules/rule.ts';

const rule = (priority: number | null, action = 'allow'): Rule => ({
	id: `${action} ${priority}`,
	paused: false,
	action,
	priority,
	filter: {id: 'f', deleted: true},
});

describe('the priority that goes first', () => {
	test.each([
		['there are no rules', [], 1],
		['no rule has one', [null, null], 1],
		['all have greater ones', [10, 20, null], 1],
		['another one has 2', [2, 20], 1],
		['another one has 1', [1, 20, null], 0],
	] as const)('where %s', (_what, others, first) => {
		const rules = others.map(priority => rule(priority));
		expect(firstPriority(rules)).toEqual({priority: first, ties: []});
		const own = rule(first, 'block');
		expect(evaluationOrder([...rules, own])[0]).toBe(own);
	});

	test('where another one has 0 it ties, and these are named', () => {
		const rules = [rule(0), rule(5)];
		expect(firstPriority(rules)).toEqual({priority: 0, ties: [rules[0]]});
	});
});
