import {type Failure, isFailure, toFailure} from '../../failure.ts';
import type {Client} from '../../service/client.ts';
import {findNamedId, getRefusalBody} from '../../service/refusal.ts';
import {getRetryAdvice} from '../../service/retry-advice.ts';
import {
	type Change,
	executeChange,
	type SettledOutcome,
	settleChange,
	type UnsettledChange,
} from '../../service/settle.ts';
import {formatFirewallListCommand, formatResumeFilterCommand, formatResumeRuleCommand} from '../commands.ts';
import {buildRuleConfirmOptions} from './broad-rule.ts';
import type {ForeignFilter} from './changes.ts';
import {findExistingFilterId, formatFilterAdvice} from './create-filter.ts';
import type {CreationRequest} from './create-rule.ts';
import type {CreationOptions, LookAgain} from './creation.ts';
import {type EarlierRule, findEarlierRules} from './earlier-rules.ts';
import type {
	EmergencyBefore,
	EmergencyDraft,
	EmergencyOutcome,
	EmergencyRecheckOutcome,
} from './emergency-draft.ts';
import {withRoomAdvice} from './emergency-quota.ts';
import type {Filter} from './filter.ts';
import {filterMatchesDraft, findFilterByExpression, readFilterById} from './filters.ts';
import {
	formatContinueCommand,
	formatLostResponseNote,
	formatRuleCheckAdvice,
	getNextStepAdvice,
	markAsContinuable,
	sendAgainAdvice,
} from './next-step.ts';
import {explainPlanRefusal} from './plan-refusal.ts';
import type {FirewallZone, Rule} from './rule.ts';
import {
	buildRuleCreationRequest,
	hasRuleSettings,
	listFirewallRules,
	listRulesOnFilter,
	postRule,
} from './rules.ts';
import {formatRuleNames} from './users.ts';
/** Returns exactly what `createEmergencyRule` will send: one POST in the combined form. */
export const buildEmergencyRequest = (zone: FirewallZone, draft: EmergencyDraft): CreationRequest =>
	buildRuleCreationRequest(zone.id, draft.filter, draft);

type Work = {
	readonly client: Client;
	readonly zone: FirewallZone;
	readonly draft: EmergencyDraft;
	readonly options: CreationOptions & {readonly before?: EmergencyBefore | undefined};
};

/** Time limit for reading the state before a block, in milliseconds; after that it is sent anyway. */
const readTimeoutMs = 5_000;

/**
 * Reads the rules of the zone and the filter with the expression, for checks before and comparison after.
 * Undefined if they cannot be read within five seconds: the block is sent anyway. Fails with `gone` if the
 * service has retired firewall rules; a custom rule can do the same.
 */
export async function readStateBeforeEmergency(
	client: Client,
	zone: Pick<FirewallZone, 'id' | 'sessionOptions'>,
	{filter: {expression}}: EmergencyDraft,
	signal: AbortSignal,
): Promise<EmergencyBefore | undefined> {
	const readSignal = AbortSignal.any([signal, AbortSignal.timeout(readTimeoutMs)]);
	try {
		const [rulesBefore, filter] = await Promise.all([
			Array.fromAsync(listFirewallRules(client, zone.id, readSignal)),
			findFilterByExpression(client, zone.id, expression, readSignal),
		]);
		return {rules: rulesBefore, filter};
	} catch (error) {
		if (isFailure(error, 'gone')) throw withCustomRuleAdvice(error);
		// If aborted, the write reports it and is not sent.
		return undefined;
	}
}

/**
 * Creates a filter and its rule in one call. Reads nothing first, sends at most once, never rejects: the
 * result describes the current state. `before` is what `readStateBeforeEmergency` returned; without it, a
 * filter found after a lost response may be an older one.
 */
