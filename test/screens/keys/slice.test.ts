import {expect, test} from 'vitest';
import {keyNameHere, keyRowHere} from '../../../source/screens/keys/here.ts';
import type {LedgeState} from '../../../source/store/ledge-store.ts';
import {createTestStore} from '../support/store.ts';

const complete = ({keys}: LedgeState) => keys?.listing.state === 'complete' && keys.rows.advance(0);
const names = ({keys}: LedgeState) =>
	Array.from({length: keys?.rows.count ?? 0}, (_, at) => {
		const row = keys?.rows.at(at);
		return row?.kind === 'group' ? row.prefix : row && keys?.index.nameAt(row.position);
	});

test('a small namespace is listed whole, and its count is known', async () => {
	const {state, openNamespace, until} = createTestStore();
	await openNamespace('CONFIG');
	await until(complete);
	const {keys} = state();
	expect(keys?.index.count).toBeGreaterThan(0);
	expect(state().keyCounts.get(keys?.namespace.name ?? '')).toEqual({keys: keys?.index.count, exact: true});
});

test('a large one is listed ahead of the cursor only, and on when the cursor moves', async () => {
	const {state, openNamespace, until} = createTestStore();
	await openNamespace('catalogue');
	state().arrangeKeys('flat');
	await until(({keys}) => keys?.listing.state === 'resting');
	const first = state().keys?.index.count ?? 0;
	expect(first).toBeGreaterThanOrEqual(1000);
	expect(first).toBeLessThan(100_000);
	state().moveInKeys(first - 10);
	await until(({keys}) => (keys?.index.count ?? 0) > first);
});

test('to the end of what is not yet listed: everything is listed, and the cursor goes along', async () => {
	const {state, openNamespace, until} = createTestStore();
	await openNamespace('catalogue');
	state().arrangeKeys('flat');
	state().moveInKeys(Number.POSITIVE_INFINITY);
	await until(complete);
	expect(state().keys?.index.count).toBe(100_000);
	expect(state().keys?.cursor).toBe(99_999);
});

test('esc stops listing to the end, and leaves what is there', async () => {
	const {state, openNamespace, until} = createTestStore();
	await openNamespace('catalogue');
	state().arrangeKeys('flat');
	state().listAll();
	await until(({keys}) => (keys?.index.count ?? 0) > 5000);
	expect(state().stopNarrowing()).toBe(true);
	await until(({keys}) => keys?.listing.state === 'resting');
	expect(state().keys?.index.count).toBeLessThan(100_000);
	expect(state().stopNarrowing()).toBe(false);
});

test('the filter shows what matches, and clearing it goes back to the key', async () => {
	const {state, openNamespace, until} = createTestStore();
	await openNamespace('catalogue');
	state().filterKeys('00042');
	await until(complete);
	expect(names(state()).length).toBeGreaterThan(0);
	expect(names(state()).every(name => name?.includes('00042'))).toBe(true);
	state().moveInKeys(1);
	const {keys} = state();
	const name = keys && keyNameHere(keys);
	state().arrangeKeys('flat');
	expect(state().stopNarrowing()).toBe(true);
	const after = state().keys;
	expect(after && keyNameHere(after)).toBe(name);
});

test('space on a group selects everything in it', async () => {
	const {state, openNamespace, until} = createTestStore();
	await openNamespace('SESSIONS');
	await until(complete);
	state().arrangeKeys('tree');
	state().moveInKeys(Number.NEGATIVE_INFINITY);
	const {keys} = state();
	const row = keys && keyRowHere(keys);
	expect(row?.kind).toBe('group');
	state().toggleSelected();
	expect(state().keys?.index.selectedCount).toBe(row?.kind === 'group' ? row.count : -1);
	expect(state().stopNarrowing()).toBe(true);
	expect(state().keys?.index.selectedCount).toBe(0);
});

test('a group opens and closes, and left closes it from inside', async () => {
	const {state, openNamespace, until} = createTestStore();
	await openNamespace('SESSIONS');
	await until(complete);
	// Its groups are so small that the list is shown; all of it lies below one prefix, which is open.
	expect(state().keys?.arrangement).toBe('flat');
	state().arrangeKeys('tree');
	expect(state().keys?.rows.count).toBeGreaterThan(1);
	state().closeGroup();
	const closed = state().keys?.rows.count ?? 0;
	expect(state().toggleGroup()).toBe(true);
	await until(({keys}) => (keys?.rows.count ?? 0) > closed);
	state().moveInKeys(2);
	state().closeGroup();
	expect(state().keys?.cursor).toBe(0);
	expect(state().keys?.rows.count).toBe(closed);
});

