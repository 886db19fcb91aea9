import {Failure} from '../../failure.ts';
import {changeFilter, type FilterChange, planFilterChange} from '../../firewall/rules/change-filter.ts';
import type {Filter} from '../../firewall/rules/filter.ts';
import type {WriteQuestion} from '../../firewall/rules/name-reasons.ts';
import {
	findFirewallRuleWeakening,
	findFirewallRuleZoneNameReasons,
} from '../../firewall/rules/name-reasons.ts';
import type {Rule, RuleSettings} from '../../firewall/rules/rule.ts';
import {listFirewallRules} from '../../firewall/rules/rules.ts';
import {formatRuleNames} from '../../firewall/rules/users.ts';
import {toZonePlace} from '../../session/write-place.ts';
import {confirmWrite, type ZoneNameOptions} from '../shell/confirm-zone-name.ts';
import type {CommandContext} from '../shell/context.ts';
import {loadFilter, type OpenedZone} from './zone.ts';

type FilterPatch = Partial<Omit<Filter, 'id'>>;

/**
 * Changes a filter for all rules that use it; returns it before and after. Asks before it changes the
 * expression or pause of a filter that other rules use; `ruleChange` is the rule that changes with it. Keeps
 * concurrent changes by others; if they affect what was confirmed, nothing is sent.
 */
export async function runFilterChange(
	context: CommandContext,
	openedZone: OpenedZone,
	id: string,
	changes: FilterPatch,
	options: ZoneNameOptions,
	ruleChange?: {readonly id: string; readonly settings: Partial<RuleSettings>},
): Promise<{readonly before: Filter; readonly after: Filter}> {
	const {client, zone} = openedZone;
	const {signal} = context;
	const planFromCurrentState = async (): Promise<FilterChange & {readonly rules: readonly Rule[]}> => {
		const rules = await Array.fromAsync(listFirewallRules(client, zone.id, signal));
		const filter = await loadFilter(openedZone, id, signal);
		return {...planFilterChange(filter, changes, rules), rules};
	};
	const initialChange = await planFromCurrentState();
	const targetRules = applyFilterChange(initialChange.rules, initialChange.after, ruleChange);
	const zoneNameReasons = findFirewallRuleZoneNameReasons(zone, initialChange.rules, targetRules);
	const weakening = findFirewallRuleWeakening(zone, initialChange.rules, targetRules);
	const question = joinQuestions(
		buildQuestion(openedZone, initialChange, changes, ruleChange?.id),
		weakening,
		ruleChange,
	);
	const wasAsked = await confirmWrite(context, zone, zoneNameReasons, options.confirm, question);
	const currentChange = wasAsked ? await planFromCurrentState() : initialChange;
	refuseConcurrentFilterChange(initialChange, currentChange, changes);
	const after = await context.auditWrite(`update filter ${id}`, toZonePlace(zone), () =>
		changeFilter(client, zone, currentChange, {signal}),
	);
	return {before: currentChange.before, after};
}

/** Returns the rules with a changed filter, and with the settings of the rule that is changed with it. */
const applyFilterChange = (
	rules: readonly Rule[],
	filter: Filter,
	ruleChange: {readonly id: string; readonly settings: Partial<RuleSettings>} | undefined,
): Parameters<typeof findFirewallRuleZoneNameReasons>[1] =>
	rules.map(rule => ({
		...rule,
		...(rule.id === ruleChange?.id && ruleChange.settings),
		...(rule.filter.id === filter.id && {filter}),
	}));

/**
 * Joins the question about a shared filter with the one about what the write weakens. Both are asked in full
 * if a rule is changed with the filter.
 */
function joinQuestions(
	sharedFilterQuestion: WriteQuestion | undefined,
	weakening: WriteQuestion | undefined,
	ruleChange: object | undefined,
): string | WriteQuestion | undefined {
	if (!sharedFilterQuestion) return weakening;
	if (!weakening) return `${sharedFilterQuestion.question} ${sharedFilterQuestion.effect}`;
	if (ruleChange)
		return `${weakening.question} ${weakening.effect} ${sharedFilterQuestion.question} ${sharedFilterQuestion.effect}`;
	return {
		question: sharedFilterQuestion.question,
		effect: `${sharedFilterQuestion.effect} ${weakening.effect}`,
	};
}

/** Builds the question to ask if other rules use the filter. */
function buildQuestion(
	{zone}: OpenedZone,
	{before, rulesOnFilter: allUsers}: FilterChange,
	changes: FilterPatch,
	changedRuleId: string | undefined,
): WriteQuestion | undefined {
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
	initialChange: FilterChange,
	currentChange: FilterChange,
	changes: FilterPatch,
): void {
	const names = Object.keys(changes) as (keyof FilterPatch)[];
	const isSame = names.every(name => initialChange.before[name] === currentChange.before[name]);
	const joinUserIds = ({rulesOnFilter}: FilterChange) => rulesOnFilter.map(({id}) => id).join();
	if (isSame && joinUserIds(initialChange) === joinUserIds(currentChange)) return;
	const {id, expression, paused} = currentChange.before;
	const why = isSame
		? `It is now used by ${currentChange.rulesOnFilter.length === 0 ? 'no rule' : formatRuleNames(currentChange.rulesOnFilter)}.`
		: `It is now ${paused ? 'paused' : 'not paused'}, and its expression is: ${expression}`;
	throw new Failure('changed_meanwhile', `Filter ${id} was changed by someone else since ledge loaded it.`, {
		why,
		left: 'Nothing was written.',
		next: 'Run the command again if you still want this change.',
	});
}
