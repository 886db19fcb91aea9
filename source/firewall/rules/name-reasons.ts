import {listRuleChanges} from '../../rulesets/difference.ts';
import type {RulesetRule} from '../../rulesets/ruleset.ts';
import {capitalize} from '../../text/one-line.ts';
import {
	findZoneNameReasons,
	getEffectExpression,
	isEnforcing,
	type RuleEffect,
	type RuleWrite,
} from './broad-rule.ts';
import {sortForEvaluation} from './order.ts';
import {isRuleActive, type Rule} from './rule.ts';
import {listSkippedNames} from './skip.ts';
import {formatRuleName} from './users.ts';

type NamedZone = {readonly name: string};
type LabelledZone = {readonly label: string};

const toRuleEffect = (rule: RulesetRule): RuleEffect => ({
	id: rule.id,
	action: rule.action,
	description: rule.description,
	products: rule.action === 'skip' ? listSkippedNames(rule) : undefined,
	paused: rule.enabled === false,
	filter: {expression: rule.expression},
});

/** Finds the custom rules that differ between `before` and `after`, ignoring moves. */
const findCustomRuleWrites = (
	before: readonly RulesetRule[],
	after: readonly RulesetRule[],
): readonly RuleWrite[] =>
	listRuleChanges(before, after).flatMap((change): RuleWrite[] => {
		const {kind, rule} = change;
		if (kind === 'moved') return [];
		if (kind === 'removed') return [{before: toRuleEffect(rule)}];
		return [
			{
				before: kind === 'changed' ? toRuleEffect(change.before) : undefined,
				after: toRuleEffect(rule),
			},
		];
	});

/**
 * Finds why changing the custom rules from `before` to `after` must be confirmed by typing the zone's name,
 * as sentences; empty if it need not.
 */
export const findCustomRuleZoneNameReasons = (
	zone: NamedZone,
	before: readonly RulesetRule[],
	after: readonly RulesetRule[],
): readonly string[] =>
	findZoneNameReasons(zone, findCustomRuleWrites(before, after), {
		before: before.map(toRuleEffect),
		after: after.map(toRuleEffect),
	});

/** Finds how a change of custom rules weakens rules that stay; undefined if it does not. */
export const findCustomRuleWeakening = (
	zone: LabelledZone,
	before: readonly RulesetRule[],
	after: readonly RulesetRule[],
): WriteQuestion | undefined => findWeakening(zone, findCustomRuleWrites(before, after));

type FirewallRuleEffect = RuleEffect & Pick<Rule, 'id'> & {readonly priority?: number | null | undefined};

const findFirewallRuleWrites = (
	before: readonly FirewallRuleEffect[],
	after: readonly FirewallRuleEffect[],
): readonly RuleWrite[] => before.map(rule => ({before: rule, after: after.find(({id}) => id === rule.id)}));

/**
 * Like `findCustomRuleZoneNameReasons`, for firewall rules. Needs all rules of the zone, for their order; new
 * rules in `after` do not count.
 */
export const findFirewallRuleZoneNameReasons = (
	zone: NamedZone,
	before: readonly FirewallRuleEffect[],
	after: readonly FirewallRuleEffect[],
): readonly string[] =>
	findZoneNameReasons(zone, findFirewallRuleWrites(before, after), {
		before: sortForEvaluation(before),
		after: sortForEvaluation(after),
	});

/** Finds how a change of firewall rules weakens rules that stay; undefined if it does not. */
export const findFirewallRuleWeakening = (
	zone: LabelledZone,
	before: readonly FirewallRuleEffect[],
	after: readonly FirewallRuleEffect[],
): WriteQuestion | undefined => findWeakening(zone, findFirewallRuleWrites(before, after));

/** The question to ask before a write, for example because it weakens rules. */
export type WriteQuestion = {
	/** The confirmation question, with the names of the rules. Not escaped for the terminal. */
	readonly question: string;
	/** Effect on requests, in sentences. */
	readonly effect: string;
};

type RuleModification = Required<RuleWrite> & {readonly before: RuleEffect; readonly after: RuleEffect};

/** Ranks an action by protection: 0 lets through, 1 logs, 2 stops. */
const getActionStrength = (action: string): 0 | 1 | 2 => {
	if (action === 'allow' || action === 'bypass' || action === 'skip') return 0;
	return action === 'log' ? 1 : 2;
};

const isPausing = ({before, after}: RuleModification): boolean => isEnforcing(before) && !isRuleActive(after);

const weakensAction = ({before, after}: RuleModification): boolean =>
	isRuleActive(after) && getActionStrength(after.action) < getActionStrength(before.action);

/** Names that a rule with an unchanged action newly bypasses or skips. */
const findNewlySkippedNames = ({before, after}: RuleModification): readonly string[] =>
	isRuleActive(after) && after.action === before.action
		? (after.products ?? []).filter(name => !before.products?.includes(name))
		: [];

/**
 * Finds how a write weakens rules: it pauses a rule that does more than log, weakens an action, or bypasses
 * or skips more. Undefined if it does none of that. Deletions and new rules do not count.
 */
export function findWeakening(
	{label}: {readonly label: string},
	writes: readonly RuleWrite[],
): WriteQuestion | undefined {
	const changes = writes.flatMap(({before, after}): RuleModification[] =>
		before && after ? [{before, after}] : [],
	);
	const pausingChanges = changes.filter(isPausing);
	const weakenedChanges = changes.filter(weakensAction);
	const skippingChanges = changes.filter(change => findNewlySkippedNames(change).length > 0);
	const parts = [
		...(pausingChanges.length === 0
			? []
			: [
					`pause ${pausingChanges.length === 1 ? 'rule' : 'rules'} ${pausingChanges.map(formatChangedRuleName).join(', ')}`,
				]),
		...weakenedChanges.map(
			change => `change rule ${formatChangedRuleName(change)} to ${change.after.action}`,
		),
		...skippingChanges.map(
			change =>
				`make rule ${formatChangedRuleName(change)} also ${change.after.action} ${findNewlySkippedNames(change).join(', ')}`,
		),
	];
	if (parts.length === 0) return undefined;
	const verbs = parts.join(' and ');
	const effects = new Set([...pausingChanges, ...weakenedChanges, ...skippingChanges].map(describeEffect));
	return {
		question: `${capitalize(verbs)} in ${label}?`,
		effect: [...effects].join(' '),
	};
}

/** Builds `--yes` for a printed command if the write weakens rules. */
export const buildYesOptions = (writes: readonly RuleWrite[]): readonly string[] =>
	findWeakening({label: ''}, writes) ? ['--yes'] : [];

const formatChangedRuleName = ({before}: RuleModification): string => {
	const {id, action, description} = before;
	return formatRuleName({id, action, description, expression: getEffectExpression(before)});
};

function describeEffect({before, after}: RuleModification): string {
	if (isRuleActive(after) && getActionStrength(after.action) === 0)
		return after.action === 'allow'
			? 'Matching requests get through immediately, past all later rules.'
			: 'Matching requests skip that protection immediately.';
	return getActionStrength(before.action) === 0
		? 'Requests that were let through are checked again immediately.'
		: 'Requests that were stopped get through immediately, unless another rule stops them.';
}
