import {describe, expect, test} from 'vitest';
import {acme, createMigratingPerson, shop} from '../support/migration-store.ts';

/** Responses that say nothing about a zone. */
const faults = ['html=403 path=waf_migration', 'status=403 empty-errors path=waf_migration'];

describe.each(faults)('with %s', fault => {
	test('a zone that was read before shows the error, and does not continue with that data', async () => {
		const person = await createMigratingPerson(shop);
		await person.choose('read');
		expect(person.choices()).toContain('continue');
		person.testStore.simulator.faults.replace(fault);
		await person.choose('look again');
		const {failure, step} = person.migration();
		expect([step, failure === undefined]).toEqual(['eligibility', false]);
		expect(person.choices()).toEqual(['look again', 'leave']);
		person.testStore.simulator.faults.replace('');
		await person.choose('look again');
		expect(person.migration().failure).toBeUndefined();
		expect(person.choices()).toContain('continue');
	});

	test('a reopened zone shows the error in place of "nothing to migrate"', async () => {
		const before = await createMigratingPerson(acme);
		await before.goToConfirmation('direct');
		before.state().migration.leave();
		before.testStore.simulator.faults.replace(fault);
		const person = await createMigratingPerson(acme, before.testStore);
		await person.choose('continue');
		const {failure, eligibility} = person.migration();
		expect(failure?.code).toMatch(/^(blocked|refused_by_service)$/);
		expect(eligibility).toBeUndefined();
		expect(person.countPuts()).toBe(0);
	});
});
