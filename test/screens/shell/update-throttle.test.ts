import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {createUpdateThrottle} from '../../../source/screens/shell/update-throttle.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('the first value is shown at once, and then the latest value at each interval', () => {
	const shown: number[] = [];
	const {update} = createUpdateThrottle<number>(1000, Date.now, value => void shown.push(value));
	for (const value of [1, 2, 3]) update(value);
	expect(shown).toEqual([1]);
	vi.advanceTimersByTime(999);
	expect(shown).toEqual([1]);
	update(4);
	vi.advanceTimersByTime(1);
	expect(shown).toEqual([1, 4]);
	vi.advanceTimersByTime(5000);
	update(5);
	expect(shown).toEqual([1, 4, 5]);
});

test('a stopped throttle shows no pending value', () => {
	const shown: number[] = [];
	const {update, stop} = createUpdateThrottle<number>(1000, Date.now, value => void shown.push(value));
	update(1);
	update(2);
	stop();
	vi.advanceTimersByTime(5000);
	expect(shown).toEqual([1]);
});
