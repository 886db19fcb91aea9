import type {Ruleset, RulesetRule} from '../../rulesets/ruleset.ts';
import {filterReuse, listing, ruleDeletion, rulesCommand} from '../continuation.ts';
import {confirmWords} from './broad-rule.ts';
import {customRuleCommand, replacementCommand} from './emergency-command.ts';
import type {EmergencyDraft} from './emergency-draft.ts';
import {type Extension, extensionsAmong} from './emergency-extension.ts';
import {actions, type FirewallZone, isInForce, products, type Rule, type RuleSettings} from './rule.ts';

/** Why an emergency cannot take the place of a firewall rule; `undefined` where it can: the rule is paused. */
export function notReplaceable(rule: Rule): string | undefined {
	const {id, filter} = rule;
	if ('deleted' in filter) return `The filter of rule ${id} is deleted, so the rule could not be recreated.`;
	if (!rule.paused && !filter.paused) return `Rule ${id} is in force (${rule.action}), not paused.`;
	return settingsOf(rule)
		? undefined
		: `Rule ${id} has settings that ledge does not know and could not recreate.`;
}

/** The same for a custom rule. */
export const customNotReplaceable = ({id, enabled, action}: RulesetRule): string | undefined =>
	enabled === false && id !== undefined
		? undefined
		: `Custom rule ${id} is in force (${action}), not paused.`;

/** The rules that an emergency can take the place of. */
const replaceableRules = (rules: readonly Rule[]): readonly Rule[] =>
	rules.filter(rule => notReplaceable(rule) === undefined);

/** The settings of a rule that can be made again as it was. */
export function settingsOf({action, products: given = [], ...rule}: Rule): RuleSettings | undefined {
	const known = actions.find(one => one === action);
	const kept = products.filter(one => given.includes(one));
	if (!known || kept.length !== given.length) return undefined;
	const {priority, paused, description, ref} = rule;
	return {action: known, products: kept, priority, paused, description, ref};
}

/** What can be done about a full zone before anything is sent. */
export type WaysOut = {
	/** Block rules that the addresses can be added to. */
	readonly extensions: readonly Extension[];
	/** Paused rules whose place the block can take. */
	readonly replaceable: readonly (Rule | (RulesetRule & {readonly id: string}))[];
};

/** The ways out among the firewall rules of a zone, or among its custom rules. */
export function waysOut(
	draft: EmergencyDraft,
	zone: FirewallZone,
	there: readonly Rule[] | Ruleset,
): WaysOut {
	const {fitting: extensions} = extensionsAmong(draft, zone, there);
	if (!('rules' in there)) return {extensions, replaceable: replaceableRules(there)};
	const replaceable = there.rules.flatMap(rule =>
		rule.id !== undefined && customNotReplaceable(rule) === undefined ? [{...rule, id: rule.id}] : [],
	);
	return {extensions, replaceable};
}

/** The ways out that are named; of more, the list of rules has the others. */
const mostNamed = 2;

/** What can be done about a full zone instead, as commands that run as they are: the first one is the simplest. */
export function describeWays(
	draft: EmergencyDraft,
	zone: FirewallZone,
	there: readonly Rule[] | Ruleset,
): readonly string[] {
	const isCustom = 'rules' in there;
	const form = isCustom ? 'custom rule' : 'firewall rule';
	const {extensions, replaceable} = waysOut(draft, zone, there);
	const idle = isCustom ? undefined : there.find(rule => !isInForce(rule));
	return [
		...extensions.slice(0, mostNamed).map(describeAddition),
		...replaceable
			.slice(0, mostNamed)
			.map(
				({id, action, description}) =>
					`Replace ${form} ${inWords(id, action, description)}, which is paused: ${replacementCommand(zone, draft, id, form)}`,
			),
		...(isCustom ? [] : [describeCustomRule(zone, draft)]),
		...(replaceable.length > 0
			? []
			: idle
				? [`Delete a rule that does nothing now: ${ruleDeletion(zone, idle.id)}`]
				: [
						`Delete a rule, or extend one to match this too: ${isCustom ? rulesCommand(zone, ['list']) : listing(zone, 'rule')}`,
					]),
	];
}

/**
 * The one next step once the service has had no room for the rule. A filter that was made for it (`filterId`) is used
 * where a paused rule can take it; with it, the service refuses another one of the same expression.
 */
export function chooseWay(
	draft: EmergencyDraft,
	zone: FirewallZone,
	rules: readonly Rule[],
	filterId: string | undefined,
): string {
	const {extensions, replaceable} = waysOut(draft, zone, rules);
	const [extension] = extensions;
	if (extension) return describeAddition(extension);
	const [paused] = replaceable;
	if (paused && filterId !== undefined)
		return `Use the filter for firewall rule ${inWords(paused.id, paused.action, paused.description)}, which is paused: ${filterReuse(zone, draft, paused.id, filterId, confirmWords(zone, [{after: draft}]))}`;
	return describeWays(draft, zone, rules)[0] ?? describeCustomRule(zone, draft);
}

const describeAddition = ({form, id, description, command}: Extension): string =>
	`Add it to ${form} ${inWords(id, 'block', description)}: ${command}`;

const describeCustomRule = (zone: FirewallZone, draft: EmergencyDraft): string =>
	`Use a custom rule, which does not count as a firewall rule: ${customRuleCommand(zone, draft)}`;

const inWords = (id: string, action: string, description: string | undefined): string =>
	`${id} (${action}${description ? `, "${description}"` : ''})`;
