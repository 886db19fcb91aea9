import {rmSync, writeFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {buildHomeEntries} from '../../../source/screens/home/entries.ts';
import {formatRecent} from '../../../source/screens/places/recents.ts';
import {getCurrentScreen} from '../../../source/screens/shell/screen-name.ts';
import {createTestApp} from '../support/drawn.tsx';
import {isComplete} from '../support/listed-keys.ts';
import {createTestStore, type TestStore} from '../support/store.ts';

async function openNamespaces(previousStore?: TestStore) {
	const testStore = createTestStore({simulate: true}, previousStore && {previousStore});
	const app = createTestApp(testStore);
	const {state} = testStore;
	state().navigation.resize({columns: 80, rows: 24});
	await state().connection.loadConnection();
	await state().namespaces.load('remote', testStore.signal);
	const press = (...names: readonly string[]) => {
		for (const name of names) dispatch(app, {name, text: '', sequence: ''});
	};
	/** Chooses the entry of the open dialog that starts with a text. */
	const choose = (label: string) => {
		const dialog = state().dialog.current;
		if (dialog?.kind !== 'choice') throw new TypeError('There is no choice.');
		state().dialog.close();
		dialog.choose(dialog.choices.find(one => one.label.startsWith(label))?.value ?? '');
	};
	const listPins = () =>
		buildHomeEntries(state()).flatMap(({label}) => (label.startsWith('Pinned') ? [label.slice(21)] : []));
	return {...testStore, app, press, choose, listPins};
}

test('* pins namespaces and prefixes to Home, in this order and for the next run, and unpins them', async () => {
	const person = await openNamespaces();
	const {state, press, choose, listPins} = person;
	state().navigation.go('namespaces');
	press('*');
	expect(state().messages.latest?.text).toBe('Pinned to Home: CONFIG');
	await person.openNamespace('SESSIONS');
	state().navigation.go('keys');
	state().keys.filter('^session:');
	press('*');
	expect(listPins()).toEqual(['CONFIG', 'SESSIONS, prefix session:']);
	state().navigation.go('home');
	press('*');
	choose('SESSIONS');
	choose('Move to the top');
	const next = await openNamespaces(person);
	expect(next.listPins()).toEqual(['SESSIONS, prefix session:', 'CONFIG']);
	next.state().navigation.go('namespaces');
	next.press('*');
	expect(next.listPins()).toEqual(['SESSIONS, prefix session:']);
	// More than three share an entry.
	for (const id of ['1', '2', '3'])
		next.state().places.changePins(pins => [...pins, {kind: 'zone', id, name: id}]);
	expect(next.listPins()).toEqual(['4: SESSIONS, prefix session:, zone 1, zone 2, zone 3']);
});

test('a pin that cannot be stored is not pinned, and the failure stays on screen', async () => {
	const {state, env, press, listPins} = await openNamespaces();
	const {LEDGE_STATE_DIR: folder = ''} = env;
	rmSync(folder, {recursive: true, force: true});
	writeFileSync(folder, 'no folder');
	state().navigation.go('namespaces');
	press('*');
	expect(state().messages.latest).toMatchObject({kind: 'failed', failure: {code: 'file_failed'}});
	expect(listPins()).toEqual([]);
});

test('a pin opens its keys with the prefix; one that is gone is named, and can be unpinned', async () => {
	const {state, app, until, listPins, press, choose} = await openNamespaces();
	const {id = ''} = state().namespaces.data.rows.find(({title}) => title === 'CONFIG') ?? {};
	state().places.changePins(() => [
		{kind: 'namespace', where: 'remote', id, title: 'CONFIG', filter: '^mot'},
		{kind: 'zone', id: 'f'.repeat(32), name: 'gone.example'},
	]);
	const [pinned, gone] = buildHomeEntries(state()).filter(({label}) => label.startsWith('Pinned'));
	gone?.open(app);
	await until(({messages: {latest: message}}) => message?.text.startsWith('No longer exists') === true);
	expect(state().messages.latest?.text).toBe('No longer exists: gone.example. * on Home unpins it.');
	pinned?.open(app);
	await until(next => getCurrentScreen(next) === 'keys' && isComplete(next));
	expect(state().keys.data?.filter).toBe('^mot');
	state().navigation.go('home');
	press('*');
	choose('zone gone');
	choose('Unpin');
	expect(state().places.pins.map(formatRecent)).toEqual(['CONFIG, prefix mot']);
	expect(listPins()).toHaveLength(1);
});
