import {expect, test} from 'vitest';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {getCurrentKeyName, getCurrentKeyRow} from '../../../source/screens/keys/cursor-row.ts';
import type {KeysState} from '../../../source/screens/keys/state.ts';
import {formatKeysStatus} from '../../../source/screens/keys/view.tsx';
import type {LedgeState} from '../../../source/store/ledge-store.ts';
import {createTestApp} from '../support/drawn.tsx';
import {createTestStore} from '../support/store.ts';

const isComplete = ({keys: {data: keys}}: LedgeState) =>
	keys?.listing.state === 'complete' && keys.rows.advance(0);
const getRowNames = ({keys: {data: keys}}: LedgeState) =>
	Array.from({length: keys?.rows.count ?? 0}, (_, at) => {
		const row = keys?.rows.at(at);
		return row?.kind === 'group' ? row.prefix : row && keys?.index.getName(row.position);
	});

function expectKeys({keys: {data: keys}}: LedgeState): KeysState {
	if (!keys) throw new Error('no namespace is open');
	return keys;
}

test('a small namespace is listed in full, and its count is known', async () => {
	const {state, openNamespace, until} = createTestStore();
	await openNamespace('CONFIG');
	await until(isComplete);
	const keys = state().keys.data;
	expect(keys?.index.count).toBeGreaterThan(0);
	expect(state().namespaces.keyCounts.get(keys?.namespace.name ?? '')).toEqual({
		keys: keys?.index.count,
		isExact: true,
	});
});

test('a large namespace is listed only ahead of the cursor, and further as the cursor moves', async () => {
	const {state, openNamespace, until} = createTestStore();
	await openNamespace('catalogue');
	state().keys.arrange('flat');
	await until(({keys: {data: keys}}) => keys?.listing.state === 'resting');
	const first = state().keys.data?.index.count ?? 0;
	expect(first).toBeGreaterThanOrEqual(1000);
	expect(first).toBeLessThan(100_000);
	state().keys.move(first - 10);
	await until(({keys: {data: keys}}) => (keys?.index.count ?? 0) > first);
});

test('jumping to the end lists everything, and the cursor follows', async () => {
	const {state, openNamespace, until} = createTestStore();
	await openNamespace('catalogue');
	state().keys.arrange('flat');
	state().keys.move(Number.POSITIVE_INFINITY);
	await until(isComplete);
	expect(state().keys.data?.index.count).toBe(100_000);
	expect(state().keys.data?.cursor).toBe(99_999);
});

test.each([
	'h',
	'space',
	'?',
])('%s stops the cursor that follows the listing; the listing goes on', async key => {
	const testStore = createTestStore();
	const {state, openNamespace, until} = testStore;
	await openNamespace('catalogue');
	state().navigation.go('keys');
	state().keys.arrange('flat');
	const app = createTestApp(testStore);
	const press = (name: string) => dispatch(app, {name, text: '', sequence: ''});
	press('G');
	await until(({keys: {data: keys}}) => (keys?.index.count ?? 0) > 3000);
	press(key);
	const name = getCurrentKeyName(expectKeys(state()));
	expect(expectKeys(state()).index.count).toBeLessThan(100_000);
	await until(isComplete);
	expect(state().keys.data?.index.count).toBe(100_000);
	expect(getCurrentKeyName(expectKeys(state()))).toBe(name);
});

test('the choice of tree or list holds for its namespace, and for no other', async () => {
	const {state, openNamespace, until} = createTestStore();
	await openNamespace('CONFIG');
	await until(isComplete);
	state().keys.chooseArrangement('flat');
	await openNamespace('catalogue');
	expect(state().keys.data?.arrangement).toBe('tree');
	state().keys.chooseArrangement('flat');
	await openNamespace('CONFIG');
	await openNamespace('catalogue');
	expect(state().keys.data?.arrangement).toBe('flat');
});

test('A says that only the keys listed so far are selected', async () => {
	const testStore = createTestStore();
	const {state, openNamespace, until} = testStore;
	await openNamespace('catalogue');
	state().navigation.go('keys');
	await until(({keys: {data: keys}}) => keys?.listing.state === 'resting');
	const app = createTestApp(testStore);
	const press = (name: string) => dispatch(app, {name, text: '', sequence: ''});
	press('A');
	expect(state().messages.latest?.text).toMatch(
		/^[\d,]+ selected: all keys listed so far; ctrl-l lists the rest\.$/,
	);
	press('A');
	press('ctrl-l');
	await until(({keys: {data: keys}}) => keys?.listing.state === 'reading');
	press('A');
	expect(state().messages.latest?.text).toMatch(
		/^[\d,]+ selected: all keys listed so far; more are loading\.$/,
	);
});

