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
	/** Where these events lead from there; `same` is the state itself. */
	readonly leads: Readonly<Partial<Record<MigrationEvent, MachineState | 'same'>>>;
};

/**
 * The transitions as the pages want them, rule by rule, and not as
 * the machine writes them: each pair of a state and an event stands here once, and what stands nowhere cannot be.
 */
const rules: readonly Rule[] = [
	{
		rule: 'where nothing of ours is known, the zone is what the service says it is',
		from: ['unread', 'unknown stage'],
		leads: {
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
		rule: 'before a PUT, whether the zone is eligible is what the check says last',
		from: ['blocked', 'eligible'],
		leads: {'sees previous': 'eligible', 'sees blocked': 'blocked'},
	},
	{
		rule: 'a review holds while the zone stays eligible, and after a PUT that never arrived',
		from: ['reviewed', 'not taken'],
		leads: {'sees previous': 'reviewed', 'sees blocked': 'blocked'},
	},
	{
		rule: 'a state that nobody knows is shown, and nothing is written',
		from: [
			'blocked',
			'eligible',
			'reviewed',
			'not taken',
			'validating',
			'validating unreviewed',
			'ready to update',
		],
		leads: {'sees unknown': 'unknown stage'},
	},
	{
		rule: 'rules that are not ours at a later stage are the work of someone else',
		from: [
			'blocked',
			'eligible',
			'reviewed',
			'not taken',
			'validating',
			'validating unreviewed',
			'ready to update',
		],
		leads: {'sees pending': 'moved on', 'sees complete': 'moved on'},
	},
	{
		rule: 'so is a later stage with rules that only look like ours, where no PUT of ours is due',
		from: ['blocked', 'eligible', 'validating unreviewed'],
		leads: {'sees ours pending': 'moved on', 'sees ours complete': 'moved on'},
	},
	{
		rule: 'so is a validation that someone began',
		from: ['blocked', 'eligible'],
		leads: {'sees validation': 'moved on', 'sees ours in validation': 'moved on'},
	},
	{
		rule: 'and one that was reviewed for, with other rules',
		from: ['reviewed', 'validating', 'ready to update'],
		leads: {'sees validation': 'moved on'},
	},
	{
		rule: 'a PUT that counted as never arrived, and is there after all, is ours',
		from: ['reviewed', 'not taken', 'validating', 'ready to update'],
		leads: {'sees ours pending': 'finishing', 'sees ours complete': 'complete'},
	},
	{
		rule: 'so is a validation of ours that shows late',
		from: ['reviewed', 'not taken'],
		leads: {'sees ours in validation': 'validating'},
	},
	{
		rule: 'where it was not taken in validation, what is in validation has to be reviewed',
		from: ['not taken'],
		leads: {'sees validation': 'validating unreviewed'},
	},
	{
		rule: 'validation that was left for the previous version was left by someone else',
		from: ['validating', 'validating unreviewed', 'ready to update'],
		leads: {'sees previous': 'moved on', 'sees blocked': 'moved on'},
	},
	{
		rule: 'validation with our rules stays as far as it was',
		from: ['validating', 'validating unreviewed', 'ready to update'],
		leads: {'sees ours in validation': 'same'},
	},
	{
		rule: 'validation that nobody reviewed is whatever is in it',
		from: ['validating unreviewed'],
		leads: {'sees validation': 'same'},
	},
	{
		rule: 'only a review makes a configuration one that can be sent, and an edit undoes it: previous version',
		from: ['eligible', 'reviewed'],
		leads: {review: 'reviewed', edit: 'eligible'},
	},
	{
		rule: 'only a review makes a configuration one that can be sent, and an edit undoes it: validation',
		from: ['validating', 'validating unreviewed', 'ready to update'],
		leads: {review: 'validating', edit: 'validating unreviewed'},
	},
	{
		rule: '"Ready to update" is said of what was reviewed',
		from: ['validating', 'ready to update'],
		leads: {ready: 'ready to update'},
	},
	{
		rule: 'from the previous version both ways are open',
		from: ['reviewed'],
		leads: {'send validation': 'sending validation', 'send deploy': 'sending deploy'},
	},
	{
		rule: 'in validation an edited configuration is validated anew',
		from: ['validating'],
		leads: {'send validation': 'sending validation'},
	},
	{
		rule: 'validation is ended only after "Ready to update"',
		from: ['ready to update'],
		leads: {'send deploy': 'sending deploy'},
	},
	{
		rule: 'of a PUT under way only its answer tells: validation',
		from: ['sending validation'],
		leads: {accepted: 'starting validation', refused: 'not taken', lost: 'validation in doubt'},
	},
	{
		rule: 'of a PUT under way only its answer tells: the end',
		from: ['sending deploy'],
		leads: {accepted: 'finishing', refused: 'not taken', lost: 'deploy in doubt'},
	},
	{
		rule: 'what tells nothing of a PUT leaves it as it is: the previous version may be what shows last',
		from: ['validation in doubt', 'starting validation', 'deploy in doubt', 'finishing'],
		leads: {
			'sees nothing new': 'same',
			'sees previous': 'same',
			'sees blocked': 'same',
			'sees unknown': 'same',
		},
	},
	{
		rule: 'a PUT in doubt that is not there after five minutes was not taken',
		from: ['validation in doubt', 'deploy in doubt'],
		leads: {'give up': 'not taken'},
	},
	{
		rule: 'a PUT of validation has arrived where our rules are',
		from: ['validation in doubt', 'starting validation'],
		leads: {'sees ours saved': 'starting validation', 'sees ours in validation': 'validating'},
	},
	{
		rule: 'and is overtaken by someone else where other rules are, or the end is',
		from: ['validation in doubt', 'starting validation'],
		leads: {
			'sees validation': 'moved on',
			'sees pending': 'moved on',
			'sees ours pending': 'moved on',
			'sees complete': 'moved on',
			'sees ours complete': 'moved on',
		},
	},
	{
		rule: 'a PUT of the end has arrived where our rules are',
		from: ['deploy in doubt', 'finishing'],
		leads: {
			'sees ours saved': 'finishing',
			'sees ours pending': 'finishing',
			'sees ours complete': 'complete',
		},
	},
	{
		rule: 'while it is in doubt, other rules, or validation, are the work of someone else',
		from: ['deploy in doubt'],
		leads: {
			'sees validation': 'moved on',
			'sees ours in validation': 'moved on',
			'sees pending': 'moved on',
			'sees complete': 'moved on',
		},
	},
	{
		rule: 'once it is taken nothing leads back: what shows an earlier stage is behind',
		from: ['finishing'],
		leads: {
			'sees validation': 'same',
			'sees ours in validation': 'same',
			'sees pending': 'same',
			'sees complete': 'complete',
		},
	},
	{
		rule: 'what was taken and never shows is given to a person, who begins anew',
		from: ['starting validation', 'finishing', 'moved on'],
		leads: {'take over': 'unread'},
	},
	{
		rule: 'complete stays complete, whatever a reading has of the last step',
		from: ['complete'],
		leads: {
			'sees pending': 'same',
			'sees ours pending': 'same',
			'sees complete': 'same',
			'sees ours complete': 'same',
			'sees unknown': 'same',
		},
	},
	{
		rule: 'an earlier stage after the end is a puzzle for a person',
		from: ['complete'],
		leads: {
			'sees previous': 'moved on',
			'sees blocked': 'moved on',
			'sees validation': 'moved on',
			'sees ours in validation': 'moved on',
		},
	},
	{
		rule: 'what someone else did stays that, whatever is seen, until a person has looked',
		from: ['moved on'],
		leads: {
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

const leadsOf = ({from, leads}: Rule) =>
	from.flatMap(state =>
		(Object.entries(leads) as [MigrationEvent, MachineState | 'same'][]).map(([event, to]) => ({
			state,
			event,
			to: to === 'same' ? state : to,
		})),
	);

const pair = (state: MachineState, event: MigrationEvent): string => `${state}, ${event}`;

test.each(rules)('$rule', rule => {
	for (const {state, event, to} of leadsOf(rule))
		expect(getNextState(state, event), pair(state, event)).toBe(to);
});

test('each pair of state and event is covered by one rule or impossible', () => {
	const ruled = rules.flatMap(leadsOf).map(({state, event}) => pair(state, event));
	expect(ruled.filter((one, at) => ruled.indexOf(one) < at)).toEqual([]);
	const all = states.flatMap(state => events.map(event => ({state, event})));
	const elsewhere = all.filter(({state, event}) => !ruled.includes(pair(state, event)));
	expect(elsewhere.filter(({state, event}) => getNextState(state, event) !== undefined)).toEqual([]);
});
