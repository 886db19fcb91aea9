import {Failure} from '../../failure.ts';
import {
	buildFilterUpdateChange,
	buildPriorityChange,
	buildRuleUpdateChange,
	deleteFilter,
} from '../../firewall/rules/changes.ts';
import {createFilter, type FilterCreation} from '../../firewall/rules/create-filter.ts';
import {createRule} from '../../firewall/rules/create-rule.ts';
import type {FirewallEdit} from '../../firewall/rules/edits.ts';
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
	context: SendContext,
): Promise<WizardEnding> {
	const {purpose, zone} = wizard;
	switch (purpose.kind) {
		case 'new rule': {
			const draft = buildRuleDraft(wizard);
			if (!draft) throw new Failure('usage', 'No action was chosen.', {next: 'Choose one.'});
			return createRule(client, zone, draft, context);
		}
		case 'new filter':
			return createWizardFilter(client, wizard, context);
		case 'change rule':
			return updateWizardRule(client, wizard, purpose.rule, context);
		case 'change filter':
			return updateWizardFilter(client, wizard, purpose.filter, context);
		default:
			return purpose satisfies never;
	}
}

async function createWizardFilter(
	client: Client,
	wizard: Wizard,
	context: SendContext,
): Promise<WizardEnding> {
	return toFilterEnding(await createFilter(client, wizard.zone, buildFilterDraft(wizard), context));
}

function toFilterEnding(creation: FilterCreation): WizardEnding {
	switch (creation.state) {
		case 'made':
			return {
				state: 'filter made',
				filter: creation.filter,
				...(creation.lost && {foundAfterLostResponse: true}),
			};
		case 'unsure':
			return {
				state: 'unsure',
				what: 'filter',
				failure: creation.failure,
				lookAgain: async (client, options) => toFilterEnding(await creation.lookAgain(client, options)),
			};
		default:
			return creation;
	}
}

async function updateWizardRule(
	client: Client,
	wizard: Wizard,
	original: Rule,
	context: SendContext,
): Promise<WizardEnding> {
	const {zone} = wizard;
	const change = computeRuleChange(wizard, original);
	if (change.kind === 'nothing') return {state: 'changed', what: 'rule', id: original.id};
	return writeUnlessChanged<Rule>(client, 'rule', original, context, {
		read: () => readRuleById(client, zone.id, original.id, context.signal),
		isSame: isSameRule,
		change:
			change.kind === 'priority'
				? buildPriorityChange(zone, original, change.priority)
				: buildRuleUpdateChange(zone, original, change.changes),
	});
}

const updateWizardFilter = (
	client: Client,
	wizard: Wizard,
	original: Filter,
	context: SendContext,
): Promise<WizardEnding> =>
	writeUnlessChanged<Filter>(client, 'filter', original, context, {
		read: () => readFilterById(client, wizard.zone.id, original.id, context.signal),
		isSame: filterMatchesDraft,
		change: buildFilterUpdateChange(wizard.zone, withFilterChange(wizard, original), original),
	});

/** Writes the change, unless the current version differs from `original`. */
async function writeUnlessChanged<Changed extends Rule | Filter>(
	client: Client,
	what: 'rule' | 'filter',
	original: Changed,
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
	const current = await readIfPresent(read);
	if (!current || !isSame(current, original)) return buildConflict(what, current);
	onStep('change');
	return toChangeEnding(what, current, await executeChange(client, change, {signal}));
}

/** `before`: the rule or filter as it was read before the write. */
function toChangeEnding<Changed extends Rule | Filter>(
	what: 'rule' | 'filter',
	before: Changed,
	outcome: Outcome<Changed, never, Changed | undefined>,
): WizardEnding {
	const {id} = before;
	switch (outcome.state) {
		case 'done':
			return {
				state: 'changed',
				what,
				id,
				edit: {kind: what, before, after: outcome.value} as FirewallEdit,
			};
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
					toChangeEnding(what, before, await settleChange(client, unsettled, {signal})),
			};
		}
	}
}

/** Builds the ending for a change by someone else. `writeFailure`: the failure of the write, if one was sent. */
const buildConflict = (
	what: 'rule' | 'filter',
	current: Rule | Filter | undefined,
	writeFailure?: Failure,
): WizardEnding => ({
	state: 'changed meanwhile',
	what,
	current,
	failure: new Failure(
		'changed_meanwhile',
		current
			? `The ${what} was changed by someone else since you opened it.`
			: `The ${what} no longer exists.`,
		{
			why: writeFailure?.message,
			left: writeFailure
				? `The change was sent, but did not take effect. ${writeFailure.details.left ?? ''}`
				: 'Nothing was sent.',
			next: current ? 'Compare it with the current version.' : 'Create a new one.',
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
	{signal, onStep, onWritten}: SendContext,
): Promise<WizardEnding> {
	onStep('delete');
	await deleteFilter(client, zone, id, signal);
	onWritten(`delete filter ${id}`);
	return {state: 'filter deleted', id};
}
