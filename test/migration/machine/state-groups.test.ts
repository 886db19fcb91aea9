import {expect, test} from 'vitest';
import {
	isAtWork,
	isPreviousTurnedOff,
	isSendable,
	isValidating,
	type MachineState,
	migrationStates,
	stateTable,
} from '../../../source/migration/machine/states.ts';
import {getNextState} from '../../../source/migration/machine/transitions.ts';

const statesOf = (is: (state: MachineState) => boolean) => migrationStates.filter(is);

test('only a reviewed configuration can be sent, before the migration or in validation', () => {
	expect(statesOf(isSendable)).toEqual(['reviewed', 'validating', 'ready to update']);
});

test('the service is at work between accepting a PUT and its result', () => {
	expect(statesOf(isAtWork)).toEqual(['starting validation', 'finishing']);
});

test('in validation both versions are on, reviewed or not, until the PUT that ends it', () => {
	expect(statesOf(isValidating)).toEqual(['validating', 'validating unreviewed', 'ready to update']);
});

test('from the PUT that ends the migration, the previous version is off or being turned off', () => {
	expect(statesOf(isPreviousTurnedOff)).toEqual(['finishing', 'complete']);
});

test.each(migrationStates)('the table and the machine agree on whether "%s" can send', state => {
	const sends = getNextState(state, 'send validation') ?? getNextState(state, 'send deploy');
	expect(stateTable[state].sendPermission === 'now').toBe(sends !== undefined);
	if (getNextState(state, 'review') !== undefined) expect(stateTable[state].sendPermission).not.toBe('no');
});

test.each(
	migrationStates,
)('the table and the machine agree on whether "%s" is sending or in doubt', state => {
	expect(stateTable[state].activity === 'sending').toBe(getNextState(state, 'lost') !== undefined);
	expect(stateTable[state].activity === 'in doubt').toBe(getNextState(state, 'give up') !== undefined);
});
