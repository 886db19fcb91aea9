import {asFailure, type Failure} from '../failure.ts';
import type {JsonValue} from '../json.ts';
import type {Client} from '../service/client.ts';
import {idNamedIn, refusedWith} from '../service/refusal.ts';
import {continuation, listing} from './continuation.ts';
import type {Creation, CreationOptions} from './creation.ts';
import {type Look, lookAfterDoubt, lookedAfterwards, mayArriveLate, unknown} from './doubt.ts';
import type {Filter, FilterDraft} from './filter.ts';
import {
	createFilter,
	filterById,
	filterCreation,
	filterOfExpression,
	idFromStepOne,
	isAs,
} from './filters.ts';
import {again, insteadOfRules, onward} from './next-step.ts';
import {ofPlan} from './plan-refusal.ts';
import type {FirewallZone, Rule, RuleDraft} from './rule.ts';
import {hasSettings, postRule, ruleCreation, rules} from './rules.ts';
import {named, usersOf} from './users.ts';
import type {WritingRequest} from './writing.ts';

/** A request of a creation, as it will be sent. */
export type CreationRequest = Required<WritingRequest> & {readonly body: JsonValue};

/** Exactly what `createRule` will send, in order; the second body holds the place of the id that the first one gives. */
export function creationRequests(zone: FirewallZone, draft: RuleDraft): readonly CreationRequest[] {
	const {filter} = draft;
	if ('id' in filter) return [ruleCreation(zone.id, filter, draft)];
	return [filterCreation(zone.id, filter), ruleCreation(zone.id, {id: idFromStepOne}, draft)];
}

/**
 * Makes a rule: its filter in a first call unless the draft names one, the rule in a second one (service-contract.md
 * 2 and 3). Never sends one of them again, and never rejects: whatever happens, the result says what is there. A
 * lost answer makes it read the state; stopping it does so within five seconds.
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

/** The filter that the rule is to be made on, and what is known of it. */
type Base = {
	readonly filter: Filter;
	readonly origin: (Creation & {state: 'created'})['filter'];
	/** Ids of the rules that used it before. */
	readonly before: ReadonlySet<string>;
};

async function onFilterThere(work: Work, id: string): Promise<Creation> {
	const {client, zone, options} = work;
	let base: Base;
	try {
		const filter = await filterById(client, zone.id, id, options.signal);
		const users = await rulesOn(client, zone, id, options.signal);
		base = {filter, origin: 'reused', before: new Set(users.map(rule => rule.id))};
	} catch (error) {
		const failure = asFailure(error);
		const next = failure.code === 'not_found' ? `See \`${listing(zone, 'filter')}\`.` : again(failure);
		return {
			state: 'nothing',
			failure: failure.with({left: 'Nothing was made: the rule was not sent.', next}),
		};
	}
	return ruleOn(work, base);
}

async function onNewFilter(work: Work, draft: FilterDraft): Promise<Creation> {
	const {client, zone, options} = work;
	options.onStep?.('filter');
	try {
		const filter = await createFilter(client, zone.id, draft, options.signal);
		if (!client.dryRun) options.onWrite?.(`create filter ${filter.id}`);
		return ruleOn(work, {filter, origin: 'made', before: new Set()});
	} catch (error) {
		const failure = asFailure(error);
		if (failure.details.doubtful) return filterInDoubt(work, draft, failure);
		if (failure.code === 'already_exists') return duplicated(work, draft, failure);
		const told = await ofPlan(client, zone, work.draft, failure, options.signal);
		const next = told.code === 'gone' ? insteadOfRules(zone, work.draft, draft.expression) : again(told);
		return {state: 'nothing', failure: told.with({left: nothingMade, next})};
	}
}

const nothingMade = 'Nothing was made: neither the filter nor the rule.';

/** The service has a filter of this expression, and mostly says which. */
async function duplicated(work: Work, draft: FilterDraft, failure: Failure): Promise<Creation> {
	const {client, zone, options} = work;
	let id = idNamedIn(refusedWith(failure)?.errors ?? []);
	if (id === undefined) {
		const found = filterOfExpression(client, zone.id, draft.expression, options.signal);
		id = (await found.catch(() => undefined))?.id;
	}
	if (id !== undefined) return duplicate(work, id, failure);
	const next = `Look for it in \`${listing(zone, 'filter')}\`, and use it with --filter-id.`;
	return {state: 'nothing', failure: failure.with({left: nothingMade, next})};
}

const duplicate = ({zone, draft}: Work, filterId: string, failure: Failure): Creation => ({
	state: 'duplicate',
	filterId,
	failure: failure.with({
		doubtful: false,
		left: `Nothing was made. Filter ${filterId} has this expression already.`,
		next: `Use it: ${continuation(zone, draft, filterId)}`,
	}),
});

/**
 * No answer tells whether the filter was made. One that is there, is exactly as it was sent and is used by no rule
 * serves, whoever made it; any other was there before, and is offered.
 */
