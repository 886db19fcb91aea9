import {expect, test} from 'vitest';
import {actions} from '../../../source/screens/actions.ts';
import {personAt} from '../support/editing.ts';
import {createTestStore} from '../support/store.ts';

/** A key of CONFIG, open, and why an action is not there. */
async function opened() {
	const store = createTestStore();
	await store.openNamespace('CONFIG');
	const person = personAt(store);
	await person.openKey('motd');
	const whyNot = (id: string) => {
		const action = actions.find(one => one.id === id);
		if (!action) throw new Error(`There is no action "${id}".`);
		return action.getUnavailableReason?.(store.state());
	};
	return {...store, person, whyNot};
}

test('$EDITOR takes over a value being edited, but never metadata or an expiry', async () => {
	const {person, state, whyNot} = await opened();
	expect(whyNot('edit.elsewhere')).toBeUndefined();
	person.editMetadata();
	person.retype('{"v": 2}');
	state().edits.leave();
	expect(whyNot('edit.elsewhere')).toContain('this key has another unsaved edit');
	state().edits.discard(state().edits.list[0]?.id ?? '');
	person.editValue();
	person.retype('mine');
	state().edits.leave();
	expect(whyNot('edit.elsewhere')).toBeUndefined();
});

test('an edit cannot be discarded while it is being written', async () => {
	const {person, state, simulator, until, whyNot} = await opened();
	person.editValue();
	person.retype('mine');
	await state().review.begin();
	simulator.faults.add('method=PUT hang');
	const written = person.choose('write');
	await until(({work: {list: work}}) => work.some(({kind}) => kind === 'write'));
	state().review.leave();
	state().edits.leave();
	expect(whyNot('edit.discard')).toBe('it is being written: c in the review cancels it');
	state().review.cancelWrite();
	await written;
	expect(whyNot('edit.discard')).toBeUndefined();
});
