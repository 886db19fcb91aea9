import {expect, test} from 'vitest';
import {createTextKey} from '../../../source/keyboard/key.ts';
import {KeyIndex} from '../../../source/kv/key-index/key-index.ts';
import {TreeRows} from '../../../source/kv/key-index/tree-rows.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {buildKeyRows} from '../../../source/screens/keys/arranged-rows.ts';
import {getCurrentKeyName} from '../../../source/screens/keys/cursor-row.ts';
import {KnownSizes} from '../../../source/screens/keys/sizes.ts';
import {formatKeysStatus} from '../../../source/screens/keys/view.tsx';
import type {LedgeState} from '../../../source/store/ledge-store.ts';
import {createTestApp} from '../support/drawn.tsx';
import {createTestStore} from '../support/store.ts';

const isComplete = ({keys: {data: keys}}: LedgeState) =>
	keys?.listing.state === 'complete' && keys.rows.advance(0);

const listExpirations = ({keys: {data: keys}}: LedgeState): readonly number[] =>
	Array.from({length: keys?.rows.count ?? 0}, (_, row) => {
		const {from = 0} = keys?.rows.getPositions(row) ?? {};
		return keys?.index.getExpiration(from) ?? Number.POSITIVE_INFINITY;
	});

const isAscending = (numbers: readonly number[]): boolean =>
	numbers.every((number, index) => index === 0 || number >= (numbers[index - 1] ?? 0));

test('sorting by expiration puts the soonest first, also with a filter, and the status names the order', async () => {
	const {state, openNamespace, until} = createTestStore();
	await openNamespace('SESSIONS');
	await until(isComplete);
	state().keys.sort('expiry');
	expect(new Set(listExpirations(state())).size).toBeGreaterThan(10);
	expect(isAscending(listExpirations(state()))).toBe(true);
	expect(formatKeysStatus(state())).toContain('by expiration');
	expect(formatKeysStatus(state())).not.toContain('loaded');
	const unfilteredCount = state().keys.data?.rows.count ?? 0;
	state().keys.filter('7');
	await until(isComplete);
	expect(state().keys.data?.rows.count).toBeGreaterThan(10);
	expect(state().keys.data?.rows.count).toBeLessThan(unfilteredCount);
	expect(isAscending(listExpirations(state()))).toBe(true);
	state().keys.sort('name');
	expect(isAscending(listExpirations(state()))).toBe(false);
	expect(formatKeysStatus(state())).not.toContain('by expiration');
});

const listNames = ({keys: {data: keys}}: LedgeState): readonly string[] =>
	Array.from({length: keys?.rows.count ?? 0}, (_, row) =>
		keys ? keys.index.getName(keys.rows.getPositions(row).from) : '',
	);

/** The list of a namespace of nine keys, and a function that presses `s`. */
async function openNineKeys() {
	const testStore = createTestStore();
	const app = createTestApp(testStore);
	await testStore.openNamespace('CONFIG');
	await testStore.until(isComplete);
	testStore.state().navigation.go('keys');
	return {...testStore, pressSort: () => dispatch(app, createTextKey('s'))};
}

test('sorting by size puts the largest first and unknown sizes last, in the order of their names', async () => {
	const {state, pressSort} = await openNineKeys();
	const names = listNames(state());
	const [first = '', second = '', third = ''] = names;
	state().keys.noticeSize(third, 900);
	state().keys.noticeSize(first, 7);
	state().keys.noticeSize(second, 12_000);
	pressSort();
	pressSort();
	expect(state().keys.data?.sort).toBe('size');
	expect(listNames(state())).toEqual([second, third, first, ...names.slice(3)]);
	expect(formatKeysStatus(state())).toContain('by size, known for 3 of 9');
	expect(state().messages.latest?.text).toBe(
		'Sorted by size, known for 3 of 9. Open a key to read its size.',
	);
	// A size that becomes known, such as that of the key under the cursor, moves no row.
	state().keys.noticeSize(names[5] ?? '', 20_000);
	expect(listNames(state())).toEqual([second, third, first, ...names.slice(3)]);
	pressSort();
	expect(state().keys.data?.sort).toBe('name');
});

test('without any known size, s goes on to the names and says why', async () => {
	const {state, pressSort} = await openNineKeys();
	pressSort();
	expect(state().keys.data?.sort).toBe('expiry');
	pressSort();
	expect(state().keys.data?.sort).toBe('name');
	expect(state().messages.latest?.text).toContain('No sizes known: open keys to sort by size.');
});

