import {expect, test} from 'vitest';
import {type MachineState, migrationStates} from '../../../source/migration/machine/states.ts';
import {
	getNextState,
	type MigrationEvent,
	migrationEvents,
} from '../../../source/migration/machine/transitions.ts';

type Rule = {
	readonly rule: string;
	readonly from: readonly MachineState[];
	/** The state after each event; `same` if it does not change. */
	readonly nextStates: Readonly<Partial<Record<MigrationEvent, MachineState | 'same'>>>;
};

/**
 * The transitions as specified, rule by rule, and independent of the table in the source. Each possible
 * pair of state and event occurs once; all others are impossible.
 */
const rules: readonly Rule[] = [
	{
		rule: 'if nothing is known of our own work, the state is the one that the service reports',
		from: ['unread', 'unknown stage'],
		nextStates: {
			'sees previous': 'eligible',
			'sees blocked': 'blocked',
			'sees validation': 'validating unreviewed',
			'sees ours in validation': 'validating unreviewed',
			'sees pending': 'finishing',
			'sees ours pending': 'finishing',
			'sees complete': 'complete',
			'sees ours complete': 'complete',
			'sees unknown': 'unknown stage',
		},
	},
	{
		rule: 'before a PUT, the last check decides whether the zone is eligible',
		from: ['blocked', 'eligible'],
		nextStates: {'sees previous': 'eligible', 'sees blocked': 'blocked'},
	},
	{
		rule: 'a review stays valid while the zone is eligible, and after a PUT that never arrived',
		from: ['reviewed', 'not taken'],
		nextStates: {'sees previous': 'reviewed', 'sees blocked': 'blocked'},
	},
	{
		rule: 'an unknown stage is shown as such',
		from: [
			'blocked',
			'eligible',
			'reviewed',
			'not taken',
			'validating',
			'validating unreviewed',
			'ready to update',
		],
		nextStates: {'sees unknown': 'unknown stage'},
	},
	{
		rule: 'a later stage with rules that are not ours is the work of someone else',
		from: [
			'blocked',
			'eligible',
			'reviewed',
			'not taken',
			'validating',
			'validating unreviewed',
			'ready to update',
		],
		nextStates: {'sees pending': 'moved on', 'sees complete': 'moved on'},
	},
	{
		rule: 'a later stage with our rules is the work of someone else if no PUT of ours is expected',
		from: ['blocked', 'eligible', 'validating unreviewed'],
		nextStates: {'sees ours pending': 'moved on', 'sees ours complete': 'moved on'},
	},
	{
		rule: 'a validation is the work of someone else if nothing was reviewed',
		from: ['blocked', 'eligible'],
		nextStates: {'sees validation': 'moved on', 'sees ours in validation': 'moved on'},
	},
	{
		rule: 'a validation with other rules than the reviewed ones is the work of someone else',
		from: ['reviewed', 'validating', 'ready to update'],
		nextStates: {'sees validation': 'moved on'},
	},
	{
		rule: 'a PUT that counted as never arrived, but took effect, is ours',
		from: ['reviewed', 'not taken', 'validating', 'ready to update'],
		nextStates: {'sees ours pending': 'finishing', 'sees ours complete': 'complete'},
	},
	{
		rule: 'a validation with our rules that is seen late is ours',
		from: ['reviewed', 'not taken'],
		nextStates: {'sees ours in validation': 'validating'},
	},
	{
		rule: 'after a PUT that was not taken, other rules in validation have to be reviewed',
		from: ['not taken'],
		nextStates: {'sees validation': 'validating unreviewed'},
	},
	{
		rule: 'someone else ended a validation if the previous version is back',
		from: ['validating', 'validating unreviewed', 'ready to update'],
		nextStates: {'sees previous': 'moved on', 'sees blocked': 'moved on'},
	},
	{
		rule: 'a validation with our rules keeps its state',
		from: ['validating', 'validating unreviewed', 'ready to update'],
		nextStates: {'sees ours in validation': 'same'},
	},
	{
		rule: 'an unreviewed validation stays unreviewed, whatever its rules are',
		from: ['validating unreviewed'],
		nextStates: {'sees validation': 'same'},
	},
	{
		rule: 'only a review makes a configuration sendable, and an edit reverts that: previous version',
		from: ['eligible', 'reviewed'],
		nextStates: {review: 'reviewed', edit: 'eligible'},
	},
	{
		rule: 'only a review makes a configuration sendable, and an edit reverts that: validation',
		from: ['validating', 'validating unreviewed', 'ready to update'],
		nextStates: {review: 'validating', edit: 'validating unreviewed'},
	},
	{
		rule: '"Ready to update" requires a review',
		from: ['validating', 'ready to update'],
		nextStates: {ready: 'ready to update'},
	},
	{
		rule: 'from the previous version, both validation and deployment can be sent',
		from: ['reviewed'],
		nextStates: {'send validation': 'sending validation', 'send deploy': 'sending deploy'},
	},
	{
		rule: 'in validation, an edited configuration can be validated again',
		from: ['validating'],
		nextStates: {'send validation': 'sending validation'},
	},
	{
		rule: 'validation is ended only after "Ready to update"',
		from: ['ready to update'],
		nextStates: {'send deploy': 'sending deploy'},
	},
	{
		rule: 'only the response to a running PUT changes its state: validation',
		from: ['sending validation'],
		nextStates: {accepted: 'starting validation', refused: 'not taken', lost: 'validation in doubt'},
	},
	{
		rule: 'only the response to a running PUT changes its state: deployment',
		from: ['sending deploy'],
		nextStates: {accepted: 'finishing', refused: 'not taken', lost: 'deploy in doubt'},
	},
	{
		rule: 'readings without information on a PUT keep its state: the previous version may be seen for a while',
		from: ['validation in doubt', 'starting validation', 'deploy in doubt', 'finishing'],
		nextStates: {
			'sees nothing new': 'same',
			'sees previous': 'same',
			'sees blocked': 'same',
			'sees unknown': 'same',
		},
	},
	{
		rule: 'a PUT in doubt without an effect after five minutes counts as not taken',
		from: ['validation in doubt', 'deploy in doubt'],
		nextStates: {'give up': 'not taken'},
	},
	{
		rule: 'a PUT for validation has arrived if our rules are active',
		from: ['validation in doubt', 'starting validation'],
		nextStates: {'sees ours saved': 'starting validation', 'sees ours in validation': 'validating'},
	},
	{
		rule: 'a PUT for validation is overtaken by someone else if other rules or a later stage are seen',
		from: ['validation in doubt', 'starting validation'],
		nextStates: {
			'sees validation': 'moved on',
			'sees pending': 'moved on',
			'sees ours pending': 'moved on',
			'sees complete': 'moved on',
			'sees ours complete': 'moved on',
		},
	},
	{
		rule: 'a PUT for deployment has arrived if our rules are active',
		from: ['deploy in doubt', 'finishing'],
		nextStates: {
			'sees ours saved': 'finishing',
			'sees ours pending': 'finishing',
			'sees ours complete': 'complete',
		},
	},
	{
		rule: 'while a deployment is in doubt, other rules or a validation are the work of someone else',
		from: ['deploy in doubt'],
		nextStates: {
			'sees validation': 'moved on',
			'sees ours in validation': 'moved on',
			'sees pending': 'moved on',
			'sees complete': 'moved on',
		},
	},
	{
		rule: 'after a deployment is accepted nothing leads back: an earlier stage is an outdated reading',
		from: ['finishing'],
		nextStates: {
			'sees validation': 'same',
			'sees ours in validation': 'same',
			'sees pending': 'same',
			'sees complete': 'complete',
		},
	},
	{
		rule: 'an accepted PUT without an effect, or a zone that moved on, can be taken over, which starts again',
		from: ['starting validation', 'finishing', 'moved on'],
		nextStates: {'take over': 'unread'},
	},
	{
		rule: 'complete stays complete, even if a reading shows the stage before it',
		from: ['complete'],
		nextStates: {
			'sees pending': 'same',
			'sees ours pending': 'same',
			'sees complete': 'same',
			'sees ours complete': 'same',
			'sees unknown': 'same',
		},
	},
	{
		rule: 'an earlier stage after the end counts as moved on',
		from: ['complete'],
		nextStates: {
			'sees previous': 'moved on',
			'sees blocked': 'moved on',
			'sees validation': 'moved on',
			'sees ours in validation': 'moved on',
		},
	},
	{
		rule: 'a zone that moved on stays so, whatever is seen, until a person takes it over',
		from: ['moved on'],
		nextStates: {
			'sees previous': 'same',
			'sees blocked': 'same',
			'sees validation': 'same',
			'sees ours in validation': 'same',
			'sees pending': 'same',
			'sees ours pending': 'same',
			'sees complete': 'same',
			'sees ours complete': 'same',
			'sees unknown': 'same',
		},
	},
];

const states = migrationStates;
const events = Object.keys(migrationEvents) as MigrationEvent[];

const listTransitions = ({from, nextStates}: Rule) =>
	from.flatMap(state =>
		(Object.entries(nextStates) as [MigrationEvent, MachineState | 'same'][]).map(([event, to]) => ({
			state,
			event,
			to: to === 'same' ? state : to,
		})),
	);

const formatPair = (state: MachineState, event: MigrationEvent): string => `${state}, ${event}`;

test.each(rules)('$rule', rule => {
	for (const {state, event, to} of listTransitions(rule))
		expect(getNextState(state, event), formatPair(state, event)).toBe(to);
});

test('each pair of state and event is covered by one rule or impossible', () => {
	const coveredPairs = rules.flatMap(listTransitions).map(({state, event}) => formatPair(state, event));
	expect(coveredPairs.filter((covered, index) => coveredPairs.indexOf(covered) < index)).toEqual([]);
	const allPairs = states.flatMap(state => events.map(event => ({state, event})));
	const uncoveredPairs = allPairs.filter(
		({state, event}) => !coveredPairs.includes(formatPair(state, event)),
	);
	expect(uncoveredPairs.filter(({state, event}) => getNextState(state, event) !== undefined)).toEqual([]);
});
