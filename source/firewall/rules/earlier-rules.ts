import type {RulesetRule} from '../../rulesets/ruleset.ts';
import type {JsonObject} from '../../text/json.ts';
import {formatFirewallCommand, formatRulesCommand} from '../continuation.ts';
import {findOverlap, type Overlap} from '../expression/expressions.ts';
import {getRuleOrdering, sortForEvaluation} from './order.ts';
import {type FirewallZone, isRuleActive, type Rule} from './rule.ts';
import {listSkippedNames} from './skip.ts';
import {formatRuleNames, shortenRuleText} from './users.ts';

/** A rule that runs before a block and ends evaluation for some of its requests without blocking them. */
export type EarlierRule = {
	readonly form: 'firewall rule' | 'custom rule';
	readonly id: string;
	readonly action: string;
	readonly description?: string | undefined;
	/** Null for custom rules and firewall rules without one. */
	readonly priority: number | null;
	readonly expression: string;
	readonly effect: 'lets through' | 'challenges' | 'unknown';
	/** How much of the block it matches. */
	readonly overlap: Exclude<Overlap, {kind: 'none'}>;
	/** False if the service may run it later: rules without priorities may run in list order. */
	readonly isFirst: boolean;
};

type Standing = Pick<Rule, 'id' | 'action' | 'priority'>;

/**
 * Finds firewall rules that run before the given one and let through, or only challenge, requests that match
 * `expression`. Ignores `log` and `bypass`, which do not end evaluation. A rule that is not in `rules` counts
 * as the newest.
 */
