import {expect, test} from 'vitest';
import {createTextKey} from '../../../source/keyboard/key.ts';
import {actions} from '../../../source/screens/actions.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {buildHelpRows, buildPaletteRows} from '../../../source/screens/shell/action-lists.ts';
import {createTestApp} from '../support/drawn.tsx';
import {openShopFirewall} from '../support/firewall.ts';
import {listPaletteActions} from '../support/palette.ts';
import {createTestStore, type TestStore} from '../support/store.ts';

/** By screen: what a person who has never seen ledge types, and the action that this person means. */
const expectedActions: Readonly<Record<string, readonly (readonly [query: string, id: string])[]>> = {
	home: [
		['refresh', 'reload'],
		['reload', 'reload'],
		['retry', 'reload'],
		['back', 'back'],
		['go back', 'back'],
		['quit', 'quit'],
		['exit', 'quit'],
		['close', 'quit'],
		['help', 'help'],
		['shortcuts', 'help'],
		['jobs', 'go.jobs'],
		['tasks', 'go.jobs'],
		['history', 'go.activity'],
		['log', 'go.activity'],
		['namespaces', 'go.namespaces'],
		['kv', 'go.namespaces'],
		['zones', 'go.zones'],
		['domains', 'go.zones'],
		['firewall', 'go.firewall'],
		['waf', 'go.firewall'],
		['migration', 'go.migration'],
		['home', 'go.home'],
		['error', 'details'],
		['local', 'namespaces.where'],
		['drafts', 'edits.unsaved'],
		['unsaved', 'edits.unsaved'],
		['new key', 'edit.new'],
		['edit', 'edit.value'],
		['suspend', 'suspend'],
	],
	namespaces: [
		['rename', 'namespaces.rename'],
		['title', 'namespaces.rename'],
		['new', 'namespaces.new'],
		['create', 'namespaces.new'],
		['add', 'namespaces.new'],
		['delete', 'namespaces.delete'],
		['remove', 'namespaces.delete'],
		['search', 'namespaces.filter'],
		['find', 'namespaces.filter'],
		['filter', 'namespaces.filter'],
		['copy', 'namespaces.copy'],
		['copy id', 'namespaces.copy'],
		['preview', 'namespaces.pair'],
		['new key', 'edit.new'],
		['create key', 'edit.new'],
		['undo', 'edit.undo'],
	],
	keys: [
		['new key', 'edit.new'],
		['create key', 'edit.new'],
		['add', 'edit.new'],
		['new', 'edit.new'],
		['edit', 'edit.value'],
		['change', 'edit.value'],
		['delete', 'edit.delete'],
		['remove', 'edit.delete'],
		['delete key', 'edit.delete'],
		['export', 'keys.export'],
		['download', 'keys.export'],
		['save', 'keys.export'],
		['upload', 'keys.bulk'],
		['import', 'keys.bulk'],
		['bulk', 'keys.bulk'],
		['undo', 'edit.undo'],
		['revert', 'edit.undo'],
		['copy', 'keys.copy'],
		['copy to', 'keys.copy-to'],
		['clone', 'rename.duplicate'],
		['clipboard', 'keys.copy'],
		['search', 'keys.filter'],
		['find', 'keys.filter'],
		['search values', 'keys.search-values'],
		['search in values', 'keys.search-values'],
		['grep', 'keys.search-values'],
		['diff', 'keys.compare'],
		['compare', 'keys.compare'],
		['tree', 'keys.arrange'],
		['select all', 'keys.select-all'],
		['restore', 'trash.open'],
		['trash', 'trash.open'],
		['redo', 'trash.open'],
		['resume', 'go.jobs'],
		['back', 'back'],
		['mv', 'rename.key'],
		['cp', 'rename.duplicate'],
		['yank', 'keys.copy'],
		['namespaces', 'go.namespaces'],
		['refresh', 'reload'],
	],
	key: [
		['ttl', 'edit.expiry'],
		['expiration', 'edit.expiry'],
		['metadata', 'edit.metadata'],
		['find', 'key.find'],
		['search', 'key.find'],
		['hex', 'key.form'],
		['wrap', 'key.wrap'],
		['long lines', 'key.wrap'],
		['edit', 'edit.value'],
		['delete', 'edit.delete'],
	],
	firewall: [
		['block ip', 'firewall.emergency'],
		['emergency', 'firewall.emergency'],
		['ban', 'firewall.emergency'],
		['pause rule', 'firewall.pause'],
		['disable', 'firewall.pause'],
		['new rule', 'firewall.new-rule'],
		['add rule', 'firewall.new-rule'],
		['create rule', 'firewall.new-rule'],
		['edit', 'firewall.edit'],
		['edit expression', 'firewall.edit-expression'],
		['delete', 'firewall.delete'],
		['remove', 'firewall.delete'],
		['priority', 'firewall.priority'],
		['reorder', 'firewall.priority'],
		['search', 'firewall.filter'],
	],
};

