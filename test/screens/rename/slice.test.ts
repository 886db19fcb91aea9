import {describe, expect, test} from 'vitest';
import type {Dialog} from '../../../source/screens/shell/dialog-slice.ts';
import {openLocal, type Person, personAt, someoneElse} from '../support/editing.ts';
import {createTestStore, type TestStore} from '../support/store.ts';

type Begun = TestStore & {
	person: Person;
	others: ReturnType<typeof someoneElse>;
	/** Says yes to the question, and waits until it is done. */
	yes(): Promise<void>;
};

async function begun(
	where: 'simulated' | 'local',
	options: Parameters<typeof createTestStore>[1] = {},
): Promise<Begun> {
	const made = createTestStore(where === 'local' ? {} : {simulate: true}, options);
	if (where === 'local') await openLocal(made);
	else await made.openNamespace('CONFIG');
	const others = someoneElse(made);
	await others.put('old', 'value', {metadata: {v: 1}, expiration: 4_000_000_000});
	return {
		...made,
		others,
		person: personAt(made),
		async yes() {
			made.state().dialog.submit();
			await made.until(({work: {list: work}}) => !work.some(({kind}) => kind === 'write'));
		},
	};
}

const kept = {value: 'value', metadata: {v: 1}, expiration: 4_000_000_000};
const said = ({state}: TestStore) => state().messages.latest?.text;
const linesOf = (dialog: Dialog | undefined) => (dialog && 'lines' in dialog ? dialog.lines : []);

describe.each(['simulated', 'local'] as const)('a key of %s data', where => {
	test('is renamed with its metadata and expiration; one u undoes both writes', async () => {
		const made = await begun(where);
		const {state, others} = made;
		await state().rename.begin({kind: 'rename', from: 'old', to: 'new'});
		expect(await others.read('new')).toEqual(kept);
		expect(await others.read('old')).toBeUndefined();
		expect(said(made)).toBe('Renamed to new. u undoes it.');
		expect(state().keys.data?.index.find('new').isFound).toBe(true);
		expect(state().keys.data?.index.find('old').isFound).toBe(false);
		await state().review.beginUndo();
		expect(said(made)).toBe('Undone: renamed new back to old.');
		expect(await others.read('old')).toEqual(kept);
		expect(await others.read('new')).toBeUndefined();
		expect(state().keys.data?.index.find('new').isFound).toBe(false);
		expect(state().keys.data?.index.find('old').isFound).toBe(true);
		expect(state().review.undoableWrite).toBeUndefined();
	});

	test.each([
		['new', 'new'],
		['old', 'old'],
	])('is not renamed back if %s was changed since', async (_what, name) => {
		const made = await begun(where);
		const {state, others} = made;
		await state().rename.begin({kind: 'rename', from: 'old', to: 'new'});
		await others.put(name, 'theirs');
		await state().review.beginUndo();
		expect(said(made)).toContain(`"${name}" has changed since the rename.`);
		expect(await others.read(name)).toMatchObject({value: 'theirs'});
		expect(await others.read('new')).toBeDefined();
		expect(state().review.undoableWrite).toBeDefined();
	});

	test('written before its rename has the rename undone by u, and the write by another u', async () => {
		const made = await begun(where);
		const {state, others, person} = made;
		await person.openKey('old');
		person.editValue();
		person.retype('typed');
		await state().review.begin();
		await person.choose('write');
		await state().rename.begin({kind: 'rename', from: 'old', to: 'new'});
		await state().review.beginUndo();
		expect(await others.read('old')).toMatchObject({value: 'typed'});
		await state().review.beginUndo();
		expect(await others.read('old')).toEqual(kept);
	});

	test('is duplicated, and u deletes the copy', async () => {
		const made = await begun(where);
		const {state, others} = made;
		await state().rename.begin({kind: 'copy', from: 'old', to: 'new'});
		expect([await others.read('old'), await others.read('new')]).toEqual([kept, kept]);
		expect(said(made)).toBe('Duplicated as new. u undoes it.');
		await state().review.beginUndo();
		expect(await others.read('new')).toBeUndefined();
	});

	test('replaces an existing name only if chosen after a comparison; one u restores both', async () => {
		const made = await begun(where);
		const {state, others, yes} = made;
		await others.put('new', 'theirs\nmore', {metadata: {w: 2}});
		await state().rename.begin({kind: 'rename', from: 'old', to: 'new'});
		expect(state().dialog.current).toMatchObject({kind: 'confirm', title: 'Replace new?'});
		expect(linesOf(state().dialog.current)).toEqual([
			'A key with this name exists: 11 bytes · no expiration · metadata {"w":2}',
			'theirs',
			'It will stay in the trash for 7 days.',
		]);
		state().dialog.close();
		expect(await others.read('new')).toMatchObject({value: 'theirs\nmore'});
		await state().rename.begin({kind: 'rename', from: 'old', to: 'new'});
		await yes();
		expect(await others.read('new')).toEqual(kept);
		expect(said(made)).toBe('Renamed to new. u undoes it.');
		await state().review.beginUndo();
		expect(await others.read('new')).toMatchObject({value: 'theirs\nmore', metadata: {w: 2}});
		expect(await others.read('old')).toEqual(kept);
	});

	test('does not replace another if either name was changed during the question', async () => {
		const made = await begun(where);
		const {state, others, yes} = made;
		await others.put('new', 'theirs');
		await state().rename.begin({kind: 'rename', from: 'old', to: 'new'});
		await others.put('new', 'theirs, later');
		await yes();
		expect(said(made)).toBe('old or new has changed since you started; nothing was written.');
		expect(await others.read('new')).toMatchObject({value: 'theirs, later'});
		expect(await others.read('old')).toEqual(kept);
	});

	test('under both names is deleted under the old one after a confirmation', async () => {
		const made = await begun(where);
		const {state, others, yes} = made;
		await others.put('new', 'value', {metadata: {v: 1}, expiration: 4_000_000_000});
		await state().rename.begin({kind: 'rename', from: 'old', to: 'new'});
		expect(state().dialog.current).toMatchObject({title: 'new already has the same content. Delete old?'});
		await yes();
		expect(await others.read('old')).toBeUndefined();
		expect(said(made)).toBe('Renamed to new. u undoes it.');
	});

	test('that is gone, or already has the name, is reported', async () => {
		const made = await begun(where);
		const {state, others} = made;
		await state().rename.begin({kind: 'rename', from: 'old', to: 'old'});
		expect(said(made)).toContain('Both names are the same.');
		await others.remove('old');
		await state().rename.begin({kind: 'rename', from: 'old', to: 'new'});
		expect(said(made)).toBe('old no longer exists: someone deleted it, or it expired.');
	});

	test('is shown under its new name if it is open', async () => {
		const {state, person, until} = await begun(where);
		await person.openKey('old');
		state().navigation.go('key');
		await state().rename.begin({kind: 'rename', from: 'old', to: 'new'});
		await until(({key: {data: key}}) => key?.name === 'new' && key.wholeKey !== undefined);
		expect(state().navigation.stack.at(-1)).toBe('key');
	});

	test('with an unsaved edit is not renamed until that is saved', async () => {
		const made = await begun(where);
		const {state, others, person} = made;
		await person.openKey('old');
		person.editValue();
		person.retype('typed');
		state().edits.leave();
		state().navigation.go('key');
		await state().rename.begin({kind: 'rename', from: 'old', to: 'new'});
		expect(said(made)).toBe('old has an unsaved edit: e continues it, X discards it.');
		expect(await others.read('new')).toBeUndefined();
	});
});

