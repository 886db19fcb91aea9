import {Failure} from '../../failure.ts';
import {formatRulesCommand} from '../../firewall/commands.ts';
import type {Slice} from '../../store/slice.ts';
import {getListedRules} from '../rulesets/rule-list.ts';
import {createRuleForm, type RuleFormSlice} from '../stepped-form/rule-slice.ts';
import {buildFormEdit} from './draft.ts';
import {describeFormEnding} from './ending.ts';
import type {RulesetKind} from './kind.ts';
import {createRulesetForm, type RulesetEnding, type RulesetForm, type RulesetPurpose} from './state.ts';

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly customRule: RuleFormSlice<RulesetForm, RulesetPurpose>;
		readonly rateLimit: RuleFormSlice<RulesetForm, RulesetPurpose>;
	}
}

/** Creates the form of a custom rule or a rate limit. */
export const createRulesetFormSlice =
	(kind: RulesetKind): Slice<RuleFormSlice<RulesetForm, RulesetPurpose>> =>
	(set, get, ports) => {
		const {type, list} = kind;
		return createRuleForm<RulesetForm, RulesetPurpose, RulesetEnding>(
			kind,
			{
				getOpenedZone: () => get()[list].data?.zone,
				begin(formId, purpose, zone) {
					const {data} = get()[list];
					return createRulesetForm(
						type,
						formId,
						purpose,
						zone,
						data?.zone.id === zone.id ? data.ruleset : undefined,
					);
				},
				refresh: form => form,
				async send(client, form, {signal, onStep}) {
					const {zone, ruleset} = form;
					const edit = buildFormEdit(form);
					if (!edit) throw new Failure('usage', 'No changes to send.');
					onStep('rule');
					const {changeRuleset} = await import('../../rulesets/change.ts');
					const listCommand = formatRulesCommand(zone, ['list', ...type.commandOptions]);
					return changeRuleset(
						client,
						{zoneId: zone.id, phase: type.phase, baseline: ruleset, edit, inspectCommand: listCommand},
						{signal, onRecheck: () => onStep('looking')},
					);
				},
				/** Reads the state again if it is unknown whether the change was made. */
				async lookAgain(client, form, ending, {signal, onWritten}) {
					if (ending.state !== 'unsure') return ending;
					const newEnding = await ending.lookAgain(client, {signal});
					if (newEnding.state === 'done') onWritten(kind.describeWrite(form, 'rule'));
					return newEnding;
				},
				/** Shows the ending in the list as well. */
				showInLists(form, ending) {
					const {id} = form.zone;
					switch (ending.state) {
						case 'done': {
							const {version} = ending.ruleset;
							get()[list].noteLastChange(form.zone, {
								effect: describeFormEnding(form, ending),
								rulesBefore: getListedRules({ruleset: form.ruleset}),
								createdVersion: version,
							});
							get()[list].show(id, ending.ruleset);
							if (ending.rule?.id !== undefined) get()[list].focusRow(ending.rule.id, id);
							return;
						}
						case 'changed meanwhile':
							get()[list].show(id, ending.currentRuleset);
							return;
						case 'unsure':
							if (get()[list].data?.zone.id === id) get()[list].markStale();
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
	};
