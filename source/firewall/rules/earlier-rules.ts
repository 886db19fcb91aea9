import type {RulesetRule} from '../../rulesets/ruleset.ts';
import type {JsonObject} from '../../text/json.ts';
import {formatFirewallCommand, formatRulesCommand} from '../commands.ts';
import {findOverlap, type Overlap} from '../expression/expressions.ts';
import {getRuleOrdering, sortForEvaluation} from './order.ts';
import {type FirewallZone, isRuleActive, type Rule} from './rule.ts';
import {skipsLaterRules} from './skip.ts';
import {formatRuleNames, shortenRuleText} from './users.ts';

/** A rule that runs before a block and ends evaluation for some of its requests without blocking them. */
export type EarlierRule = {
	readonly form: 'firewall rule' | 'custom rule';
	readonly id: string;
	readonly action: string;
	readonly description?: string | undefined;
	/** Null for custom rules, and for firewall rules without a priority. */
	readonly priority: number | null;
	readonly expression: string;
	readonly effect: 'lets through' | 'challenges' | 'unknown';
	/** How much of the block it matches. */
	readonly overlap: Exclude<Overlap, {kind: 'none'}>;
	/** False if the service may run it later: rules without priorities may run in list order. */
	readonly isCertainlyEarlier: boolean;
};

type RuleInOrder = Pick<Rule, 'id' | 'action' | 'priority'>;

/**
 * Finds firewall rules that run before the given one and let through, or only challenge, requests that match
 * `expression`. Ignores `log` and `bypass`, which do not end evaluation. A rule that is not in `rules` counts
 * as the newest.
 */
export function findEarlierRules(
	{id, action, priority}: RuleInOrder,
	expression: string,
	rules: readonly Rule[],
): readonly EarlierRule[] {
	const ownRule: Rule = {id, action, priority, paused: false, filter: {id: '', deleted: true}};
	const ownIndex = rules.findIndex(rule => rule.id === id);
	const allRules = ownIndex < 0 ? [...rules, ownRule] : rules.with(ownIndex, ownRule);
	const order = sortForEvaluation(allRules);
	const isPriorityOrder = getRuleOrdering(allRules) === 'priority';
	return order.slice(0, order.indexOf(ownRule)).flatMap(rule => {
		const {filter} = rule;
		if (!isRuleActive(rule) || !('expression' in filter)) return [];
		const isCertainlyEarlier = isPriorityOrder || allRules.indexOf(rule) < allRules.indexOf(ownRule);
		return buildEarlierRule(
			{...rule, form: 'firewall rule', expression: filter.expression, isCertainlyEarlier},
			action,
			expression,
		);
	});
}

/**
 * Like `findEarlierRules`, for custom rules. A rule that is not in `rules` counts as the first, so nothing
 * runs before it.
 */
export function findEarlierCustomRules(
	{id, action}: Pick<RulesetRule, 'id' | 'action'>,
	expression: string,
	rules: readonly RulesetRule[],
): readonly EarlierRule[] {
	const ownIndex = rules.findIndex(rule => rule.id === id);
	return rules.slice(0, Math.max(0, ownIndex)).flatMap(rule => {
		if (rule.enabled === false || (rule.action === 'skip' && !skipsLaterRules(rule))) return [];
		const ruleFields = {
			id: rule.id ?? '',
			form: 'custom rule',
			priority: null,
			isCertainlyEarlier: true,
		} as const;
		return buildEarlierRule({...rule, ...ruleFields}, action, expression);
	});
}

const challengeActions: ReadonlySet<string> = new Set(['challenge', 'js_challenge', 'managed_challenge']);
const isStopping = (action: string): boolean => action === 'block' || challengeActions.has(action);
const nonEndingActions: ReadonlySet<string> = new Set(['log', 'bypass']);

