import {expect, test} from 'vitest';
import {formatInteger} from '../../../source/text/figures.ts';
import {isFull} from '../../support/full.ts';
import {createTwoNamespaces, firstDifferingNumber, keyOf} from '../../support/two-namespaces.ts';
import {atLocalKeys} from './ways.ts';

/** A hundred thousand, and fewer in `npm test`: of them 50 differ. */
const keyCount = isFull ? 100_000 : 50_000;
const interval = keyCount / 50;

const progressPattern = /(\d[\d,]*) identical so far, at (\S+) +esc cancels/;

/** The cursor on the row of a key. */
const cursorOnKey = (number: number): RegExp => new RegExp(`▸ . ${keyOf(number)}`);

test('comparing large namespaces shows differences at once, responds to keys, stops on esc and needs little memory', async () => {
	const {cwd} = await createTwoNamespaces(keyCount, interval);
	const screen = await atLocalKeys(cwd);
	screen.press('=');
	await screen.waitFor(/▸ .*preview/);
	screen.press('enter');
	await screen.waitFor(keyOf(firstDifferingNumber));
	await screen.waitFor(progressPattern);
	const [, identicalCount = '', keyName = ''] = progressPattern.exec(screen.text()) ?? [];
	// The first difference is shown while most keys are still to be compared.
	expect(Number(identicalCount.replaceAll(',', ''))).toBeLessThan(keyCount / 10);
	expect(keyName < keyOf(keyCount / 10)).toBe(true);

	await screen.waitFor(keyOf(firstDifferingNumber + 2 * interval));
	screen.press('j');
	await screen.waitFor(cursorOnKey(firstDifferingNumber + interval));
	expect(screen.text()).toMatch(progressPattern);
	screen.press('k');
	await screen.waitFor(cursorOnKey(firstDifferingNumber));
	screen.press('esc');
	await screen.waitFor('Stopped: comparing DATA with');
	screen.press('g');
	await screen.waitFor('not all compared (ctrl-r)');

	screen.press('ctrl-r');
	await screen.waitFor(progressPattern);
	await screen.waitFor(keyOf(firstDifferingNumber));

	// Leaving the screen stops the comparison; what it found is still there on return.
	screen.press('9');
	await screen.waitFor('No API calls in this session');
	screen.press('esc');
	await screen.waitFor(keyOf(firstDifferingNumber));
	expect(screen.text()).not.toMatch(progressPattern);

	screen.press('ctrl-r');
	await screen.waitFor(`50 differences · ${formatInteger(keyCount - 50)} identical`);
	expect(screen.residentMegabytes()).toBeLessThan(200);
	screen.press('esc');
	await screen.waitFor(/▸ .*item-0/);
});
