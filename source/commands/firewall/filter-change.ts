import {Failure} from '../../failure.ts';
import {
	type FilterChange,
	planFilterChange,
	changeFilter as putChange,
} from '../../firewall/rules/change-filter.ts';
import type {Filter} from '../../firewall/rules/filter.ts';
import type {Weakening} from '../../firewall/rules/name-reasons.ts';
import {findFirewallRuleReasons, findFirewallRuleWeakening} from '../../firewall/rules/name-reasons.ts';
import type {Rule, RuleSettings} from '../../firewall/rules/rule.ts';
import {listFirewallRules} from '../../firewall/rules/rules.ts';
import {formatRuleNames} from '../../firewall/rules/users.ts';
import {toZonePlace} from '../../session/write-place.ts';
import type {CommandContext} from '../shell/context.ts';
import {confirmWrite, type ZoneNameOptions} from '../shell/zone-name.ts';
import {loadFilter, type OpenedZone} from './zone.ts';

type FilterChanges = Partial<Omit<Filter, 'id'>>;

/**
 * Changes a filter for all rules that use it; returns it before and after. A change of expression or pause is
 * confirmed if rules use the filter, other than the rule that is changed with it. Concurrent changes by
 * others are kept; if they touch what was asked about, nothing is sent.
 */
export async function changeFilter(
	context: CommandContext,
	opened: OpenedZone,
	id: string,
	changes: FilterChanges,
	options: ZoneNameOptions,
	changedWith?: {readonly id: string; readonly settings: Partial<RuleSettings>},
): Promise<{readonly before: Filter; readonly after: Filter}> {
	const {client, zone} = opened;
	const {signal} = context;
	const readFilterChange = async (): Promise<FilterChange & {readonly rules: readonly Rule[]}> => {
		const all = await Array.fromAsync(listFirewallRules(client, zone.id, signal));
		const filter = await loadFilter(opened, id, signal);
		return {...planFilterChange(zone, filter, changes, all), rules: all};
	};
	const initial = await readFilterChange();
	const targetRules = applyFilterChange(initial.rules, initial.after, changedWith);
	const reasons = findFirewallRuleReasons(zone, initial.rules, targetRules);
	const weakening = findFirewallRuleWeakening(zone, initial.rules, targetRules);
	const question = withWeakening(
		buildQuestion(opened, initial, changes, changedWith?.id),
		weakening,
		changedWith,
	);
	const isAsked = await confirmWrite(context, zone, reasons, options.confirm, question);
	const change = isAsked ? await readFilterChange() : initial;
	refuseConcurrentFilterChange(initial, change, changes);
	const after = await context.auditWrite(`update filter ${id}`, toZonePlace(zone), async () => {
		const done = await putChange(client, zone, change, {signal});
		if (done.state !== 'changed') throw done.failure;
		return done.filter;
	});
	return {before: change.before, after};
}

/** Returns the rules with a changed filter, and with the settings of the rule that is changed with it. */
const applyFilterChange = (
	rules: readonly Rule[],
	filter: Filter,
	changedWith: {readonly id: string; readonly settings: Partial<RuleSettings>} | undefined,
): Parameters<typeof findFirewallRuleReasons>[1] =>
	rules.map(rule => ({
		...rule,
		...(rule.id === changedWith?.id && changedWith.settings),
		...(rule.filter.id === filter.id && {filter}),
	}));

/**
 * Joins the question about a filter with what the write weakens. If a rule is changed with the filter, its
 * question is asked as well.
 */
function withWeakening(
	filter: Weakening | undefined,
	weakening: Weakening | undefined,
	changedWith: object | undefined,
): string | Weakening | undefined {
	if (!filter) return weakening;
	if (!weakening) return `${filter.question} ${filter.effect}`;
	if (changedWith) return `${weakening.question} ${weakening.effect} ${filter.question} ${filter.effect}`;
	return {question: filter.question, effect: `${filter.effect} ${weakening.effect}`};
}

/** Builds the question to ask if other rules use the filter. */
function buildQuestion(
	{zone}: OpenedZone,
	{before, users: all}: FilterChange,
	changes: FilterChanges,
	changedWith: string | undefined,
): Weakening | undefined {
	const users = all.filter(rule => rule.id !== changedWith);
	const changesTraffic = changes.expression !== undefined || changes.paused !== undefined;
	if (!changesTraffic || users.length === 0) return undefined;
	const actionText = [
		...(changes.expression === undefined ? [] : ['change the expression of']),
		...(changes.paused === undefined ? [] : [changes.paused ? 'pause' : 'resume']),
	].join(' and ');
	const usersText = `${changedWith === undefined ? '' : 'also '}used by ${formatRuleNames(users)}`;
	return {
		question: `${actionText.charAt(0).toUpperCase()}${actionText.slice(1)} filter ${before.id} in ${zone.label}?`,
		effect: `It is ${usersText}.`,
	};
}

function refuseConcurrentFilterChange(
	initial: FilterChange,
	now: FilterChange,
	changes: FilterChanges,
): void {
	const names = Object.keys(changes) as (keyof FilterChanges)[];
	const isSame = names.every(name => initial.before[name] === now.before[name]);
	const joinUserIds = ({users}: FilterChange) => users.map(({id}) => id).join();
	if (isSame && joinUserIds(initial) === joinUserIds(now)) return;
	const {id, expression, paused} = now.before;
	const why = isSame
		? `Now it is used by ${now.users.length === 0 ? 'no rule' : formatRuleNames(now.users)}.`
		: `Now it is ${paused ? 'paused' : 'not paused'}, and its expression is: ${expression}`;
	throw new Failure('changed_meanwhile', `Filter ${id} was changed by someone else since it was read.`, {
		why,
		left: 'Nothing was written.',
		next: 'Send it again, if that is still what you want.',
	});
}
