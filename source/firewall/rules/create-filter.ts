import {Failure, toFailure} from '../../failure.ts';
import type {Client} from '../../service/client.ts';
import {findNamedId, getRefusalBody} from '../../service/refusal.ts';
import {getRetryAdvice} from '../../service/retry-advice.ts';
import {executeChange, type SettledOutcome, settleChange} from '../../service/settle.ts';
import {formatFirewallListCommand} from '../commands.ts';
import {buildFilterCreateChange, type ForeignFilter} from './changes.ts';
import type {CreationOptions, LookAgain} from './creation.ts';
import type {Filter, FilterDraft} from './filter.ts';
import {findEquivalentFilter, findFilterByExpression} from './filters.ts';
import {formatLostResponseNote, sendAgainAdvice} from './next-step.ts';
import type {FirewallZone} from './rule.ts';

/** Outcome of creating a filter; each failure describes the current state. */
export type FilterCreation =
	/** `lost`: the response was lost, and reading the state found the filter. */
	| {readonly state: 'made'; readonly filter: Filter; readonly lost: boolean}
	/** A filter with this expression exists that this call did not create; nothing was created. */
	| {readonly state: 'duplicate'; readonly filterId: string; readonly failure: Failure}
	/** `checkResult` says what reading the state found after a lost response. */
	| {readonly state: 'nothing'; readonly failure: Failure; readonly checkResult?: string | undefined}
	/** The response was lost, and the state could not be read or may still change. */
	| {
			readonly state: 'unsure';
			readonly failure: Failure;
			/** Reads the state again for the same write. Sends nothing, never rejects. */
			readonly lookAgain: LookAgain<FilterCreation>;
	  };

/**
 * Creates one filter. Reads existing filters first: if one matches the same requests, names it and sends
 * nothing. After a lost response it reads the state. Sends at most once, never rejects.
 */
export async function createFilter(
	client: Client,
	zone: Pick<FirewallZone, 'id' | 'sessionOptions'>,
	draft: FilterDraft,
	options: CreationOptions,
): Promise<FilterCreation> {
	const {signal, onStep, onWritten} = options;
	let existingFilter: Filter | undefined;
	try {
		// A dry run shows what it would send, whatever exists.
		if (!client.dryRun)
			existingFilter = await findEquivalentFilter(client, zone.id, draft.expression, signal);
	} catch (error) {
		return buildNothingCreated(toFailure(error));
	}
	if (existingFilter)
		return buildDuplicateFilter(
			existingFilter.id,
			new Failure(
				'already_exists',
				existingFilter.expression === draft.expression
					? `A filter with this expression already exists: ${existingFilter.id}.`
					: `An equivalent filter, written differently, already exists: ${existingFilter.id}, ${existingFilter.expression}`,
			),
		);
	onStep?.('filter');
	const change = buildFilterCreateChange(zone, draft, existingFilter);
	const outcome = await executeChange(client, change, {signal, onRecheck: () => onStep?.('looking')});
	if (outcome.state !== 'refused') return toFilterCreation(outcome, client.dryRun ? undefined : onWritten);
	const {failure} = outcome;
	return failure.code === 'already_exists'
		? resolveDuplicate(client, zone, draft, failure, signal)
		: buildNothingCreated(failure);
}

function toFilterCreation(
	outcome: SettledOutcome<Filter, never, ForeignFilter>,
	onWritten: CreationOptions['onWritten'],
): FilterCreation {
	switch (outcome.state) {
		case 'done': {
			const {value: filter, lost} = outcome;
			onWritten?.(`create filter ${filter.id}${formatLostResponseNote(lost)}`);
			return {state: 'made', filter, lost};
		}
		case 'other':
			return buildDuplicateFilter(outcome.other.filter.id, outcome.failure);
		case 'not done': {
			const checkResult = outcome.failure.details.left;
			const left = `Nothing was created. ${checkResult ?? ''}`;
			return {
				state: 'nothing',
				failure: outcome.failure.withDetails({left, next: sendAgainAdvice}),
				checkResult,
			};
		}
		case 'may still arrive':
		case 'unreadable': {
			const {failure, unsettled} = outcome;
			return {
				state: 'unsure',
				failure: outcome.state === 'unreadable' ? failure : failure.withDetails({next: sendAgainAdvice}),
				lookAgain: async (client, options) =>
					toFilterCreation(await settleChange(client, unsettled, options), options.onWritten),
			};
		}
	}
}

const buildNothingCreated = (failure: Failure): FilterCreation => ({
	state: 'nothing',
	failure: failure.withDetails({left: 'Nothing was created.', next: getRetryAdvice(failure)}),
});

const buildDuplicateFilter = (filterId: string, failure: Failure): FilterCreation => ({
	state: 'duplicate',
	filterId,
	failure: failure.withDetails({
		outcomeUnknown: false,
		left: `Nothing was created. Filter ${filterId} already has this expression.`,
		next: `To use it in a rule, pass --filter-id ${filterId}.`,
	}),
});

/**
 * Finds the id of the filter that a refusal is about, usually from the refusal itself. Undefined if unknown.
 */
export async function findExistingFilterId(
	client: Client,
	zone: Pick<FirewallZone, 'id'>,
	expression: string,
	failure: Failure,
	signal: AbortSignal,
): Promise<string | undefined> {
	const namedId = findNamedId(getRefusalBody(failure)?.errors ?? []);
	if (namedId !== undefined) return namedId;
	return (await findFilterByExpression(client, zone.id, expression, signal).catch(() => undefined))?.id;
}

/** Advice if a filter with the expression exists and its id is unknown. */
export const formatFilterAdvice = (zone: Pick<FirewallZone, 'id' | 'sessionOptions'>): string =>
	`Find the filter with \`${formatFirewallListCommand(zone, 'filter')}\` and use it with --filter-id.`;

async function resolveDuplicate(
	client: Client,
	zone: Pick<FirewallZone, 'id' | 'sessionOptions'>,
	{expression}: FilterDraft,
	failure: Failure,
	signal: AbortSignal,
): Promise<FilterCreation> {
	const id = await findExistingFilterId(client, zone, expression, failure, signal);
	if (id !== undefined) return buildDuplicateFilter(id, failure);
	return {
		state: 'nothing',
		failure: failure.withDetails({left: 'Nothing was created.', next: formatFilterAdvice(zone)}),
	};
}
