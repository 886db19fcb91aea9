import {type Failure, toFailure} from '../../failure.ts';
import type {Client} from '../../service/client.ts';
import {isAbsent} from '../../service/outcome.ts';
import {getRetryAdvice} from '../../service/retry-advice.ts';
import {executeChange, type SettledOutcome, settleChange} from '../../service/settle.ts';
import {formatQuantity} from '../../text/figures.ts';
import type {JsonValue} from '../../text/json.ts';
import {formatFirewallListCommand} from '../commands.ts';
import {buildRuleCreateChange} from './changes.ts';
import {createFilter, type FilterCreation} from './create-filter.ts';
import type {Creation, CreationOptions} from './creation.ts';
import type {Filter, FilterDraft} from './filter.ts';
import {buildFilterCreationRequest, idFromStepOne, readFilterById} from './filters.ts';
import {
	formatContinueCommand,
	formatCustomRuleAdvice,
	formatLostResponseNote,
	formatRuleCheckAdvice,
	getNextStepAdvice,
	markAsContinuable,
} from './next-step.ts';
import {explainPlanRefusal} from './plan-refusal.ts';
import type {FirewallZone, Rule, RuleDraft} from './rule.ts';
import {buildRuleCreationRequest, listRulesOnFilter} from './rules.ts';
import type {WritingRequest} from './writing.ts';

export type CreationRequest = Required<WritingRequest> & {readonly body: JsonValue};

/**
 * Returns exactly what `createRule` will send, in order. The second body has a placeholder for the id from
 * the first response.
 */
export function buildCreationRequests(zone: FirewallZone, draft: RuleDraft): readonly CreationRequest[] {
	const {filter} = draft;
	if ('id' in filter) return [buildRuleCreationRequest(zone.id, filter, draft)];
	return [
		buildFilterCreationRequest(zone.id, filter),
		buildRuleCreationRequest(zone.id, {id: idFromStepOne}, draft),
	];
}

/**
 * Creates a rule: its filter in a first call unless the draft names one, then the rule. Sends each call at
 * most once and never rejects: the result describes the current state. After a lost response it reads the
 * state; when stopped, it does so within five seconds.
 */
export async function createRule(
	client: Client,
	zone: FirewallZone,
	draft: RuleDraft,
	options: CreationOptions,
): Promise<Creation> {
	const {filter} = draft;
	const work: Work = {client, zone, draft, options};
	return 'id' in filter ? createOnExistingFilter(work, filter.id) : createOnNewFilter(work, filter);
}

type Work = {
	readonly client: Client;
	readonly zone: FirewallZone;
	readonly draft: RuleDraft;
	readonly options: CreationOptions;
};

/** The filter for the new rule, and where it comes from. */
type BaseFilter = {
	readonly filter: Filter;
	readonly origin: (Creation & {state: 'created'})['filter'];
	/** Ids of the rules already on it. */
	readonly idsBefore: ReadonlySet<string>;
};

async function createOnExistingFilter(work: Work, id: string): Promise<Creation> {
	const {client, zone, options} = work;
	let base: BaseFilter;
	try {
		const filter = await readFilterById(client, zone.id, id, options.signal);
		const users = await listRulesOnFilter(client, zone.id, id, options.signal);
		base = {filter, origin: 'reused', idsBefore: new Set(users.map(rule => rule.id))};
	} catch (error) {
		const failure = toFailure(error);
		const isFilterGone: boolean = isAbsent(failure);
		const next = isFilterGone
			? `List the filters: \`${formatFirewallListCommand(zone, 'filter')}\`.`
			: getRetryAdvice(failure);
		return {
			state: 'nothing',
			failure: failure.withDetails({left: 'Nothing was created: the rule was not sent.', next}),
			...(isFilterGone && {isFilterGone}),
		};
	}
	return createRuleOnFilter(work, base);
}

async function createOnNewFilter(work: Work, draft: FilterDraft): Promise<Creation> {
	const {client, zone, options} = work;
	const filterCreation = await createFilter(client, zone, draft, options);
	if (filterCreation.state === 'made') {
		const origin = filterCreation.lost ? 'found' : 'made';
		return createRuleOnFilter(work, {filter: filterCreation.filter, origin, idsBefore: new Set()});
	}
	if (filterCreation.state !== 'nothing') return buildOutcomeWithoutFilter(work, draft, filterCreation);
	const failure = await explainPlanRefusal(client, zone, work.draft, filterCreation.failure, options.signal);
	return buildOutcomeWithoutFilter(work, draft, {...filterCreation, failure});
}

/** The filter was not created, so the rule was not sent. */
function buildOutcomeWithoutFilter(
	work: Work,
	draft: FilterDraft,
	filterCreation: Exclude<FilterCreation, {state: 'made'}>,
): Creation {
	const {zone} = work;
	const {failure} = filterCreation;
	switch (filterCreation.state) {
		case 'nothing': {
			const {checkResult} = filterCreation;
			const left = `Nothing was created: neither the filter nor the rule.${checkResult ? ` ${checkResult}` : ''}`;
			const next =
				failure.code === 'gone' ? {next: formatCustomRuleAdvice(zone, work.draft, draft.expression)} : {};
			return {state: 'nothing', failure: failure.withDetails({left, ...next})};
		}
		case 'duplicate': {
			const {filterId} = filterCreation;
			const filter = {id: filterId, expression: draft.expression};
			const next = `To use it: ${formatContinueCommand(zone, work.draft, filter)}`;
			return {state: 'duplicate', filterId, failure: failure.withDetails({next})};
		}
		case 'unsure':
			return {
				state: 'unsure',
				what: 'filter',
				failure: failure.withDetails({left: `The rule was not sent. ${failure.details.left ?? ''}`}),
				async lookAgain(client, options) {
					const recheck = await filterCreation.lookAgain(client, options);
					if (recheck.state !== 'made') return buildOutcomeWithoutFilter(work, draft, recheck);
					// Reading the state sends nothing: the rule has yet to be created.
					return buildFilterOnly(
						work,
						{filter: recheck.filter, origin: 'found', idsBefore: new Set()},
						failure,
					);
				},
			};
		default:
			return filterCreation satisfies never;
	}
}

