import {Failure} from '../../failure.ts';
import {changeFilter, type FilterChange, planFilterChange} from '../../firewall/rules/change-filter.ts';
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
 * Changes a filter for all rules that use it; returns it before and after. Asks before it changes the
 * expression or pause of a filter that other rules use; `ruleChange` is the rule that changes with it. Keeps
 * concurrent changes by others; if they affect what was confirmed, nothing is sent.
 */
export async function runFilterChange(
	context: CommandContext,
	openedZone: OpenedZone,
	id: string,
	changes: FilterChanges,
	options: ZoneNameOptions,
	ruleChange?: {readonly id: string; readonly settings: Partial<RuleSettings>},
): Promise<{readonly before: Filter; readonly after: Filter}> {
	const {client, zone} = openedZone;
	const {signal} = context;
	const readFilterChange = async (): Promise<FilterChange & {readonly rules: readonly Rule[]}> => {
		const rules = await Array.fromAsync(listFirewallRules(client, zone.id, signal));
		const filter = await loadFilter(openedZone, id, signal);
		return {...planFilterChange(zone, filter, changes, rules), rules};
	};
	const initial = await readFilterChange();
	const targetRules = applyFilterChange(initial.rules, initial.after, ruleChange);
	const reasons = findFirewallRuleReasons(zone, initial.rules, targetRules);
	const weakening = findFirewallRuleWeakening(zone, initial.rules, targetRules);
	const question = withWeakening(
		buildQuestion(openedZone, initial, changes, ruleChange?.id),
		weakening,
		ruleChange,
	);
	const wasAsked = await confirmWrite(context, zone, reasons, options.confirm, question);
	const change = wasAsked ? await readFilterChange() : initial;
	refuseConcurrentFilterChange(initial, change, changes);
	const after = await context.auditWrite(`update filter ${id}`, toZonePlace(zone), async () => {
		const result = await changeFilter(client, zone, change, {signal});
		if (result.state !== 'changed') throw result.failure;
		return result.filter;
	});
	return {before: change.before, after};
}

/** Returns the rules with a changed filter, and with the settings of the rule that is changed with it. */
const applyFilterChange = (
	rules: readonly Rule[],
	filter: Filter,
	ruleChange: {readonly id: string; readonly settings: Partial<RuleSettings>} | undefined,
): Parameters<typeof findFirewallRuleReasons>[1] =>
	rules.map(rule => ({
		...rule,
		...(rule.id === ruleChange?.id && ruleChange.settings),
		...(rule.filter.id === filter.id && {filter}),
	}));

/**
 * Joins the question about a shared filter with the one about what the write weakens. Both are asked in full
 * if a rule is changed with the filter.
 */
function withWeakening(
	filterWeakening: Weakening | undefined,
	weakening: Weakening | undefined,
	ruleChange: object | undefined,
): string | Weakening | undefined {
	if (!filterWeakening) return weakening;
	if (!weakening) return `${filterWeakening.question} ${filterWeakening.effect}`;
	if (ruleChange)
		return `${weakening.question} ${weakening.effect} ${filterWeakening.question} ${filterWeakening.effect}`;
	return {question: filterWeakening.question, effect: `${filterWeakening.effect} ${weakening.effect}`};
}

/** Builds the question to ask if other rules use the filter. */
function buildQuestion(
	{zone}: OpenedZone,
	{before, users: allUsers}: FilterChange,
	changes: FilterChanges,
	changedRuleId: string | undefined,
): Weakening | undefined {
	const users = allUsers.filter(rule => rule.id !== changedRuleId);
	const changesTraffic = changes.expression !== undefined || changes.paused !== undefined;
	if (!changesTraffic || users.length === 0) return undefined;
	const actionText = [
		...(changes.expression === undefined ? [] : ['change the expression of']),
		...(changes.paused === undefined ? [] : [changes.paused ? 'pause' : 'resume']),
	].join(' and ');
	const usersText = `${changedRuleId === undefined ? '' : 'also '}used by ${formatRuleNames(users)}`;
	return {
		question: `${actionText.charAt(0).toUpperCase()}${actionText.slice(1)} filter ${before.id} in ${zone.label}?`,
		effect: `It is ${usersText}.`,
	};
}

function refuseConcurrentFilterChange(
	initial: FilterChange,
	current: FilterChange,
	changes: FilterChanges,
): void {
	const names = Object.keys(changes) as (keyof FilterChanges)[];
	const isSame = names.every(name => initial.before[name] === current.before[name]);
	const joinUserIds = ({users}: FilterChange) => users.map(({id}) => id).join();
	if (isSame && joinUserIds(initial) === joinUserIds(current)) return;
	const {id, expression, paused} = current.before;
	const why = isSame
		? `It is now used by ${current.users.length === 0 ? 'no rule' : formatRuleNames(current.users)}.`
		: `It is now ${paused ? 'paused' : 'not paused'}, and its expression is: ${expression}`;
	throw new Failure('changed_meanwhile', `Filter ${id} was changed by someone else since ledge loaded it.`, {
		why,
		left: 'Nothing was written.',
		next: 'Run the command again if you still want this change.',
	});
}
