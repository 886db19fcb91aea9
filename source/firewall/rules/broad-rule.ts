import {formatQuantity} from '../../text/figures.ts';
import {matchesNearlyAll} from '../expression/expressions.ts';
import {removeEnd} from './end-time.ts';
import {isRuleActive, type RuleFilter} from './rule.ts';

/** The parts of a rule that decide whether it acts on nearly all traffic. */
export type RuleEffect = {
	readonly id?: string | undefined;
	readonly action: string;
	readonly description?: string | undefined;
	/** Products that a bypass or skip rule lets requests bypass. */
	readonly products?: readonly string[] | undefined;
	readonly paused?: boolean | undefined;
	readonly filter:
		| RuleFilter
		| {readonly expression?: string | undefined; readonly paused?: boolean | undefined};
};

/** A rule after a write, and before it if it existed. */
export type RuleEffectChange = {readonly after: RuleEffect; readonly before?: RuleEffect | undefined};

/** A rule that is deleted. */
type RuleEffectRemoval = {readonly before: RuleEffect; readonly after?: undefined};

/** One rule that is created, changed or deleted. */
export type RuleWrite = RuleEffectChange | RuleEffectRemoval;

/** Rules in evaluation order, before and after a write. */
type RuleOrder = {readonly before: readonly RuleEffect[]; readonly after: readonly RuleEffect[]};

type NamedZone = {readonly name: string};

/** Rules that one write may pause or delete before the zone's name is required. */
const maxLossesWithoutConfirmation = 10;

export const isEnforcing = (rule: RuleEffect): boolean => isRuleActive(rule) && rule.action !== 'log';

export const getEffectExpression = ({filter}: RuleEffect): string | undefined =>
	'expression' in filter ? filter.expression : undefined;

/** True if an enforcing rule matches all or nearly all traffic of the zone. */
function isBroad(rule: RuleEffect, zone: NamedZone): boolean {
	const expression = getEffectExpression(rule);
	return isEnforcing(rule) && expression !== undefined && matchesNearlyAll(removeEnd(expression), zone.name);
}

/** True if a write makes a rule act on nearly all traffic and it did not before. */
function isNewlyBroad({before, after}: RuleEffectChange, zone: NamedZone): boolean {
	const hadSameEffect = before && isEnforcing(before) && hasSameEffect(before, after);
	return !hadSameEffect && isBroad(after, zone);
}

/** True if `before` already did everything that `after` does, to the same requests. */
const hasSameEffect = (before: RuleEffect, after: RuleEffect): boolean =>
	before.action === after.action &&
	getEffectExpression(before) === getEffectExpression(after) &&
	(after.products ?? []).every(name => before.products?.includes(name));

/**
 * Finds why a write must be confirmed by typing the zone's name, as sentences; empty if it need not. Reasons:
 * a rule newly acts on nearly all traffic, a broad rule moves ahead of others, or more than ten rules are
 * paused or deleted.
 */
export function findZoneNameReasons(
	zone: NamedZone,
	changes: readonly RuleWrite[],
	order: RuleOrder = {before: [], after: []},
): readonly string[] {
	const broadRuleReasons = changes.flatMap(change =>
		change.after && isNewlyBroad(change, zone) ? [describeBroadRule(change.after, zone)] : [],
	);
	return [
		...new Set([
			...broadRuleReasons,
			...describeOvertakenRules(zone, order),
			...describeLosses(zone, changes),
		]),
	];
}

/** Builds `--confirm ZONE` for a printed command if there are reasons. */
export const buildConfirmOptions = (zone: NamedZone, reasons: readonly string[]): readonly string[] =>
	reasons.length > 0 ? ['--confirm', zone.name] : [];

/** Like `buildConfirmOptions`, but finds the reasons itself. */
export const buildRuleConfirmOptions = (zone: NamedZone, changes: readonly RuleWrite[]): readonly string[] =>
	buildConfirmOptions(zone, findZoneNameReasons(zone, changes));

/** Describes broad rules that move ahead of rules that ran before them. */
function describeOvertakenRules(zone: NamedZone, {before, after}: RuleOrder): readonly string[] {
	const indexesBefore = new Map(before.map(({id}, index) => [id, index]));
	return after.flatMap((rule, index) => {
		const previousIndex = indexesBefore.get(rule.id);
		if (previousIndex === undefined) return [];
		const overtakenRules = after
			.slice(index + 1)
			.filter(laterRule => (indexesBefore.get(laterRule.id) ?? Number.POSITIVE_INFINITY) < previousIndex)
			.filter(laterRule => isEnforcing(laterRule) && laterRule.action !== rule.action);
		if (overtakenRules.length === 0 || !isBroad(rule, zone)) return [];
		return [
			`${describeBroadRule(rule, zone)} It will run before ${formatQuantity(overtakenRules.length, 'rule')} that currently ${overtakenRules.length === 1 ? 'runs' : 'run'} before it.`,
		];
	});
}

/** Returns a sentence if too many rules are paused or deleted at once. */
function describeLosses({name}: NamedZone, changes: readonly RuleWrite[]): readonly string[] {
	const deletedChanges = changes.filter(({after}) => !after);
	const pausedChanges = changes.filter(
		({before, after}) => before && after && isRuleActive(before) && !isRuleActive(after),
	);
	const lossCount = deletedChanges.length + pausedChanges.length;
	if (lossCount <= maxLossesWithoutConfirmation) return [];
	const verbs = [
		...(pausedChanges.length > 0 ? ['pauses'] : []),
		...(deletedChanges.length > 0 ? ['deletes'] : []),
	];
	return [`This ${verbs.join(' or ')} ${formatQuantity(lossCount, 'rule')} in ${name}.`];
}

function describeBroadRule({action}: RuleEffect, {name}: NamedZone): string {
	return `This rule ${formatActionVerb(action)} all or nearly all traffic to ${name}.`;
}

function formatActionVerb(action: string): string {
	switch (action) {
		case 'block':
			return 'blocks';
		case 'challenge':
		case 'js_challenge':
		case 'managed_challenge':
			return 'challenges';
		case 'allow':
			return 'lets through';
		case 'bypass':
			return 'bypasses security products for';
		case 'skip':
			return 'skips other protection for';
		default:
			return `applies "${action}" to`;
	}
}
