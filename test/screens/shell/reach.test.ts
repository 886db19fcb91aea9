import {describe, expect, test} from 'vitest';
import {actions} from '../../../source/screens/actions.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {getCurrentScreen} from '../../../source/screens/shell/screen-name.ts';
import {createTestApp} from '../support/drawn.tsx';
import {openShopFirewall} from '../support/firewall.ts';
import {createTestStore, type TestStore} from '../support/store.ts';

const press = (testStore: TestStore, name: string) =>
	dispatch(createTestApp(testStore), {name, text: '', sequence: ''});

/** Types words into the palette, and runs the first action found. */
function runCommand(testStore: TestStore, words: string): void {
	testStore.state().dialog.open({kind: 'palette', query: words, cursor: 0});
	press(testStore, 'enter');
}

async function choose(testStore: TestStore, label: string): Promise<void> {
	await testStore.until(({dialog: {current: dialog}}) => dialog?.kind === 'choice');
	const dialog = testStore.state().dialog.current;
	if (dialog?.kind !== 'choice') throw new Error('Nothing is asked.');
	const choice = dialog.choices.find(one => one.label === label);
	if (!choice) throw new Error(`${label} is not among the choices.`);
	testStore.state().dialog.close();
	dialog.choose(choice.value);
}

async function atHome(): Promise<TestStore> {
	const testStore = createTestStore();
	await testStore.state().connection.loadConnection();
	return testStore;
}

describe('from Home', () => {
	test('a namespace can be chosen and renamed', async () => {
		const testStore = await atHome();
		runCommand(testStore, 'rename namespace');
		await choose(testStore, 'catalogue');
		expect(getCurrentScreen(testStore.state())).toBe('namespaces');
		expect(testStore.state().dialog.current).toMatchObject({kind: 'field', title: 'Rename "catalogue"'});
	});

	test('a filter that hides the chosen namespace is cleared', async () => {
		const testStore = await atHome();
		await testStore.state().namespaces.load('remote', testStore.signal);
		testStore.state().namespaces.filter('config');
		runCommand(testStore, 'delete namespace');
		await choose(testStore, 'catalogue');
		expect(testStore.state().namespaces.data.filter).toBe('');
		expect(testStore.state().dialog.current).toMatchObject({title: 'Delete "catalogue"?'});
	});

	test('a namespace is chosen for a new key, and its keys are listed first', async () => {
		const testStore = await atHome();
		runCommand(testStore, 'new key');
		await choose(testStore, 'CONFIG');
		await testStore.until(({dialog: {current: dialog}}) => dialog?.kind === 'field');
		expect(testStore.state().dialog.current).toMatchObject({title: 'New key: name (1 of 4)'});
		expect(testStore.state().keys.data?.namespace.title).toBe('CONFIG');
	});

	test('a new firewall rule asks for the zone', async () => {
		const testStore = await atHome();
		runCommand(testStore, 'new firewall rule');
		await choose(testStore, 'acme.example');
		await testStore.until(state => getCurrentScreen(state) === 'wizard');
		expect(testStore.state().wizard.data?.zone.name).toBe('acme.example');
	});

	test('a zone with retired firewall rules gets a custom rule', async () => {
		const testStore = await atHome();
		runCommand(testStore, 'new firewall rule');
		await choose(testStore, 'done.acme.example');
		await testStore.until(state => getCurrentScreen(state) === 'customRule');
		expect(testStore.state().customRule.data?.zone.name).toBe('done.acme.example');
	});

	test('an action that needs a key opens the keys, and says which key to press then', async () => {
		const testStore = await atHome();
		runCommand(testStore, 'change expiry');
		await choose(testStore, 'CONFIG');
		await testStore.until(({messages: {latest: message}}) => message !== undefined);
		expect(testStore.state().messages.latest?.text).toBe(
			'Choose a key, then press T: change when the key expires.',
		);
		expect(getCurrentScreen(testStore.state())).toBe('keys');
	});

	test('going elsewhere meanwhile is not interrupted', async () => {
		const testStore = await atHome();
		runCommand(testStore, 'new key');
		testStore.state().navigation.go('activity');
		await testStore.until(({work: {list: work}}) => work.length === 0);
		expect(testStore.state().dialog.current).toBeUndefined();
		expect(getCurrentScreen(testStore.state())).toBe('activity');
	});
});

test('the selected key is opened for an action on it', async () => {
	const testStore = await atHome();
	await testStore.openNamespace('CONFIG');
	testStore.state().navigation.go('keys');
	await testStore.until(({keys: {data: keys}}) => keys?.listing.state === 'complete');
	testStore.state().keys.arrange('flat');
	runCommand(testStore, 'copy value');
	await testStore.until(({messages: {latest: message}}) => message?.text.startsWith('Copied') === true);
	expect(getCurrentScreen(testStore.state())).toBe('key');
});

describe('by name', () => {
	test('a namespace, a zone and a key can be opened', async () => {
		const testStore = await atHome();
		await testStore.state().namespaces.load('remote', testStore.signal);
		await testStore.state().zones.load(testStore.signal);
		runCommand(testStore, 'go to namespace config');
		await testStore.until(({keys: {data: keys}}) => keys?.listing.state === 'complete');
		expect(testStore.state().keys.data?.namespace.title).toBe('CONFIG');
		runCommand(testStore, 'motd');
		await testStore.until(({key: {data: key}}) => key?.reading === 'read');
		expect(testStore.state().key.data?.name).toBe('motd');
		runCommand(testStore, 'acme-shop');
		await testStore.until(({firewall: {data: firewall}}) => firewall?.reading === 'read');
		expect(testStore.state().firewall.data?.zone.name).toBe('acme-shop.example');
		expect(testStore.state().keys.data).toBeUndefined();
	});

	test('a form is left before anything else is done', async () => {
		const testStore = await atHome();
		await openShopFirewall(testStore);
		testStore.state().navigation.go('firewall');
		testStore.state().emergency.begin();
		testStore.state().navigation.go('emergency');
		for (const text of 'ip.src eq 192.0.2.99')
			testStore.state().emergency.type({name: text, text, sequence: text});
		testStore.state().emergency.goToNextStep();
		runCommand(testStore, 'new namespace');
		expect(getCurrentScreen(testStore.state())).toBe('emergency');
		expect(testStore.state().messages.latest?.text).toContain('on namespaces');
	});
});

test('each action with a palette mode belongs to a single screen', () => {
	const everywhere = actions.filter(({where, paletteMode}) => where === 'everywhere' && paletteMode);
	expect(everywhere).toEqual([]);
	expect(actions.filter(({paletteMode}) => paletteMode).length).toBeGreaterThan(30);
});

test('an action that runs in place keeps its reason for being unavailable in the palette', async () => {
	const testStore = await atHome();
	const undo = actions.find(({id}) => id === 'edit.undo');
	expect(undo?.paletteRoute?.getUnavailableReason?.(testStore.state())).toBe(
		'nothing left to undo in this session: V opens the trash, H the history of a key; rule changes are undone in their list',
	);
});
