import {expect, test} from 'vitest';
import {migratedSampleZone} from '../support/custom-rules.ts';
import {createMigratingPerson} from '../support/migration-store.ts';

test('verifying again says what it found, and keeps the cursor', async () => {
	const person = await createMigratingPerson(migratedSampleZone);
	await person.choose('read');
	expect(person.migration().step).toBe('done');
	const index = person.choices().indexOf('verify');
	expect(index).toBeGreaterThan(0);
	await person.choose('verify');
	expect(person.migration()).toMatchObject({step: 'done', cursor: index});
	expect(person.getMessageText()).toBe(
		'Read the deployment again just now: no review is recorded here to compare with.',
	);
});
