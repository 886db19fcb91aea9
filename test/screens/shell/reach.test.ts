import {describe, expect, test} from 'vitest';
import {actions} from '../../../source/screens/actions.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {getCurrentScreen} from '../../../source/screens/shell/screen-name.ts';
import {createTestApp} from '../support/drawn.tsx';
import {openShopFirewall} from '../support/firewall.ts';
import {createTestStore, type TestStore} from '../support/store.ts';

const press = (space: TestStore, name: string) =>
	dispatch(createTestApp(space), {name, text: '', sequence: ''});

/** Types words into the palette, and runs the first action found. */
function runCommand(space: TestStore, words: string): void {
	space.state().dialog.open({kind: 'palette', query: words, cursor: 0});
	press(space, 'enter');
}

async function choose(space: TestStore, label: string): Promise<void> {
	await space.until(({dialog: {current: dialog}}) => dialog?.kind === 'choice');
	const dialog = space.state().dialog.current;
	if (dialog?.kind !== 'choice') throw new Error('Nothing is asked.');
	const choice = dialog.choices.find(one => one.label === label);
	if (!choice) throw new Error(`${label} is not among the choices.`);
	space.state().dialog.close();
	dialog.choose(choice.value);
}

async function atHome(): Promise<TestStore> {
	const space = createTestStore();
	await space.state().connection.loadConnection();
	return space;
}

describe('from Home', () => {
	test('a namespace can be chosen and renamed', async () => {
		const space = await atHome();
		runCommand(space, 'rename namespace');
		await choose(space, 'catalogue');
		expect(getCurrentScreen(space.state())).toBe('namespaces');
		expect(space.state().dialog.current).toMatchObject({kind: 'field', title: 'Rename "catalogue"'});
	});

	test('a filter that hides the chosen namespace is cleared', async () => {
		const space = await atHome();
		await space.state().namespaces.load('remote', space.signal);
		space.state().namespaces.filter('config');
		runCommand(space, 'delete namespace');
		await choose(space, 'catalogue');
		expect(space.state().namespaces.data.filter).toBe('');
		expect(space.state().dialog.current).toMatchObject({title: 'Delete "catalogue"?'});
	});

	test('a namespace is chosen for a new key, and its keys are listed first', async () => {
		const space = await atHome();
		runCommand(space, 'new key');
		await choose(space, 'CONFIG');
		await space.until(({dialog: {current: dialog}}) => dialog?.kind === 'field');
		expect(space.state().dialog.current).toMatchObject({title: 'New key'});
		expect(space.state().keys.data?.namespace.title).toBe('CONFIG');
	});

	test('a new firewall rule asks for the zone', async () => {
		const space = await atHome();
		runCommand(space, 'new firewall rule');
		await choose(space, 'acme.example');
		await space.until(state => getCurrentScreen(state) === 'wizard');
		expect(space.state().wizard.data?.zone.name).toBe('acme.example');
	});

	test('a zone with retired firewall rules gets a custom rule', async () => {
		const space = await atHome();
		runCommand(space, 'new firewall rule');
		await choose(space, 'done.acme.example');
		await space.until(state => getCurrentScreen(state) === 'customRule');
		expect(space.state().customRule.data?.zone.name).toBe('done.acme.example');
	});

	test('an action that needs a key opens the keys, and says which key to press then', async () => {
		const space = await atHome();
		runCommand(space, 'change expiry');
		await choose(space, 'CONFIG');
		await space.until(({messages: {latest: message}}) => message !== undefined);
		expect(space.state().messages.latest?.text).toBe(
			'Choose a key and open it, then press T: change when the key expires.',
		);
		expect(getCurrentScreen(space.state())).toBe('keys');
	});

	test('going elsewhere meanwhile is not interrupted', async () => {
		const space = await atHome();
		runCommand(space, 'new key');
		space.state().navigation.go('activity');
		await space.until(({work: {list: work}}) => work.length === 0);
		expect(space.state().dialog.current).toBeUndefined();
		expect(getCurrentScreen(space.state())).toBe('activity');
	});
});

test('the selected key is opened for an action on it', async () => {
	const space = await atHome();
	await space.openNamespace('CONFIG');
	space.state().navigation.go('keys');
	await space.until(({keys: {data: keys}}) => keys?.listing.state === 'complete');
	space.state().keys.arrange('flat');
	runCommand(space, 'copy value');
	await space.until(({messages: {latest: message}}) => message?.text.startsWith('Copied') === true);
	expect(getCurrentScreen(space.state())).toBe('key');
});

describe('by name', () => {
	test('a namespace, a zone and a key can be opened', async () => {
		const space = await atHome();
		await space.state().namespaces.load('remote', space.signal);
		await space.state().zones.load(space.signal);
		runCommand(space, 'go to namespace config');
		await space.until(({keys: {data: keys}}) => keys?.listing.state === 'complete');
		expect(space.state().keys.data?.namespace.title).toBe('CONFIG');
		runCommand(space, 'motd');
		await space.until(({key: {data: key}}) => key?.reading === 'read');
		expect(space.state().key.data?.name).toBe('motd');
		runCommand(space, 'acme-shop');
		await space.until(({firewall: {data: firewall}}) => firewall?.reading === 'read');
		expect(space.state().firewall.data?.zone.name).toBe('acme-shop.example');
		expect(space.state().keys.data).toBeUndefined();
	});

	test('a form is left before anything else is done', async () => {
		const space = await atHome();
		await openShopFirewall(space);
		space.state().navigation.go('firewall');
		space.state().emergency.begin();
		space.state().navigation.go('emergency');
		for (const text of 'ip.src eq 192.0.2.99')
			space.state().emergency.type({name: text, text, sequence: text});
		space.state().emergency.goToNextStep();
		runCommand(space, 'new namespace');
		expect(getCurrentScreen(space.state())).toBe('emergency');
		expect(space.state().messages.latest?.text).toContain('on namespaces');
	});
});

test('each action with a palette mode belongs to a single screen', () => {
	const everywhere = actions.filter(({where, paletteMode}) => where === 'everywhere' && paletteMode);
	expect(everywhere).toEqual([]);
	expect(actions.filter(({paletteMode}) => paletteMode).length).toBeGreaterThan(30);
});

test('an action that runs in place keeps its reason for being unavailable in the palette', async () => {
	const space = await atHome();
	const undo = actions.find(({id}) => id === 'edit.undo');
	expect(undo?.paletteRoute?.getUnavailableReason?.(space.state())).toBe('nothing to undo in this session');
});
