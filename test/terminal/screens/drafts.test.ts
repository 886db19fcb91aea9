import {expect, test} from 'vitest';
import {scratch} from '../../support/ledge.ts';
import {openScreen, type Screen} from '../screen/open.ts';
import {atFirewall, atKeys} from './ways.ts';

/** Milliseconds that what is typed may be behind on disk. */
const behind = 1000;

/**
 * Types without a pause for a while, each letter as soon as the one before is on the screen; returns all that was
 * typed, and what of it was typed longer ago than a draft may be behind.
 */
async function typeOn(screen: Screen): Promise<{readonly typed: string; readonly due: string}> {
	const times: number[] = [];
	const began = Date.now();
	let typed = '';
	while (Date.now() - began < 2.5 * behind) {
		const letter = String.fromCharCode(97 + (typed.length % 26));
		screen.type(letter);
		typed += letter;
		await screen.waitFor(shown => lengthOf(shown) === typed.length);
		times.push(Date.now());
	}
	const last = times.at(-1) ?? 0;
	return {typed, due: typed.slice(0, times.filter(time => time < last - behind).length)};
}

/** How much text the form in front says that it holds. */
function lengthOf(screen: Pick<Screen, 'text'>): number {
	const [, count = 'NaN'] = /(\d+) (?:of 4,096 characters|bytes?\b)/.exec(screen.text()) ?? [];
	return Number(count);
}

const forms = {
	'a value': {
		async open(screen: Screen) {
			screen.press('n');
			await screen.waitFor('New key');
			screen.type('newone');
			screen.press('enter');
			await screen.waitFor('ctrl-s');
		},
		at: (home: string) => atKeys({home}),
		name: /edit of newone in CONFIG was not saved/,
	},
	'a rule': {
		async open(screen: Screen) {
			screen.press('n');
			await screen.waitFor('0 of 4,096 characters');
		},
		at: (home: string) => atFirewall({home}),
		name: /rule for acme\.example was not sent/,
	},
	'an emergency': {
		async open(screen: Screen) {
			screen.press('!');
			await screen.waitFor('0 of 4,096 characters');
		},
		at: (home: string) => atFirewall({home}),
		name: /emergency for acme\.example was not sent/,
	},
} as const;

test.each([
	['a value', 'SIGKILL'],
	['a rule', 'SIGKILL'],
	['an emergency', 'SIGKILL'],
	['a rule', 'SIGHUP'],
] as const)('typing %s without a pause, and %s: the next start restores it', async (what, signal) => {
	const {at, open, name} = forms[what];
	const home = scratch();
	const first = await at(home);
	await open(first);
	const {typed, due} = await typeOn(first);
	first.kill(signal);
	await (signal === 'SIGKILL' ? first.ended : first.waitForEnd());
	const next = await openScreen(['--simulate'], {home});
	await next.waitFor(name);
	expect(next.text()).toContain('just now');
	next.press('enter');
	await next.waitFor(shown => !shown.text().includes('Keep it for later') && lengthOf(shown) >= due.length);
	expect(due.length).toBeGreaterThan(0);
	expect(lengthOf(next)).toBeLessThanOrEqual(typed.length);
	expect(next.text()).toContain(typed.slice(0, 26));
});
