import {chmodSync, mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {findLockFailure} from '../../../source/screens/migration/state.ts';
import {createMigratingPerson, shop} from '../support/migration-store.ts';
import {createTestStore} from '../support/store.ts';

test('an inaccessible journal is reported as long as it is inaccessible, and can be retried', async () => {
	const testStore = createTestStore();
	const folder = join(testStore.folder, 'state');
	mkdirSync(folder);
	chmodSync(folder, 0o777);
	const person = await createMigratingPerson(shop, testStore);
	expect(findLockFailure(person.migration())?.code).toBe('file_failed');
	expect(person.getMessageText()).not.toBe('');
	expect(person.choices()).toEqual(['look again', 'leave']);
	await person.choose('look again');
	expect(findLockFailure(person.migration())?.code).toBe('file_failed');
	person.state().messages.clear();
	await person.state().migration.read();
	expect(person.getMessageText()).toBe(findLockFailure(person.migration())?.message);
	chmodSync(folder, 0o700);
	await person.choose('look again');
	expect(person.migration().access.name).toBe('open');
	await person.choose('read');
	expect(person.migration().step).toBe('eligibility');
});

test('opening can be retried after it was stopped', async () => {
	const testStore = createTestStore();
	const opening = testStore.state().migration.open(shop);
	testStore.state().work.cancelReads();
	await opening;
	expect(testStore.state().migration.data).toMatchObject({
		phase: {name: 'asking'},
		access: {name: 'held', failure: {code: 'interrupted'}},
	});
	await testStore.state().migration.choose({kind: 'look again', label: ''});
	expect(testStore.state().migration.data).toMatchObject({phase: {name: 'asking'}, access: {name: 'open'}});
	await testStore.state().migration.end();
});
