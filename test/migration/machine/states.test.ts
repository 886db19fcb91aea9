import {describe, expect, test} from 'vitest';
import {createNotAllowedFailure} from '../../../source/migration/machine/next-steps.ts';
import {
	isAtRest,
	type MachineState,
	migrationStates as states,
	stateTable,
} from '../../../source/migration/machine/states.ts';
import {
	getNextState,
	getStateAfterInterruption,
	type MigrationEvent,
	migrationEvents,
	transitions,
} from '../../../source/migration/machine/transitions.ts';
import {formatMigrationDiagram} from '../../docs/migration-diagram.ts';

const events = Object.keys(migrationEvents) as MigrationEvent[];
const sendingStates: readonly MachineState[] = ['sending validation', 'sending deploy'];
const zone = {name: 'acme.example'};

/** All states that can be reached by events that `isAllowed` accepts. */
function findReachable(
	from: readonly MachineState[],
	isAllowed: (event: MigrationEvent, state: MachineState) => boolean = () => true,
): ReadonlySet<MachineState> {
	const found = new Set(from);
	for (const state of found)
		for (const event of events) {
			const to = getNextState(state, event);
			if (to !== undefined && isAllowed(event, state)) found.add(to);
		}
	return found;
}

describe('every state and every event', () => {
	test.each(states)('in "%s" the table contains only existing events', state => {
		expect(Object.keys(transitions[state]).filter(event => !(event in migrationEvents))).toEqual([]);
	});

	test.each(states)('an impossible action in "%s" is refused with a sentence and a next step', state => {
		const failure = createNotAllowedFailure(zone, {state}, 'Deploying');
		expect(failure.message).toContain('nothing was sent');
		expect(failure.details.why).toContain(stateTable[state].meaning);
		expect(failure.next).toBeTruthy();
	});

	test('every reading leads somewhere in every state that reads', () => {
		const readings = events.filter(event => event.startsWith('sees '));
		// Only the response to a running PUT changes its state.
		for (const state of states.filter(one => !sendingStates.includes(one)))
			for (const event of readings) {
				const isAboutPut = event === 'sees nothing new' || event === 'sees ours saved';
				if (!isAboutPut) expect(getNextState(state, event), `${state}: ${event}`).toBeDefined();
			}
	});

	test('every outcome of a PUT is handled in every state where a PUT may be running', () => {
		for (const state of [
			'validation in doubt',
			'starting validation',
			'deploy in doubt',
			'finishing',
		] as const) {
			expect(getNextState(state, 'sees nothing new')).toBe(state);
			expect(getNextState(state, 'sees ours saved')).toBeDefined();
		}
	});
});