export async function createEmergencyRule(
	client: Client,
	zone: FirewallZone,
	draft: EmergencyDraft,
	options: CreationOptions & {readonly before?: EmergencyBefore | undefined},
): Promise<EmergencyOutcome> {
	const work: Work = {client, zone, draft, options};
	const {signal, onStep, onWritten, before} = options;
	onStep?.('rule');
	const change = buildEmergencyChange(zone, draft, before);
	const outcome = await executeChange(client, change, {signal, onRecheck: () => onStep?.('looking')});
	const emergency =
		outcome.state === 'refused'
			? await handleRefusal(work, await explainPlanRefusal(client, zone, draft, outcome.failure, signal))
			: toEmergency(work, outcome, onWritten);
	return emergency.state === 'gone' ? emergency : withRoomAdvice({client, zone, draft, before}, emergency);
}

async function handleRefusal(work: Work, failure: Failure): Promise<EmergencyOutcome> {
	const refusalBody = getRefusalBody(failure);
	switch (failure.code) {
		case 'gone': {
			return {state: 'gone', failure: withCustomRuleAdvice(failure)};
		}
		case 'already_exists': {
			const {filter} = work.draft;
			const id = await findExistingFilterId(
				work.client,
				work.zone,
				filter.expression,
				failure,
				work.options.signal,
			);
			if (id !== undefined) return resolveExistingFilter(work, id, failure);
			return buildNothingCreated(failure.withDetails({next: formatFilterAdvice(work.zone)}));
		}
		case 'not_found':
		case 'refused_by_service':
		case 'plan_lacks': {
			const id = findNamedId(refusalBody?.messages ?? []);
			return id === undefined ? resolveSilentRefusal(work, failure) : buildFilterLeft(work, {id}, failure);
		}
		default:
			return buildNothingCreated(failure);
	}
}

/**
 * Handles a refusal that names no filter. One may exist, as it is created before the rule: if it is as sent,
 * is new, and no rule uses it.
 */
async function resolveSilentRefusal(work: Work, failure: Failure): Promise<EmergencyRecheckOutcome> {
	const {zone, draft, options} = work;
	try {
		const filter = await findFilter(work);
		if (!filter) return buildNothingCreated(failure);
		const rulesOnFilter = await listRulesOnFilter(work.client, zone.id, filter.id, options.signal);
		const isForeign =
			rulesOnFilter.length > 0 ||
			filter.id === options.before?.filter?.id ||
			!filterMatchesDraft(filter, draft.filter);
		return isForeign
			? resolveForeignFilter(work, filter, rulesOnFilter, failure)
			: buildFilterLeft(work, filter, failure);
	} catch (error) {
		const readFailure = toFailure(error);
		if (readFailure.code === 'not_found') return buildNothingCreated(failure);
		const next = `Check \`${formatFirewallListCommand(zone, 'filter')}\` for a filter with this expression.`;
		const left = 'The rule was not created; it is unknown whether its filter was.';
		const why = [failure.details.why, `The state could not be read afterwards: ${readFailure.message}`];
		return {
			state: 'unsure',
			failure: failure.withDetails({outcomeUnknown: true, why: why.filter(Boolean).join('\n'), left, next}),
			lookAgain: (client, recheckOptions) =>
				resolveSilentRefusal(
					{...work, client, options: {...recheckOptions, before: options.before}},
					failure,
				),
		};
	}
}

const findFilter = ({client, zone, draft, options}: Work): Promise<Filter | undefined> =>
	findFilterByExpression(client, zone.id, draft.filter.expression, options.signal);

const nothingCreated = 'Nothing was created: neither the filter nor the rule.';

const withCustomRuleAdvice = (goneFailure: Failure): Failure =>
	goneFailure.withDetails({
		left: nothingCreated,
		next: 'Create the same block as a custom rule of the Rulesets API.',
	});

const buildNothingCreated = (failure: Failure): EmergencyRecheckOutcome => ({
	state: 'nothing',
	failure: failure.withDetails({outcomeUnknown: false, left: nothingCreated, next: getRetryAdvice(failure)}),
});

function buildFilterLeft(
	{zone, draft, options}: Work,
	filter: Pick<Filter, 'id'> & Partial<Filter>,
	failure: Failure,
	onWritten = options.onWritten,
): EmergencyRecheckOutcome {
	onWritten?.(`create filter ${filter.id}, but not its rule`);
	return {
		state: 'filter left',
		filter,
		failure: failure.withDetails({
			outcomeUnknown: false,
			left: `The rule was not created, so nothing new is active. Created filter ${filter.id}.`,
			next: getNextStepAdvice(failure, formatContinueCommand(zone, draft, {...draft.filter, ...filter})),
		}),
	};
}

