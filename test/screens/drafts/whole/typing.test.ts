import {afterEach, expect, test, vi} from 'vitest';
import {drawScreen} from '../../support/screen.tsx';
import {forms, getShownLength, restore, typeNext} from '../../support/typing-ways.ts';

/** Maximum time until typed text is on disk, in milliseconds. */
const maxDelayMs = 1000;
/** Milliseconds between two letters. */
const typingIntervalMs = 50;

afterEach(() => void vi.useRealTimers());

test.each([
	'a value',
	'a rule',
	'an emergency',
] as const)('after %s was typed without a pause, and a crash, the next start restores all but the last second', async what => {
	const {open, name} = forms[what];
	const first = await drawScreen({simulate: true});
	await open(first);
	// Saving ends the pending timer of the real clock.
	first.state().drafts.save();
	vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
	let typed = '';
	while (typed.length * typingIntervalMs < 2.5 * maxDelayMs) {
		typed = await typeNext(first, typed);
		vi.advanceTimersByTime(typingIntervalMs);
		await first.state().drafts.waitForWrites();
	}
	const minRestoredLength = typed.length - maxDelayMs / typingIntervalMs;
	const stateFolder = first.abandon();
	vi.useRealTimers();
	const next = await drawScreen({simulate: true}, {env: {LEDGE_STATE_DIR: stateFolder}});
	await next.waitFor(name);
	expect(next.text()).toContain('just now');
	await restore(next);
	expect(getShownLength(next)).toBeGreaterThanOrEqual(minRestoredLength);
	expect(getShownLength(next)).toBeLessThanOrEqual(typed.length);
	expect(next.text()).toContain(typed.slice(0, 26));
});
