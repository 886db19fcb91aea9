import {vi} from 'vitest';

/** Calls it until it does not throw; only a test that hangs waits the whole time. */
export const eventually = <Value>(check: () => Value | Promise<Value>): Promise<Value> =>
	vi.waitFor(check, {timeout: 90_000, interval: 10});