/** A filter with this expression existed: the block may already be active. Ignores what cannot be read. */
async function resolveExistingFilter(
	work: Work,
	id: string,
	failure: Failure,
): Promise<EmergencyRecheckOutcome> {
	const {client, zone, options} = work;
	try {
		const filter = await readFilterById(client, zone.id, id, options.signal);
		const rulesOnFilter = await listRulesOnFilter(client, zone.id, id, options.signal);
		return resolveForeignFilter(work, filter, rulesOnFilter, failure);
	} catch {
		return buildDuplicate(work, {id}, [], failure);
	}
}

/** For a filter that this call did not create: if an identical rule uses it, the block is already active. */
function resolveForeignFilter(
	work: Work,
	filter: Filter,
	rulesOnFilter: readonly Rule[],
	failure: Failure,
): EmergencyRecheckOutcome {
	const rule = rulesOnFilter.find(
		candidate => !filter.paused && !candidate.paused && hasRuleSettings(candidate, work.draft),
	);
	return rule
		? {
				state: 'created',
				form: 'firewall rule',
				rule,
				alreadyExisted: true,
				earlierRules: listEarlierRules(work, rule),
			}
		: buildDuplicate(work, filter, rulesOnFilter, failure);
}

const listEarlierRules = (
	{draft, options}: Pick<Work, 'draft' | 'options'>,
	rule: Rule,
): readonly EarlierRule[] | undefined =>
	options.before && findEarlierRules(rule, draft.filter.expression, options.before.rules);

/**
 * Nothing was created because the filter existed; the failure names the rules on it and what a rule on it
 * needs.
 */
function buildDuplicate(
	{zone, draft}: Work,
	{id, paused}: Pick<Filter, 'id'> & Partial<Filter>,
	rulesOnFilter: readonly Rule[],
	failure: Failure,
): EmergencyRecheckOutcome {
	const similarRule = rulesOnFilter.find(candidate =>
		hasRuleSettings({...candidate, paused: false}, {...draft, paused: false}),
	);
	const {filter} = draft;
	const left = [
		`Filter ${id} already has this expression${rulesOnFilter.length > 0 ? ` and is used by ${formatRuleNames(rulesOnFilter)}` : ''}.`,
		paused && 'The filter is paused, so its rules have no effect.',
	];
	const steps = [
		paused &&
			!draft.filter.paused &&
			`Resume the filter and all its rules: ${formatResumeFilterCommand(
				zone,
				id,
				buildRuleConfirmOptions(
					zone,
					rulesOnFilter.map(rule => ({before: rule, after: {...rule, filter}})),
				),
			)}`,
		similarRule?.paused &&
			!draft.paused &&
			`Resume the rule: ${formatResumeRuleCommand(zone, similarRule.id, buildRuleConfirmOptions(zone, [{after: {...similarRule, paused: false, filter}}]))}`,
		!similarRule && `Create the rule on it: ${formatContinueCommand(zone, draft, {...filter, id})}`,
	].filter(step => step !== undefined && step !== false);
	return {
		state: 'duplicate',
		filterId: id,
		...(!similarRule && {lacksRule: true}),
		failure: failure.withDetails({
			outcomeUnknown: false,
			left: ['Nothing was created.', ...left].filter(Boolean).join(' '),
			next:
				steps.length > 0
					? steps.join('\n')
					: `Check the current state: \`${formatFirewallListCommand(zone, 'rule')}\`.`,
		}),
	};
}

/** Found after a lost response: the filter without the rule, or what someone else created. */
type LostResponseOutcome = SettledOutcome<Rule, Filter, ForeignFilter>;

/**
 * Builds the combined POST. After an unknown outcome it counts as done if a new filter matches what was sent
 * and has exactly one matching rule.
 */
