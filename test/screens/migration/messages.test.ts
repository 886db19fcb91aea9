import {describe, expect, test} from 'vitest';
import {readMigrationRecord} from '../../../source/migration/journal/journal.ts';
import {listBlockerRows} from '../../../source/screens/migration/state.ts';
import {createMigratingPerson, legacy, shop} from '../support/migration-store.ts';

type Person = Awaited<ReturnType<typeof createMigratingPerson>>;

/** Starts a PUT with this fault, and returns while it is being sent. */
async function startPut(fault: string): Promise<Person> {
	const person = await createMigratingPerson(shop);
	await person.goToConfirmation('direct');
	person.testStore.simulator.faults.replace(`method=PUT path=entrypoint ${fault}`);
	void person.confirm(shop.name);
	await person.testStore.until(({migration: {data: migration}}) => migration?.phase.name === 'sending');
	return person;
}

const readSavedRecord = ({testStore}: Person) => {
	const {id, name, plan, label = '', account} = shop;
	const zone = {id, name: name ?? id, plan, label, account};
	return readMigrationRecord(testStore.env, {place: 'simulated', zone});
};

describe('leaving a migration', () => {
	test('releases its journal, whatever else is being written elsewhere', async () => {
		const person = await createMigratingPerson(shop);
		const otherDeletion = Promise.withResolvers<void>();
		const work = person
			.state()
			.work.run('deleting override of another zone', 'write', () => otherDeletion.promise);
		person.state().migration.leave();
		expect(person.state().migration.data).toBeUndefined();
		otherDeletion.resolve();
		await work;
	});

	test('waits for the response to a running PUT first', async () => {
		const person = await startPut('latency=100');
		person.state().migration.leave();
		expect(person.state().migration.data).toBeDefined();
		await person.testStore.until(({migration: {data: migration}}) => migration === undefined);
		expect(person.countPuts()).toBe(1);
		expect(readSavedRecord(person)?.put?.came).toBe('accepted');
	});

	test('by quitting ledge waits for the response to a running PUT', async () => {
		const person = await startPut('latency=100');
		await person.state().migration.end();
		expect(readSavedRecord(person)?.put?.came).toBe('accepted');
	});

	test('by quitting ledge does not wait for the outcome of a PUT to be found out', async () => {
		const person = await startPut('latency=100 status=502');
		await person.state().migration.end();
		expect(readSavedRecord(person)?.state).toBe('deploy in doubt');
	});

	test('releases its journal once an override was deleted', async () => {
		const person = await createMigratingPerson(legacy);
		await person.choose('read');
		await person.choose('continue');
		const row = listBlockerRows(person.migration()).find(({kind}) => kind === 'override');
		person.testStore.simulator.faults.replace('method=DELETE latency=100');
		const deleting = person.state().migration.deleteOverrides([row && 'id' in row ? row.id : '']);
		await person.testStore.until(({migration: {data: migration}}) => migration?.phase.name === 'deleting');
		person.state().migration.leave();
		expect(person.migration().phase.name).toBe('deleting');
		await deleting;
		expect(person.state().migration.data).toBeUndefined();
	});

	test('releases its journal if a PUT is refused before it is sent', async () => {
		const person = await createMigratingPerson(shop);
		await person.goToConfirmation('direct');
		person.testStore.simulator.faults.replace('path=waf_migration/check latency=100 status=500');
		const sent = person.confirm(shop.name);
		await person.testStore.until(({work: {list: work}}) => work.some(({kind}) => kind === 'write'));
		person.state().migration.leave();
		await sent;
		expect(person.state().migration.data).toBeUndefined();
		expect(person.state().messages.latest?.kind).toBe('failed');
		expect(person.countPuts()).toBe(0);
	});

	test('names a command that resumes it in the same place', async () => {
		const person = await createMigratingPerson(shop);
		await person.goToConfirmation('direct');
		expect(person.state().migration.getQuitMessage()).toContain(
			`ledge migration resume --zone-id ${shop.id} --simulate`,
		);
	});
});

test('the advice of a failure contains a command with the zone and the target of the migration', async () => {
	const person = await createMigratingPerson(shop);
	await person.goToConfirmation('direct');
	person.testStore.simulator.faults.replace('path=waf_migration/status stage=complete');
	await person.confirm(shop.name);
	expect(person.migration().failure?.next).toContain(`--zone-id ${shop.id} --simulate`);
});
