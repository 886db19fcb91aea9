import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {beforeAll, expect, test} from 'vitest';
import {placeOf} from '../../../source/kv/local/naming.ts';
import {openLocalStore} from '../../../source/kv/local/store.ts';
import {scratch} from '../../support/ledge.ts';
import type {Screen} from '../screen/open.ts';
import {openScreen} from '../screen/open.ts';

const keyCount = 100_000;
/** Each so many keys one differs: 50 of them. */
const between = 2000;
const first = 300;
const numbers = Array.from({length: keyCount / between}, (_, at) => first + at * between);
const keyOf = (number: number): string => `item-${String(number).padStart(6, '0')}`;
const signal = AbortSignal.timeout(60_000);

let cwd = '';
const root = () => join(cwd, '.wrangler/state/v3');
const openStore = (namespace: string) => openLocalStore({root: root(), namespace});
const stored = async (namespace: string, key: string) => {
	using store = openStore(namespace);
	const found = await store.get(key, signal);
	return found && Buffer.from(found.bytes).toString();
};

/** All keys but those that are to differ; they share one value, as only those that differ are written to. */
async function fillSame(namespace: string): Promise<void> {
	{
		using store = openStore(namespace);
		await store.put('same', Buffer.from('the same'), {}, signal);
	}
	// Node 22.13 cannot dispose of a database.
	const sql = new DatabaseSync(placeOf(root(), namespace).database);
	try {
		sql.exec(`INSERT INTO _mf_entries (key, blob_id, expiration, metadata)
			WITH RECURSIVE items (number) AS (SELECT 0 UNION ALL SELECT number + 1 FROM items WHERE number < ${keyCount - 2})
			SELECT printf('item-%06d', number), same.blob_id, NULL, NULL FROM items, _mf_entries AS same
			WHERE same.key = 'same' AND number % ${between} <> ${first}`);
	} finally {
		sql.close();
	}
}

/** Of each five differing keys three have other values, one is only left, and one only right. */
const isLeft = (at: number) => at % 5 !== 3;
const isRight = (at: number) => at % 5 !== 4;

beforeAll(async () => {
	cwd = scratch();
	writeFileSync(
		join(cwd, 'wrangler.toml'),
		'name = "local"\nkv_namespaces = [{binding = "DATA", id = "left", preview_id = "right"}]\n',
	);
	for (const [namespace, has] of [
		['left', isLeft],
		['right', isRight],
	] as const) {
		await fillSame(namespace);
		using store = openStore(namespace);
		for (const [at, number] of numbers.entries())
			if (has(at)) await store.put(keyOf(number), Buffer.from(`${namespace} ${number}`), {}, signal);
	}
});

/** Ledge on the keys of the left namespace. */
async function atLeft(): Promise<Screen> {
	const screen = await openScreen(['--local'], {cwd});
	await screen.waitFor('Local data');
	screen.press('enter');
	await screen.waitFor('wrangler.toml:2');
	screen.press('enter');
	await screen.waitFor(/▸ .*item-0/);
	return screen;
}

/** From there to the comparison with the preview namespace; gives the milliseconds until the first difference was there. */
async function compare(screen: Screen): Promise<number> {
	screen.press('=');
	await screen.waitFor(/▸ .*preview/);
	const {at} = screen.mark();
	screen.press('enter');
	await screen.waitFor(keyOf(first));
	return performance.now() - at;
}

const underWay = /(\d[\d,]*) the same so far, at (\S+) +esc cancels/;
const whole = '50 differences · 99,950 the same';

/** The cursor on the row of a key. */
const isOn = (number: number): RegExp => new RegExp(`▸ . ${keyOf(number)}`);

/** Opens the key that the cursor is on, and writes one side to the other. */
async function merge(screen: Screen, key: '<' | '>', question: string): Promise<void> {
	const [name = ''] = /item-\d+/.exec(screen.selectedRow().text) ?? [];
	screen.press('enter');
	await screen.waitFor('left to right');
	await screen.waitFor(shown => !shown.text().includes('KEY  '));
	screen.press(key);
	await screen.waitFor(question);
	screen.press('y');
	await screen.waitFor(`Merged ${name}`);
}

test('two namespaces of 100,000 keys: what differs is shown at once, the keyboard is heard, esc stops it', async () => {
	const screen = await atLeft();
	const milliseconds = await compare(screen);
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
	await screen.waitFor('not all compared, ctrl-r again');

	const again = screen.mark().at;
	screen.press('ctrl-r');
	await screen.waitFor(underWay);
	await screen.waitFor(keyOf(first));
	// The better of two: the machine may have other things to do.
	expect(Math.min(milliseconds, performance.now() - again)).toBeLessThan(1000);

	// Gone away from, it is stopped; what was found is still there behind.
	screen.press('A');
	await screen.waitFor('No call has been made');
	screen.press('esc');
	await screen.waitFor(keyOf(first));
	expect(screen.text()).not.toMatch(underWay);
	screen.press('esc');
	await screen.waitFor(/▸ .*item-0/);
});

test('all 50 differences are walked through, and merged in both directions', async () => {
	const screen = await atLeft();
	await compare(screen);
	await screen.waitFor(whole, {within: 25_000});
	expect(screen.residentMegabytes()).toBeLessThan(200);
	screen.press('G');
	await screen.waitFor(isOn(numbers.at(-1) ?? 0));
	screen.press('k');
	await screen.waitFor(isOn(numbers.at(-2) ?? 0));
	screen.press('g');
	await screen.waitFor(isOn(first));

	await merge(screen, '>', `Write ${keyOf(first)} to`);
	expect(await stored('right', keyOf(first))).toBe(`left ${first}`);
	const [, second = 0, third = 0, fourth = 0, fifth = 0, sixth = 0] = numbers;
	// The cursor has gone on to the next one.
	await screen.waitFor(isOn(second));
	expect(screen.row(keyOf(first)).text).toMatch(/= item-000300 .*kept +taken over/);
	await merge(screen, '<', `Write ${keyOf(second)} to DATA?`);
	expect(await stored('left', keyOf(second))).toBe(`right ${second}`);
	await screen.waitFor(isOn(third));
	screen.press('j');
	await screen.waitFor(isOn(fourth));
	expect(screen.selectedRow().text).toMatch(/> item-006300 +not there +only here/);
	await merge(screen, '>', `Delete ${keyOf(fourth)} from`);
	expect(await stored('right', keyOf(fourth))).toBeUndefined();
	await screen.waitFor(isOn(fifth));
	await merge(screen, '>', `Write ${keyOf(fifth)} to`);
	expect(await stored('right', keyOf(fifth))).toBe(`left ${fifth}`);
	await screen.waitFor(isOn(sixth));
	screen.press('g');
	await screen.waitFor(`${whole} · 4 merged   ${keyOf(first)}`);

	// Compared again, what was merged is the same.
	screen.press('ctrl-r');
	await screen.waitFor(isOn(third));
});
