import {describe, expect, test} from 'vitest';
import {minReviewMs} from '../../../source/screens/write-flow/review-timer.ts';
import {createMigratingPerson, shop} from '../support/migration-store.ts';

describe('the review of a migration', () => {
	test('does not count as reviewed right after it appears', async () => {
		const person = await createMigratingPerson(shop);
		await person.choose('read');
		await person.choose('continue');
		if (person.migration().step === 'blockers') await person.enter();
		expect(person.migration().step).toBe('review');
		person.testStore.advanceClock(minReviewMs);
		person.state().migration.scroll(10, 10, 10);
		await person.state().migration.enter();
		expect(person.getMessageText()).toContain('Too fast');
		await person.enter();
		expect(person.migration().step).toBe('path');
	});

	test('does not count as read after a jump over more than a page', async () => {
		const person = await createMigratingPerson(shop);
		await person.choose('read');
		await person.choose('continue');
		if (person.migration().step === 'blockers') await person.enter();
		person.state().migration.scroll(Number.POSITIVE_INFINITY, 100, 10);
		expect([person.migration().top, person.migration().furthestTops.comparison]).toEqual([100, 0]);
		person.state().migration.scroll(-1, 100, 10);
		expect(person.migration().furthestTops.comparison).toBe(0);
		person.state().migration.scroll(-89, 100, 10);
		expect(person.migration().furthestTops.comparison).toBe(10);
	});

	test('has to be read again after an edit', async () => {
		const person = await createMigratingPerson(shop);
		await person.choose('read');
		await person.choose('continue');
		if (person.migration().step === 'blockers') await person.enter();
		person.state().migration.scroll(10, 10, 10);
		expect(person.migration().furthestTops.comparison).toBe(10);
		person.state().migration.applyEdit({kind: 'paranoia level', level: 4});
		expect(person.migration().furthestTops.comparison).toBe(0);
	});
});
