import {expect, test} from 'vitest';
import {createTextKey} from '../../../source/keyboard/key.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {buildHomeEntries} from '../../../source/screens/home/entries.ts';
import {getCurrentScreen} from '../../../source/screens/shell/screen-name.ts';
import {getCurrentZone} from '../../../source/screens/zones/zone-area.ts';
import {createTestApp} from '../support/drawn.tsx';
import {createTestStore} from '../support/store.ts';

/** Opens an area of one zone, and then the migration of another. */
async function openMigrationAfter(areaKey: string) {
	const testStore = createTestStore({simulate: true});
	const {state} = testStore;
	const app = createTestApp(testStore);
	await state().zones.load(testStore.signal);
	const findZone = (name: string) => {
		const row = state().zones.data.rows.find(one => one.name === name);
		if (!row) throw new Error(`There is no zone ${name}.`);
		return row.overview.zone;
	};
	const earlierZone = findZone('acme.example');
	state().firewall.open(earlierZone);
	state().navigation.go('firewall');
	dispatch(app, createTextKey(areaKey));
	expect(getCurrentZone(state())?.id).toBe(earlierZone.id);
	dispatch(app, createTextKey('0'));
	const zone = findZone('acme-pay.example');
	await state().migration.open(zone);
	state().navigation.go('migration');
	return {state, press: (key: string) => dispatch(app, createTextKey(key)), zone};
}

test.each([
	['2', 'firewall'],
	['3', 'customRules'],
	['4', 'managed'],
	['6', 'events'],
	['!', 'emergency'],
])('%s in a migration opens its zone, not the one opened there before', async (key, screen) => {
	const {state, press, zone} = await openMigrationAfter(key === '!' ? '2' : key);
	press(key);
	expect(getCurrentScreen(state())).toBe(screen);
	expect(getCurrentZone(state())?.id).toBe(zone.id);
});

test('5 from the managed rules of a migrating zone leads back to its migration', async () => {
	const {state, press, zone} = await openMigrationAfter('4');
	press('4');
	press('5');
	expect(getCurrentScreen(state())).toBe('migration');
	expect(state().migration.data?.zone.id).toBe(zone.id);
});

test.each([
	['2', 'firewall'],
	['3', 'customRules'],
	['6', 'events'],
])('on Home, %s opens the zone visited last, which the entries name', async (key, screen) => {
	const {state, press, zone} = await openMigrationAfter(key);
	await state().connection.loadConnection();
	press('0');
	const labels = buildHomeEntries(state()).map(({label}) => label.replaceAll(/ +/g, ' '));
	for (const name of ['Firewall rules', 'Custom rules', 'Managed rules'])
		expect(labels).toContain(`${name} zone acme-pay.example`);
	press(key);
	expect(getCurrentScreen(state())).toBe(screen);
	expect(getCurrentZone(state())?.id).toBe(zone.id);
});
