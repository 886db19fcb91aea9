import {asFailure, type Failure} from '../failure.ts';
import type {Client} from '../service/client.ts';
import {idNamedIn, refusedWith} from '../service/refusal.ts';
import {continuation, filterResumption, listing, ruleResumption} from './continuation.ts';
import {type CreationRequest, rulesOn} from './create-rule.ts';
import type {CreationOptions} from './creation.ts';
import {type Look, lookAfterDoubt, lookedAfterwards, mayArriveLate, unknown} from './doubt.ts';
import type {Filter, FilterDraft} from './filter.ts';
import {filterById, filterOfExpression, isAs} from './filters.ts';
import {again, onward} from './next-step.ts';
import {ofPlan} from './plan-refusal.ts';
import type {FirewallZone, Rule, RuleSettings} from './rule.ts';
import {hasSettings, postRule, ruleCreation} from './rules.ts';
import {named} from './users.ts';

/** A block for now: a rule and its filter, made in one call. */
export type EmergencyDraft = RuleSettings & {readonly filter: FilterDraft};

/** What has become of an emergency rule; every one of them says what is there now, and is true. */
export type Emergency =
	| {
			readonly state: 'created';
			readonly rule: Rule;
			/** Found by reading the state after the answer was lost: the rule is there, whoever made it. */
			readonly afterDoubt?: true;
			/** It was there before, just as it was to be, and in force; nothing was made. */
			readonly already?: true;
	  }
	/** Neither the filter nor the rule was made. */
	| {readonly state: 'nothing'; readonly failure: Failure}
	/** The filter is there, the rule is not: on with the two-call way and that filter. */
	| {
			readonly state: 'filter left';
			readonly filter: Pick<Filter, 'id'> & Partial<Filter>;
			readonly failure: Failure;
	  }
	/** A filter of this expression was there before; nothing was made. On with the two-call way and that filter. */
	| {readonly state: 'duplicate'; readonly filterId: string; readonly failure: Failure}
	/** The service has retired firewall rules (410): the same block can be one custom rule (decision 24). */
	| {readonly state: 'gone'; readonly failure: Failure}
	/** The answer was lost, and what is there could not be read. */
	| {readonly state: 'unsure'; readonly failure: Failure};

/** Exactly what `emergencyCreate` will send: one POST in the combined form, and never anything else. */
export const emergencyRequest = (zone: FirewallZone, draft: EmergencyDraft): CreationRequest =>
	ruleCreation(zone.id, draft.filter, draft);

type Work = {
	readonly client: Client;
	readonly zone: FirewallZone;
	readonly draft: EmergencyDraft;
	readonly options: CreationOptions;
};

/**
 * Makes a filter and its rule in one call (platform.md, "Filter and rule creation"). Asks for nothing before, sends
 * nothing twice, and never rejects: whatever happens, the result says what is there.
 */
export async function emergencyCreate(
	client: Client,
	zone: FirewallZone,
	draft: EmergencyDraft,
	options: CreationOptions,
): Promise<Emergency> {
	const work: Work = {client, zone, draft, options};
	options.onStep?.('rule');
	try {
		const rule = await postRule(client, zone.id, draft.filter, draft, options.signal);
		if (!client.dryRun) options.onWrite?.(`create filter ${rule.filter.id} and rule ${rule.id}`);
		return {state: 'created', rule};
	} catch (error) {
		const failure = asFailure(error);
		if (failure.details.doubtful) {
			options.onStep?.('looking');
			return inDoubt(work, failure);
		}
		return refused(work, await ofPlan(client, zone, draft, failure, options.signal));
	}
}

async function refused(work: Work, failure: Failure): Promise<Emergency> {
	const answer = refusedWith(failure);
	switch (failure.code) {
		case 'gone': {
			const next = 'Put the same block in force as one custom rule of the Rulesets API.';
			return {state: 'gone', failure: failure.with({left: nothingMade, next})};
		}
		case 'already_exists': {
			const id = idNamedIn(answer?.errors ?? []) ?? (await found(work).catch(() => undefined))?.id;
			if (id !== undefined) return onFilterThere(work, id, failure);
			const next = `Look for the filter in \`${listing(work.zone, 'filter')}\`, and use it with --filter-id.`;
			return nothing(failure.with({next}));
		}
		case 'refused_by_service':
		case 'plan_lacks': {
			const id = idNamedIn(answer?.messages ?? []);
			return id === undefined ? refusedInSilence(work, failure) : filterLeft(work, {id}, failure);
		}
		default:
			return nothing(failure);
	}
}

/** The refusal tells of no filter. One may be there all the same: the rule is made after it (platform.md). */
async function refusedInSilence(work: Work, failure: Failure): Promise<Emergency> {
	try {
		const filter = await found(work);
		return filter ? filterLeft(work, filter, failure) : nothing(failure);
	} catch (unread) {
		const next = `See \`${listing(work.zone, 'filter')}\` for a filter of this expression.`;
		const left = 'The rule was not made; whether its filter was is not known.';
		return {state: 'unsure', failure: unknown(failure, asFailure(unread), next).with({left})};
	}
}

const found = ({client, zone, draft, options}: Work): Promise<Filter | undefined> =>
	filterOfExpression(client, zone.id, draft.filter.expression, options.signal);

const nothingMade = 'Nothing was made: neither the filter nor the rule.';

const nothing = (failure: Failure): Emergency => ({
	state: 'nothing',
	failure: failure.with({doubtful: false, left: nothingMade, next: again(failure)}),
});

