import {describe, expect, test} from 'vitest';
import {createKey} from '../../../source/keyboard/key.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {getCurrentScreen} from '../../../source/screens/shell/screen-name.ts';
import {openFirewall} from '../../../source/screens/zones/actions.ts';
import {migratedSampleZone} from '../support/custom-rules.ts';
import {createTestApp} from '../support/drawn.tsx';
import {atManaged} from '../support/managed.ts';
import {createTestStore, type TestStore} from '../support/store.ts';

const press = (testStore: TestStore, key: string) => dispatch(createTestApp(testStore), createKey(key, key));

const expectOpened = ({state, until}: TestStore, zoneId: string) =>
	until(
		() => getCurrentScreen(state()) === 'customRules' && state().customRules.data?.reading === 'read',
	).then(() => {
		expect(state().customRules.data?.zone.id).toBe(zoneId);
		expect(state().customRules.data?.ruleset?.rules.length).toBeGreaterThan(0);
	});

describe('opening the custom rules', () => {
	test('shows the zone under the cursor in the list of zones', async () => {
		const testStore = createTestStore();
		const {state} = testStore;
		await state().zones.load(testStore.signal);
		state().navigation.go('zones');
		state().zones.move(state().zones.data.rows.findIndex(({id}) => id === migratedSampleZone.id));
		press(testStore, '3');
		await expectOpened(testStore, migratedSampleZone.id);
		press(testStore, 'esc');
		expect(getCurrentScreen(state())).toBe('zones');
	});

	test('shows the zone whose managed rules are on the screen', async () => {
		const person = await atManaged();
		press(person.testStore, '3');
		await expectOpened(person.testStore, migratedSampleZone.id);
	});

	test('from the firewall rules of a zone where they are retired says where the rules are', async () => {
		const testStore = createTestStore();
		openFirewall(createTestApp(testStore), migratedSampleZone);
		await expectOpened(testStore, migratedSampleZone.id);
		expect(testStore.state().messages.latest?.text).toBe(
			'Firewall rules are retired in done.acme.example; its rules are custom rules now.',
		);
	});

	test('leads through the list of zones if several are possible, and enter opens one', async () => {
		const testStore = createTestStore();
		const {state} = testStore;
		press(testStore, '3');
		await testStore.until(
			({zones: {data: zones}, work: {list: work}}) => zones.reading === 'read' && work.length === 0,
		);
		expect(getCurrentScreen(state())).toBe('zones');
		state().zones.move(state().zones.data.rows.findIndex(({id}) => id === migratedSampleZone.id));
		press(testStore, 'enter');
		await expectOpened(testStore, migratedSampleZone.id);
	});
});