function buildEarlierRule(
	{
		form,
		id,
		action,
		description,
		priority,
		expression,
		isCertainlyEarlier,
	}: Omit<EarlierRule, 'effect' | 'overlap'>,
	ownAction: string,
	blockExpression: string,
): readonly EarlierRule[] {
	if (!isStopping(ownAction) || action === 'block' || nonEndingActions.has(action)) return [];
	if (challengeActions.has(action) && ownAction !== 'block') return [];
	const overlap = findOverlap(blockExpression, expression);
	if (overlap.kind === 'none') return [];
	const effect =
		action === 'allow' || action === 'skip'
			? 'lets through'
			: challengeActions.has(action)
				? 'challenges'
				: 'unknown';
	return [{form, id, action, description, priority, expression, effect, overlap, isCertainlyEarlier}];
}

/** How much of a block takes effect, given the rules before it; `unknown` if those were not read. */
type BlockEffect = 'all' | 'part' | 'perhaps all' | 'nothing' | 'unknown';

export function assessBlockEffect(
	expression: string,
	earlierRules: readonly EarlierRule[] | undefined,
): BlockEffect {
	if (!earlierRules) return 'unknown';
	// A visitor who solves an earlier challenge is not blocked.
	const isChallenged = earlierRules.some(
		({effect, overlap, isCertainlyEarlier}) =>
			effect === 'challenges' && isCertainlyEarlier && overlap.kind === 'all',
	);
	const passingRules = earlierRules.filter(({effect}) => effect !== 'challenges');
	const certainRules = passingRules.filter(
		({overlap, isCertainlyEarlier}) => isCertainlyEarlier && overlap.kind !== 'possible',
	);
	if (certainRules.length === 0)
		return isChallenged ? 'part' : passingRules.length === 0 ? 'all' : 'perhaps all';
	if (certainRules.some(({overlap}) => overlap.kind === 'all')) return 'nothing';
	const joinedExpressions = certainRules.map(rule => `(${rule.expression})`).join(' or ');
	return certainRules.length > 1 && findOverlap(expression, joinedExpressions).kind === 'all'
		? 'nothing'
		: 'part';
}

/** Maximum number of rules to name; all others are only counted. */
const maxNamedRules = 3;

/** Describes rules that run before a block: first those that let requests through, then challenges. */
export function describeEarlierRules(earlierRules: readonly EarlierRule[]): readonly string[] {
	const partialChallenges = earlierRules.filter(
		({effect, overlap}) => effect === 'challenges' && overlap.kind !== 'all',
	);
	const listedRules =
		partialChallenges.length > 1
			? earlierRules.filter(rule => !partialChallenges.includes(rule))
			: earlierRules;
	const sortedRules = listedRules.toSorted(
		(one, other) => Number(one.effect === 'challenges') - Number(other.effect === 'challenges'),
	);
	const restCount = sortedRules.length - maxNamedRules;
	return [
		...sortedRules.slice(0, maxNamedRules).map(describeEarlierRule),
		...(restCount > 0
			? [
					`${restCount} more earlier ${restCount === 1 ? 'rule matches' : 'rules match'} some of these requests.`,
				]
			: []),
		...(partialChallenges.length > 1
			? [
					`${partialChallenges.length} earlier rules only challenge some of these requests: ${formatList(partialChallenges.map(({id}) => id))}.`,
				]
			: []),
	];
}

function describeEarlierRule(rule: EarlierRule): string {
	const {form, action, description, expression, effect, overlap, isCertainlyEarlier} = rule;
	const name = formatRuleNames([{...rule, description: description && shortenRuleText(description)}]);
	const subject = `${form === 'custom rule' ? 'Custom rule' : 'Rule'}${name.slice('rule'.length)} ${isCertainlyEarlier ? 'runs' : 'may run'} first`;
	if (effect === 'unknown') return `${subject}; ledge doesn't know its action ${action}.`;
	const [challenges, letsVerb] = isCertainlyEarlier ? ['only challenges', 'lets'] : ['only challenge', 'let'];
	const isChallenge = effect === 'challenges';
	const formatEffect = (object: string) =>
		isChallenge ? `${challenges} ${object}` : `${letsVerb} ${object} through`;
	switch (overlap.kind) {
		case 'all':
			return `${subject} and ${formatEffect('all of these requests')}.`;
		case 'possible':
			return `${subject} and may ${isChallenge ? 'only challenge some of these requests' : 'let some of these requests through'}: ${expression}`;
		case 'some': {
			const {addresses, isWhole} = overlap;
			if (addresses.length === 0)
				return `${subject} and ${isChallenge ? challenges : `${letsVerb} through`} requests that match: ${expression}`;
			return `${subject} and ${formatEffect(formatList(addresses))}${isWhole ? '.' : ` for requests that match: ${expression}`}`;
		}
		default:
			return overlap satisfies never;
	}
}

