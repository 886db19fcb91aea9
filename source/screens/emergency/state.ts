import type {Failure} from '../../failure.ts';
import {buildEmergencyRequest} from '../../firewall/rules/emergency.ts';
import {type CustomRulePlan, planCustomRule} from '../../firewall/rules/emergency-custom-rule.ts';
import type {
	EmergencyDraft,
	EmergencyForm,
	EmergencyRecheckOutcome,
} from '../../firewall/rules/emergency-draft.ts';
import type {UndoableRule, UndoOutcome} from '../../firewall/rules/emergency-undo.ts';
import type {Filter} from '../../firewall/rules/filter.ts';
import {pickEquivalentFilter} from '../../firewall/rules/filters.ts';
import type {Rule} from '../../firewall/rules/rule.ts';
import type {Ruleset} from '../../rulesets/ruleset.ts';
import {getBufferText} from '../../text/buffer/buffer.ts';
import {getTypedExpression} from '../expression-editor/editing.ts';
import {areFirewallRulesRetired} from '../firewall/list.ts';
import type {FirewallState} from '../firewall/state.ts';
import {hasLoaded} from '../list/reading.ts';
import type {ZoneWithLabel} from '../shell/zone-with-label.ts';
import {buildAboutFields} from '../stepped-form/about-fields.ts';
import {type EmergencyAction, emergencyActionNames} from '../stepped-form/descriptions.ts';
import {beginRuleForm, type RuleForm} from '../stepped-form/rule-form.ts';
import type {WriteRequest} from '../write-flow/curl.ts';

/** The initial expression, if any. */
export type EmergencyPurpose = {readonly expression?: string | undefined};

/** The custom rules of the zone, read for the review. */
type CustomRules = {readonly ruleset: Ruleset | undefined};

/** How the emergency ended. Each state reports what exists now. */
export type EmergencyEnding =
	| (EmergencyRecheckOutcome & {
			/** Why nothing was created, even if the block existed before. */
			readonly failure?: Failure | undefined;
	  })
	| UndoOutcome
	/** Firewall rules are retired. `customRules` is undefined if they could not be read. */
	| {
			readonly state: 'gone';
			readonly failure: Failure;
			readonly customRules: CustomRules | undefined;
	  };

/** The form of a block: a filter and its rule in one call, or one custom rule. */
export type EmergencyState = RuleForm<EmergencyPurpose, EmergencyEnding> & {
	/** The lists of its zone as last read. */
	readonly lists: FirewallState | undefined;
	/** Whether the block is a firewall rule or a custom rule. */
	readonly way: EmergencyForm;
	/** True if firewall rules are known to be retired. */
	readonly isRetired: boolean;
	/** Read only for a block that is a custom rule; undefined until then. */
	readonly customRules: CustomRules | undefined;
	readonly isReadingCustomRules?: boolean | undefined;
	/** The block that was confirmed before the service said that firewall rules are retired. */
	readonly confirmedBlock?: Pick<EmergencyDraft, 'action' | 'filter'> | undefined;
	/** The user's own address, if known. */
	readonly ownAddress: string | undefined;
};

export const createEmergencyState = (
	id: number,
	purpose: EmergencyPurpose,
	zone: ZoneWithLabel,
	lists: FirewallState | undefined,
	ownAddress: string | undefined,
): EmergencyState => ({
	...beginRuleForm({
		id,
		purpose,
		zone,
		step: 'expression',
		expression: purpose.expression ?? '',
		action: 'block',
		chosenNames: [],
		aboutFields: buildAboutFields({cursorRow: 'order'}),
	}),
	lists,
	way: areFirewallRulesRetired(lists) ? 'custom rule' : 'firewall rule',
	isRetired: areFirewallRulesRetired(lists),
	customRules: undefined,
	ownAddress,
});

/** Returns the rules of its zone; undefined if they were not read. */
export const getEmergencyRules = ({lists}: Pick<EmergencyState, 'lists'>): readonly Rule[] | undefined =>
	lists && hasLoaded(lists) ? lists.rules : undefined;

/** Builds the draft of the rule; its priority is in the line `order`. */
export function buildEmergencyDraft({editing, action, aboutFields, way}: EmergencyState): EmergencyDraft {
	const priority = getBufferText(aboutFields.order);
	return {
		action: emergencyActionNames.find((one): one is EmergencyAction => one === action) ?? 'block',
		...(priority !== '' && way === 'firewall rule' && {priority: Number(priority)}),
		filter: {expression: getTypedExpression(editing)},
	};
}

/** Builds the block as a custom rule; undefined until the custom rules are read. */
export const buildEmergencyPlan = (emergency: EmergencyState): CustomRulePlan | undefined =>
	emergency.way === 'custom rule' && emergency.customRules
		? planCustomRule(emergency.zone, buildEmergencyDraft(emergency), emergency.customRules.ruleset)
		: undefined;

/** Builds the exact requests to send; empty until the custom rules are read. */
export function buildEmergencyRequests(emergency: EmergencyState): readonly WriteRequest[] {
	const {way, zone} = emergency;
	if (way === 'firewall rule') return [buildEmergencyRequest(zone, buildEmergencyDraft(emergency))];
	const plan = buildEmergencyPlan(emergency);
	return plan ? [{...plan.request}] : [];
}

/** Returns what was created and can be undone; undefined for what existed before. */
export function getUndoableCreation(ending: EmergencyEnding): UndoableRule | undefined {
	switch (ending.state) {
		case 'created':
			return ending.alreadyExisted || ending.rule.id === undefined ? undefined : ending;
		case 'not undone':
			return ending.createdRule;
		default:
			return undefined;
	}
}

/** Finds a filter that matches the same requests, however it is written. */
export const findExistingFilter = ({lists, way, editing}: EmergencyState): Filter | undefined =>
	way === 'firewall rule' && lists && hasLoaded(lists)
		? pickEquivalentFilter(lists.filters, getTypedExpression(editing))
		: undefined;
