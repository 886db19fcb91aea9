import {expect, test} from 'vitest';
import {formatInteger} from '../../../source/text/figures.ts';
import {isFull} from '../../support/full.ts';
import {first, keyOf, twoNamespaces} from '../../support/two-namespaces.ts';
import {atLocalKeys} from './ways.ts';

/** A hundred thousand, and fewer in `npm test`: of them 50 differ. */
const keyCount = isFull ? 100_000 : 50_000;
const between = keyCount / 50;

const underWay = /(\d[\d,]*) identical so far, at (\S+) +esc cancels/;

/** The cursor on the row of a key. */
const isOn = (number: number): RegExp => new RegExp(`▸ . ${keyOf(number)}`);

test('comparing large namespaces shows differences at once, responds to keys, stops on esc and needs little memory', async () => {
	const {cwd} = await twoNamespaces(keyCount, between);
	const screen = await atLocalKeys(cwd);
	screen.press('=');
	await screen.waitFor(/▸ .*preview/);
	screen.press('enter');
	await screen.waitFor(keyOf(first));
	await screen.waitFor(underWay);
	const [, same = '', at = ''] = underWay.exec(screen.text()) ?? [];
	// The first difference is there while most is still to be compared.
	expect(Number(same.replaceAll(',', ''))).toBeLessThan(keyCount / 10);
	expect(at < keyOf(keyCount / 10)).toBe(true);

	await screen.waitFor(keyOf(first + 2 * between));
	screen.press('j');
	await screen.waitFor(isOn(first + between));
	expect(screen.text()).toMatch(underWay);
	screen.press('k');
	await screen.waitFor(isOn(first));
	screen.press('esc');
	await screen.waitFor('Stopped: comparing DATA with');
	screen.press('g');
	await screen.waitFor('not all compared (ctrl-r)');

	screen.press('ctrl-r');
	await screen.waitFor(underWay);
	await screen.waitFor(keyOf(first));

	// Gone away from, it is stopped; what was found is still there behind.
	screen.press('A');
	await screen.waitFor('No API calls in this session');
	screen.press('esc');
	await screen.waitFor(keyOf(first));
	expect(screen.text()).not.toMatch(underWay);

	screen.press('ctrl-r');
	await screen.waitFor(`50 differences · ${formatInteger(keyCount - 50)} identical`);
	expect(screen.residentMegabytes()).toBeLessThan(200);
	screen.press('esc');
	await screen.waitFor(/▸ .*item-0/);
});
