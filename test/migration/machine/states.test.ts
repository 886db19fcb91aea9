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
import {migrationDiagram} from '../../docs/migration-diagram.ts';

const events = Object.keys(migrationEvents) as MigrationEvent[];
const sending: readonly MachineState[] = ['sending validation', 'sending deploy'];
const zone = {name: 'acme.example'};

/** All states that can be reached by events that `passes` lets through. */
function reachable(
	from: readonly MachineState[],
	passes: (event: MigrationEvent, state: MachineState) => boolean = () => true,
): ReadonlySet<MachineState> {
	const found = new Set(from);
	for (const state of found)
		for (const event of events) {
			const to = getNextState(state, event);
			if (to !== undefined && passes(event, state)) found.add(to);
		}
	return found;
}

describe('every state and every event', () => {
	test.each(states)('in "%s" the table names no event that does not exist', state => {
		expect(Object.keys(transitions[state]).filter(event => !(event in migrationEvents))).toEqual([]);
	});

	test.each(states)('what cannot be done in "%s" is refused with a sentence and a way on', state => {
		const failure = createNotAllowedFailure(zone, {state}, 'Deploying');
		expect(failure.message).toContain('nothing was sent');
		expect(failure.details.why).toContain(stateTable[state].meaning);
		expect(failure.next).toBeTruthy();
	});

	test('everything that can be seen leads somewhere wherever something is looked at', () => {
		const readings = events.filter(event => event.startsWith('sees '));
		// Of a PUT under way only its answer tells.
		for (const state of states.filter(one => !sending.includes(one)))
			for (const event of readings) {
				const isAboutPut = event === 'sees nothing new' || event === 'sees ours saved';
				if (!isAboutPut) expect(getNextState(state, event), `${state}: ${event}`).toBeDefined();
			}
	});

	test('what tells of a PUT is understood wherever one may be at work', () => {
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

describe('what the machine never does', () => {
	const unreviewed: readonly MachineState[] = [
		'unread',
		'blocked',
		'eligible',
		'validating unreviewed',
		'moved on',
		'unknown stage',
	];

	test.each(unreviewed)('from "%s" nothing is sent without a review', from => {
		const found = reachable([from], event => event !== 'review');
		expect(sending.filter(state => found.has(state))).toEqual([]);
	});

	test('a sending state is entered by nothing but "send …"', () => {
		for (const state of states)
			for (const event of events) {
				const to = getNextState(state, event);
				if (to && sending.includes(to)) expect(event).toMatch(/^send /);
			}
	});

	test('after an answer, a loss or a doubt nothing is sent again without a new "send …"', () => {
		const found = reachable(
			['not taken', 'validation in doubt', 'deploy in doubt'],
			event => !event.startsWith('send '),
		);
		expect(sending.filter(state => found.has(state))).toEqual([]);
	});

	test('nothing can be sent while a PUT is under way or in doubt', () => {
		for (const state of states.filter(one => !isAtRest(one))) {
			expect(getNextState(state, 'send validation')).toBeUndefined();
			expect(getNextState(state, 'send deploy')).toBeUndefined();
		}
	});

	test('"complete" is left for a person to look at only', () => {
		for (const event of events)
			expect(['complete', 'moved on', undefined]).toContain(getNextState('complete', event));
		const untouched = reachable(['complete'], event => event !== 'take over');
		expect([...untouched].toSorted()).toEqual(['complete', 'moved on']);
	});

	test('a PUT that arrives late is ours, wherever it counted as never arrived', () => {
		for (const state of ['not taken', 'reviewed', 'validating', 'ready to update'] as const) {
			expect(getNextState(state, 'sees ours pending')).toBe('finishing');
			expect(getNextState(state, 'sees ours complete')).toBe('complete');
			expect(getNextState(state, 'sees pending')).toBe('moved on');
			expect(getNextState(state, 'sees complete')).toBe('moved on');
		}
		expect(getNextState('not taken', 'sees ours in validation')).toBe('validating');
		expect(getNextState('reviewed', 'sees ours in validation')).toBe('validating');
	});

	test('an edited configuration is not sent before a review', () => {
		for (const state of states) {
			const edited = getNextState(state, 'edit');
			if (!edited) continue;
			const found = reachable([edited], event => event !== 'review');
			expect(sending.filter(one => found.has(one))).toEqual([]);
		}
	});

	test('who has taken a zone over reviews before anything is sent', () => {
		for (const state of states) {
			const after = getNextState(state, 'take over');
			if (after) expect(after).toBe('unread');
		}
	});

	test('deploying from validation wants "Ready to update" first', () => {
		for (const state of ['validating', 'validating unreviewed'] as const)
			expect(getNextState(state, 'send deploy')).toBeUndefined();
		expect(getNextState('validating', 'ready')).toBe('ready to update');
	});

	test('what someone else did is left by a person only', () => {
		for (const event of events.filter(one => one !== 'take over'))
			expect(getNextState('moved on', event) ?? 'moved on').toBe('moved on');
	});
});

describe('ways through the machine', () => {
	test('every state is reachable', () => {
		expect([...reachable(['unread'])].toSorted()).toEqual(states.toSorted());
	});

	test.each(states)('from "%s" there is a way to where a person has the next word', from => {
		expect([...reachable([from])].some(isAtRest)).toBe(true);
	});

	test.each(states.filter(state => state !== 'complete'))('from "%s" the end can be reached', from => {
		expect(reachable([from]).has('complete')).toBe(true);
	});

	test('a PUT that was under way when the process ended is in doubt, and all else is what it was', () => {
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

describe('the picture of the machine', () => {
	const lines = migrationDiagram().split('\n');

	test('has every state, and begins and ends where the machine does', () => {
		for (const state of states)
			expect(lines).toContain(`\tstate "${state}" as ${state.replaceAll(' ', '_')}`);
		expect(lines).toContain('\t[*] --> unread');
		expect(lines).toContain('\tcomplete --> [*]');
	});

	test('has one arrow for each pair of states that an event joins', () => {
		const pairs = new Set<string>();
		for (const state of states)
			for (const to of Object.values(transitions[state])) if (to !== state) pairs.add(`${state}>${to}`);
		const arrows = lines.filter(line => line.includes('-->') && !line.includes('[*]'));
		expect(arrows).toHaveLength(pairs.size);
	});

	test('puts all that is seen and leads to one place on one arrow', () => {
		expect(lines).toContain('\treviewed --> moved_on: sees validation, pending, complete');
		expect(lines).toContain('\treviewed --> sending_deploy: send deploy');
	});
});