const buildEmergencyChange = (
	zone: FirewallZone,
	draft: EmergencyDraft,
	stateBefore: EmergencyBefore | undefined,
): Change<Rule, Filter, ForeignFilter> => ({
	send: (client, signal) => postRule(client, zone.id, draft.filter, draft, signal),
	async checkEffect(client, signal) {
		const filter = await findFilterByExpression(client, zone.id, draft.filter.expression, signal);
		if (!filter) return {effect: 'not done', sentence: 'no filter has this expression.'};
		const rulesOnFilter = await listRulesOnFilter(client, zone.id, filter.id, signal);
		const existedBefore = stateBefore?.filter !== undefined && stateBefore.filter.id === filter.id;
		const isOwnFilter = !existedBefore && filterMatchesDraft(filter, draft.filter);
		if (isOwnFilter && rulesOnFilter.length === 0)
			return {
				effect: 'not done',
				sentence: `filter ${filter.id} exists, but no rule uses it.`,
				part: filter,
			};
		const matchingRules = isOwnFilter ? rulesOnFilter.filter(rule => hasRuleSettings(rule, draft)) : [];
		const [rule] = matchingRules;
		if (rule && matchingRules.length === 1) return {effect: 'done', value: rule};
		const sentence =
			matchingRules.length > 1
				? `filter ${filter.id} exists, and so do ${formatRuleNames(matchingRules)}; it is unknown whether one of them is new.`
				: `filter ${filter.id} has this expression${existedBefore ? ', and had it before' : ''}.`;
		return {effect: 'other', sentence, other: {filter, rulesOnFilter}, blocks: true};
	},
	inspectCommand: formatFirewallListCommand(zone, 'rule'),
});

/** Converts the outcome of an emergency, now or at a later check. */
function toEmergency(
	work: Work,
	outcome: LostResponseOutcome,
	onWritten: CreationOptions['onWritten'],
): EmergencyRecheckOutcome {
	const {zone, draft} = work;
	switch (outcome.state) {
		case 'done': {
			const {value: rule, lost} = outcome;
			if (!work.client.dryRun)
				onWritten?.(`create filter ${rule.filter.id} and rule ${rule.id}${formatLostResponseNote(lost)}`);
			return {
				state: 'created',
				form: 'firewall rule',
				rule,
				earlierRules: listEarlierRules(work, rule),
				...(lost && {foundAfterLostResponse: true}),
			};
		}
		case 'other': {
			const {other, failure, unsettled} = outcome;
			// With fewer than two matching rules the filter is someone else's; several matching rules prove
			// nothing.
			if (other.rulesOnFilter.filter(rule => hasRuleSettings(rule, draft)).length < 2)
				return resolveForeignFilter(work, other.filter, other.rulesOnFilter, failure);
			return {
				state: 'unsure',
				failure: failure.withDetails({outcomeUnknown: true}),
				lookAgain: createRecheck(work, unsettled),
			};
		}
		case 'not done': {
			const {part, failure} = outcome;
			if (part) return buildFilterLeft(work, part, markAsContinuable(failure), onWritten);
			const left = `${nothingCreated} ${failure.details.left ?? ''}`;
			return {state: 'nothing', failure: failure.withDetails({left, next: sendAgainAdvice})};
		}
		case 'may still arrive': {
			const {part, failure, unsettled} = outcome;
			const lookAgain = createRecheck(work, unsettled);
			if (!part) return {state: 'unsure', failure: failure.withDetails({next: sendAgainAdvice}), lookAgain};
			onWritten?.(`create filter ${part.id}${formatLostResponseNote(true)}`);
			return {
				state: 'unsure',
				failure: failure.withDetails({next: formatRuleCheckAdvice(zone, draft, part)}),
				lookAgain,
			};
		}
		case 'unreadable':
			return {state: 'unsure', failure: outcome.failure, lookAgain: createRecheck(work, outcome.unsettled)};
	}
}

const createRecheck =
	(work: Work, unsettled: UnsettledChange<Rule, Filter, ForeignFilter>): LookAgain<EmergencyRecheckOutcome> =>
	async (client, {signal, onWritten}) =>
		withRoomAdvice(
			{...work, client, before: work.options.before},
			toEmergency(work, await settleChange(client, unsettled, {signal}), onWritten),
		);
