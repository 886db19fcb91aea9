import {expect, test} from 'vitest';
import {createKey, createTextKey} from '../../../source/keyboard/key.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {getCurrentKeyName, getCurrentKeyRow} from '../../../source/screens/keys/cursor-row.ts';
import {getStatsTarget} from '../../../source/screens/stats/state.ts';
import {keyBytes} from '../../terminal/screen/keys.ts';
import {createTestApp} from '../support/drawn.tsx';
import {createTestStore} from '../support/store.ts';

/** Ledge on the namespaces of the samples, the cursor on the namespace of that title, and the way to press keys there. */
async function openNamespacesAt(title: string, faults = '') {
	const testStore = createTestStore({simulate: true}, {faults});
	const {state} = testStore;
	await state().namespaces.load('remote', testStore.signal);
	state().navigation.go('namespaces');
	const index = state().namespaces.data.rows.findIndex(row => row.title === title);
	state().namespaces.move(index - state().namespaces.data.cursor);
	const app = createTestApp(testStore);
	return {
		...testStore,
		app,
		press(...keys: readonly string[]) {
			for (const key of keys)
				dispatch(app, key.length === 1 ? createTextKey(key) : createKey(key, keyBytes(key)));
		},
	};
}

test('S shows the cost, enter starts, and nothing is read before that', async () => {
	const {press, state, until} = await openNamespacesAt('SESSIONS');
	const before = state().activity.data.rows.length;
	press('S');
	expect(state().navigation.stack.at(-1)).toBe('stats');
	expect(state().stats.data?.phase.name).toBe('asking');
	expect(state().activity.data.rows.length).toBe(before);
	press('enter');
	await until(({stats: {data: stats}}) => stats?.phase.name === 'done');
	press('esc');
	expect(state().navigation.stack.at(-1)).toBe('namespaces');
	press('S');
	expect(state().stats.data?.phase.name).toBe('done');
});

test('enter on a prefix opens its group in the tree, even inside another group', async () => {
	const {press, state, until, app} = await openNamespacesAt('SESSIONS');
	press('S', 'enter');
	await until(({stats: {data: stats}}) => stats?.phase.name === 'done');
	press('j', 'y');
	const stats = state().stats.data;
	const target = stats && getStatsTarget(stats);
	expect(target).toMatchObject({kind: 'prefix', prefix: expect.stringMatching(/^user:\d+:$/)});
	const prefix = target?.kind === 'prefix' ? target.prefix : '';
	expect(app.copied).toEqual([prefix]);
	press('enter');
	// Nearly every group has two keys, so the plain list is shown, with the cursor on a key of the prefix.
	await until(
		({keys: {data: keys}}) => keys !== undefined && getCurrentKeyName(keys)?.startsWith(prefix) === true,
	);
	expect(state().navigation.stack).toEqual(['home', 'namespaces', 'stats', 'keys']);
	// Now the keys are listed already: the group is opened in the tree, and the selection stays.
	press('space');
	const selected = state().keys.data?.index.selectedCount;
	press('S', 'g', 'j', 'j', 'enter');
	await until(({keys: {data: keys}}) => {
		const row = keys && getCurrentKeyRow(keys);
		return row?.kind === 'group' && row.prefix !== prefix && row.open && row.depth === 1;
	});
	expect(state().keys.data?.index.selectedCount).toBe(selected);
});

test('from the keys of a prefix, esc returns to the statistics, also if the keys were open before', async () => {
	const {press, state, until} = await openNamespacesAt('SESSIONS');
	press('enter');
	await until(({keys: {data: keys}}) => keys?.listing.state === 'complete');
	press('S', 'enter');
	await until(({stats: {data: stats}}) => stats?.phase.name === 'done');
	press('enter');
	await until(({navigation: {stack}}) => stack.at(-1) === 'keys');
	press('esc');
	expect(state().navigation.stack.at(-1)).toBe('stats');
	expect(state().stats.data?.phase.name).toBe('done');
});

test('enter on one of the largest values opens the key, and esc returns', async () => {
	const {press, state, until} = await openNamespacesAt('CONFIG');
	press('S', 'enter');
	await until(({stats: {data: stats}}) => stats?.phase.name === 'done');
	press('tab', 'tab', 'enter');
	await until(({key: {data: key}}) => key?.name === 'site' && key.wholeKey !== undefined);
	expect(state().navigation.stack.at(-1)).toBe('key');
	press('esc');
	expect(state().navigation.stack.at(-1)).toBe('stats');
	expect(state().stats.data?.phase.name).toBe('done');
});

test('a largest value deleted meanwhile is shown as absent, and the statistics stay', async () => {
	const {press, state, until, signal} = await openNamespacesAt('CONFIG');
	press('S', 'enter');
	await until(({stats: {data: stats}}) => stats?.phase.name === 'done');
	const stats = state().stats.data;
	if (stats) await state().keys.open(stats.request.namespace, signal);
	await state().keys.data?.opened.store.delete('site', signal);
	press('tab', 'tab', 'enter');
	await until(({key: {data: key}}) => key?.reading === 'absent');
	press('esc');
	expect(state().navigation.stack.at(-1)).toBe('stats');
	expect(state().stats.data?.phase.name).toBe('done');
});

test('S on a prefix asks for the statistics below it, and s for another sample', async () => {
	const {press, state, until} = await openNamespacesAt('SESSIONS');
	press('S', 'enter');
	await until(({stats: {data: stats}}) => stats?.phase.name === 'done');
	press('S');
	expect(state().stats.data).toMatchObject({phase: {name: 'asking'}, request: {prefix: 'user:'}});
	press('v');
	const dialog = state().dialog.current;
	expect(dialog).toMatchObject({kind: 'choice', initialValue: '2000'});
	state().dialog.close();
	if (dialog?.kind === 'choice') dialog.choose('none');
	press('enter');
	await until(({stats: {data: stats}}) => stats?.phase.name === 'done');
	expect(state().stats.data).toMatchObject({stats: {keys: 480, sizes: undefined, measuredValues: 'none'}});
	press('ctrl-r');
	expect(state().stats.data).toMatchObject({phase: {name: 'asking'}, request: {sampling: 'none'}});
});
