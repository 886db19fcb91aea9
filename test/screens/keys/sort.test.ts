import {expect, test} from 'vitest';
import {getCurrentKeyName} from '../../../source/screens/keys/cursor-row.ts';
import {formatKeysStatus} from '../../../source/screens/keys/view.tsx';
import type {LedgeState} from '../../../source/store/ledge-store.ts';
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
	state().keys.noticeChange({name: 'soonest', expiration: 1}, 'stays');
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
