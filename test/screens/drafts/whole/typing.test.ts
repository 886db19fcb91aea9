import {afterEach, expect, test, vi} from 'vitest';
import {drawnScreen} from '../../support/screen.tsx';
import {forms, lengthOf, restore, typeNext} from '../../support/typing-ways.ts';

/** Milliseconds that what is typed may be behind on disk. */
const behind = 1000;
/** Milliseconds between two letters. */
const pace = 50;

afterEach(() => void vi.useRealTimers());

test.each([
	'a value',
	'a rule',
	'an emergency',
] as const)('after typing %s without a pause and a crash, the next start restores everything but the last second', async what => {
	const {open, name} = forms[what];
	const first = await drawnScreen({simulate: true});
	await open(first);
	// No timer of the real clock is left.
	first.state().drafts.save();
	vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
	let typed = '';
	while (typed.length * pace < 2.5 * behind) {
		typed = await typeNext(first, typed);
		vi.advanceTimersByTime(pace);
		await first.state().drafts.waitForWrites();
	}
	const due = typed.length - behind / pace;
	const left = first.abandon();
	vi.useRealTimers();
	const next = await drawnScreen({simulate: true}, {env: {LEDGE_STATE_DIR: left}});
	await next.waitFor(name);
	expect(next.text()).toContain('just now');
	await restore(next);
	expect(lengthOf(next)).toBeGreaterThanOrEqual(due);
	expect(lengthOf(next)).toBeLessThanOrEqual(typed.length);
	expect(next.text()).toContain(typed.slice(0, 26));
});
