import {expect, test} from 'vitest';
import {createKey} from '../../../source/keyboard/key.ts';
import {actions} from '../../../source/screens/actions.ts';
import {bindPreferences} from '../../../source/screens/bind-preferences.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {createPickerActions, startPicker} from '../../../source/screens/picker.ts';
import type {App} from '../../../source/screens/shell/app.ts';
import {parsePreferences} from '../../../source/settings/preferences/read.ts';
import {screens} from '../../../source/store/screens.ts';
import {createTestStore} from '../support/store.ts';

function createPicker(bound = actions) {
	const testStore = createTestStore();
	const picked: (readonly string[])[] = [];
	const pickerActions = createPickerActions(names => picked.push(names))(bound);
	const app = {...testStore, actions: pickerActions, terminal: {quit() {}}} as unknown as App;
	const press = (...keys: string[]) => {
		for (const key of keys) dispatch(app, createKey(key, key));
	};
	const listed = () => testStore.until(({keys}) => keys.data?.listing.state === 'complete');
	return {...testStore, app, picked, pickerActions, press, listed};
}

test('no action of the chooser writes, prepares a write, or leads to another area', () => {
	const {pickerActions} = createPicker();
	expect(pickerActions.filter(({effect, group}) => effect && group !== 'Dialogs')).toEqual([]);
	expect(pickerActions.filter(({id}) => id.startsWith('go.') || id === 'palette')).toEqual([]);
});

test('enter chooses the key under the cursor, or the selected keys', async () => {
	const {app, press, picked, listed} = createPicker();
	void startPicker(app, 'CONFIG', () => {});
	await listed();
	press('enter');
	press('space', 'down', 'space', 'enter');
	expect(picked).toEqual([['features'], ['features', 'limits/api']]);
});

test('without a namespace one is chosen first, and esc leads back to it, then ends', async () => {
	const {app, press, picked, listed, state, until} = createPicker();
	let ends = 0;
	void startPicker(app, undefined, () => ends++);
	await until(({namespaces}) => namespaces.data.reading === 'read');
	press('enter');
	await listed();
	press('esc');
	expect([state().navigation.stack.at(-1), ends]).toEqual(['namespaces', 0]);
	press('esc');
	expect([picked, ends]).toEqual([[], 1]);
});

test('with a namespace esc clears the filter first, then ends', async () => {
	const {app, press, listed, state} = createPicker();
	let ends = 0;
	void startPicker(app, 'CONFIG', () => ends++);
	await listed();
	state().keys.filter('motd');
	press('esc');
	expect(ends).toBe(0);
	press('esc');
	expect(ends).toBe(1);
});

test('a namespace that does not exist ends it with the reason', async () => {
	const {app} = createPicker();
	const failure = await new Promise(resolve => void startPicker(app, 'NOPE', resolve));
	expect(failure).toMatchObject({code: 'namespace_not_found'});
});

test('keys of the user apply, and commands of the user do not', async () => {
	const preferences = await parsePreferences(
		'[keys]\nkeys.open = "f9"\n[[commands]]\ntitle = "One"\nkey = "f8"\ncommand = ["x"]\n',
		'config.toml',
	);
	const bindings = bindPreferences(actions, preferences, {screens, complete: action => action});
	const {pickerActions} = createPicker(bindings.actions as typeof actions);
	expect(pickerActions.find(({id}) => id === 'pick.choose')?.keys).toEqual(['f9']);
	expect(pickerActions.filter(({keys}) => keys.includes('f8'))).toEqual([]);
});
