import {describe, expect, test} from 'vitest';
import {createKey} from '../../../source/keyboard/key.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {getCurrentScreen} from '../../../source/screens/shell/screen-name.ts';
import {migrated, openedCustomRules} from '../support/custom-rules.ts';
import {appOf} from '../support/drawn.tsx';
import {atManaged} from '../support/managed.ts';
import {at} from '../support/migration-store.ts';
import {createTestStore, type TestStore} from '../support/store.ts';

const press = (space: TestStore, key: string) => dispatch(appOf(space), createKey(key, key));

const isOpened = ({state, until}: TestStore, zone: string) =>
	until(() => getCurrentScreen(state()) === 'managed' && state().managed.data?.reading === 'read').then(() =>
		expect(state().managed.data?.zone.id).toBe(zone),
	);

describe('the active managed rules', () => {
	test('are opened for the zone under the cursor in the zones', async () => {
		const space = createTestStore();
		const {state} = space;
		await state().zones.load(space.signal);
		state().navigation.go('zones');
		state().zones.move(state().zones.data.rows.findIndex(({id}) => id === migrated.id));
		press(space, 'W');
		await isOpened(space, migrated.id);
		press(space, 'esc');
		expect(getCurrentScreen(state())).toBe('zones');
	});

	test('are opened for the zone whose custom rules are in front', async () => {
		const space = createTestStore();
		await openedCustomRules(space);
		press(space, 'W');
		await isOpened(space, migrated.id);
	});

	test('are opened by enter in the zones if several could be meant', async () => {
		const space = createTestStore();
		const {state} = space;
		press(space, 'W');
		await space.until(
			({zones: {data: zones}, work: {list: work}}) => zones.reading === 'read' && work.length === 0,
		);
		expect(getCurrentScreen(state())).toBe('zones');
		state().zones.move(state().zones.data.rows.findIndex(({id}) => id === migrated.id));
		press(space, 'enter');
		await isOpened(space, migrated.id);
	});

	test('are opened by the first choice at the end of a completed migration', async () => {
		const person = await at(migrated);
		await person.choose('read');
		expect(person.migration().step).toBe('done');
		expect(person.choices()).toEqual(['manage', 'verify', 'leave']);
		await person.enter();
		await isOpened(person.space, migrated.id);
	});
});

test('changes to one zone become a draft when another is opened', async () => {
	const person = await atManaged();
	person.press('s');
	person.answers('25');
	const other = {id: 'd0e032749968114a09730950255c7c0f', name: 'acme.example', plan: 'enterprise'} as const;
	person.state().managed.open(other);
	await person.state().managed.readAndOfferDraft();
	expect(person.managed()).toMatchObject({zone: other, edits: []});
	person.state().managed.open(migrated);
	await person.state().managed.readAndOfferDraft();
	expect(person.state().dialog.current).toMatchObject({
		kind: 'choice',
		title: expect.stringContaining('1 change not sent'),
	});
	person.answers('open');
	await person.idle();
	expect(person.managed().edits.map(({edit}) => edit)).toEqual([{kind: 'score threshold', points: 25}]);
});
