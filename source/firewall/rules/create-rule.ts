import {asFailure, type Failure} from '../../failure.ts';
import {again} from '../../service/again.ts';
import type {Client} from '../../service/client.ts';
import {isAbsent} from '../../service/outcome.ts';
import {carryOut, type Settled, settle} from '../../service/settle.ts';
import {counted} from '../../text/figures.ts';
import type {JsonValue} from '../../text/json.ts';
import {listing} from '../continuation.ts';
import {ruleCreating} from './changes.ts';
import {createFilter, type FilterCreation} from './create-filter.ts';
import type {Creation, CreationOptions} from './creation.ts';
import type {Filter, FilterDraft} from './filter.ts';
import {filterById, filterCreation, idFromStepOne} from './filters.ts';
import {afterLostAnswer, continuable, continueOn, insteadOfRules, lookForRule, onward} from './next-step.ts';
import {ofPlan} from './plan-refusal.ts';
import type {FirewallZone, Rule, RuleDraft} from './rule.ts';
import {ruleCreation, rulesOn} from './rules.ts';
import type {WritingRequest} from './writing.ts';

export type CreationRequest = Required<WritingRequest> & {readonly body: JsonValue};

/**
 * Returns exactly what `createRule` will send, in order. The second body has a placeholder for the id from
 * the first answer.
 */
export function creationRequests(zone: FirewallZone, draft: RuleDraft): readonly CreationRequest[] {
	const {filter} = draft;
	if ('id' in filter) return [ruleCreation(zone.id, filter, draft)];
	return [filterCreation(zone.id, filter), ruleCreation(zone.id, {id: idFromStepOne}, draft)];
}

/**
 * Creates a rule: its filter in a first call unless the draft names one, then the rule. Sends each call at
 * most once and never rejects: the result describes the current state. After a lost answer it reads the
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
	return 'id' in filter ? onFilterThere(work, filter.id) : onNewFilter(work, filter);
}

type Work = {
	readonly client: Client;
	readonly zone: FirewallZone;
	readonly draft: RuleDraft;
	readonly options: CreationOptions;
};

/** The filter for the new rule, and where it comes from. */
type Base = {
	readonly filter: Filter;
	readonly origin: (Creation & {state: 'created'})['filter'];
	/** Ids of the rules already on it. */
	readonly before: ReadonlySet<string>;
};

async function onFilterThere(work: Work, id: string): Promise<Creation> {
	const {client, zone, options} = work;
	let base: Base;
	try {
		const filter = await filterById(client, zone.id, id, options.signal);
		const users = await rulesOn(client, zone.id, id, options.signal);
		base = {filter, origin: 'reused', before: new Set(users.map(rule => rule.id))};
	} catch (error) {
		const failure = asFailure(error);
		const isFilterGone: boolean = isAbsent(failure);
		const next = isFilterGone ? `See \`${listing(zone, 'filter')}\`.` : again(failure);
		return {
			state: 'nothing',
			failure: failure.with({left: 'Nothing was created: the rule was not sent.', next}),
			...(isFilterGone && {isFilterGone}),
		};
	}
	return ruleOn(work, base);
}

async function onNewFilter(work: Work, draft: FilterDraft): Promise<Creation> {
	const {client, zone, options} = work;
	const made = await createFilter(client, zone, draft, options);
	if (made.state === 'made') {
		const origin = made.lost ? 'found' : 'made';
		return ruleOn(work, {filter: made.filter, origin, before: new Set()});
	}
	if (made.state !== 'nothing') return withoutFilter(work, draft, made);
	const failure = await ofPlan(client, zone, work.draft, made.failure, options.signal);
	return withoutFilter(work, draft, {...made, failure});
}

/** The filter was not created, so the rule was not sent. */
function withoutFilter(
	work: Work,
	draft: FilterDraft,
	made: Exclude<FilterCreation, {state: 'made'}>,
): Creation {
	const {zone} = work;
	const {failure} = made;
	switch (made.state) {
		case 'nothing': {
			const {looked} = made;
			const left = `Nothing was created: neither the filter nor the rule.${looked ? ` ${looked}` : ''}`;
			const next = failure.code === 'gone' ? {next: insteadOfRules(zone, work.draft, draft.expression)} : {};
			return {state: 'nothing', failure: failure.with({left, ...next})};
		}
		case 'duplicate': {
			const {filterId} = made;
			const filter = {id: filterId, expression: draft.expression};
			const next = `Use it: ${continueOn(zone, work.draft, filter)}`;
			return {state: 'duplicate', filterId, failure: failure.with({next})};
		}
		case 'unsure':
			return {
				state: 'unsure',
				what: 'filter',
				failure: failure.with({left: `The rule was not sent. ${failure.details.left ?? ''}`}),
				async lookAgain(client, options) {
					const seen = await made.lookAgain(client, options);
					if (seen.state !== 'made') return withoutFilter(work, draft, seen);
					// Reading the state sends nothing: the rule has yet to be created.
					return filterOnly(work, {filter: seen.filter, origin: 'found', before: new Set()}, failure);
				},
			};
		default:
			return made satisfies never;
	}
}

