import {Failure} from '../../failure.ts';
import {
	buildFilterUpdateChange,
	buildPriorityChange,
	buildRuleUpdateChange,
	deleteFilter,
} from '../../firewall/rules/changes.ts';
import {createFilter, type FilterCreation} from '../../firewall/rules/create-filter.ts';
import {createRule} from '../../firewall/rules/create-rule.ts';
import type {Filter} from '../../firewall/rules/filter.ts';
import {filterMatchesDraft, readFilterById} from '../../firewall/rules/filters.ts';
import type {Rule} from '../../firewall/rules/rule.ts';
import {hasRuleSettings, readRuleById} from '../../firewall/rules/rules.ts';
import type {Client} from '../../service/client.ts';
import {readIfPresent} from '../../service/read-result.ts';
import {type Change, executeChange, type Outcome, settleChange} from '../../service/settle.ts';
import type {SendContext} from '../stepped-form/rule-backend.ts';
import {buildFilterDraft, buildRuleDraft} from './draft.ts';
import {computeRuleChange, withFilterChange} from './requests.ts';
import type {Wizard, WizardEnding} from './state.ts';

/** Sends what the review showed; returns the state afterwards. Fails only before anything was sent. */
export async function sendWizard(
	client: Client,
	wizard: Wizard,
	sending: SendContext,
): Promise<WizardEnding> {
	const {purpose, zone} = wizard;
	switch (purpose.kind) {
		case 'new rule': {
			const draft = buildRuleDraft(wizard);
			if (!draft) throw new Failure('usage', 'No action was chosen.', {next: 'Choose one.'});
			return createRule(client, zone, draft, sending);
		}
		case 'new filter':
			return createWizardFilter(client, wizard, sending);
		case 'change rule':
			return updateWizardRule(client, wizard, purpose.rule, sending);
		case 'change filter':
			return updateWizardFilter(client, wizard, purpose.filter, sending);
		default:
			return purpose satisfies never;
	}
}

async function createWizardFilter(
	client: Client,
	wizard: Wizard,
	sending: SendContext,
): Promise<WizardEnding> {
	return toFilterEnding(await createFilter(client, wizard.zone, buildFilterDraft(wizard), sending));
}

function toFilterEnding(made: FilterCreation): WizardEnding {
	switch (made.state) {
		case 'made':
			return {state: 'filter made', filter: made.filter, ...(made.lost && {afterDoubt: true})};
		case 'unsure':
			return {
				state: 'unsure',
				what: 'filter',
				failure: made.failure,
				lookAgain: async (client, options) => toFilterEnding(await made.lookAgain(client, options)),
			};
		default:
			return made;
	}
}

async function updateWizardRule(
	client: Client,
	wizard: Wizard,
	before: Rule,
	sending: SendContext,
): Promise<WizardEnding> {
	const {zone} = wizard;
	const change = computeRuleChange(wizard, before);
	if (change.kind === 'nothing') return {state: 'changed', what: 'rule', id: before.id};
	return writeUnlessChanged<Rule>(client, 'rule', before, sending, {
		read: () => readRuleById(client, zone.id, before.id, sending.signal),
		isSame: isSameRule,
		change:
			change.kind === 'priority'
				? buildPriorityChange(zone, before, change.priority)
				: buildRuleUpdateChange(zone, before, change.changes),
	});
}

const updateWizardFilter = (
	client: Client,
	wizard: Wizard,
	before: Filter,
	sending: SendContext,
): Promise<WizardEnding> =>
	writeUnlessChanged<Filter>(client, 'filter', before, sending, {
		read: () => readFilterById(client, wizard.zone.id, before.id, sending.signal),
		isSame: filterMatchesDraft,
		change: buildFilterUpdateChange(wizard.zone, withFilterChange(wizard, before), before),
	});

/** Writes the change, unless the current version differs from `before`. */
async function writeUnlessChanged<Changed extends Rule | Filter>(
	client: Client,
	what: 'rule' | 'filter',
	before: Changed,
	{signal, onStep}: SendContext,
	{
		read,
		isSame,
		change,
	}: {
		read(): Promise<Changed>;
		isSame(one: Changed, other: Changed): boolean;
		readonly change: Change<Changed, never, Changed | undefined>;
	},
): Promise<WizardEnding> {
	onStep('looking');
	const now = await readIfPresent(read);
	if (!now || !isSame(now, before)) return buildConflict(what, now);
	onStep('change');
	return toChangeEnding(what, before.id, await executeChange(client, change, {signal}));
}

function toChangeEnding<Changed extends Rule | Filter>(
	what: 'rule' | 'filter',
	id: string,
	outcome: Outcome<Changed, never, Changed | undefined>,
): WizardEnding {
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
				return buildConflict(what, outcome.other, failure);
			return {
				state: 'unsure of the change',
				what,
				id,
				failure,
				lookAgain: async (client, {signal}) =>
					toChangeEnding(what, id, await settleChange(client, unsettled, {signal})),
			};
		}
	}
}

/** Builds the ending for a change by someone else. `sent`: the failure of the write, if one was sent. */
const buildConflict = (
	what: 'rule' | 'filter',
	now: Rule | Filter | undefined,
	sent?: Failure,
): WizardEnding => ({
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
	hasRuleSettings(one, other) && one.filter.id === other.filter.id;

/** Deletes the filter whose rule was not created. */
export async function deleteWizardFilter(
	client: Client,
	{zone}: Wizard,
	id: string,
	{signal, onStep, onWrite}: SendContext,
): Promise<WizardEnding> {
	onStep('delete');
	await deleteFilter(client, zone, id, signal);
	onWrite(`delete filter ${id}`);
	return {state: 'filter deleted', id};
}
