import {expect, test} from 'vitest';
import {openKey} from '../../../source/screens/key/actions.ts';
import {getCurrentKeyName} from '../../../source/screens/keys/cursor-row.ts';
import {openLastPlace} from '../../../source/screens/places/actions.ts';
import {getCurrentScreen, type Screen} from '../../../source/screens/shell/screen-name.ts';
import {openFirewall} from '../../../source/screens/zones/actions.ts';
import {storeLastPlace} from '../../../source/state/last-place.ts';
import {createTestApp} from '../support/drawn.tsx';
import {isComplete, openKeysScreen} from '../support/listed-keys.ts';
import {createTestStore, type TestStore} from '../support/store.ts';

async function start(previousStore?: TestStore) {
	const testStore = createTestStore({simulate: true}, previousStore && {previousStore});
	const {state, until} = testStore;
	await state().connection.loadConnection();
	return {
		...testStore,
		testStore,
		app: createTestApp(testStore),
		isOn: (screen: Screen) => until(next => getCurrentScreen(next) === screen),
		getCursorName() {
			const keys = state().keys.data;
			return keys && getCurrentKeyName(keys);
		},
	};
}

test('a list of keys is opened again with its filter and cursor, and an open key with its value', async () => {
	const first = await start();
	await openKeysScreen(first.testStore, 'CONFIG');
	first.state().keys.filter('r');
	first.state().keys.move(1);
	const cursorName = first.getCursorName();
	expect(cursorName).toContain('r');
	first.state().places.storeLast();
	const second = await start(first.testStore);
	openLastPlace(second.app);
	await second.isOn('keys');
	await second.until(isComplete);
	expect([second.state().keys.data?.filter, second.getCursorName()]).toEqual(['r', cursorName]);
	await openKey(second.app, 'robots.txt');
	second.state().places.storeLast();
	const third = await start(second.testStore);
	openLastPlace(third.app);
	await third.until(({key: {data: key}}) => key?.view !== undefined);
	expect([getCurrentScreen(third.state()), third.state().key.data?.name]).toEqual(['key', 'robots.txt']);
});

test.each([
	'firewall',
	'customRules',
	'rateLimits',
	'managed',
	'events',
	'migration',
] as const)('the screen %s of a zone is opened again', async screen => {
	const first = await start();
	await first.state().zones.load(first.signal);
	const row = first.state().zones.data.rows.find(({name}) => name === 'acme.example');
	if (!row) throw new TypeError('There is no such zone.');
	const {zone} = row.overview;
	openFirewall(first.app, zone);
	first.state().places.storeLast();
	const last = first.state().places.readLast();
	expect(last).toEqual({screen: 'firewall', id: zone.id, name: zone.name});
	storeLastPlace(first.env, 'simulated', {...last, screen});
	const second = await start(first.testStore);
	openLastPlace(second.app);
	await second.isOn(screen);
	expect(second.state()[screen].data?.zone.id).toBe(zone.id);
});

test('a form stores the list that it was opened from', async () => {
	const first = await start();
	await openKeysScreen(first.testStore, 'CONFIG');
	first.state().navigation.go('wizard');
	first.state().places.storeLast();
	expect(first.state().places.readLast()).toMatchObject({screen: 'keys', name: 'CONFIG'});
});

test('says that nothing is stored, and that a namespace is gone', async () => {
	const first = await start();
	openLastPlace(first.app);
	expect(first.state().messages.latest?.text).toBe(
		'There is no last screen to open: none was stored for this service.',
	);
	storeLastPlace(first.env, 'simulated', {screen: 'keys', where: 'remote', id: 'f'.repeat(32), name: 'OLD'});
	openLastPlace(first.app);
	await first.until(({messages: {latest}}) => latest?.kind === 'warned');
	expect(first.state().messages.latest?.text).toBe(
		"The last screen can't be opened again: OLD no longer exists.",
	);
	expect(getCurrentScreen(first.state())).toBe('home');
});
