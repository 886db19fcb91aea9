import {asFailure, Failure} from '../../failure.ts';
import {again} from '../../service/again.ts';
import type {Client} from '../../service/client.ts';
import {idNamedIn, refusedWith} from '../../service/refusal.ts';
import {carryOut, type Settled, settle} from '../../service/settle.ts';
import {listing} from '../continuation.ts';
import {filterCreating, type OthersFilter} from './changes.ts';
import type {CreationOptions, LookAgain} from './creation.ts';
import type {Filter, FilterDraft} from './filter.ts';
import {filterOfExpression, filterOfMeaning} from './filters.ts';
import {afterLostAnswer, sendAgain} from './next-step.ts';
import type {FirewallZone} from './rule.ts';

/** Outcome of creating a filter; each failure describes the current state. */
export type FilterCreation =
	/** `lost`: the answer was lost, and reading the state found the filter. */
	| {readonly state: 'made'; readonly filter: Filter; readonly lost: boolean}
	/** A filter with this expression exists that this call did not create; nothing was created. */
	| {readonly state: 'duplicate'; readonly filterId: string; readonly failure: Failure}
	/** `looked`: what reading the state found after a lost answer. */
	| {readonly state: 'nothing'; readonly failure: Failure; readonly looked?: string | undefined}
	/** The answer was lost, and the state could not be read or may still change. */
	| {
			readonly state: 'unsure';
			readonly failure: Failure;
			/** Reads the state again for the same write. Sends nothing, never rejects. */
			readonly lookAgain: LookAgain<FilterCreation>;
	  };

/**
 * Creates one filter. Reads existing filters first: if one matches the same requests, names it and sends
 * nothing. After a lost answer it reads the state. Sends at most once, never rejects.
 */
export async function createFilter(
	client: Client,
	zone: Pick<FirewallZone, 'id' | 'way'>,
	draft: FilterDraft,
	options: CreationOptions,
): Promise<FilterCreation> {
	const {signal, onStep, onWrite} = options;
	let before: Filter | undefined;
	try {
		// A dry run shows what it would send, whatever exists.
		if (!client.dryRun) before = await filterOfMeaning(client, zone.id, draft.expression, signal);
	} catch (error) {
		return nothing(asFailure(error));
	}
	if (before)
		return duplicate(
			before.id,
			new Failure(
				'already_exists',
				before.expression === draft.expression
					? `A filter of this expression exists already: ${before.id}.`
					: `A filter that matches the same requests exists already, written differently: ${before.id}, ${before.expression}`,
			),
		);
	onStep?.('filter');
	const change = filterCreating(zone, draft, before);
	const outcome = await carryOut(client, change, {signal, onLook: () => onStep?.('looking')});
	if (outcome.state !== 'refused') return settled(outcome, client.dryRun ? undefined : onWrite);
	const {failure} = outcome;
	return failure.code === 'already_exists'
		? refusedAsDuplicate(client, zone, draft, failure, signal)
		: nothing(failure);
}

function settled(
	outcome: Settled<Filter, never, OthersFilter>,
	onWrite: CreationOptions['onWrite'],
): FilterCreation {
	switch (outcome.state) {
		case 'done': {
			const {value: filter, lost} = outcome;
			onWrite?.(`create filter ${filter.id}${afterLostAnswer(lost)}`);
			return {state: 'made', filter, lost};
		}
		case 'other':
			return duplicate(outcome.other.filter.id, outcome.failure);
		case 'not done': {
			const looked = outcome.failure.details.left;
			const left = `Nothing was created. ${looked ?? ''}`;
			return {state: 'nothing', failure: outcome.failure.with({left, next: sendAgain}), looked};
		}
		case 'may still arrive':
		case 'unreadable': {
			const {failure, unsettled} = outcome;
			return {
				state: 'unsure',
				failure: outcome.state === 'unreadable' ? failure : failure.with({next: sendAgain}),
				lookAgain: async (client, options) =>
					settled(await settle(client, unsettled, options), options.onWrite),
			};
		}
	}
}

const nothing = (failure: Failure): FilterCreation => ({
	state: 'nothing',
	failure: failure.with({left: 'Nothing was created.', next: again(failure)}),
});

const duplicate = (filterId: string, failure: Failure): FilterCreation => ({
	state: 'duplicate',
	filterId,
	failure: failure.with({
		outcomeUnknown: false,
		left: `Nothing was created. Filter ${filterId} has this expression already.`,
		next: `Use it: rules refer to it with --filter-id ${filterId}.`,
	}),
});

/**
 * Finds the id of the filter that a refusal is about, usually from the refusal itself. Undefined if unknown.
 */
export async function existingFilter(
	client: Client,
	zone: Pick<FirewallZone, 'id'>,
	expression: string,
	failure: Failure,
	signal: AbortSignal,
): Promise<string | undefined> {
	const named = idNamedIn(refusedWith(failure)?.errors ?? []);
	if (named !== undefined) return named;
	return (await filterOfExpression(client, zone.id, expression, signal).catch(() => undefined))?.id;
}

/** Advice if a filter with the expression exists and its id is unknown. */
export const filterAdvice = (zone: Pick<FirewallZone, 'id' | 'way'>): string =>
	`Find the filter in \`${listing(zone, 'filter')}\`, and use it with --filter-id.`;

async function refusedAsDuplicate(
	client: Client,
	zone: Pick<FirewallZone, 'id' | 'way'>,
	{expression}: FilterDraft,
	failure: Failure,
	signal: AbortSignal,
): Promise<FilterCreation> {
	const id = await existingFilter(client, zone, expression, failure, signal);
	if (id !== undefined) return duplicate(id, failure);
	return {state: 'nothing', failure: failure.with({left: 'Nothing was created.', next: filterAdvice(zone)})};
}
