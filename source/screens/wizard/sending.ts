import {Failure} from '../../failure.ts';
import {deleteFilter, filterChanging, prioritySetting, ruleChanging} from '../../firewall/rules/changes.ts';
import {createFilter, type FilterCreation} from '../../firewall/rules/create-filter.ts';
import {createRule} from '../../firewall/rules/create-rule.ts';
import type {Filter} from '../../firewall/rules/filter.ts';
import {filterById, isAs} from '../../firewall/rules/filters.ts';
import type {Rule} from '../../firewall/rules/rule.ts';
import {hasSettings, ruleById} from '../../firewall/rules/rules.ts';
import type {Client} from '../../service/client.ts';
import {orAbsent} from '../../service/read-result.ts';
import {type Change, carryOut, type Outcome, settle} from '../../service/settle.ts';
import type {Sending} from '../stepped-form/rule-backend.ts';
import {draftOf, filterDraftOf} from './draft.ts';
import {changedFilter, ruleChangeOf} from './requests.ts';
import type {Ending, Wizard} from './state.ts';

/** Sends what the review showed; returns the state afterwards. Fails only before anything was sent. */
export async function sent(client: Client, wizard: Wizard, way: Sending): Promise<Ending> {
	const {purpose, zone} = wizard;
	switch (purpose.kind) {
		case 'new rule': {
			const draft = draftOf(wizard);
			if (!draft) throw new Failure('usage', 'No action was chosen.', {next: 'Choose one.'});
			return createRule(client, zone, draft, way);
		}
		case 'new filter':
			return filterMade(client, wizard, way);
		case 'change rule':
			return ruleChanged(client, wizard, purpose.rule, way);
		case 'change filter':
			return filterChanged(client, wizard, purpose.filter, way);
		default:
			return purpose satisfies never;
	}
}

async function filterMade(client: Client, wizard: Wizard, way: Sending): Promise<Ending> {
	return filterEnding(await createFilter(client, wizard.zone, filterDraftOf(wizard), way));
}

function filterEnding(made: FilterCreation): Ending {
	switch (made.state) {
		case 'made':
			return {state: 'filter made', filter: made.filter, ...(made.lost && {afterDoubt: true})};
		case 'unsure':
			return {
				state: 'unsure',
				what: 'filter',
				failure: made.failure,
				lookAgain: async (client, options) => filterEnding(await made.lookAgain(client, options)),
			};
		default:
			return made;
	}
}

async function ruleChanged(client: Client, wizard: Wizard, before: Rule, way: Sending): Promise<Ending> {
	const {zone} = wizard;
	const change = ruleChangeOf(wizard, before);
	if (change.kind === 'nothing') return {state: 'changed', what: 'rule', id: before.id};
	return changed<Rule>(client, 'rule', before, way, {
		read: () => ruleById(client, zone.id, before.id, way.signal),
		isSame: isSameRule,
		change:
			change.kind === 'priority'
				? prioritySetting(zone, before, change.priority)
				: ruleChanging(zone, before, change.changes),
	});
}

const filterChanged = (client: Client, wizard: Wizard, before: Filter, way: Sending): Promise<Ending> =>
	changed<Filter>(client, 'filter', before, way, {
		read: () => filterById(client, wizard.zone.id, before.id, way.signal),
		isSame: isAs,
		change: filterChanging(wizard.zone, changedFilter(wizard, before), before),
	});

/** Writes the change, unless the current version differs from `before`. */
async function changed<Changed extends Rule | Filter>(
	client: Client,
	what: 'rule' | 'filter',
	before: Changed,
	{signal, onStep}: Sending,
	{
		read,
		isSame,
		change,
	}: {
		read(): Promise<Changed>;
		isSame(one: Changed, other: Changed): boolean;
		readonly change: Change<Changed, never, Changed | undefined>;
	},
): Promise<Ending> {
	onStep('looking');
	const now = await orAbsent(read);
	if (!now || !isSame(now, before)) return changedMeanwhile(what, now);
	onStep('change');
	return changeEnding(what, before.id, await carryOut(client, change, {signal}));
}

function changeEnding<Changed extends Rule | Filter>(
	what: 'rule' | 'filter',
	id: string,
	outcome: Outcome<Changed, never, Changed | undefined>,
): Ending {
	switch (outcome.state) {
		case 'done':
			return {state: 'changed', what, id};
		case 'refused':
		case 'not done':
			return {state: 'nothing', failure: outcome.failure};
		case 'other':
		case 'may still arrive':
		case 'unreadable': {
			const {failure, unsettled} = outcome;
			if (outcome.state === 'other' && !failure.details.outcomeUnknown)
				return changedMeanwhile(what, outcome.other, failure);
			return {
				state: 'unsure of the change',
				what,
				id,
				failure,
				lookAgain: async (client, {signal}) =>
					changeEnding(what, id, await settle(client, unsettled, {signal})),
			};
		}
	}
}

/** Builds the ending for a change by someone else. `sent`: the failure of the write, if one was sent. */
const changedMeanwhile = (
	what: 'rule' | 'filter',
	now: Rule | Filter | undefined,
	sent?: Failure,
): Ending => ({
	state: 'changed meanwhile',
	what,
	now,
	failure: new Failure(
		'changed_meanwhile',
		now ? `The ${what} was changed by someone else since it was read.` : `The ${what} is gone.`,
		{
			why: sent?.message,
			left: sent
				? `The change was sent and did not take effect. ${sent.details.left ?? ''}`
				: 'Nothing was sent.',
			next: now ? 'Compare it with the current version.' : 'Make a new one.',
		},
	),
});

const isSameRule = (one: Rule, other: Rule): boolean =>
	hasSettings(one, other) && one.filter.id === other.filter.id;

/** Deletes the filter whose rule was not created. */
export async function filterDeleted(
	client: Client,
	{zone}: Wizard,
	id: string,
	{signal, onStep, onWrite}: Sending,
): Promise<Ending> {
	onStep('delete');
	await deleteFilter(client, zone, id, signal);
	onWrite(`delete filter ${id}`);
	return {state: 'filter deleted', id};
}
