import {Failure} from '../../failure.ts';
import {formatRulesCommand} from '../../firewall/commands.ts';
import {customPhase} from '../../rulesets/ruleset.ts';
import type {Slice} from '../../store/slice.ts';
import {getListedRules} from '../rulesets/rule-list.ts';
import {createRuleForm, type RuleFormSlice} from '../stepped-form/rule-slice.ts';
import {buildCustomRuleEdit} from './draft.ts';
import {describeCustomRuleEnding} from './ending.ts';
import {customRuleKind} from './kind.ts';
import {type CustomEnding, type CustomForm, type CustomPurpose, createCustomForm} from './state.ts';

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly customRule: RuleFormSlice<CustomForm, CustomPurpose>;
	}
}

/** The form of a custom rule. */
export const createCustomRuleSlice: Slice<RuleFormSlice<CustomForm, CustomPurpose>> = (set, get, ports) =>
	createRuleForm<CustomForm, CustomPurpose, CustomEnding>(
		customRuleKind,
		{
			getOpenedZone: () => get().customRules.data?.zone,
			begin(formId, purpose, zone) {
				const customRules = get().customRules.data;
				return createCustomForm(
					formId,
					purpose,
					zone,
					customRules?.zone.id === zone.id ? customRules.ruleset : undefined,
				);
			},
			refresh: form => form,
			async send(client, form, {signal, onStep}) {
				const {zone, ruleset} = form;
				const edit = buildCustomRuleEdit(form);
				if (!edit) throw new Failure('usage', 'No changes to send.');
				onStep('rule');
				const {changeRuleset} = await import('../../rulesets/change.ts');
				const listCommand = formatRulesCommand(zone, ['list']);
				return changeRuleset(
					client,
					{zoneId: zone.id, phase: customPhase, baseline: ruleset, edit, inspectCommand: listCommand},
					{signal, onRecheck: () => onStep('looking')},
				);
			},
			/** Reads the state again if it is unknown whether the change was made. */
			async lookAgain(client, form, ending, {signal, onWritten}) {
				if (ending.state !== 'unsure') return ending;
				const newEnding = await ending.lookAgain(client, {signal});
				if (newEnding.state === 'done') onWritten(customRuleKind.describeWrite(form, 'rule'));
				return newEnding;
			},
			/** Shows the ending in the list as well. */
			showInLists(form, ending) {
				const {id} = form.zone;
				switch (ending.state) {
					case 'done': {
						const {version} = ending.ruleset;
						get().customRules.noteLastChange(id, {
							effect: describeCustomRuleEnding(form, ending),
							rulesBefore: getListedRules({ruleset: form.ruleset}),
							createdVersion: version,
						});
						get().customRules.show(id, ending.ruleset);
						if (ending.rule?.id !== undefined) get().customRules.focusRow(ending.rule.id, id);
						return;
					}
					case 'changed meanwhile':
						get().customRules.show(id, ending.currentRuleset);
						return;
					case 'unsure':
						if (get().customRules.data?.zone.id === id) get().customRules.markStale();
						return;
					case 'nothing':
						return;
					default:
						ending satisfies never;
				}
			},
		},
		set,
		get,
		ports,
	);
