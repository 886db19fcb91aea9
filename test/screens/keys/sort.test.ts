import {expect, test} from 'vitest';
import {keyNameHere} from '../../../source/screens/keys/here.ts';
import {keysStatus} from '../../../source/screens/keys/view.tsx';
import type {LedgeState} from '../../../source/store/ledge-store.ts';
import {createTestStore} from '../support/store.ts';

const complete = ({keys}: LedgeState) => keys?.listing.state === 'complete' && keys.rows.advance(0);

const expiries = ({keys}: LedgeState): readonly number[] =>
	Array.from({length: keys?.rows.count ?? 0}, (_, row) => {
		const {from = 0} = keys?.rows.positionsOf(row) ?? {};
		return keys?.index.expirationAt(from) ?? Number.POSITIVE_INFINITY;
	});

const isAscending = (numbers: readonly number[]): boolean =>
	numbers.every((number, at) => at === 0 || number >= (numbers[at - 1] ?? 0));

test('by expiry: the soonest first, with a filter too, and the status names the order', async () => {
	const {state, openNamespace, until} = createTestStore();
	await openNamespace('SESSIONS');
	await until(complete);
	state().sortKeys('expiry');
	expect(new Set(expiries(state())).size).toBeGreaterThan(10);
	expect(isAscending(expiries(state()))).toBe(true);
	expect(keysStatus(state())).toContain('by expiry');
	expect(keysStatus(state())).not.toContain('loaded');
	const all = state().keys?.rows.count ?? 0;
	state().filterKeys('7');
	await until(complete);
	expect(state().keys?.rows.count).toBeGreaterThan(10);
	expect(state().keys?.rows.count).toBeLessThan(all);
	expect(isAscending(expiries(state()))).toBe(true);
	state().sortKeys('name');
	expect(isAscending(expiries(state()))).toBe(false);
	expect(keysStatus(state())).not.toContain('by expiry');
});

test('of a namespace that is not listed whole, what is loaded is sorted, and the status says so', async () => {
	const {state, openNamespace, until} = createTestStore();
	await openNamespace('catalogue');
	await until(({keys}) => keys?.listing.state === 'resting');
	state().sortKeys('expiry');
	expect(keysStatus(state())).toMatch(/by expiry, of the \d,\d{3} loaded/);
});

test('what comes in later goes to its place, and the cursor stays on its key', async () => {
	const {state, openNamespace, until} = createTestStore();
	await openNamespace('catalogue');
	await until(({keys}) => keys?.listing.state === 'resting');
	state().sortKeys('expiry');
	state().moveInKeys(500);
	const before = state().keys;
	const name = before && keyNameHere(before);
	state().keyChanged({name: 'soonest', expiration: 1}, 'stays');
	state().listAll();
	await until(({keys}) => (keys?.index.count ?? 0) > 5000);
	const {keys} = state();
	expect(keys && keyNameHere(keys)).toBe(name);
	expect(keys?.rows.positionsOf(0).from).toBe(keys?.index.find('soonest').position);
	expect(isAscending(expiries(state()))).toBe(true);
});

test('the tree is sorted by name; a refreshed list keeps its order', async () => {
	const {state, openNamespace, until} = createTestStore();
	await openNamespace('SESSIONS');
	await until(complete);
	state().sortKeys('expiry');
	state().keysOutdated();
	await state().refreshKeys();
	await until(complete);
	expect(state().keys?.sort).toBe('expiry');
	expect(isAscending(expiries(state()))).toBe(true);
	state().arrangeKeys('tree');
	expect(state().keys).toMatchObject({sort: 'name', rows: {arrangement: 'tree'}});
});

test('what is shown is selected and taken in the order of the names', async () => {
	const {state, openNamespace, until} = createTestStore();
	await openNamespace('SESSIONS');
	await until(complete);
	state().filterKeys('7');
	await until(complete);
	const shown = state().keys?.rows.count;
	state().sortKeys('expiry');
	state().selectAll();
	expect(state().keys?.index.selectedCount).toBe(shown);
	state().selectAll();
	expect(state().keys?.index.selectedCount).toBe(0);
});
