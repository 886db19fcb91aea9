import {expect, test} from 'vitest';
import {buildStatus} from '../../../source/screens/shell/status.tsx';
import {personAt, someoneElse} from '../support/editing.ts';
import {at, shop} from '../support/migration-store.ts';
import {createTestStore} from '../support/store.ts';

/** A store whose date can be set by somebody else, an hour at a time. */
function withDate() {
	let behind = 0;
	const space = createTestStore({simulate: true}, {now: () => Date.now() - behind});
	return {
		...space,
		setBack() {
			behind += 3_600_000;
		},
	};
}

test('a choice counts even if the date was set back while it was shown', async () => {
	const space = withDate();
	await space.openNamespace('CONFIG');
	const person = personAt(space);
	const others = someoneElse(space);
	await others.put('it', 'before');
	await person.openKey('it');
	person.editValue();
	person.retype('after');
	await space.state().review.begin();
	space.setBack();
	await person.choose('write');
	expect((await others.read('it'))?.value).toBe('after');
});

test('a choice in a migration counts, too', async () => {
	const space = withDate();
	const person = await at(shop, space);
	await person.toConfirmation('direct');
	space.setBack();
	await person.confirm(shop.name);
	expect(person.said()).not.toContain('Too fast');
	expect(person.migration().record.state).toBe('complete');
});

test('a message, a wait and running work use a clock that nobody can set', () => {
	let elapsed = 1000;
	const space = createTestStore({simulate: true}, {elapsed: () => elapsed, now: () => 5_000_000_000_000});
	const {state, signal} = space;
	state().work.wait({why: 'Too many requests.', attempt: 2, milliseconds: 4000, signal});
	const held = Promise.withResolvers<void>();
	void state().work.run('reading it', 'read', () => held.promise);
	state().messages.say('Said.');
	expect(buildStatus(state(), 1000, 'own').text).toBe('Said.');
	elapsed = 4000;
	expect(buildStatus(state(), elapsed, 'own')).toMatchObject({
		text: 'Too many requests.',
		tail: expect.stringContaining('1 s'),
	});
	expect(state().work.list[0]?.startedAt).toBe(1000);
	held.resolve();
});
