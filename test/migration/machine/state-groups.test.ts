import {expect, test} from 'vitest';
import {isAtWork, isSendable, isValidating} from '../../../source/migration/machine/state-groups.ts';
import {type MigrationState, migrationStates} from '../../../source/migration/machine/states.ts';

const statesOf = (is: (state: MigrationState) => boolean) =>
	(Object.keys(migrationStates) as MigrationState[]).filter(is);

test('only what was reviewed can be sent, before the migration or in validation', () => {
	expect(statesOf(isSendable)).toEqual(['reviewed', 'validating', 'ready to update']);
});

test('the service is at work between a PUT that it took and what that leads to', () => {
	expect(statesOf(isAtWork)).toEqual(['starting validation', 'finishing']);
});

test('both versions are on in validation, reviewed or not, until the PUT that ends it', () => {
	expect(statesOf(isValidating)).toEqual(['validating', 'validating unreviewed', 'ready to update']);
});