async function filterInDoubt(work: Work, draft: FilterDraft, failure: Failure): Promise<Creation> {
	const {client, zone, options} = work;
	options.onStep?.('looking');
	let seen: Look<{filter: Filter; users: readonly Rule[]}>;
	try {
		seen = await lookAfterDoubt(
			client,
			async looking => {
				const filter = await filterOfExpression(client, zone.id, draft.expression, looking);
				if (!filter) return {instead: 'no filter has this expression.'};
				return {found: {filter, users: await rulesOn(client, zone, filter.id, looking)}};
			},
			options.signal,
		);
	} catch (unread) {
		const next = `See \`${listing(zone, 'filter')}\` for a filter of this expression before you send it again.`;
		const left = 'The rule was not sent; whether the filter is there is not known.';
		return {state: 'unsure', what: 'filter', failure: unknown(failure, asFailure(unread), next, left)};
	}
	if (!('found' in seen)) {
		const looked = lookedAfterwards(failure, seen.instead);
		const next =
			'Send it again: should the filter come to be after all, the service refuses a second one and names it.';
		return mayArriveLate(failure)
			? {
					state: 'unsure',
					what: 'filter',
					failure: failure.with({left: `The rule was not sent. ${looked}`, next}),
				}
			: {
					state: 'nothing',
					failure: failure.with({doubtful: false, left: `${nothingMade} ${looked}`, next}),
				};
	}
	const {filter, users} = seen.found;
	if (users.length > 0 || !isAs(filter, draft)) return duplicate(work, filter.id, failure);
	options.onWrite?.(`create filter ${filter.id} (its answer was lost; found there)`);
	return ruleOn(work, {filter, origin: 'found', before: new Set()});
}

async function ruleOn(work: Work, base: Base): Promise<Creation> {
	const {client, zone, draft, options} = work;
	const {filter} = base;
	options.onStep?.('rule');
	try {
		const rule = await postRule(client, zone.id, {id: filter.id}, draft, options.signal);
		if (!client.dryRun) options.onWrite?.(`create rule ${rule.id}`);
		return created(base, rule, base.origin === 'found');
	} catch (error) {
		const failure = asFailure(error);
		if (failure.details.doubtful) return ruleInDoubt(work, base, failure);
		return (await isGone(work, base, failure))
			? {
					state: 'nothing',
					failure: failure.with({
						left: `Nothing is there: the rule was not made, and filter ${filter.id} is gone.`,
						next: again(failure),
					}),
				}
			: filterOnly(work, base, await ofPlan(client, zone, draft, failure, options.signal));
	}
}

/** Whether the service refused the rule because someone has deleted its filter meanwhile. */
async function isGone({client, zone, options}: Work, {filter}: Base, failure: Failure): Promise<boolean> {
	if (failure.code !== 'refused_by_service' && failure.code !== 'not_found') return false;
	try {
		await filterById(client, zone.id, filter.id, options.signal);
		return false;
	} catch (error) {
		return asFailure(error).code === 'not_found';
	}
}

const created = ({origin}: Base, rule: Rule, afterDoubt: boolean): Creation => ({
	state: 'created',
	rule,
	filter: origin,
	...(afterDoubt && {afterDoubt}),
});

/** The filter of a base as a sentence. */
function there({filter: {id}, origin}: Base): string {
	switch (origin) {
		case 'made':
			return `Filter ${id} is there: it was made just now.`;
		case 'found':
			return `Filter ${id} is there: it was found when its own answer was lost.`;
		case 'reused':
			return `Filter ${id} is there.`;
	}
}

function filterOnly({zone, draft}: Work, base: Base, failure: Failure, looked = ''): Creation {
	const {filter, origin} = base;
	const next =
		failure.code === 'gone'
			? insteadOfRules(zone, draft, filter.expression)
			: onward(failure, continuation(zone, draft, filter.id));
	return {
		state: 'filter only',
		filter,
		made: origin === 'made',
		failure: failure.with({doubtful: false, left: `The rule was not made${looked}. ${there(base)}`, next}),
	};
}

/** No answer tells whether the rule was made: what uses the filter now and did not before decides. */
async function ruleInDoubt(work: Work, base: Base, failure: Failure): Promise<Creation> {
	const {client, zone, draft, options} = work;
	const {filter, before} = base;
	options.onStep?.('looking');
	let seen: Look<readonly Rule[]>;
	try {
		seen = await lookAfterDoubt(
			client,
			async looking => {
				const users = await rulesOn(client, zone, filter.id, looking);
				const fresh = users.filter(rule => !before.has(rule.id));
				return fresh.length > 0 ? {found: fresh} : {instead: 'no new rule uses the filter'};
			},
			options.signal,
		);
	} catch (unread) {
		return unsure(work, base, failure, asFailure(unread).message);
	}
	if (!('found' in seen)) {
		return mayArriveLate(failure)
			? unsure(work, base, failure, lookedAfterwards(failure, `${seen.instead}.`))
			: filterOnly(work, base, failure, ` (looked afterwards: ${seen.instead})`);
	}
	const fitting = seen.found.filter(rule => hasSettings(rule, draft));
	const [rule] = fitting;
	if (rule && fitting.length === 1) {
		options.onWrite?.(`create rule ${rule.id} (its answer was lost; found there)`);
		return created(base, rule, true);
	}
	return unsure(work, base, failure, `New on this filter since then: ${named(seen.found)}.`);
}

/** The rule may be there, or come to be: before it is sent again, somebody has to look. */
function unsure({zone, draft}: Work, base: Base, failure: Failure, why: string): Creation {
	const {filter} = base;
	const look = `See \`${listing(zone, 'rule')}\` for rules on filter ${filter.id} before you send it again.`;
	const go = `Where there is none: ${continuation(zone, draft, filter.id)}`;
	return {
		state: 'unsure',
		what: 'rule',
		filter,
		failure: failure.with({
			doubtful: true,
			why: [failure.details.why, why].filter(Boolean).join('\n'),
			left: `${there(base)} Whether the rule is there is not known.`,
			next: `${look}\n${go}`,
		}),
	};
}

/** The rules that use a filter now. */
export async function rulesOn(
	client: Client,
	zone: FirewallZone,
	filterId: string,
	signal: AbortSignal,
): Promise<readonly Rule[]> {
	return usersOf(filterId, await Array.fromAsync(rules(client, zone.id, signal)));
}