test('A with a filter says how many keys are selected in all, and how many of them are hidden', async () => {
	const testStore = createTestStore();
	const {state, openNamespace, until} = testStore;
	await openNamespace('SESSIONS');
	state().navigation.go('keys');
	state().keys.listAll();
	await until(isComplete);
	const app = createTestApp(testStore);
	const selectShown = async (filter: string) => {
		state().keys.filter(filter);
		await until(({keys: {data: keys}}) => keys?.rows.isDone === true);
		dispatch(app, {name: 'A', text: '', sequence: ''});
		return state().messages.latest?.text ?? '';
	};
	const part = state().keys.data?.index.getName(0) ?? '';
	const firstText = await selectShown(part);
	const firstCount = state().keys.data?.index.selectedCount ?? 0;
	expect(firstText).toMatch(new RegExp(`^${firstCount} selected: the 1 key shown, of [\\d,]+\\.$`));
	const secondText = await selectShown(`!${part}`);
	const allCount = state().keys.data?.index.count ?? 0;
	expect(secondText).toBe(
		`${allCount} selected: the ${allCount - firstCount} keys shown, of ${allCount}, and ${firstCount} hidden by the filter.`,
	);
	expect(await selectShown(`!${part}`)).toBe(
		`Deselected the ${allCount - firstCount} keys shown, of ${allCount}; ${firstCount} hidden by the filter stay selected.`,
	);
});

test('esc stops listing to the end, and keeps the keys already listed', async () => {
	const {state, openNamespace, until} = createTestStore();
	await openNamespace('catalogue');
	state().keys.arrange('flat');
	state().keys.listAll();
	await until(({keys: {data: keys}}) => (keys?.index.count ?? 0) > 5000);
	expect(state().keys.clearFilters()).toBe(true);
	await until(({keys: {data: keys}}) => keys?.listing.state === 'resting');
	expect(state().keys.data?.index.count).toBeLessThan(100_000);
	expect(state().keys.clearFilters()).toBe(false);
});

test('the filter shows matches, and clearing it returns to the key', async () => {
	const {state, openNamespace, until} = createTestStore();
	await openNamespace('catalogue');
	state().keys.filter('00042');
	await until(isComplete);
	expect(getRowNames(state()).length).toBeGreaterThan(0);
	expect(getRowNames(state()).every(name => name?.includes('00042'))).toBe(true);
	state().keys.move(1);
	const keys = state().keys.data;
	const name = keys && getCurrentKeyName(keys);
	state().keys.arrange('flat');
	expect(state().keys.clearFilters()).toBe(true);
	const after = state().keys.data;
	expect(after && getCurrentKeyName(after)).toBe(name);
});

test('space on a group selects everything in it, and the cursor stays', async () => {
	const {state, openNamespace, until} = createTestStore();
	await openNamespace('SESSIONS');
	await until(isComplete);
	state().keys.arrange('tree');
	state().keys.move(Number.NEGATIVE_INFINITY);
	const keys = state().keys.data;
	const row = keys && getCurrentKeyRow(keys);
	expect(row?.kind).toBe('group');
	expect(formatKeysStatus(state())).toBe(
		row?.kind === 'group' ? `${row.prefix}  ${row.count} of 480 keys` : '',
	);
	state().keys.toggleRowSelection();
	expect(state().keys.data?.index.selectedCount).toBe(row?.kind === 'group' ? row.count : -1);
	expect(state().keys.data?.cursor).toBe(keys?.cursor);
	expect(state().keys.clearFilters()).toBe(true);
	expect(state().keys.data?.index.selectedCount).toBe(0);
});

test('a group opens and closes, and left closes it from the inside', async () => {
	const {state, openNamespace, until} = createTestStore();
	await openNamespace('SESSIONS');
	await until(isComplete);
	// The groups are so small that the plain list is shown. All keys are below one prefix, whose group
	// is open.
	expect(state().keys.data?.arrangement).toBe('flat');
	state().keys.arrange('tree');
	expect(state().keys.data?.rows.count).toBeGreaterThan(1);
	state().keys.closeGroup();
	const closed = state().keys.data?.rows.count ?? 0;
	expect(state().keys.toggleGroup()).toBe(true);
	await until(({keys: {data: keys}}) => (keys?.rows.count ?? 0) > closed);
	state().keys.move(2);
	state().keys.closeGroup();
	expect(state().keys.data?.cursor).toBe(0);
	expect(state().keys.data?.rows.count).toBe(closed);
});

test('keys written and deleted here show at once', async () => {
	const {state, openNamespace, until} = createTestStore();
	await openNamespace('CONFIG');
	await until(isComplete);
	const before = state().keys.data?.index.count ?? 0;
	state().keys.noticeChanges([{name: 'made here', metadata: {v: 1}}]);
	expect(state().keys.data?.index.count).toBe(before + 1);
	const keys = state().keys.data;
	expect(keys && getCurrentKeyName(keys)).toBe('made here');
	state().keys.noticeDeletion(['made here']);
	expect(state().keys.data?.index.count).toBe(before);
});

