import {describe, expect, test} from 'vitest';
import {dispatch} from '../../../source/screens/dispatch.ts';
import type {Dialog} from '../../../source/screens/shell/dialog-slice.ts';
import {getBufferText} from '../../../source/text/buffer/buffer.ts';
import {createTestApp} from '../support/drawn.tsx';
import {createEditingPerson, createOtherPerson, openLocal, type Person} from '../support/editing.ts';
import {createTestStore, type TestStore} from '../support/store.ts';

type OpenedNamespace = TestStore & {
	person: Person;
	others: ReturnType<typeof createOtherPerson>;
	/** Confirms the question, and waits until the write is done. */
	confirm(): Promise<void>;
};

async function openNamespaceWithKey(
	where: 'simulated' | 'local',
	options: Parameters<typeof createTestStore>[1] = {},
): Promise<OpenedNamespace> {
	const testStore = createTestStore(where === 'local' ? {} : {simulate: true}, options);
	if (where === 'local') await openLocal(testStore);
	else await testStore.openNamespace('CONFIG');
	testStore.state().navigation.go('keys');
	const others = createOtherPerson(testStore);
	await others.put('old', 'value', {metadata: {v: 1}, expiration: 4_000_000_000});
	return {
		...testStore,
		others,
		person: createEditingPerson(testStore),
		async confirm() {
			testStore.state().dialog.submit();
			await testStore.until(({work: {list: work}}) => !work.some(({kind}) => kind === 'write'));
		},
	};
}

const originalContent = {value: 'value', metadata: {v: 1}, expiration: 4_000_000_000};
const getMessageText = ({state}: TestStore) => state().messages.latest?.text;
const getLines = (dialog: Dialog | undefined) => (dialog && 'lines' in dialog ? dialog.lines : []);

