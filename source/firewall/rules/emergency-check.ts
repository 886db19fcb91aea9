import {Failure} from '../../failure.ts';
import type {Ruleset, RulesetRule} from '../../rulesets/ruleset.ts';
import {customRuleCommand, listing, replacementCommand, ruleDeletion, rulesCommand} from '../continuation.ts';
import {matchesAddress} from '../expression/reach.ts';
import {checkDraft, checkQuota, type Finding} from './checks.ts';
import type {EmergencyDraft} from './emergency.ts';
import type {CustomRulePlan} from './emergency-custom-rule.ts';
import {type Extension, extensionsAmong} from './emergency-extension.ts';
import {customNotReplaceable, replaceableRules} from './emergency-replacement.ts';
import {type FirewallZone, isInForce, type Rule} from './rule.ts';

/**
 * All that can be known of an emergency before it is sent, for commands and screens alike. A zone that is full is an
 * error: the service would make the filter and refuse the rule. `rules` is `undefined` where they could not be counted:
 * it goes out all the same, and that is a warning.
 */
export const emergencyFindings = (
	draft: EmergencyDraft,
	zone: FirewallZone,
	rules: readonly Rule[] | undefined,
): readonly Finding[] =>
	rules
		? checkDraft(draft, zone, {rules}).map(finding =>
				finding.about === 'quota' && finding.severity === 'error'
					? withWaysOut(finding, draft, zone, rules)
					: finding,
			)
		: [...checkDraft(draft, zone), uncounted];

/** The address from which a person works on this machine: `SSH_CONNECTION` begins with it. */
export const ownAddress = ({SSH_CONNECTION: connection}: NodeJS.ProcessEnv): string | undefined =>
	connection?.split(' ')[0];

/** A warning where a block would shut out the person who makes it. */
export function ownAddressWarning(
	{action, filter}: Pick<EmergencyDraft, 'action' | 'filter'>,
	own: string | undefined,
	zone: Pick<FirewallZone, 'name'>,
): string | undefined {
	if (!own || action === 'log' || !matchesAddress(filter.expression, own, zone.name)) return undefined;
	return `You work from ${own} (SSH_CONNECTION), which this rule meets, too: requests from there are stopped or challenged.`;
}

const uncountedSentence =
	'The rules of the zone could not be counted, so it is not known whether it has room for one more.';

const uncounted: Finding = {
	severity: 'warning',
	about: 'quota',
	sentence: uncountedSentence,
	failure: new Failure('plan_lacks', uncountedSentence),
};

/** What can be known of the quota of custom rules; in the place of another, a rule needs no room. */
export const customRuleFindings = (
	draft: EmergencyDraft,
	zone: FirewallZone,
	{entry, replaced, already}: CustomRulePlan,
): readonly Finding[] =>
	!entry || replaced || already
		? []
		: checkQuota(entry.rules.length, zone.plan, 'custom rule').map(finding =>
				finding.severity === 'error' ? withWaysOut(finding, draft, zone, entry) : finding,
			);

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

/** What can be done all the same, as commands that can be run as they are. */
function withWaysOut(
	finding: Finding,
	draft: EmergencyDraft,
	zone: FirewallZone,
	there: readonly Rule[] | Ruleset,
): Finding {
	const isCustom = 'rules' in there;
	const form = isCustom ? 'custom rule' : 'firewall rule';
	const {extensions, replaceable} = waysOut(draft, zone, there);
	const idle = isCustom ? undefined : there.find(rule => !isInForce(rule));
	const ways = [
		...extensions
			.slice(0, mostNamed)
			.map(
				({id, description, command}) => `Add it to ${form} ${inWords(id, 'block', description)}: ${command}`,
			),
		...replaceable
			.slice(0, mostNamed)
			.map(
				({id, action, description}) =>
					`Replace ${form} ${inWords(id, action, description)}, which is paused: ${replacementCommand(zone, draft, id, form)}`,
			),
		...(isCustom
			? []
			: [
					`As a custom rule, which needs no room among the firewall rules: ${customRuleCommand(zone, draft)}`,
				]),
		...(replaceable.length > 0
			? []
			: idle
				? [`Delete a rule that does nothing now: ${ruleDeletion(zone, idle.id)}`]
				: [
						`Delete a rule, or let one of them match this, too: ${isCustom ? rulesCommand(zone, ['list']) : listing(zone, 'rule')}`,
					]),
	];
	const next = ways.map((way, index) => (index === 0 ? way : `Or ${lowered(way)}`)).join('\n');
	return {...finding, failure: finding.failure.with({left: 'Nothing was sent.', next})};
}

const inWords = (id: string, action: string, description: string | undefined): string =>
	`${id} (${action}${description ? `, "${description}"` : ''})`;

const lowered = (text: string): string => `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