test('a failed listing is reported, and keeps the keys listed so far', async () => {
	const {state, openNamespace, until, simulator, signal} = createTestStore();
	await openNamespace('catalogue');
	await until(({keys: {data: keys}}) => keys?.listing.state === 'resting');
	simulator.close();
	state().keys.listAll();
	await until(({messages: {latest: message}}) => message?.kind === 'failed');
	expect(state().keys.data?.listing.state).toBe('failed');
	expect(state().keys.data?.index.count).toBeGreaterThan(0);
	expect(signal.aborted).toBe(false);
});

test('pages that arrive at once are shown together', async () => {
	const {state, store, openNamespace, until} = createTestStore({simulate: true}, {elapsed: () => 0});
	await openNamespace('catalogue');
	await until(({keys: {data: keys}}) => keys?.listing.state === 'resting');
	const changes = new Set<unknown>();
	const stopCounting = store.subscribe(({keys: {data: keys}}) => changes.add(keys));
	state().keys.arrange('flat');
	state().keys.move(Number.POSITIVE_INFINITY);
	await until(isComplete);
	stopCounting();
	expect(state().keys.data?.cursor).toBe(99_999);
	expect(changes.size).toBeLessThan(10);
});

test('opening a namespace again keeps the cursor, the selection and the arrangement', async () => {
	const {state, openNamespace, until} = createTestStore();
	await openNamespace('catalogue');
	// All keys listed so far are below one prefix, whose group is open.
	await until(({keys: {data: keys}}) => (keys?.rows.count ?? 0) > 500);
	state().keys.arrange('flat');
	state().keys.move(Number.POSITIVE_INFINITY);
	await until(({keys: {data: keys}}) => (keys?.cursor ?? 0) > 12_000);
	state().keys.clearFilters();
	state().keys.move(-1000);
	state().keys.toggleRowSelection();
	state().keys.move(1);
	state().keys.toggleRowSelection();
	const before = state().keys.data;
	const name = before && getCurrentKeyName(before);
	const countBefore = before?.index.count ?? 0;
	await openNamespace('catalogue');
	await until(({keys: {data: keys}}) => keys !== undefined && getCurrentKeyName(keys) === name);
	expect(state().keys.data).not.toBe(before);
	expect(state().keys.data?.index.selectedCount).toBe(2);
	expect(state().keys.data?.arrangement).toBe('flat');
	// Keys are listed only as far as the cursor.
	await until(({keys: {data: keys}}) => keys?.listing.state === 'resting');
	expect(state().keys.data?.index.count).toBeLessThanOrEqual(countBefore + 1000);
});

test('the failure of a replaced listing is not reported for the listing that replaced it', async () => {
	const {state, openNamespace, until, simulator} = createTestStore();
	await openNamespace('catalogue');
	await until(({keys: {data: keys}}) => keys?.listing.state === 'resting');
	simulator.faults.replace('path=/keys times=1 latency=300 status=404');
	state().keys.listAll();
	await until(({work: {list: work}}) => work.some(({label}) => label === 'loading keys'));
	await openNamespace('CONFIG');
	await until(isComplete);
	expect(state().keys.data?.namespace.title).toBe('CONFIG');
	expect(state().work.list.filter(({label}) => label === 'loading keys')).toEqual([]);
	expect(state().messages.latest?.kind).not.toBe('failed');
});

test('a namespace that cannot be opened says why', async () => {
	const {state, signal} = createTestStore({baseUrl: 'http://127.0.0.1:1/client/v4', accountId: 'a'});
	const row = {name: 'remote:x', where: 'remote', id: 'x', title: 'X', bindings: []} as const;
	await expect(state().keys.open(row, signal)).rejects.toMatchObject({code: 'credential_missing'});
	expect(state().keys.opening).toMatchObject({
		namespace: {title: 'X'},
		failure: {code: 'credential_missing'},
	});
});

test('the cursor stays on its key when earlier keys are deleted, and moves to the next when its own is', async () => {
	const testStore = createTestStore();
	await testStore.openNamespace('CONFIG');
	const {state, until} = testStore;
	await until(({keys: {data: keys}}) => (keys?.index.count ?? 0) > 4);
	state().keys.arrange('flat');
	const index = state().keys.data?.index;
	const getCursorKeyName = () => {
		const keys = state().keys.data;
		return keys && getCurrentKeyName(keys);
	};
	const [first = '', second = '', third = '', fourth = ''] = [0, 1, 2, 3].map(at => index?.getName(at));
	state().keys.move(2);
	expect(getCursorKeyName()).toBe(third);
	state().keys.noticeDeletion([first, second]);
	expect(getCursorKeyName()).toBe(third);
	state().keys.noticeDeletion([third]);
	expect(getCursorKeyName()).toBe(fourth);
});
