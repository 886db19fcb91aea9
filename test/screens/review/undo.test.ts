import {join} from 'node:path';
import {expect, test} from 'vitest';
import {allKeys} from '../../../source/screens/keys/chosen-keys.ts';
import {createEditingPerson, createOtherPerson} from '../support/editing.ts';
import {createTestStore} from '../support/store.ts';

/** Opens a namespace and writes a key there. */
async function writeKey() {
	const testStore = createTestStore({simulate: true});
	const {state} = testStore;
	await testStore.openNamespace('CONFIG');
	state().navigation.go('keys');
	const others = createOtherPerson(testStore);
	const person = createEditingPerson(testStore);
	person.create('user:9');
	person.paste('mine');
	await state().review.begin();
	await person.choose('write');
	expect((await others.read('user:9'))?.value).toBe('mine');
	return {...testStore, others, person};
}

test('a write after it that cannot be undone is named, and nothing earlier is undone unasked', async () => {
	const {state, signal, others, until} = await writeKey();
	const row = state().keys.data?.namespace;
	if (!row) throw new TypeError('No namespace is open.');
	await state().transfer.copyTo(row, allKeys, {storeName: 'simulated:SESSIONS', onlyMissing: false}, signal);
	await state().review.beginUndo();
	const dialog = state().dialog.current;
	expect(dialog).toMatchObject({kind: 'confirm', title: 'Undo an earlier write?', actionLabel: 'undo it'});
	expect(dialog && 'lines' in dialog && dialog.lines).toEqual([
		expect.stringMatching(
			/^u can't undo the last write: copying 10 keys to simulated:SESSIONS\. Delete the copied keys/,
		),
		'To undo: created "user:9" in CONFIG.',
	]);
	state().dialog.close();
	expect((await others.read('user:9'))?.value).toBe('mine');
	await state().review.beginUndo();
	state().dialog.submit();
	await until(({messages: {latest}}) => latest?.text.startsWith('Undone:') === true);
	expect(state().messages.latest?.text).toBe(
		'Undone: deleted "user:9" in CONFIG, which did not exist before.',
	);
	expect(await others.read('user:9')).toBeUndefined();
	await state().review.beginUndo();
	expect(state().dialog.current).toMatchObject({
		kind: 'failure',
		failure: {
			message: "u can't undo the last write: copying 10 keys to simulated:SESSIONS.",
			details: {why: expect.stringContaining('Delete the copied keys')},
		},
	});
});

test('a write to another namespace than the one shown is undone only after a question that names it', async () => {
	const {state, openNamespace, until} = await writeKey();
	await openNamespace('SESSIONS');
	await state().review.beginUndo();
	expect(state().dialog.current).toMatchObject({
		kind: 'confirm',
		title: 'Undo the last write?',
		lines: ['To undo: created "user:9" in CONFIG.'],
	});
	state().dialog.submit();
	await until(({messages: {latest}}) => latest?.text.startsWith('Undone:') === true);
	expect(state().messages.latest?.text).toBe(
		'Undone: deleted "user:9" in CONFIG, which did not exist before.',
	);
});

test('on the page of an export, u asks before it undoes what was written in the key list', async () => {
	const {state, signal, folder, others} = await writeKey();
	const row = state().keys.data?.namespace;
	if (!row) throw new TypeError('No namespace is open.');
	await state().transfer.exportTo(row, allKeys, join(folder, 'out.ndjson'), signal);
	state().navigation.go('transfer');
	await state().review.beginUndo();
	expect(state().dialog.current).toMatchObject({
		title: 'Undo the last write?',
		lines: ['To undo: created "user:9" in CONFIG.'],
	});
	expect((await others.read('user:9'))?.value).toBe('mine');
});

test('a restore from the trash is the last write', async () => {
	const {state, signal, person, others} = await writeKey();
	await state().review.beginDeletion('user:9', undefined);
	await person.choose('write');
	const [batch] = (await state().trash.read()).batches;
	if (!batch) throw new TypeError('The trash is empty.');
	await state().trash.restore(batch, {overwrites: false}, signal);
	expect((await others.read('user:9'))?.value).toBe('mine');
	await state().review.beginUndo();
	expect(state().dialog.current).toMatchObject({
		lines: [
			expect.stringMatching(/^u can't undo the last write: restoring 1 key in .*CONFIG from the trash\./),
			'To undo: deleted "user:9" in CONFIG.',
		],
	});
});