describe.each(['simulated', 'local'] as const)('a key of %s data', where => {
	test('is renamed with its metadata and expiration; one u undoes both writes', async () => {
		const testStore = await openNamespaceWithKey(where);
		const {state, others} = testStore;
		await state().rename.begin({kind: 'rename', from: 'old', to: 'new'});
		expect(await others.read('new')).toEqual(originalContent);
		expect(await others.read('old')).toBeUndefined();
		expect(getMessageText(testStore)).toBe('Renamed to new. u undoes it.');
		expect(state().keys.data?.index.find('new').isFound).toBe(true);
		expect(state().keys.data?.index.find('old').isFound).toBe(false);
		await state().review.beginUndo();
		expect(getMessageText(testStore)).toMatch(/^Undone: renamed "new" back to "old" in \S+\.$/);
		expect(await others.read('old')).toEqual(originalContent);
		expect(await others.read('new')).toBeUndefined();
		expect(state().keys.data?.index.find('new').isFound).toBe(false);
		expect(state().keys.data?.index.find('old').isFound).toBe(true);
		expect(state().review.lastWrite).toBeUndefined();
	});

	test.each([
		['new', 'new'],
		['old', 'old'],
	])('is not renamed back if %s was changed since', async (_what, name) => {
		const testStore = await openNamespaceWithKey(where);
		const {state, others} = testStore;
		await state().rename.begin({kind: 'rename', from: 'old', to: 'new'});
		await others.put(name, 'theirs');
		await state().review.beginUndo();
		expect(getMessageText(testStore)).toContain(`"${name}" has changed since the rename.`);
		expect(await others.read(name)).toMatchObject({value: 'theirs'});
		expect(await others.read('new')).toBeDefined();
		expect(state().review.lastWrite).toBeDefined();
	});

	test('can be written and then renamed: u undoes the rename, and another u the write', async () => {
		const testStore = await openNamespaceWithKey(where);
		const {state, others, person, until} = testStore;
		await person.openKey('old');
		person.editValue();
		person.retype('typed');
		await state().review.begin();
		await person.choose('write');
		await state().rename.begin({kind: 'rename', from: 'old', to: 'new'});
		await state().review.beginUndo();
		expect(await others.read('old')).toMatchObject({value: 'typed'});
		await state().review.beginUndo();
		expect(getLines(state().dialog.current)).toEqual([
			expect.stringMatching(/^To undo: changed "old" in .+\.$/),
		]);
		expect(await others.read('old')).toMatchObject({value: 'typed'});
		state().dialog.submit();
		await until(({review: {lastWrite}}) => lastWrite === undefined);
		expect(await others.read('old')).toEqual(originalContent);
	});

	test('is duplicated, and u deletes the copy', async () => {
		const testStore = await openNamespaceWithKey(where);
		const {state, others} = testStore;
		await state().rename.begin({kind: 'copy', from: 'old', to: 'new'});
		expect([await others.read('old'), await others.read('new')]).toEqual([originalContent, originalContent]);
		expect(getMessageText(testStore)).toBe('Duplicated as new. u undoes it.');
		await state().review.beginUndo();
		expect(await others.read('new')).toBeUndefined();
	});

	test('replaces an existing name only if chosen after a comparison; one u restores both', async () => {
		const testStore = await openNamespaceWithKey(where);
		const {state, others, confirm} = testStore;
		await others.put('new', 'theirs\nmore', {metadata: {w: 2}});
		await state().rename.begin({kind: 'rename', from: 'old', to: 'new'});
		expect(state().dialog.current).toMatchObject({kind: 'confirm', title: 'Replace new?'});
		expect(getLines(state().dialog.current)).toEqual([
			'A key with this name exists: 11 bytes · no expiration · metadata {"w":2}',
			'Its value: theirs more',
			'It will stay in the trash for 7 days.',
		]);
		state().dialog.close();
		expect(await others.read('new')).toMatchObject({value: 'theirs\nmore'});
		await state().rename.begin({kind: 'rename', from: 'old', to: 'new'});
		await confirm();
		expect(await others.read('new')).toEqual(originalContent);
		expect(getMessageText(testStore)).toBe('Renamed to new. u undoes it.');
		await state().review.beginUndo();
		expect(await others.read('new')).toMatchObject({value: 'theirs\nmore', metadata: {w: 2}});
		expect(await others.read('old')).toEqual(originalContent);
	});

	test.each(['esc', 'n'])('that exists is corrected after %s in the question', async name => {
		const testStore = await openNamespaceWithKey(where);
		const {state, others, until, person} = testStore;
		await others.put('new', 'theirs');
		const app = createTestApp(testStore);
		const press = (key: string) =>
			dispatch(app, {name: key, text: key.length === 1 ? key : '', sequence: key});
		await person.openKey('old');
		state().navigation.go('key');
		press('R');
		state().dialog.setText('new');
		press('enter');
		await until(({dialog: {current: dialog}}) => dialog?.kind === 'confirm');
		press(name);
		const field = state().dialog.current;
		expect(field?.kind === 'field' && getBufferText(field.buffer)).toBe('new');
		press('2');
		press('enter');
		await until(({messages: {latest}}) => latest?.text.startsWith('Renamed') === true);
		expect(await others.read('new2')).toEqual(originalContent);
		expect(await others.read('new')).toMatchObject({value: 'theirs'});
	});

	test('does not replace another if either name was changed during the question', async () => {
		const testStore = await openNamespaceWithKey(where);
		const {state, others, confirm} = testStore;
		await others.put('new', 'theirs');
		await state().rename.begin({kind: 'rename', from: 'old', to: 'new'});
		await others.put('new', 'theirs, later');
		await confirm();
		expect(getMessageText(testStore)).toBe('old or new has changed since you started; nothing was written.');
		expect(await others.read('new')).toMatchObject({value: 'theirs, later'});
		expect(await others.read('old')).toEqual(originalContent);
	});

	test('under both names is deleted under the old one after a confirmation', async () => {
		const testStore = await openNamespaceWithKey(where);
		const {state, others, confirm} = testStore;
		await others.put('new', 'value', {metadata: {v: 1}, expiration: 4_000_000_000});
		await state().rename.begin({kind: 'rename', from: 'old', to: 'new'});
		expect(state().dialog.current).toMatchObject({title: 'new already has the same content. Delete old?'});
		await confirm();
		expect(await others.read('old')).toBeUndefined();
		expect(getMessageText(testStore)).toBe('Renamed to new. u undoes it.');
	});

	test('that is gone, or already has the name, is reported', async () => {
		const testStore = await openNamespaceWithKey(where);
		const {state, others} = testStore;
		await state().rename.begin({kind: 'rename', from: 'old', to: 'old'});
		expect(getMessageText(testStore)).toContain('Both names are the same.');
		await others.remove('old');
		await state().rename.begin({kind: 'rename', from: 'old', to: 'new'});
		expect(getMessageText(testStore)).toBe('old no longer exists: someone deleted it, or it expired.');
	});

	test('is shown under its new name if it is open', async () => {
		const {state, person, until} = await openNamespaceWithKey(where);
		await person.openKey('old');
		state().navigation.go('key');
		await state().rename.begin({kind: 'rename', from: 'old', to: 'new'});
		await until(({key: {data: key}}) => key?.name === 'new' && key.wholeKey !== undefined);
		expect(state().navigation.stack.at(-1)).toBe('key');
	});

	test('with an unsaved edit is not renamed until that is saved', async () => {
		const testStore = await openNamespaceWithKey(where);
		const {state, others, person} = testStore;
		await person.openKey('old');
		person.editValue();
		person.retype('typed');
		state().edits.leave();
		state().navigation.go('key');
		await state().rename.begin({kind: 'rename', from: 'old', to: 'new'});
		expect(getMessageText(testStore)).toBe('old has an unsaved edit: e continues it, X discards it.');
		expect(await others.read('new')).toBeUndefined();
	});
});

