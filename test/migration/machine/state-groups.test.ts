import {expect, test} from 'vitest';
import {
	isAtWork,
	isSendable,
	isTurnedOff,
	isValidating,
	type MachineState,
	migrationStates,
	stateTable,
} from '../../../source/migration/machine/states.ts';
import {getNextState} from '../../../source/migration/machine/transitions.ts';

const statesOf = (is: (state: MachineState) => boolean) => migrationStates.filter(is);

test('only what was reviewed can be sent, before the migration or in validation', () => {
	expect(statesOf(isSendable)).toEqual(['reviewed', 'validating', 'ready to update']);
});

test('the service is at work between a PUT that it took and what that leads to', () => {
	expect(statesOf(isAtWork)).toEqual(['starting validation', 'finishing']);
});

test('both versions are on in validation, reviewed or not, until the PUT that ends it', () => {
	expect(statesOf(isValidating)).toEqual(['validating', 'validating unreviewed', 'ready to update']);
});

test('the previous version is off, or being turned off, from the PUT that ends the migration', () => {
	expect(statesOf(isTurnedOff)).toEqual(['finishing', 'complete']);
});

test.each(migrationStates)('whether "%s" can send is the same in the table as in the machine', state => {
	const sends = getNextState(state, 'send validation') ?? getNextState(state, 'send deploy');
	expect(stateTable[state].sends === 'now').toBe(sends !== undefined);
	if (getNextState(state, 'review') !== undefined) expect(stateTable[state].sends).not.toBe('no');
});

test.each(migrationStates)('a PUT under way in "%s" is one that may lose its answer', state => {
	expect(stateTable[state].activity === 'sending').toBe(getNextState(state, 'lost') !== undefined);
	expect(stateTable[state].activity === 'in doubt').toBe(getNextState(state, 'give up') !== undefined);
});
