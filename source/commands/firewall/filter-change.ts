import {Failure} from '../../failure.ts';
import {
	type FilterChange,
	filterChange,
	changeFilter as putChange,
} from '../../firewall/rules/change-filter.ts';
import type {Filter} from '../../firewall/rules/filter.ts';
import type {Weakening} from '../../firewall/rules/name-reasons.ts';
import {findFirewallRuleReasons, findFirewallRuleWeakening} from '../../firewall/rules/name-reasons.ts';
import type {Rule, RuleSettings} from '../../firewall/rules/rule.ts';
import {rules} from '../../firewall/rules/rules.ts';
import {named} from '../../firewall/rules/users.ts';
import {placeOfZone} from '../../session/write-place.ts';
import type {CommandContext} from '../shell/context.ts';
import {confirmWrite, type ZoneNameOptions} from '../shell/zone-name.ts';
import {filterThere, type OpenedZone} from './zone.ts';

type Changes = Partial<Omit<Filter, 'id'>>;

/**
 * Changes a filter for all rules that use it; returns it before and after. A change of expression or pause is
 * confirmed if rules use the filter, other than the rule that is changed with it. Concurrent changes by
 * others are kept; if they touch what was asked about, nothing is sent.
 */
export async function changeFilter(
	context: CommandContext,
	opened: OpenedZone,
	id: string,
	changes: Changes,
	options: ZoneNameOptions,
	changedWith?: {readonly id: string; readonly settings: Partial<RuleSettings>},
): Promise<{readonly before: Filter; readonly after: Filter}> {
	const {client, zone} = opened;
	const {signal} = context;
	const read = async (): Promise<FilterChange & {readonly rules: readonly Rule[]}> => {
		const all = await Array.fromAsync(rules(client, zone.id, signal));
		const filter = await filterThere(opened, id, signal);
		return {...filterChange(zone, filter, changes, all), rules: all};
	};
	const asked = await read();
	const wanted = rulesAfter(asked.rules, asked.after, changedWith);
	const reasons = findFirewallRuleReasons(zone, asked.rules, wanted);
	const weakening = findFirewallRuleWeakening(zone, asked.rules, wanted);
	const question = withWeakening(
		questionFor(opened, asked, changes, changedWith?.id),
		weakening,
		changedWith,
	);
	const isAsked = await confirmWrite(context, zone, reasons, options.confirm, question);
	const change = isAsked ? await read() : asked;
	refuseOthersChange(asked, change, changes);
	const after = await context.audited(`update filter ${id}`, placeOfZone(zone), async () => {
		const done = await putChange(client, zone, change, {signal});
		if (done.state !== 'changed') throw done.failure;
		return done.filter;
	});
	return {before: change.before, after};
}

/** Returns the rules with a changed filter, and with the settings of the rule that is changed with it. */
const rulesAfter = (
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
function questionFor(
	{zone}: OpenedZone,
	{before, users: all}: FilterChange,
	changes: Changes,
	changedWith: string | undefined,
): Weakening | undefined {
	const users = all.filter(rule => rule.id !== changedWith);
	const means = changes.expression !== undefined || changes.paused !== undefined;
	if (!means || users.length === 0) return undefined;
	const does = [
		...(changes.expression === undefined ? [] : ['change the expression of']),
		...(changes.paused === undefined ? [] : [changes.paused ? 'pause' : 'resume']),
	].join(' and ');
	const who = `${changedWith === undefined ? '' : 'also '}used by ${named(users)}`;
	return {
		question: `${does.charAt(0).toUpperCase()}${does.slice(1)} filter ${before.id} in ${zone.label}?`,
		effect: `It is ${who}.`,
	};
}

function refuseOthersChange(asked: FilterChange, now: FilterChange, changes: Changes): void {
	const names = Object.keys(changes) as (keyof Changes)[];
	const isSame = names.every(name => asked.before[name] === now.before[name]);
	const usersOf = ({users}: FilterChange) => users.map(({id}) => id).join();
	if (isSame && usersOf(asked) === usersOf(now)) return;
	const {id, expression, paused} = now.before;
	const why = isSame
		? `Now it is used by ${now.users.length === 0 ? 'no rule' : named(now.users)}.`
		: `Now it is ${paused ? 'paused' : 'not paused'}, and its expression is: ${expression}`;
	throw new Failure('changed_meanwhile', `Filter ${id} was changed by someone else since it was read.`, {
		why,
		left: 'Nothing was written.',
		next: 'Send it again, if that is still what you want.',
	});
}
