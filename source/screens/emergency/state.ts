import type {Failure} from '../../failure.ts';
import {emergencyRequest} from '../../firewall/rules/emergency.ts';
import {type CustomRulePlan, planCustomRule} from '../../firewall/rules/emergency-custom-rule.ts';
import type {EmergencyDraft, EmergencyForm, EmergencySettled} from '../../firewall/rules/emergency-draft.ts';
import type {Made, Undone} from '../../firewall/rules/emergency-undo.ts';
import type {Filter} from '../../firewall/rules/filter.ts';
import {sameMeaning} from '../../firewall/rules/filters.ts';
import type {Rule} from '../../firewall/rules/rule.ts';
import {type Targets, targetsIn} from '../../firewall/rules/targets.ts';
import type {Ruleset} from '../../rulesets/ruleset.ts';
import {textOf} from '../../text/buffer/buffer.ts';
import {expressionOf} from '../expression-editor/editing.ts';
import type {FirewallState, OpenedZone} from '../firewall/state.ts';
import {hasLoaded} from '../list/reading.ts';
import {aboutOf, beginRuleForm, type RuleForm} from '../stepped-form/rule-form.ts';
import {type EmergencyAction, emergencyActions} from '../stepped-form/words.ts';
import type {WriteRequest} from '../write-flow/curl.ts';

/** The expression that an emergency begins with, if any. */
export type EmergencyPurpose = {readonly expression?: string | undefined};

/** The custom rules of the zone, as they were read for the review. */
type CustomRules = {readonly ruleset: Ruleset | undefined};

/** How it ended; each of them reports the current state. */
export type Ending =
	| (EmergencySettled & {
			/** Why nothing was made, also where the block existed before. */
			readonly failure?: Failure | undefined;
	  })
	| Undone
	/** Firewall rules are retired; the custom rules were read, if they could be. */
	| {
			readonly state: 'gone';
			readonly failure: Failure;
			readonly customRules: CustomRules | undefined;
	  };

/** A block that somebody is about to put in force: a filter and its rule in one call, or one custom rule. */
export type EmergencyState = RuleForm<EmergencyPurpose, Ending> & {
	/** The lists of its zone, as they were read last. */
	readonly lists: FirewallState | undefined;
	readonly way: EmergencyForm;
	/** Whether the service no longer has firewall rules, as far as is known. */
	readonly isRetired: boolean;
	/** Undefined until they are read for a custom rule. */
	readonly customRules: CustomRules | undefined;
	/** The address from which the person works on this machine, where that is known. */
	readonly own: string | undefined;
};

export const beginningOf = (
	id: number,
	purpose: EmergencyPurpose,
	zone: OpenedZone,
	lists: FirewallState | undefined,
	own: string | undefined,
): EmergencyState => ({
	...beginRuleForm({
		id,
		purpose,
		zone,
		step: 'expression',
		expression: purpose.expression ?? '',
		action: 'block',
		chosen: [],
		about: aboutOf({row: 'order'}),
	}),
	lists,
	way: areRulesGone(lists) ? 'custom rule' : 'firewall rule',
	isRetired: areRulesGone(lists),
	customRules: undefined,
	own,
});

/** Whether the lists have shown that the service no longer has firewall rules. */
export const areRulesGone = (lists: FirewallState | undefined): boolean =>
	lists?.reading === 'failed' && lists.failure?.code === 'gone';

/** The rules of its zone, if they were read. */
export const rulesIn = ({lists}: Pick<EmergencyState, 'lists'>): readonly Rule[] | undefined =>
	lists && hasLoaded(lists) ? lists.rules : undefined;

/** The rule as it will be made; its priority is in the line for the order. */
export function draftOf({editing, action, about, way}: EmergencyState): EmergencyDraft {
	const priority = textOf(about.order);
	return {
		action: emergencyActions.find((one): one is EmergencyAction => one === action) ?? 'block',
		...(priority !== '' && way === 'firewall rule' && {priority: Number(priority)}),
		filter: {expression: expressionOf(editing)},
	};
}

/** The block as a custom rule; undefined until the custom rules are read. */
export const planOf = (emergency: EmergencyState): CustomRulePlan | undefined =>
	emergency.way === 'custom rule' && emergency.customRules
		? planCustomRule(emergency.zone, draftOf(emergency), emergency.customRules.ruleset)
		: undefined;

/** Exactly what will be sent; nothing until the custom rules are read. */
export function requestsOf(emergency: EmergencyState): readonly WriteRequest[] {
	const {way, zone} = emergency;
	if (way === 'firewall rule') return [emergencyRequest(zone, draftOf(emergency))];
	const plan = planOf(emergency);
	return plan ? [{...plan.request}] : [];
}

/** What was made, as far as it can be undone: not what existed before. */
export function madeIn(ending: Ending): Made | undefined {
	switch (ending.state) {
		case 'created':
			return ending.already || ending.rule.id === undefined ? undefined : ending;
		case 'not undone':
			return ending.made;
		default:
			return undefined;
	}
}

/** What is typed, if that is only names of what is to be blocked: `203.0.113.9`, `/wp-login.php`. */
export const findTargets = ({
	editing,
}: Pick<EmergencyState, 'editing'>): Exclude<Targets, {kind: 'unknown'}> | undefined =>
	targetsIn(expressionOf(editing));

/** A filter that matches the same requests already, however it is written. */
export const sameFilter = ({lists, way, editing}: EmergencyState): Filter | undefined =>
	way === 'firewall rule' && lists && hasLoaded(lists)
		? sameMeaning(lists.filters, expressionOf(editing))
		: undefined;
