import {expect, test} from 'vitest';
import {migrationActions} from '../../../source/screens/migration/actions/actions.ts';
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
	expect(person.getMessageText()).toBe('Read the deployment again just now: no review here to compare with.');
	// With its marks, the message fits into 80 columns.
	expect(person.getMessageText().length).toBeLessThan(76);
});

test('a complete migration without a report has nothing to copy', async () => {
	const person = await createMigratingPerson(migratedSampleZone);
	const copy = migrationActions.find(({id}) => id === 'migration.copy');
	expect(copy?.getUnavailableReason?.(person.state())).toBeUndefined();
	await person.choose('read');
	expect(person.migration()).toMatchObject({step: 'done', reportPath: undefined});
	expect(copy?.getUnavailableReason?.(person.state())).toBe('nothing to copy');
});