function filterLeft(
	{zone, draft, options}: Work,
	filter: Pick<Filter, 'id'> & Partial<Filter>,
	failure: Failure,
): Emergency {
	options.onWrite?.(`create filter ${filter.id}, but not its rule`);
	return {
		state: 'filter left',
		filter,
		failure: failure.with({
			doubtful: false,
			left: `The rule was not made, so nothing new is in force. Its filter ${filter.id} is there.`,
			next: onward(failure, continuation(zone, draft, filter.id)),
		}),
	};
}

/** A filter of this expression was there before: the block may be in force already. What cannot be read is not told. */
async function onFilterThere(work: Work, id: string, failure: Failure): Promise<Emergency> {
	const {client, zone, draft, options} = work;
	try {
		const filter = await filterById(client, zone.id, id, options.signal);
		const users = await rulesOn(client, zone, id, options.signal);
		const rule = users.find(one => !filter.paused && !one.paused && hasSettings(one, draft));
		return rule ? {state: 'created', rule, already: true} : duplicate(work, filter, users, failure);
	} catch {
		return duplicate(work, {id}, [], failure);
	}
}

/** Nothing was made, as the filter is another one's; what stands there with it is told, and what a rule on it needs. */
function duplicate(
	{zone, draft}: Work,
	{id, paused}: Pick<Filter, 'id'> & Partial<Filter>,
	users: readonly Rule[],
	failure: Failure,
): Emergency {
	const alike = users.find(one => hasSettings({...one, paused: false}, {...draft, paused: false}));
	const left = [
		`Filter ${id} has this expression already${users.length > 0 ? `, with ${named(users)}` : ''}.`,
		paused && 'The filter is paused, so no rule on it does anything.',
	];
	const steps = [
		paused &&
			!draft.filter.paused &&
			`Put the filter in force, and all rules on it: ${filterResumption(zone, id)}`,
		alike?.paused && !draft.paused && `Put the rule in force: ${ruleResumption(zone, alike.id)}`,
		!alike && `Make the rule on it: ${continuation(zone, draft, id)}`,
	].filter(step => step !== undefined && step !== false);
	return {
		state: 'duplicate',
		filterId: id,
		failure: failure.with({
			doubtful: false,
			left: ['Nothing was made.', ...left].filter(Boolean).join(' '),
			next: steps.length > 0 ? steps.join('\n') : `See \`${listing(zone, 'rule')}\` for what is there.`,
		}),
	};
}

/** No answer: what is there decides. A rule as it was to be is the block, be it this one or one from before. */
async function inDoubt(work: Work, failure: Failure): Promise<Emergency> {
	const {client, zone, draft, options} = work;
	const where = `See \`${listing(zone, 'rule')}\` before you send it again.`;
	let seen: Look<{filter: Filter; users: readonly Rule[]}>;
	let alone: Filter | undefined;
	try {
		seen = await lookAfterDoubt(
			client,
			async looking => {
				const filter = await found({...work, options: {signal: looking}});
				if (!filter) return {instead: 'no filter has this expression.'};
				const users = await rulesOn(client, zone, filter.id, looking);
				alone = filter;
				return users.length > 0 ? {found: {filter, users}} : {instead: 'no rule uses the filter.'};
			},
			options.signal,
		);
	} catch (unread) {
		return {state: 'unsure', failure: unknown(failure, asFailure(unread), where)};
	}
	if (!('found' in seen)) {
		if (alone)
			return isAs(alone, draft.filter)
				? aloneInDoubt(work, alone, failure)
				: duplicate(work, alone, [], failure);
		const looked = lookedAfterwards(failure, seen.instead);
		const next =
			'Send it again: should it come to be after all, the service refuses a second one and names its filter.';
		return mayArriveLate(failure)
			? {state: 'unsure', failure: failure.with({left: looked, next})}
			: {
					state: 'nothing',
					failure: failure.with({doubtful: false, left: `${nothingMade} ${looked}`, next}),
				};
	}
	const {filter, users} = seen.found;
	const fitting = isAs(filter, draft.filter) ? users.filter(rule => hasSettings(rule, draft)) : [];
	const [rule] = fitting;
	if (rule && fitting.length === 1) {
		options.onWrite?.(`create filter ${filter.id} and rule ${rule.id} (the answer was lost; found there)`);
		return {state: 'created', rule, afterDoubt: true};
	}
	if (fitting.length === 0) return duplicate(work, filter, users, failure);
	const left = `Filter ${filter.id} is there, and so are ${named(fitting)}; whether one of them is new is not known.`;
	return {state: 'unsure', failure: failure.with({left, next: where})};
}

/** The filter is there and no rule on it: the rule is made after it, so it may still come where the call is not over. */
function aloneInDoubt(work: Work, filter: Filter, failure: Failure): Emergency {
	if (!mayArriveLate(failure)) return filterLeft(work, filter, failure);
	work.options.onWrite?.(`create filter ${filter.id} (the answer was lost; found there)`);
	const {zone, draft} = work;
	const look = `See \`${listing(zone, 'rule')}\` for rules on filter ${filter.id} before you send it again.`;
	return {
		state: 'unsure',
		failure: failure.with({
			left: `Filter ${filter.id} is there. ${lookedAfterwards(failure, 'no rule uses it.')}`,
			next: `${look}\nWhere there is none: ${continuation(zone, draft, filter.id)}`,
		}),
	};
}
