import {onTestFinished, vi} from 'vitest';

type HeldTime = {
	/** Advances the clocks by so many milliseconds, and runs the timers that are due, in order. */
	advance(milliseconds: number): Promise<unknown>;
};

/**
 * Holds the clocks and the timers of this process for the rest of one test: requests that wait to be repeated,
 * seconds on the screen, a key that may have more to come. What comes over a connection still comes by itself.
 */
export function holdTime(): HeldTime {
	// Both clocks continue from where they are: that of `performance` would begin at 0.
	const elapsed = Math.ceil(performance.now());
	vi.useFakeTimers({
		now: Date.now() - elapsed,
		shouldClearNativeTimers: true,
		toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance', 'Date'],
	});
	vi.advanceTimersByTime(elapsed);
	onTestFinished(() => void vi.useRealTimers());
	return {advance: milliseconds => vi.advanceTimersByTimeAsync(milliseconds)};
}