test('what was written and deleted here shows at once', async () => {
	const {state, openNamespace, until} = createTestStore();
	await openNamespace('CONFIG');
	await until(complete);
	const before = state().keys?.index.count ?? 0;
	state().keyChanged({name: 'made here', metadata: {v: 1}});
	expect(state().keys?.index.count).toBe(before + 1);
	const {keys} = state();
	expect(keys && keyNameHere(keys)).toBe('made here');
	state().keysGone(['made here']);
	expect(state().keys?.index.count).toBe(before);
});

test('a listing that fails says so and can be begun again', async () => {
	const {state, openNamespace, until, simulator, signal} = createTestStore();
	await openNamespace('catalogue');
	await until(({keys}) => keys?.listing.state === 'resting');
	simulator.close();
	state().listAll();
	await until(({message}) => message?.kind === 'failed');
	expect(state().keys?.listing.state).toBe('failed');
	expect(state().keys?.index.count).toBeGreaterThan(0);
	expect(signal.aborted).toBe(false);
});

test('reading everything again keeps the key under the cursor, the filter and what is open', async () => {
	const {state, openNamespace, until} = createTestStore();
	await openNamespace('catalogue');
	// Everything that was listed lies below one prefix, which is open.
	await until(({keys}) => (keys?.rows.count ?? 0) > 500);
	state().arrangeKeys('flat');
	state().moveInKeys(Number.POSITIVE_INFINITY);
	await until(({keys}) => (keys?.index.count ?? 0) > 12_000);
	state().stopNarrowing();
	state().moveInKeys(-1000);
	state().toggleSelected();
	state().toggleSelected();
	const before = state().keys;
	const name = before && keyNameHere(before);
	expect(name).toMatch(/^books/);
	await openNamespace('catalogue');
	await until(({keys}) => keys !== undefined && keyNameHere(keys) === name);
	expect(state().keys).not.toBe(before);
	expect(state().keys?.index.selectedCount).toBe(2);
	expect(state().keys?.arrangement).toBe('flat');
	// Nothing more is read than what leads there.
	await until(({keys}) => keys?.listing.state === 'resting');
	expect(state().keys?.index.count).toBeLessThan(30_000);
});

test('a listing that was replaced says nothing about the one in its place', async () => {
	const {state, openNamespace, until, simulator} = createTestStore();
	await openNamespace('catalogue');
	await until(({keys}) => keys?.listing.state === 'resting');
	simulator.faults.replace('path=/keys times=1 latency=300 status=404');
	state().listAll();
	await until(({work}) => work.some(({label}) => label === 'reading keys'));
	await openNamespace('CONFIG');
	await until(complete);
	expect(state().keys?.namespace.title).toBe('CONFIG');
	expect(state().work.filter(({label}) => label === 'reading keys')).toEqual([]);
	expect(state().message?.kind).not.toBe('failed');
});

test('a namespace that cannot be opened says why', async () => {
	const {state, signal} = createTestStore({baseUrl: 'http://127.0.0.1:1/client/v4', accountId: 'a'});
	const row = {name: 'remote:x', where: 'remote', id: 'x', title: 'X', bindings: []} as const;
	await expect(state().openKeys(row, signal)).rejects.toMatchObject({code: 'credential_missing'});
	expect(state().opening).toMatchObject({namespace: {title: 'X'}, failure: {code: 'credential_missing'}});
});

test('the cursor stays on its key when others before it are deleted, and goes to the next one when its own is', async () => {
	const space = createTestStore();
	await space.openNamespace('CONFIG');
	const {state, until} = space;
	await until(({keys}) => (keys?.index.count ?? 0) > 4);
	state().arrangeKeys('flat');
	const index = state().keys?.index;
	const here = () => {
		const {keys} = state();
		return keys && keyNameHere(keys);
	};
	const [first = '', second = '', third = '', fourth = ''] = [0, 1, 2, 3].map(at => index?.nameAt(at));
	state().moveInKeys(2);
	expect(here()).toBe(third);
	state().keysGone([first, second]);
	expect(here()).toBe(third);
	state().keysGone([third]);
	expect(here()).toBe(fourth);
});
