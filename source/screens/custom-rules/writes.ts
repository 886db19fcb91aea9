import {Failure} from '../../failure.ts';
import {formatRulesCommand} from '../../firewall/continuation.ts';
import {findCustomRuleReasons} from '../../firewall/rules/name-reasons.ts';
import {changeRuleset} from '../../rulesets/change.ts';
import {describeRuleChange} from '../../rulesets/change-words.ts';
import {computeRulesetEdit, type RulesetEdit} from '../../rulesets/edit.ts';
import {customPhase, type RulesetRule} from '../../rulesets/ruleset.ts';
import type {Slice} from '../../store/slice.ts';
import {createRulesetWrites, type RulesetPlan, type RulesetWrites} from '../rulesets/writes.ts';
import {type CustomRulesState, getCustomRules} from './state.ts';

export type CustomRuleWrites = RulesetWrites<CustomRulesState> & {
	/**
	 * Plans the change from the shown rules to these. `chosenEdit`: the edit to send, if several lead there.
	 */
	plan(wanted: readonly RulesetRule[], chosenEdit?: RulesetEdit): RulesetPlan;
};

/** The writes of custom rules; the list then shows the service's answer. */
export const createCustomRuleWrites: Slice<CustomRuleWrites> = (_set, get, {session}) => {
	function plan(wanted: readonly RulesetRule[], chosenEdit?: RulesetEdit): RulesetPlan {
		const customRules = get().customRules.data;
		if (!customRules) throw new Failure('internal', 'No zone is open.');
		const {zone, ruleset: shown} = customRules;
		const before = getCustomRules(customRules);
		const minimalEdit = computeRulesetEdit(before, wanted);
		return {
			zone,
			ruleset: shown,
			reasons: findCustomRuleReasons(zone, before, wanted),
			send:
				minimalEdit &&
				((client, _name, signal) =>
					changeRuleset(
						client,
						{
							zone: zone.id,
							phase: customPhase,
							shown,
							edit: chosenEdit ?? minimalEdit,
							where: formatRulesCommand(zone, ['list']),
						},
						{signal},
					)),
		};
	}

	const writes = createRulesetWrites<CustomRulesState>(get, session, {
		called: 'custom rules',
		screen: 'customRules',
		read: () => get().customRules.data,
		plan,
		sentence: describeRuleChange,
		show: (zone, now, {undo}) => get().customRules.show(zone, now, undo),
		showChanged(zone, now) {
			get().customRules.show(zone, now);
			return 'The list shows the current rules: make the change again.';
		},
		load: signal => get().customRules.load(signal),
		markStale: () => get().customRules.markStale(),
	});
	return {...writes, plan};
};
