import {describe, expect, test} from 'vitest';
import {createKey} from '../../../source/keyboard/key.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {getCurrentScreen} from '../../../source/screens/shell/screen-name.ts';
import {migratedSampleZone, openMigratedCustomRules} from '../support/custom-rules.ts';
import {createTestApp} from '../support/drawn.tsx';
import {atManaged} from '../support/managed.ts';
import {createMigratingPerson} from '../support/migration-store.ts';
import {createTestStore, type TestStore} from '../support/store.ts';

const press = (testStore: TestStore, key: string) => dispatch(createTestApp(testStore), createKey(key, key));

const expectManagedOpened = ({state, until}: TestStore, zoneId: string) =>
	until(() => getCurrentScreen(state()) === 'managed' && state().managed.data?.reading === 'read').then(() =>
		expect(state().managed.data?.zone.id).toBe(zoneId),
	);

describe('the active managed rules', () => {
	test('are opened for the zone under the cursor in the zones', async () => {
		const testStore = createTestStore();
		const {state} = testStore;
		await state().zones.load(testStore.signal);
		state().navigation.go('zones');
		state().zones.move(state().zones.data.rows.findIndex(({id}) => id === migratedSampleZone.id));
		press(testStore, '4');
		await expectManagedOpened(testStore, migratedSampleZone.id);
		press(testStore, 'esc');
		expect(getCurrentScreen(state())).toBe('zones');
	});

	test('are opened for the zone whose custom rules are in front', async () => {
		const testStore = createTestStore();
		await openMigratedCustomRules(testStore);
		press(testStore, '4');
		await expectManagedOpened(testStore, migratedSampleZone.id);
	});

	test('are opened by enter in the zones if several could be meant', async () => {
		const testStore = createTestStore();
		const {state} = testStore;
		press(testStore, '4');
		await testStore.until(
			({zones: {data: zones}, work: {list: work}}) => zones.reading === 'read' && work.length === 0,
		);
		expect(getCurrentScreen(state())).toBe('zones');
		state().zones.move(state().zones.data.rows.findIndex(({id}) => id === migratedSampleZone.id));
		press(testStore, 'enter');
		await expectManagedOpened(testStore, migratedSampleZone.id);
	});

	test('are opened by the first choice at the end of a completed migration', async () => {
		const person = await createMigratingPerson(migratedSampleZone);
		await person.choose('read');
		expect(person.migration().step).toBe('done');
		expect(person.choices()).toEqual(['manage', 'verify', 'leave']);
		await person.enter();
		await expectManagedOpened(person.testStore, migratedSampleZone.id);
	});
});

test('changes to one zone become a draft when another is opened', async () => {
	const person = await atManaged();
	person.press('T');
	person.answer('score', '25');
	const otherZone = {
		id: 'd0e032749968114a09730950255c7c0f',
		name: 'acme.example',
		plan: 'enterprise',
	} as const;
	person.state().managed.open(otherZone);
	await person.state().managed.readAndOfferDraft();
	expect(person.managed()).toMatchObject({zone: otherZone, edits: []});
	person.state().managed.open(migratedSampleZone);
	await person.state().managed.readAndOfferDraft();
	expect(person.state().dialog.current).toMatchObject({
		kind: 'choice',
		title: expect.stringContaining('1 change not sent'),
	});
	person.answer('open');
	await person.idle();
	expect(person.managed().edits.map(({edit}) => edit)).toEqual([{kind: 'score threshold', points: 25}]);
});