async function ruleOn(work: Work, base: Base): Promise<Creation> {
	const {client, zone, draft, options} = work;
	const {filter, before} = base;
	options.onStep?.('rule');
	const change = ruleCreating(zone, filter, draft, before);
	const looking = {signal: options.signal, onLook: () => options.onStep?.('looking')};
	const outcome = await carryOut(client, change, looking);
	if (outcome.state !== 'refused') return ruleSettled(work, base, outcome, options);
	const {failure} = outcome;
	if (!(await isGone(work, base, failure)))
		return filterOnly(work, base, await ofPlan(client, zone, draft, failure, options.signal));
	const left = `Nothing is there: the rule was not created, and filter ${filter.id} is gone.`;
	return {state: 'nothing', failure: failure.with({left}), isFilterGone: true};
}

type RuleOutcome = Settled<Rule, never, readonly Rule[]>;

function ruleSettled(
	work: Work,
	base: Base,
	outcome: RuleOutcome,
	{onWrite}: Pick<CreationOptions, 'onWrite'>,
): Creation {
	switch (outcome.state) {
		case 'done': {
			const {value: rule, lost} = outcome;
			if (!work.client.dryRun) onWrite?.(`create rule ${rule.id}${afterLostAnswer(lost)}`);
			return created(base, rule, lost || base.origin === 'found');
		}
		case 'not done':
			return filterOnly(work, base, continuable(outcome.failure), `: ${outcome.sentence.replace(/\.$/, '')}`);
		case 'may still arrive':
			return unsure(work, base, outcome, outcome.failure.details.left ?? '');
		case 'other':
			return unsure(work, base, outcome, outcome.sentence);
		case 'unreadable':
			return unsure(work, base, outcome, `The state could not be read afterwards: ${outcome.unread.message}`);
	}
}

/** True if the service refused the rule because its filter no longer exists. */
async function isGone({client, zone, options}: Work, {filter}: Base, failure: Failure): Promise<boolean> {
	if (failure.code !== 'refused_by_service' && failure.code !== 'not_found') return false;
	try {
		await filterById(client, zone.id, filter.id, options.signal);
		return false;
	} catch (error) {
		return isAbsent(error);
	}
}

const created = ({origin}: Base, rule: Rule, afterDoubt: boolean): Creation => ({
	state: 'created',
	rule,
	filter: origin,
	...(afterDoubt && {afterDoubt}),
});

function filterSentence({filter: {id}, origin, before}: Base): string {
	switch (origin) {
		case 'made':
			return `Created filter ${id}.`;
		case 'found':
			return `Created filter ${id}; its answer was lost, and it was found by reading the current state.`;
		case 'reused':
			return before.size === 0
				? `Filter ${id} already existed.`
				: `Filter ${id} already existed, shared with ${counted(before.size, 'rule')}.`;
	}
}

function filterOnly({zone, draft}: Work, base: Base, failure: Failure, looked = ''): Creation {
	const {filter, origin} = base;
	const next =
		failure.code === 'gone'
			? insteadOfRules(zone, draft, filter.expression)
			: onward(failure, continueOn(zone, draft, filter));
	return {
		state: 'filter only',
		filter,
		made: origin === 'made',
		failure: failure.with({
			outcomeUnknown: false,
			left: `The rule was not created${looked}. ${filterSentence(base)}`,
			next,
		}),
	};
}

/** The rule may exist now or later: the person must check before sending it again. */
function unsure(
	work: Work,
	base: Base,
	{unsettled}: Extract<RuleOutcome, {unsettled: unknown}>,
	why: string,
): Creation {
	const {zone, draft} = work;
	const {filter} = base;
	return {
		state: 'unsure',
		what: 'rule',
		filter,
		failure: unsettled.failure.with({
			outcomeUnknown: true,
			why: [unsettled.failure.details.why, why].filter(Boolean).join('\n'),
			left: `${filterSentence(base)} It is not known whether the rule was created.`,
			next: lookForRule(zone, draft, filter),
		}),
		lookAgain: async (client, options) =>
			ruleSettled(work, base, await settle(client, unsettled, options), options),
	};
}
