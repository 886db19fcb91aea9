import {describe, expect, test} from 'vitest';
import {lookingTime} from '../../../source/screens/review/state.ts';
import {at, shop} from '../support/migration-store.ts';

describe('the review of a migration', () => {
	test('counts nothing as reviewed that came just now', async () => {
		const person = await at(shop);
		await person.choose('read');
		await person.choose('continue');
		if (person.migration().step === 'blockers') await person.enter();
		expect(person.migration().step).toBe('review');
		person.space.passes(lookingTime);
		person.state().scrollMigration(10, 10, 10);
		await person.state().enterInMigration();
		expect(person.said()).toContain('Look first');
		await person.enter();
		expect(person.migration().step).toBe('path');
	});

	test('is not read by a jump over more than a page of it', async () => {
		const person = await at(shop);
		await person.choose('read');
		await person.choose('continue');
		if (person.migration().step === 'blockers') await person.enter();
		person.state().scrollMigration(Number.POSITIVE_INFINITY, 100, 10);
		expect([person.migration().top, person.migration().seen.comparison]).toEqual([100, 0]);
		person.state().scrollMigration(-1, 100, 10);
		expect(person.migration().seen.comparison).toBe(0);
		person.state().scrollMigration(-89, 100, 10);
		expect(person.migration().seen.comparison).toBe(10);
	});

	test('has to be read again once it was edited', async () => {
		const person = await at(shop);
		await person.choose('read');
		await person.choose('continue');
		if (person.migration().step === 'blockers') await person.enter();
		person.state().scrollMigration(10, 10, 10);
		expect(person.migration().seen.comparison).toBe(10);
		person.state().applyMigrationEdit({kind: 'paranoia level', level: 4});
		expect(person.migration().seen.comparison).toBe(0);
	});
});