export function findEarlierRules(
	{id, action, priority}: Standing,
	expression: string,
	rules: readonly Rule[],
): readonly EarlierRule[] {
	const own: Rule = {id, action, priority, paused: false, filter: {id: '', deleted: true}};
	const place = rules.findIndex(rule => rule.id === id);
	const listed = place < 0 ? [...rules, own] : rules.with(place, own);
	const order = sortForEvaluation(listed);
	const isOrdered = getRuleOrdering(listed) === 'priority';
	return order.slice(0, order.indexOf(own)).flatMap(rule => {
		const {filter} = rule;
		if (!isRuleActive(rule) || !('expression' in filter)) return [];
		const isFirst = isOrdered || listed.indexOf(rule) < listed.indexOf(own);
		return buildEarlierRule(
			{...rule, form: 'firewall rule', expression: filter.expression, isFirst},
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
	const place = rules.findIndex(rule => rule.id === id);
	return rules.slice(0, Math.max(0, place)).flatMap(rule => {
		const endsRules =
			rule.action !== 'skip' || listSkippedNames(rule).some(name => name === 'remaining' || name === 'phase');
		if (rule.enabled === false || !endsRules) return [];
		const place = {id: rule.id ?? '', form: 'custom rule', priority: null, isFirst: true} as const;
		return buildEarlierRule({...rule, ...place}, action, expression);
	});
}

const challengeActions: ReadonlySet<string> = new Set(['challenge', 'js_challenge', 'managed_challenge']);
const isStopping = (action: string): boolean => action === 'block' || challengeActions.has(action);
const passingActions: ReadonlySet<string> = new Set(['log', 'bypass']);

function buildEarlierRule(
	{form, id, action, description, priority, expression, isFirst}: Omit<EarlierRule, 'effect' | 'overlap'>,
	own: string,
	wanted: string,
): readonly EarlierRule[] {
	if (!isStopping(own) || action === 'block' || passingActions.has(action)) return [];
	if (challengeActions.has(action) && own !== 'block') return [];
	const overlap = findOverlap(wanted, expression);
	if (overlap.kind === 'none') return [];
	const effect =
		action === 'allow' || action === 'skip'
			? 'lets through'
			: challengeActions.has(action)
				? 'challenges'
				: 'unknown';
	return [{form, id, action, description, priority, expression, effect, overlap, isFirst}];
}

/** How much of a block takes effect, given the rules before it; `unknown` if those were not read. */
type BlockEffect = 'all' | 'part' | 'perhaps all' | 'nothing' | 'unknown';

export function assessBlockEffect(
	expression: string,
	earlier: readonly EarlierRule[] | undefined,
): BlockEffect {
	if (!earlier) return 'unknown';
	// A visitor who solves an earlier challenge is not blocked.
	const isChallenged = earlier.some(
		({effect, overlap, isFirst}) => effect === 'challenges' && isFirst && overlap.kind === 'all',
	);
	const others = earlier.filter(({effect}) => effect !== 'challenges');
	const certain = others.filter(({overlap, isFirst}) => isFirst && overlap.kind !== 'possible');
	if (certain.length === 0) return isChallenged ? 'part' : others.length === 0 ? 'all' : 'perhaps all';
	if (certain.some(({overlap}) => overlap.kind === 'all')) return 'nothing';
	const together = certain.map(rule => `(${rule.expression})`).join(' or ');
	return certain.length > 1 && findOverlap(expression, together).kind === 'all' ? 'nothing' : 'part';
}

/** Rules to name; more are only counted. */
const maxNamed = 3;

/** Describes rules that run before a block: first those that let requests through, then challenges. */
export function describeEarlierRules(earlier: readonly EarlierRule[]): readonly string[] {
	const partly = earlier.filter(({effect, overlap}) => effect === 'challenges' && overlap.kind !== 'all');
	const single = partly.length > 1 ? earlier.filter(rule => !partly.includes(rule)) : earlier;
	const sorted = single.toSorted(
		(one, other) => Number(one.effect === 'challenges') - Number(other.effect === 'challenges'),
	);
	const more = sorted.length - maxNamed;
	return [
		...sorted.slice(0, maxNamed).map(describeEarlierRule),
		...(more > 0 ? [`${more} more earlier ${more === 1 ? 'rule matches' : 'rules match'} some of it.`] : []),
		...(partly.length > 1
			? [`${partly.length} earlier rules only challenge some of it: ${formatList(partly.map(({id}) => id))}.`]
			: []),
	];
}

function describeEarlierRule(rule: EarlierRule): string {
	const {form, action, description, expression, effect, overlap, isFirst} = rule;
	const name = formatRuleNames([{...rule, description: description && shortenRuleText(description)}]);
	const subject = `${form === 'custom rule' ? 'Custom rule' : 'Rule'}${name.slice('rule'.length)} ${isFirst ? 'runs' : 'may run'} first`;
	if (effect === 'unknown') return `${subject}; ledge does not know its action ${action}.`;
	const [challenges, lets] = isFirst ? ['only challenges', 'lets'] : ['only challenge', 'let'];
	const isChallenge = effect === 'challenges';
	const formatEffect = (what: string) => (isChallenge ? `${challenges} ${what}` : `${lets} ${what} through`);
	switch (overlap.kind) {
		case 'all':
			return `${subject} and ${formatEffect('all of it')}.`;
		case 'possible':
			return `${subject} and may ${isChallenge ? 'only challenge some of it' : 'let some of it through'}: ${expression}`;
		case 'some': {
			const {addresses, isWhole} = overlap;
			if (addresses.length === 0)
				return `${subject} and ${isChallenge ? challenges : `${lets} through`} what matches: ${expression}`;
			return `${subject} and ${formatEffect(formatList(addresses))}${isWhole ? '.' : ` where it matches: ${expression}`}`;
		}
		default:
			return overlap satisfies never;
	}
}

const formatList = (addresses: readonly string[]): string => {
	const more = addresses.length - 5;
	return [...addresses.slice(0, 5), ...(more > 0 ? [`${more} more`] : [])].join(', ');
};

/** What a heading is about: a created rule, or one that existed. */
type Heading = 'created' | 'already';

const headings: Readonly<Record<Heading, Readonly<Record<BlockEffect, string>>>> = {
	created: {
		all: 'In force: ',
		part: 'In force in part: ',
		'perhaps all': 'In force, but may miss some of it: ',
		nothing: 'Created, but stops nothing: ',
		unknown: 'In force: ',
	},
	already: {
		all: 'Already in force: ',
		part: 'Already in force in part: ',
		'perhaps all': 'Already in force, but may miss some of it: ',
		nothing: 'Already exists, but stops nothing: ',
		unknown: 'Already in force: ',
	},
};

/**
 * Describes whether a rule takes effect, given the rules before it. `isAll`: no earlier rule is known to
 * weaken it.
 */
export function describeBlockEffect(
	heading: Heading,
	what: string,
	{action, expression}: {readonly action: string; readonly expression: string},
	earlier: readonly EarlierRule[] | undefined,
): {readonly heading: string; readonly details: readonly string[]; readonly isAll: boolean} {
	const blockEffect = assessBlockEffect(expression, earlier);
	const unchecked = isStopping(action)
		? [`Not checked: ${earlier ? '' : 'earlier rules and '}IP access rules that let requests through.`]
		: [];
	return {
		heading: `${headings[heading][blockEffect]}${what}.`,
		details: [...describeEarlierRules(earlier ?? []), ...(blockEffect === 'nothing' ? [] : unchecked)],
		isAll: blockEffect === 'all' || blockEffect === 'unknown',
	};
}

/**
 * Formats the command that moves a rule before `earlier`; undefined if that is empty or no lower priority is
 * left.
 */
export function formatRunFirstCommand(
	zone: Pick<FirewallZone, 'id' | 'way'>,
	id: string,
	earlier: readonly EarlierRule[] | undefined,
): string | undefined {
	const [one] = earlier ?? [];
	if (!one || !earlier) return undefined;
	if (one.form === 'custom rule') return formatRulesCommand(zone, ['move', id], ['--first']);
	const priority = Math.min(...earlier.map(rule => rule.priority ?? 2)) - 1;
	return priority < 0
		? undefined
		: formatFirewallCommand(zone, ['rule', 'update', id], ['--priority', String(priority)]);
}

/** Converts the rules for `--json`. */
export const toEarlierRulesValue = (
	earlier: readonly EarlierRule[] | undefined,
): readonly JsonObject[] | null =>
	earlier?.map(({form, id, action, description, expression, effect, overlap, isFirst}) => ({
		form,
		id,
		action,
		...(description !== undefined && {description}),
		expression,
		effect,
		matches: overlap.kind,
		...(overlap.kind === 'some' && overlap.addresses.length > 0 && {addresses: [...overlap.addresses]}),
		runsFirst: isFirst ? true : null,
	})) ?? null;
