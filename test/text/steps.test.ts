import {describe, expect, it} from 'vitest';
import {runSteps, type Steps, YieldBudget} from '../../source/text/steps.ts';

describe('work in steps', () => {
	it('runs to its end with runSteps', () => {
		const completedSteps: number[] = [];
		function* work(): Steps<string> {
			for (let step = 0; step < 3; step++) {
				completedSteps.push(step);
				yield;
			}
			return 'all';
		}
		expect(runSteps(work())).toBe('all');
		expect(completedSteps).toEqual([0, 1, 2]);
	});
});

describe('a budget', () => {
	it('ends a step after a number of pieces, however they come', () => {
		const budget = new YieldBudget(4);
		expect([1, 1, 1, 1, 1, 3, 9, 2, 2].map(pieces => budget.shouldYield(pieces))).toEqual([
			...[false, false, false, true],
			...[false, true],
			true,
			...[false, true],
		]);
	});
});
