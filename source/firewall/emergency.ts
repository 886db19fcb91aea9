import {asFailure, type Failure} from '../failure.ts';
import type {Client} from '../service/client.ts';
import {idNamedIn, refusedWith} from '../service/refusal.ts';
import {continuation, listing} from './continuation.ts';
import {type CreationOptions, type CreationRequest, rulesOn} from './create-rule.ts';
import {type Look, lookAfterDoubt, unknown} from './doubt.ts';
import type {Filter, FilterDraft} from './filter.ts';
import {filterOfExpression} from './filters.ts';
import {again, onward} from './next-step.ts';
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
			/** Found by reading the state after the answer was lost: the rule is in force, whoever made it. */
			readonly afterDoubt?: true;
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
	readonly signal: AbortSignal;
};

/**
 * Makes a filter and its rule in one call (platform.md, "Filter and rule creation"). Asks for nothing before, sends
 * nothing twice, and never rejects: whatever happens, the result says what is there.
 */
export async function emergencyCreate(
	client: Client,
	zone: FirewallZone,
	draft: EmergencyDraft,
	{signal, onStep}: CreationOptions,
): Promise<Emergency> {
	const work: Work = {client, zone, draft, signal};
	onStep?.('rule');
	try {
		return {state: 'created', rule: await postRule(client, zone.id, draft.filter, draft, signal)};
	} catch (error) {
		const failure = asFailure(error);
		if (failure.details.doubtful) {
			onStep?.('looking');
			return inDoubt(work, failure);
		}
		return refused(work, failure);
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
			if (id !== undefined) return duplicate(work, id, failure);
			const next = `Look for the filter in \`${listing(work.zone, 'filter')}\`, and use it with --filter-id.`;
			return nothing(failure.with({next}));
		}
		case 'refused_by_service': {
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

const found = ({client, zone, draft, signal}: Work): Promise<Filter | undefined> =>
	filterOfExpression(client, zone.id, draft.filter.expression, signal);

const nothingMade = 'Nothing was made: neither the filter nor the rule.';

const nothing = (failure: Failure): Emergency => ({
	state: 'nothing',
	failure: failure.with({doubtful: false, left: nothingMade, next: again(failure)}),
});

const filterLeft = (
	{zone, draft}: Work,
	filter: Pick<Filter, 'id'> & Partial<Filter>,
	failure: Failure,
): Emergency => ({
	state: 'filter left',
	filter,
	failure: failure.with({
		doubtful: false,
		left: `The rule was not made, so nothing is in force. Its filter ${filter.id} is there.`,
		next: onward(failure, continuation(zone, draft, filter.id)),
	}),
});

const duplicate = ({zone, draft}: Work, filterId: string, failure: Failure): Emergency => ({
	state: 'duplicate',
	filterId,
	failure: failure.with({
		doubtful: false,
		left: `Nothing was made. Filter ${filterId} has this expression already.`,
		next: `Make the rule on it: ${continuation(zone, draft, filterId)}`,
	}),
});

/** No answer: what is there decides. A rule as it was to be is the block, be it this one or one from before. */
async function inDoubt(work: Work, failure: Failure): Promise<Emergency> {
	const {client, zone, draft, signal} = work;
	const where = `See \`${listing(zone, 'rule')}\` before you send it again.`;
	let seen: Look<{filter: Filter; users: readonly Rule[]}>;
	let alone: Filter | undefined;
	try {
		seen = await lookAfterDoubt(
			client,
			async looking => {
				const filter = await found({...work, signal: looking});
				if (!filter) return {instead: 'no filter has this expression.'};
				const users = await rulesOn(client, zone, filter.id, looking);
				alone = filter;
				return users.length > 0 ? {found: {filter, users}} : {instead: 'no rule uses the filter.'};
			},
			signal,
		);
	} catch (unread) {
		return {state: 'unsure', failure: unknown(failure, asFailure(unread), where)};
	}
	if (!('found' in seen)) {
		if (alone) return filterLeft(work, alone, failure);
		const left = `${nothingMade} Looked afterwards: ${seen.instead}`;
		const next =
			'Send it again: should it come to be after all, the service refuses a second one and names its filter.';
		return {state: 'nothing', failure: failure.with({doubtful: false, left, next})};
	}
	const {filter, users} = seen.found;
	const fitting = users.filter(rule => hasSettings(rule, draft));
	const [rule] = fitting;
	if (rule && fitting.length === 1) return {state: 'created', rule, afterDoubt: true};
	if (fitting.length === 0) return duplicate(work, filter.id, failure);
	const left = `Filter ${filter.id} is there, and so are ${named(fitting)}; whether one of them is new is not known.`;
	return {state: 'unsure', failure: failure.with({left, next: where})};
}