describe('a failing service', () => {
	test('lost responses are resolved by reading', async () => {
		const testStore = await openNamespaceWithKey('simulated');
		testStore.simulator.faults.replace('lost-answer method=PUT; lost-answer method=DELETE');
		await testStore.state().rename.begin({kind: 'rename', from: 'old', to: 'new'});
		testStore.simulator.faults.replace('');
		expect(getMessageText(testStore)).toContain(
			'A response was lost, but the current state shows that the change was made.',
		);
		expect(await testStore.others.read('new')).toEqual(originalContent);
		expect(await testStore.others.read('old')).toBeUndefined();
	});

	test('a failure between the two writes says what exists, and repeating the action completes it', async () => {
		const testStore = await openNamespaceWithKey('simulated');
		const {state, simulator, others, confirm} = testStore;
		simulator.faults.replace('status=403 code=10000 method=DELETE');
		await state().rename.begin({kind: 'rename', from: 'old', to: 'new'});
		simulator.faults.replace('');
		const message = state().messages.latest;
		expect(message?.kind === 'failed' && message.failure.details.left).toBe(
			'"new" and "old" have the same content.',
		);
		expect(state().keys.data?.isStale).toBe(true);
		expect(state().review.lastWrite).toBeUndefined();
		await state().rename.begin({kind: 'rename', from: 'old', to: 'new'});
		await confirm();
		expect(await others.read('old')).toBeUndefined();
		expect(await others.read('new')).toEqual(originalContent);
	});

	test('the undo of a rename that failed between its writes is completed by another u', async () => {
		const testStore = await openNamespaceWithKey('simulated');
		const {state, simulator, others} = testStore;
		await state().rename.begin({kind: 'rename', from: 'old', to: 'new'});
		simulator.faults.replace('status=403 code=10000 method=DELETE');
		await state().review.beginUndo();
		simulator.faults.replace('');
		expect([await others.read('old'), await others.read('new')]).toEqual([originalContent, originalContent]);
		await state().review.beginUndo();
		expect(await others.read('old')).toEqual(originalContent);
		expect(await others.read('new')).toBeUndefined();
	});

	test('nothing is written if ledge is read-only', async () => {
		const testStore = createTestStore({simulate: true, readOnly: true});
		await testStore.openNamespace('CONFIG');
		await testStore.state().rename.begin({kind: 'rename', from: 'features', to: 'new'});
		expect(testStore.state().messages.latest).toMatchObject({kind: 'failed'});
		expect(testStore.simulator.calls.list().filter(({method}) => method !== 'GET')).toEqual([]);
	});
});