async function createRuleOnFilter(work: Work, base: BaseFilter): Promise<Creation> {
	const {client, zone, draft, options} = work;
	const {filter, idsBefore} = base;
	options.onStep?.('rule');
	const change = buildRuleCreateChange(zone, filter, draft, idsBefore);
	const lookOptions = {signal: options.signal, onRecheck: () => options.onStep?.('looking')};
	const outcome = await executeChange(client, change, lookOptions);
	if (outcome.state !== 'refused') return toRuleCreation(work, base, outcome, options);
	const {failure} = outcome;
	if (!(await isFilterDeleted(work, base, failure)))
		return buildFilterOnly(
			work,
			base,
			await explainPlanRefusal(client, zone, draft, failure, options.signal),
		);
	const left = `The rule was not created, and filter ${filter.id} no longer exists.`;
	return {state: 'nothing', failure: failure.withDetails({left}), isFilterGone: true};
}

type RuleOutcome = SettledOutcome<Rule, never, readonly Rule[]>;

function toRuleCreation(
	work: Work,
	base: BaseFilter,
	outcome: RuleOutcome,
	{onWritten}: Pick<CreationOptions, 'onWritten'>,
): Creation {
	switch (outcome.state) {
		case 'done': {
			const {value: rule, lost} = outcome;
			if (!work.client.dryRun) onWritten?.(`create rule ${rule.id}${formatLostResponseNote(lost)}`);
			return buildCreated(base, rule, lost || base.origin === 'found');
		}
		case 'not done':
			return buildFilterOnly(
				work,
				base,
				markAsContinuable(outcome.failure),
				`: ${outcome.sentence.replace(/\.$/, '')}`,
			);
		case 'may still arrive':
			return buildUnknownOutcome(work, base, outcome, outcome.failure.details.left ?? '');
		case 'other':
			return buildUnknownOutcome(work, base, outcome, outcome.sentence);
		case 'unreadable':
			return buildUnknownOutcome(
				work,
				base,
				outcome,
				`The state could not be read afterwards: ${outcome.settlingFailure.message}`,
			);
	}
}

/** True if the service refused the rule because its filter no longer exists. */
async function isFilterDeleted(
	{client, zone, options}: Work,
	{filter}: BaseFilter,
	failure: Failure,
): Promise<boolean> {
	if (failure.code !== 'refused_by_service' && failure.code !== 'not_found') return false;
	try {
		await readFilterById(client, zone.id, filter.id, options.signal);
		return false;
	} catch (error) {
		return isAbsent(error);
	}
}

const buildCreated = ({origin}: BaseFilter, rule: Rule, foundAfterLostResponse: boolean): Creation => ({
	state: 'created',
	rule,
	filter: origin,
	...(foundAfterLostResponse && {foundAfterLostResponse}),
});

function describeFilterOrigin({filter: {id}, origin, idsBefore}: BaseFilter): string {
	switch (origin) {
		case 'made':
			return `Created filter ${id}.`;
		case 'found':
			return `Created filter ${id}; the response was lost, but ledge found the filter by checking the current state.`;
		case 'reused':
			return idsBefore.size === 0
				? `Filter ${id} already existed.`
				: `Filter ${id} already existed, shared with ${formatQuantity(idsBefore.size, 'rule')}.`;
	}
}

function buildFilterOnly(
	{zone, draft}: Work,
	base: BaseFilter,
	failure: Failure,
	checkResult = '',
): Creation {
	const {filter, origin} = base;
	const next =
		failure.code === 'gone'
			? formatCustomRuleAdvice(zone, draft, filter.expression)
			: getNextStepAdvice(failure, formatContinueCommand(zone, draft, filter));
	return {
		state: 'filter only',
		filter,
		wasFilterCreated: origin === 'made',
		failure: failure.withDetails({
			outcomeUnknown: false,
			left: `The rule was not created${checkResult}. ${describeFilterOrigin(base)}`,
			next,
		}),
	};
}

/**
 * Builds the outcome for a rule that may exist now or later: the person must check before sending it again.
 */
function buildUnknownOutcome(
	work: Work,
	base: BaseFilter,
	{unsettled}: Extract<RuleOutcome, {unsettled: unknown}>,
	why: string,
): Creation {
	const {zone, draft} = work;
	const {filter} = base;
	return {
		state: 'unsure',
		what: 'rule',
		filter,
		failure: unsettled.failure.withDetails({
			outcomeUnknown: true,
			why: [unsettled.failure.details.why, why].filter(Boolean).join('\n'),
			left: `${describeFilterOrigin(base)} It is unknown whether the rule was created.`,
			next: formatRuleCheckAdvice(zone, draft, filter),
		}),
		lookAgain: async (client, options) =>
			toRuleCreation(work, base, await settleChange(client, unsettled, options), options),
	};
}
