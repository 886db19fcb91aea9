import {describe, expect, test} from 'vitest';
import {openLocalStore} from '../../../source/kv/local/store.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {DialogView} from '../../../source/screens/shell/dialog.tsx';
import {askForStore} from '../../../source/screens/transfer/choose-store.ts';
import {createTestApp, draw} from '../support/drawn.tsx';
import {expectDialog} from '../support/firewall-keys.ts';
import {createTestStore} from '../support/store.ts';

/** Asks for a store while CONFIG of the simulated service is open, with one local namespace, `dev-data`. */
async function askBesideConfig({faults = '', writesStore = false} = {}) {
	const testStore = createTestStore({simulate: true}, {faults});
	using local = openLocalStore({root: `${testStore.folder}/.wrangler/state/v3`, namespace: 'dev-data'});
	await local.put('k', Buffer.from('v'), {}, testStore.signal);
	await testStore.openNamespace('CONFIG');
	const app = createTestApp(testStore);
	const chosen: string[] = [];
	const firstChoice = Promise.withResolvers<string>();
	askForStore(
		app,
		{kind: 'all'},
		{
			verb: 'Compare',
			writesStore,
			lines: [],
			onChosen(name) {
				chosen.push(name);
				firstChoice.resolve(name);
			},
		},
	);
	const {namespaces} = testStore.state();
	const getName = (title: string) => namespaces.data.rows.find(row => row.title === title)?.name;
	return {
		testStore,
		chosen,
		firstChoice: firstChoice.promise,
		getName,
		listingEnds: () =>
			testStore.until(
				({dialog: {current}}) => current?.kind === 'field' && current.suggestions?.note === undefined,
			),
		press: (name: string) => dispatch(app, {name, text: '', sequence: ''}),
		type(text: string) {
			for (const letter of text) dispatch(app, {name: letter, text: letter, sequence: letter});
		},
		read: (rows = 18) =>
			draw(app, <DialogView dialog={expectDialog(testStore, 'field')} columns={70} rows={rows} />, {
				columns: 80,
				rows: 24,
			})
				.rows()
				.join('\n'),
	};
}

describe('the stores to compare or copy with', () => {
	test('fill the rows that the question leaves free; if there are more, it counts them', async () => {
		const {listingEnds, read, type} = await askBesideConfig();
		await listingEnds();
		expect(read(12)).toContain('Compare CONFIG with (6 choices)');
		expect(read(12)).toContain('odd names');
		expect(read(12)).not.toContain('dev-data');
		expect(read(13)).not.toContain('choices)');
		expect(read(13)).toContain('dev-data');
		type('prev');
		expect(read(12)).not.toContain('choices)');
	});

	test('are all other namespaces: those of the account, and those that have local data', async () => {
		const {testStore, listingEnds, read} = await askBesideConfig();
		await listingEnds();
		const {suggestions} = expectDialog(testStore, 'field');
		expect(suggestions?.all.map(({label}) => label)).toEqual([
			'SESSIONS',
			'SESSIONS_preview',
			'assets',
			'catalogue',
			'odd names',
			'dev-data, local',
		]);
		expect(read()).toContain('dev-data, local');
		expect(read()).not.toContain('listing');
	});

	test('are filtered by typing, and enter takes the selected one', async () => {
		const {listingEnds, press, type, read, chosen, getName} = await askBesideConfig();
		await listingEnds();
		type('sess');
		expect(read()).not.toContain('catalogue');
		press('down');
		press('enter');
		expect(chosen).toEqual([getName('SESSIONS_preview')]);
	});

	test('begin with the one whose whole title was typed', async () => {
		const {listingEnds, press, type, chosen, getName} = await askBesideConfig();
		await listingEnds();
		type('sessions_PREVIEW');
		press('enter');
		expect(chosen).toEqual([getName('SESSIONS_preview')]);
	});

	test('keep the selected one when more of them are listed', async () => {
		const {testStore, listingEnds, press, chosen, getName} = await askBesideConfig();
		press('down');
		const countBefore = expectDialog(testStore, 'field').suggestions?.all.length ?? 0;
		await listingEnds();
		expect(expectDialog(testStore, 'field').suggestions?.all.length).toBeGreaterThan(countBefore);
		press('enter');
		expect(chosen).toEqual([getName('SESSIONS_preview')]);
	});

	test.each([
		['preview:elsewhere', 'preview:elsewhere'],
		['local:other@/tmp/there', 'local:other@/tmp/there'],
	])('may be typed: %s', async (typed, name) => {
		const {listingEnds, press, type, read, firstChoice} = await askBesideConfig();
		await listingEnds();
		type(typed);
		expect(read()).toContain('No match; ⏎ takes what is typed.');
		press('enter');
		expect(await firstChoice).toBe(name);
	});

	test('are checked by title while they are typed', async () => {
		const {listingEnds, press, type, read, chosen} = await askBesideConfig();
		await listingEnds();
		type('SESIONS');
		expect(read()).not.toContain('takes what is typed');
		press('enter');
		expect(chosen).toEqual([]);
		expect(read()).toContain('No namespace is called "SESIONS": choose one of the list.');
	});

	test('are checked by context while they are typed', async () => {
		const {listingEnds, press, type, read, chosen} = await askBesideConfig({writesStore: true});
		await listingEnds();
		expect(read()).not.toContain('context/title');
		type('remote:staging/CONFIG');
		press('enter');
		expect(chosen).toEqual([]);
		expect(read()).toContain('No context is called "staging": the simulated service has none.');
	});

	test('exclude a file to copy into', async () => {
		const {listingEnds, press, type, read, chosen} = await askBesideConfig({writesStore: true});
		await listingEnds();
		expect(read()).not.toContain('file:PATH');
		type('file:x.ndjson');
		press('enter');
		expect(chosen).toEqual([]);
		expect(read()).toContain('x exports to one');
	});
});

test('namespaces that cannot be listed are reported, and the others can be chosen', async () => {
	const testStore = createTestStore({local: true});
	for (const namespace of ['one', 'two']) {
		using store = openLocalStore({root: `${testStore.folder}/.wrangler/state/v3`, namespace});
		await store.put('k', Buffer.from('v'), {}, testStore.signal);
	}
	await testStore.state().namespaces.load('local', testStore.signal);
	const row = testStore.state().namespaces.data.rows.find(({title}) => title === 'one');
	if (!row) throw new Error('The namespace is not listed.');
	await testStore.state().keys.open(row, testStore.signal);
	askForStore(
		createTestApp(testStore),
		{kind: 'all'},
		{verb: 'Copy', writesStore: true, lines: [], onChosen: () => {}},
	);
	await testStore.until(({work: {list}}) => list.length === 0);
	expect(expectDialog(testStore, 'field').suggestions).toMatchObject({
		all: [{label: 'two, local'}],
		note: expect.stringMatching(/^Not all namespaces are listed: ./),
	});
});
