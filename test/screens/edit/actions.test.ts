import {expect, test} from 'vitest';
import {actions} from '../../../source/screens/actions.ts';
import type {App} from '../../../source/screens/shell/app.ts';
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
