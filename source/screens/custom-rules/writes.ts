import {Failure} from '../../failure.ts';
import {formatRulesCommand} from '../../firewall/commands.ts';
import {formatCustomRuleAction} from '../../firewall/rules/custom-rule-words.ts';
import {findCustomRuleZoneNameReasons} from '../../firewall/rules/name-reasons.ts';
import {changeRuleset} from '../../rulesets/change.ts';
import {describeRuleChange} from '../../rulesets/change-words.ts';
import {computeRulesetEdit, type RulesetEdit} from '../../rulesets/edit.ts';
import {customPhase, type RulesetRule} from '../../rulesets/ruleset.ts';
import type {Slice} from '../../store/slice.ts';
import {createRulesetWrites, type RulesetPlan, type RulesetWrites} from '../rulesets/writes.ts';
import {type CustomRulesState, getCustomRules} from './state.ts';

export type CustomRuleWrites = RulesetWrites<CustomRulesState> & {
	/**
	 * Plans the change from the shown rules to `newRules`. `chosenEdit`: which edit to send if several have
	 * this result; the smallest by default.
	 */
	plan(newRules: readonly RulesetRule[], chosenEdit?: RulesetEdit): RulesetPlan;
};

/** The writes of custom rules; the list then shows the rules of the service's response. */
export const createCustomRuleWrites: Slice<CustomRuleWrites> = (_set, get, {session}) => {
	function plan(newRules: readonly RulesetRule[], chosenEdit?: RulesetEdit): RulesetPlan {
		const customRules = get().customRules.data;
		if (!customRules) throw new Failure('internal', 'No zone is open.');
		const {zone, ruleset: currentRuleset} = customRules;
		const currentRules = getCustomRules(customRules);
		const minimalEdit = computeRulesetEdit(currentRules, newRules);
		return {
			zone,
			ruleset: currentRuleset,
			zoneNameReasons: findCustomRuleZoneNameReasons(zone, currentRules, newRules),
			send:
				minimalEdit &&
				((client, _typedZoneName, signal) =>
					changeRuleset(
						client,
						{
							zoneId: zone.id,
							phase: customPhase,
							baseline: currentRuleset,
							edit: chosenEdit ?? minimalEdit,
							inspectCommand: formatRulesCommand(zone, ['list']),
						},
						{signal},
					)),
		};
	}

	const writes = createRulesetWrites<CustomRulesState>(get, session, {
		rulesNoun: 'custom rules',
		screenName: 'customRules',
		getOpenedRules: () => get().customRules.data,
		plan,
		describeChange: describeRuleChange,
		describeRule: rule =>
			`${formatCustomRuleAction(rule)} where ${rule.expression}${rule.enabled === false ? ', paused' : ''}`,
		show(zoneId, current) {
			get().customRules.show(zoneId, current);
			get().customRules.unmark();
		},
		showConcurrentChange(zoneId, current) {
			get().customRules.show(zoneId, current);
			return 'The list now shows the current rules: make your change again.';
		},
		load: signal => get().customRules.load(signal),
		markStale: () => get().customRules.markStale(),
	});
	return {...writes, plan};
};
