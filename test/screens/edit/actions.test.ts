import {expect, test} from 'vitest';
import {createKey, createTextKey} from '../../../source/keyboard/key.ts';
import {actions} from '../../../source/screens/actions.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {pointAtNamespace} from '../../../source/screens/palette-choices.ts';
import type {App} from '../../../source/screens/shell/app.ts';
import {createTestApp} from '../support/drawn.tsx';
import {createEditingPerson} from '../support/editing.ts';
import {createTestStore} from '../support/store.ts';

/** Opens a key of CONFIG. `getUnavailableReason` is undefined for an available action. */
async function openKey() {
	const store = createTestStore();
	await store.openNamespace('CONFIG');
	const person = createEditingPerson(store);
	await person.openKey('motd');
	const getUnavailableReason = (id: string) => {
		const action = actions.find(one => one.id === id);
		if (!action) throw new Error(`There is no action "${id}".`);
		return action.getUnavailableReason?.(store.state());
	};
	return {...store, person, whyNot: getUnavailableReason};
}

test('$EDITOR takes over a value being edited, but never metadata or an expiry', async () => {
	const {person, state, whyNot: getUnavailableReason} = await openKey();
	expect(getUnavailableReason('edit.elsewhere')).toBeUndefined();
	person.editMetadata();
	person.retype('{"v": 2}');
	state().edits.leave();
	expect(getUnavailableReason('edit.elsewhere')).toContain('this key has another unsaved edit');
	state().edits.discard(state().edits.list[0]?.id ?? '');
	person.editValue();
	person.retype('mine');
	state().edits.leave();
	expect(getUnavailableReason('edit.elsewhere')).toBeUndefined();
});

test('an edit cannot be discarded while it is being written', async () => {
	const {person, state, simulator, until, whyNot: getUnavailableReason} = await openKey();
	person.editValue();
	person.retype('mine');
	await state().review.begin();
	simulator.faults.add('method=PUT hang');
	const writing = person.choose('write');
	await until(({work: {list: work}}) => work.some(({kind}) => kind === 'write'));
	state().review.leave();
	state().edits.leave();
	expect(getUnavailableReason('edit.discard')).toBe('it is being written: ctrl-x in the review stops it');
	state().review.cancelWrite();
	await writing;
	expect(getUnavailableReason('edit.discard')).toBeUndefined();
});

test('T and m edit the key under the cursor of the list, unless another part of it is being edited', async () => {
	const {state, until, openNamespace, signal} = createTestStore();
	await openNamespace('CONFIG');
	void state().work.run('listing', 'background', () => state().keys.list(signal));
	await until(({keys: {data: keys}}) => keys?.listing.state === 'complete');
	state().navigation.go('keys');
	const run = (id: string) => {
		const action = actions.find(one => one.id === id);
		const app = {state} as App;
		const reason = action?.getUnavailableReason?.(state());
		if (reason === undefined) action?.run(app, {name: '', text: '', sequence: ''});
		return reason;
	};
	expect(run('edit.expiry')).toBeUndefined();
	await until(({navigation: {stack}}) => stack.at(-1) === 'editor');
	expect(state().edits.list[0]).toMatchObject({key: 'features', origin: 'expiry'});
	state().edits.type({name: '9', text: '9', sequence: '9'});
	state().edits.leave();
	expect(run('edit.metadata')).toContain('this key has another unsaved edit');
});

test('from an edit that was continued, the namespaces lead back to Home, never to a closed namespace', async () => {
	const testStore = createTestStore();
	const {state, openNamespace, signal, until} = testStore;
	const app = createTestApp(testStore);
	const person = createEditingPerson(testStore);
	await openNamespace('CONFIG');
	await person.openKey('motd');
	person.editValue();
	person.retype('mine');
	state().edits.leave();
	const continueEdit = async () => {
		await openNamespace('SESSIONS');
		await state().edits.reopen(state().edits.list[0]?.id ?? '', signal);
		state().edits.leave();
		expect(state().navigation.stack).toEqual(['home', 'keys', 'key']);
	};

	await continueEdit();
	dispatch(app, createTextKey('1'));
	await until(({namespaces}) => namespaces.data.reading === 'read');
	expect(state().navigation.stack).toEqual(['home', 'namespaces']);
	dispatch(app, createKey('esc', ''));
	expect(state().navigation.stack).toEqual(['home']);

	await continueEdit();
	const [row] = state().namespaces.data.rows;
	if (row) pointAtNamespace(app, row);
	expect(state().navigation.stack).toEqual(['home', 'namespaces']);
});