describe('limits of the machine', () => {
	const unreviewed: readonly MachineState[] = [
		'unread',
		'blocked',
		'eligible',
		'validating unreviewed',
		'moved on',
		'unknown stage',
	];

	test.each(unreviewed)('nothing is sent from "%s" without a review', from => {
		const found = findReachable([from], event => event !== 'review');
		expect(sendingStates.filter(state => found.has(state))).toEqual([]);
	});

	test('a sending state is entered only by "send …"', () => {
		for (const state of states)
			for (const event of events) {
				const to = getNextState(state, event);
				if (to && sendingStates.includes(to)) expect(event).toMatch(/^send /);
			}
	});

	test('after a rejection or a doubt nothing is sent again without another "send …"', () => {
		const found = findReachable(
			['not taken', 'validation in doubt', 'deploy in doubt'],
			event => !event.startsWith('send '),
		);
		expect(sendingStates.filter(state => found.has(state))).toEqual([]);
	});

	test('nothing can be sent while a PUT is under way or in doubt', () => {
		for (const state of states.filter(one => !isAtRest(one))) {
			expect(getNextState(state, 'send validation')).toBeUndefined();
			expect(getNextState(state, 'send deploy')).toBeUndefined();
		}
	});

	test('without a person, "complete" leads only to "moved on"', () => {
		for (const event of events)
			expect(['complete', 'moved on', undefined]).toContain(getNextState('complete', event));
		const reachableWithoutPerson = findReachable(['complete'], event => event !== 'take over');
		expect([...reachableWithoutPerson].toSorted()).toEqual(['complete', 'moved on']);
	});

	test('a PUT that arrives late is ours, in every state in which it counted as never arrived', () => {
		for (const state of ['not taken', 'reviewed', 'validating', 'ready to update'] as const) {
			expect(getNextState(state, 'sees ours pending')).toBe('finishing');
			expect(getNextState(state, 'sees ours complete')).toBe('complete');
			expect(getNextState(state, 'sees pending')).toBe('moved on');
			expect(getNextState(state, 'sees complete')).toBe('moved on');
		}
		expect(getNextState('not taken', 'sees ours in validation')).toBe('validating');
		expect(getNextState('reviewed', 'sees ours in validation')).toBe('validating');
	});

	test('an edited configuration is not sent before its review', () => {
		for (const state of states) {
			const stateAfterEdit = getNextState(state, 'edit');
			if (!stateAfterEdit) continue;
			const found = findReachable([stateAfterEdit], event => event !== 'review');
			expect(sendingStates.filter(one => found.has(one))).toEqual([]);
		}
	});

	test('taking over a zone leads to "unread", so a review is needed before anything is sent', () => {
		for (const state of states) {
			const after = getNextState(state, 'take over');
			if (after) expect(after).toBe('unread');
		}
	});

	test('deploying from validation requires that the zone is marked as ready first', () => {
		for (const state of ['validating', 'validating unreviewed'] as const)
			expect(getNextState(state, 'send deploy')).toBeUndefined();
		expect(getNextState('validating', 'ready')).toBe('ready to update');
	});

	test('only a person can leave "moved on"', () => {
		for (const event of events.filter(one => one !== 'take over'))
			expect(getNextState('moved on', event) ?? 'moved on').toBe('moved on');
	});
});

describe('paths through the machine', () => {
	test('every state is reachable', () => {
		expect([...findReachable(['unread'])].toSorted()).toEqual(states.toSorted());
	});

	test.each(states)('from "%s" a state waiting for a person can be reached', from => {
		expect([...findReachable([from])].some(isAtRest)).toBe(true);
	});

	test.each(states.filter(state => state !== 'complete'))('from "%s" the end can be reached', from => {
		expect(findReachable([from]).has('complete')).toBe(true);
	});

	test('a PUT that was running when the process ended is in doubt, and every other state is kept', () => {
		for (const state of states)
			expect(getStateAfterInterruption(state)).toBe(
				state === 'sending validation'
					? 'validation in doubt'
					: state === 'sending deploy'
						? 'deploy in doubt'
						: state,
			);
	});
});

describe('the diagram of the machine', () => {
	const lines = formatMigrationDiagram().split('\n');

	test('has every state, and starts and ends at the same states as the machine', () => {
		for (const state of states)
			expect(lines).toContain(`\tstate "${state}" as ${state.replaceAll(' ', '_')}`);
		expect(lines).toContain('\t[*] --> unread');
		expect(lines).toContain('\tcomplete --> [*]');
	});

	test('has one arrow for each connected pair of states', () => {
		const pairs = new Set<string>();
		for (const state of states)
			for (const to of Object.values(transitions[state])) if (to !== state) pairs.add(`${state}>${to}`);
		const arrows = lines.filter(line => line.includes('-->') && !line.includes('[*]'));
		expect(arrows).toHaveLength(pairs.size);
	});

	test('puts all readings that lead to the same state on one arrow', () => {
		expect(lines).toContain('\treviewed --> moved_on: sees validation, pending, complete');
		expect(lines).toContain('\treviewed --> sending_deploy: send deploy');
	});
});