const formatList = (addresses: readonly string[]): string => {
	const restCount = addresses.length - 5;
	return [...addresses.slice(0, 5), ...(restCount > 0 ? [`${restCount} more`] : [])].join(', ');
};

/** Whether a heading is about a created rule, or one that already existed. */
type HeadingKind = 'created' | 'already';

const headings: Readonly<Record<HeadingKind, Readonly<Record<BlockEffect, string>>>> = {
	created: {
		all: 'Active: ',
		part: 'Active, but not for all requests: ',
		'perhaps all': 'Active, but may miss some requests: ',
		nothing: 'Created, but has no effect: ',
		unknown: 'Active: ',
	},
	already: {
		all: 'Already active: ',
		part: 'Already active, but not for all requests: ',
		'perhaps all': 'Already active, but may miss some requests: ',
		nothing: 'Already exists, but has no effect: ',
		unknown: 'Already active: ',
	},
};

/**
 * Describes whether a rule takes effect, given the rules before it. `hasFullEffect`: no earlier rule is known
 * to weaken it.
 */
export function describeBlockEffect(
	headingKind: HeadingKind,
	noun: string,
	{action, expression}: {readonly action: string; readonly expression: string},
	earlierRules: readonly EarlierRule[] | undefined,
): {readonly heading: string; readonly details: readonly string[]; readonly hasFullEffect: boolean} {
	const blockEffect = assessBlockEffect(expression, earlierRules);
	const uncheckedNotes = isStopping(action)
		? [`Not checked: ${earlierRules ? '' : 'earlier rules and '}IP access rules that let requests through.`]
		: [];
	return {
		heading: `${headings[headingKind][blockEffect]}${noun}.`,
		details: [
			...describeEarlierRules(earlierRules ?? []),
			...(blockEffect === 'nothing' ? [] : uncheckedNotes),
		],
		hasFullEffect: blockEffect === 'all' || blockEffect === 'unknown',
	};
}

/**
 * Formats the command that moves a rule before `earlierRules`; undefined if there are none, or if no lower
 * priority is left.
 */
export function formatRunFirstCommand(
	zone: Pick<FirewallZone, 'id' | 'sessionOptions'>,
	id: string,
	earlierRules: readonly EarlierRule[] | undefined,
): string | undefined {
	const [firstRule] = earlierRules ?? [];
	if (!firstRule || !earlierRules) return undefined;
	if (firstRule.form === 'custom rule') return formatRulesCommand(zone, ['move', id], ['--first']);
	const priority = Math.min(...earlierRules.map(rule => rule.priority ?? 2)) - 1;
	return priority < 0
		? undefined
		: formatFirewallCommand(zone, ['rule', 'update', id], ['--priority', String(priority)]);
}

/** Converts the rules for `--json`. */
export const toEarlierRulesValue = (
	earlierRules: readonly EarlierRule[] | undefined,
): readonly JsonObject[] | null =>
	earlierRules?.map(({form, id, action, description, expression, effect, overlap, isCertainlyEarlier}) => ({
		form,
		id,
		action,
		...(description !== undefined && {description}),
		expression,
		effect,
		matches: overlap.kind,
		...(overlap.kind === 'some' && overlap.addresses.length > 0 && {addresses: [...overlap.addresses]}),
		runsFirst: isCertainlyEarlier ? true : null,
	})) ?? null;