describe('a failing service', () => {
	test('lost responses are resolved by reading', async () => {
		const made = await begun('simulated');
		made.simulator.faults.replace('lost-answer method=PUT; lost-answer method=DELETE');
		await made.state().rename.begin({kind: 'rename', from: 'old', to: 'new'});
		made.simulator.faults.replace('');
		expect(said(made)).toContain(
			'A response was lost, but the current state shows that the change was made.',
		);
		expect(await made.others.read('new')).toEqual(kept);
		expect(await made.others.read('old')).toBeUndefined();
	});

	test('a failure between the two writes says what exists, and repeating the action completes it', async () => {
		const made = await begun('simulated');
		const {state, simulator, others, yes} = made;
		simulator.faults.replace('status=403 code=10000 method=DELETE');
		await state().rename.begin({kind: 'rename', from: 'old', to: 'new'});
		simulator.faults.replace('');
		const message = state().messages.latest;
		expect(message?.kind === 'failed' && message.failure.details.left).toBe(
			'"new" and "old" have the same content.',
		);
		expect(state().keys.data?.isStale).toBe(true);
		expect(state().review.undoableWrite).toBeUndefined();
		await state().rename.begin({kind: 'rename', from: 'old', to: 'new'});
		await yes();
		expect(await others.read('old')).toBeUndefined();
		expect(await others.read('new')).toEqual(kept);
	});

	test('the undo of a rename that failed between its writes is completed by another u', async () => {
		const made = await begun('simulated');
		const {state, simulator, others} = made;
		await state().rename.begin({kind: 'rename', from: 'old', to: 'new'});
		simulator.faults.replace('status=403 code=10000 method=DELETE');
		await state().review.beginUndo();
		simulator.faults.replace('');
		expect([await others.read('old'), await others.read('new')]).toEqual([kept, kept]);
		await state().review.beginUndo();
		expect(await others.read('old')).toEqual(kept);
		expect(await others.read('new')).toBeUndefined();
	});

	test('nothing is written if ledge is read-only', async () => {
		const made = createTestStore({simulate: true, readOnly: true});
		await made.openNamespace('CONFIG');
		await made.state().rename.begin({kind: 'rename', from: 'features', to: 'new'});
		expect(made.state().messages.latest).toMatchObject({kind: 'failed'});
		expect(made.simulator.calls.list().filter(({method}) => method !== 'GET')).toEqual([]);
	});
});