test('a refresh forgets the sizes, and with them their order', async () => {
	const {state, until} = await openNineKeys();
	state().keys.noticeSize(listNames(state())[4] ?? '', 900);
	state().keys.sort('size');
	state().keys.markStale();
	await state().keys.refresh();
	await until(isComplete);
	expect(state().keys.data?.sort).toBe('name');
});

test('a store that knows all sizes sorts every key by them', () => {
	const index = new KeyIndex();
	const bytes: Readonly<Record<string, number>> = {a: 5, b: 26_214_400, c: 0, d: 700};
	index.append(Object.keys(bytes).map(name => ({name})));
	index.finish();
	const sizes = new KnownSizes({size: name => bytes[name]});
	const options = {
		index,
		arrangement: 'flat',
		filter: '',
		prefixKeys: undefined,
		sort: 'size',
		sizes,
	} as const;
	const rows = buildKeyRows(options, new TreeRows(index));
	const names = Array.from({length: rows.count}, (_, row) => index.getName(rows.getPositions(row).from));
	expect(names).toEqual(['b', 'd', 'a', 'c']);
});

test('a partly listed namespace sorts the loaded keys, and the status says so', async () => {
	const {state, openNamespace, until} = createTestStore();
	await openNamespace('catalogue');
	await until(({keys: {data: keys}}) => keys?.listing.state === 'resting');
	state().keys.sort('expiry');
	expect(formatKeysStatus(state())).toMatch(/by expiration, of the \d,\d{3} loaded/);
});

test('keys that arrive later go to their place, and the cursor stays on its key', async () => {
	const {state, openNamespace, until} = createTestStore();
	await openNamespace('catalogue');
	await until(({keys: {data: keys}}) => keys?.listing.state === 'resting');
	state().keys.sort('expiry');
	state().keys.move(500);
	const before = state().keys.data;
	const name = before && getCurrentKeyName(before);
	state().keys.noticeChanges([{name: 'soonest', expiration: 1}], 'stays');
	state().keys.listAll();
	await until(({keys: {data: keys}}) => (keys?.index.count ?? 0) > 5000);
	const keys = state().keys.data;
	expect(keys && getCurrentKeyName(keys)).toBe(name);
	expect(keys?.rows.getPositions(0).from).toBe(keys?.index.find('soonest').position);
	expect(isAscending(listExpirations(state()))).toBe(true);
});

test('the tree is sorted by name; a refreshed list keeps its order', async () => {
	const {state, openNamespace, until} = createTestStore();
	await openNamespace('SESSIONS');
	await until(isComplete);
	state().keys.sort('expiry');
	state().keys.markStale();
	await state().keys.refresh();
	await until(isComplete);
	expect(state().keys.data?.sort).toBe('expiry');
	expect(isAscending(listExpirations(state()))).toBe(true);
	state().keys.arrange('tree');
	expect(state().keys.data).toMatchObject({sort: 'name', rows: {arrangement: 'tree'}});
});

test('in another order, exactly the visible keys are selected', async () => {
	const {state, openNamespace, until} = createTestStore();
	await openNamespace('SESSIONS');
	await until(isComplete);
	state().keys.filter('7');
	await until(isComplete);
	const shown = state().keys.data?.rows.count;
	state().keys.sort('expiry');
	state().keys.toggleShownSelection();
	expect(state().keys.data?.index.selectedCount).toBe(shown);
	state().keys.toggleShownSelection();
	expect(state().keys.data?.index.selectedCount).toBe(0);
});

test('a deletion, and a refresh after one elsewhere, leave the cursor on the next row of the sorted list', async () => {
	const {state, openNamespace, until} = createTestStore();
	await openNamespace('SESSIONS');
	await until(isComplete);
	state().keys.sort('expiry');
	state().keys.move(2);
	const getCursorKeyName = () => {
		const keys = state().keys.data;
		return keys && getCurrentKeyName(keys);
	};
	const [, , third = '', fourth = '', fifth = ''] = listNames(state());
	expect(getCursorKeyName()).toBe(third);
	state().keys.noticeDeletion([third]);
	expect(getCursorKeyName()).toBe(fourth);
	const {store} = state().keys.data?.opened ?? {};
	await store?.delete(fourth, new AbortController().signal);
	state().keys.markStale();
	await state().keys.refresh();
	await until(isComplete);
	expect(listNames(state())).not.toContain(fourth);
	expect(getCursorKeyName()).toBe(fifth);
	state().keys.move(Number.POSITIVE_INFINITY);
	const last = getCursorKeyName() ?? '';
	const secondLast = listNames(state()).at(-2);
	state().keys.noticeDeletion([last]);
	expect(getCursorKeyName()).toBe(secondLast);
});
