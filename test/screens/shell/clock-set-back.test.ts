import {expect, test} from 'vitest';
import {buildStatus} from '../../../source/screens/shell/status.tsx';
import {createEditingPerson, createOtherPerson} from '../support/editing.ts';
import {createMigratingPerson, shop} from '../support/migration-store.ts';
import {createTestStore} from '../support/store.ts';

/** A store whose date can be set back, an hour at a time. */
function createStoreWithDate() {
	let setBackMs = 0;
	const testStore = createTestStore({simulate: true}, {now: () => Date.now() - setBackMs});
	return {
		...testStore,
		setBack() {
			setBackMs += 3_600_000;
		},
	};
}

test('a choice counts even if the date was set back while it was shown', async () => {
	const testStore = createStoreWithDate();
	await testStore.openNamespace('CONFIG');
	const person = createEditingPerson(testStore);
	const others = createOtherPerson(testStore);
	await others.put('it', 'before');
	await person.openKey('it');
	person.editValue();
	person.retype('after');
	await testStore.state().review.begin();
	testStore.setBack();
	await person.choose('write');
	expect((await others.read('it'))?.value).toBe('after');
});

test('a choice in a migration counts, too', async () => {
	const testStore = createStoreWithDate();
	const person = await createMigratingPerson(shop, testStore);
	await person.goToConfirmation('direct');
	testStore.setBack();
	await person.confirm(shop.name);
	expect(person.getMessageText()).not.toContain('Too fast');
	expect(person.migration().record.state).toBe('complete');
});

test('a message, a wait and running work use a clock that nobody can set', () => {
	let elapsed = 1000;
	const testStore = createTestStore({simulate: true}, {elapsed: () => elapsed, now: () => 5_000_000_000_000});
	const {state, signal} = testStore;
	state().work.wait({why: 'Too many requests.', attempt: 2, milliseconds: 4000, signal});
	const readResult = Promise.withResolvers<void>();
	void state().work.run('reading it', 'read', () => readResult.promise);
	state().messages.say('Said.');
	expect(buildStatus(state(), 1000, 'own').text).toBe('Said.');
	elapsed = 4000;
	expect(buildStatus(state(), elapsed, 'own')).toMatchObject({
		text: 'Too many requests.',
		tail: expect.stringContaining('1 s'),
	});
	expect(state().work.list[0]?.startedAt).toBe(1000);
	readResult.resolve();
});