async function openScreen(name: string): Promise<TestStore> {
	const testStore = createTestStore();
	const {state} = testStore;
	await state().connection.loadConnection();
	switch (name) {
		case 'namespaces':
			await state().namespaces.load('remote', testStore.signal);
			state().navigation.go('namespaces');
			return testStore;
		case 'keys':
		case 'key': {
			await testStore.openNamespace('CONFIG');
			state().navigation.go('keys');
			await testStore.until(({keys: {data: keys}}) => (keys?.rows.count ?? 0) > 0);
			if (name === 'keys') return testStore;
			dispatch(createTestApp(testStore), {name: 'enter', text: '', sequence: ''});
			await testStore.until(({key: {data: key}}) => key?.reading === 'read');
			return testStore;
		}
		case 'firewall':
			await openShopFirewall(testStore);
			state().navigation.go('firewall');
			return testStore;
		default:
			return testStore;
	}
}

test.each(
	Object.entries(expectedActions),
)('on %s, each word finds the intended action first', async (name, queries) => {
	const {state} = await openScreen(name);
	const found = queries.map(([query]) => [query, listPaletteActions(actions, state(), query)[0]?.action.id]);
	expect(found).toEqual(queries);
});

/** Words for destruction, and their beginnings: only these may find a destructive action first. */
const destructiveWords =
	/^(d(e(l(e(te?)?)?)?)?|r(e(m(o(ve?)?)?)?)?|drop|destroy|erase|delete key|discard|forget)$/;

test.each(
	Object.keys(expectedActions),
)('on %s, no other word finds a destructive or sending action first', async name => {
	const {state} = await openScreen(name);
	const all = Object.values(expectedActions).flatMap(rows => rows.map(([query]) => query));
	const fragments = ['e', 'n', 'nk', 'new ke', 'wy', 'every', 'key', 'rule', 'namespace', 'with'];
	const otherQueries = [...all, ...fragments].filter(query => !destructiveWords.test(query));
	const destructiveQueries = otherQueries.filter(
		query => listPaletteActions(actions, state(), query)[0]?.action.isDestructive,
	);
	expect(destructiveQueries).toEqual([]);
});

test('the help finds the same names', async () => {
	const {state} = await openScreen('keys');
	const found = buildHelpRows(actions, state(), 'refresh');
	expect(found).toContainEqual(expect.objectContaining({action: expect.objectContaining({id: 'reload'})}));
});

test.each([
	['acme.ex', 'acme.example'],
	['done', 'done.acme.example'],
	['acme-sh', 'acme-shop.example'],
	['go to zone: acme.example', 'acme.example'],
	['bulk', 'bulk.acme.example'],
	['long', 'long.acme.example'],
	['check', 'check.acme.example'],
])('opening the palette loads the zones, and "%s" finds %s first', async (query, name) => {
	const testStore = createTestStore({simulate: true});
	dispatch(createTestApp(testStore), createTextKey(':'));
	await testStore.until(({zones}) => zones.data.reading === 'read');
	expect(buildPaletteRows(actions, testStore.state(), query)[0]).toMatchObject({
		kind: 'jump',
		noun: 'zone',
		name,
	});
});

test('"quota" finds the API calls', () => {
	const {state} = createTestStore();
	expect(listPaletteActions(actions, state(), 'quota')[0]?.action.id).toBe('go.activity');
});

test.each([
	['backup', 'catalogue-backup'],
	['preview', 'SESSIONS_preview'],
	['names', 'odd names'],
])('the word "%s" finds the namespace %s before actions that are unavailable or elsewhere', async (query, name) => {
	const {state, signal} = createTestStore();
	await state().namespaces.load('remote', signal);
	if (query === 'backup') await state().namespaces.create(name, signal);
	const rows = buildPaletteRows(actions, state(), query);
	const row = rows.findIndex(one => one.kind === 'jump' && one.name === name);
	const unavailable = rows.findIndex(one => one.kind === 'action' && one.reason !== undefined);
	expect(row).toBeGreaterThanOrEqual(0);
	expect(row).toBeLessThan(4);
	if (unavailable !== -1) expect(row).toBeLessThan(unavailable);
});

test('the name of a namespace comes before actions that only a search term finds, not before their titles', async () => {
	const {state, signal} = createTestStore();
	await state().namespaces.load('remote', signal);
	expect(buildPaletteRows(actions, state(), 'prev')[0]).toMatchObject({name: 'SESSIONS_preview'});
	await state().namespaces.create('old-helpers', signal);
	expect(buildPaletteRows(actions, state(), 'namesp')[0]).toMatchObject({action: {id: 'go.namespaces'}});
	expect(buildPaletteRows(actions, state(), 'hel')[0]).toMatchObject({action: {id: 'help'}});
});

test('letters in order still find an action by its title', () => {
	const {state} = createTestStore();
	expect(listPaletteActions(actions, state(), 'shwkys')[0]?.action.id).toBe('help');
});

test('scattered letters never find a destructive action', () => {
	const {state} = createTestStore();
	const ids = listPaletteActions(actions, state(), 'dlt th nmspc').map(({action}) => action.id);
	expect(ids).not.toContain('namespaces.delete');
});

test('a single letter in the help is a key', async () => {
	const {state} = await openScreen('keys');
	const found = buildHelpRows(actions, state(), 'G').flatMap(row => ('action' in row ? [row.action.id] : []));
	expect(found).toEqual(['move.last']);
});
