import {formatCustomRuleAction} from '../../firewall/rules/custom-rule-words.ts';
import {listSkippedNames} from '../../firewall/rules/skip.ts';
import {formatRuleName} from '../../firewall/rules/users.ts';
import {describeRuleChange} from '../../rulesets/change-words.ts';
import {buildMoveEdit} from '../../rulesets/edit.ts';
import type {RulesetRule} from '../../rulesets/ruleset.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {toDrawable} from '../../text/columns.ts';
import {cutEnd} from '../../text/cut.ts';
import {describeStartEffect, describeStopEffect} from '../firewall/effects.ts';
import {buildRulesetActions, getWriteBlockedReason} from '../rulesets/actions.ts';
import {withSelection} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {
	type CustomRulesState,
	customRuleList,
	type ExistingRule,
	getCustomRulePosition,
	getCustomRules,
	getSelectedCustomRule,
} from './state.ts';

const {defineAction, isActive: isListActive} = customRuleList;
const isMoving = ({customRules: {data}}: StateWith<'customRules'>): boolean =>
	data?.movingRuleId !== undefined;

/** Explains why custom rules cannot be changed here; undefined if they can. */
export const getCustomRulesBlockedReason = (
	state: StateWith<'customRules' | 'connection'> & StateWith<'work', 'list'>,
): string | undefined => getWriteBlockedReason(state, state.customRules.data, 'custom rules');

const findSelectedRule = ({customRules: {data}}: StateWith<'customRules'>) => getSelectedCustomRule(data);

/** Builds the part of an action that works on the rule under the cursor. */
const withSelectedRule = (
	execute: (app: App, rule: ExistingRule) => void,
	getRefusal = getCustomRulesBlockedReason,
) => withSelection(findSelectedRule, customRuleList.noRowReason, execute, getRefusal);

/** Describes a rule unmistakably: "rule 3 (block): Scrapers". */
const describeCustomRule = (state: CustomRulesState, rule: RulesetRule): string =>
	`rule ${getCustomRulePosition(getCustomRules(state), rule)} (${toDrawable(formatCustomRuleAction(rule))}): ${cutEnd(toDrawable(rule.description || rule.expression), 160)}`;

/** Describes a rule for a dialog, with its expression below a description. */
const describeCustomRuleFully = (state: CustomRulesState, rule: RulesetRule): readonly string[] => [
	describeCustomRule(state, rule),
	...(rule.description ? [cutEnd(toDrawable(rule.expression), 400)] : []),
];

const getEffect = (rule: RulesetRule) => ({action: rule.action, products: listSkippedNames(rule)});

/** Pauses an active rule, or resumes a paused one, after a confirmation. */
function togglePause({state}: App, rule: ExistingRule): void {
	const {data, plan, write} = state().customRules;
	if (!data) return;
	const isPausing = rule.enabled !== false;
	const newState = isPausing ? 'paused' : 'active again';
	write(
		{
			plan: plan(getCustomRules(data).map(one => (one.id === rule.id ? {...one, enabled: !isPausing} : one))),
			label: `${isPausing ? 'pausing' : 'resuming'} custom rule ${rule.id}`,
			auditLabel: `${isPausing ? 'pause' : 'resume'} custom rule ${rule.id}`,
			describeEffect: () => `The rule is ${newState}: ${formatRuleName(rule)}.`,
			unknownOutcome: `whether the rule is ${newState}`,
		},
		{
			title: isPausing ? 'Pause this rule?' : 'Resume this rule?',
			lines: [
				...describeCustomRuleFully(data, rule),
				isPausing ? describeStopEffect(getEffect(rule)) : describeStartEffect(getEffect(rule)),
			],
			actionLabel: isPausing ? 'pause rule' : 'resume rule',
		},
	);
}

function deleteRule({state}: App, rule: ExistingRule): void {
	const {data, plan, write} = state().customRules;
	if (!data) return;
	write(
		{
			plan: plan(getCustomRules(data).filter(({id}) => id !== rule.id)),
			label: `deleting custom rule ${rule.id}`,
			auditLabel: `delete custom rule ${rule.id}`,
			describeEffect: () =>
				`Rule deleted: ${formatRuleName({...rule, action: formatCustomRuleAction(rule)})}.`,
			unknownOutcome: 'whether the rule was deleted',
		},
		{
			title: 'Delete this rule?',
			lines: [
				...describeCustomRuleFully(data, rule),
				rule.enabled === false
					? 'It is paused and currently has no effect.'
					: describeStopEffect(getEffect(rule)),
				'To restore it: press u right afterwards, or V (earlier versions) at any time.',
			],
			actionLabel: 'delete rule',
		},
	);
}

/** Sends the order of the preview. Enter was the confirmation, unless the zone's name is needed. */
function sendMove({state}: App): void {
	const {data, plan, write, cancelMove} = state().customRules;
	if (data?.movingRuleId === undefined) return;
	const {movingRuleId: id, rows: order} = data;
	// If two rules swap positions, either could have moved; the edit names the one that the user moved.
	const movePlan = plan(order, buildMoveEdit(order, id));
	if (!movePlan.send) cancelMove();
	write(
		{
			plan: movePlan,
			label: `moving custom rule ${id}`,
			auditLabel: `move custom rule ${id} to position ${getCustomRulePosition(order, {id})}`,
			describeEffect: ({rules}) =>
				`Rule moved to position ${getCustomRulePosition(rules, {id})} of ${rules.length}: ${id}.`,
			unknownOutcome: 'which position the rule is at',
		},
		{actionLabel: 'send the new order'},
	);
}

/** The changes offered in the list. Each one first shows its effect on requests. */
export const customRuleChanges: readonly Action[] = [
	defineAction('custom.pause', ['p'], 'pause the custom rule', {
		effect: 'writes',
		hint: 'pause',
		searchTerms: ['unblock', 'disable', 'turn off'],
		isActive: state => isListActive(state) && findSelectedRule(state)?.enabled !== false,
		...withSelectedRule(togglePause),
	}),
	defineAction('custom.resume', ['p'], 'resume the custom rule', {
		effect: 'writes',
		hint: 'resume',
		searchTerms: ['enable', 'turn on', 'unpause'],
		isActive: state => isListActive(state) && findSelectedRule(state)?.enabled === false,
		...withSelectedRule(togglePause),
	}),
	defineAction('custom.delete', ['d'], 'delete the custom rule', {
		effect: 'writes',
		hint: 'delete',
		searchTerms: ['remove'],
		isDestructive: true,
		...withSelectedRule(deleteRule),
	}),
	defineAction('custom.move', ['O'], 'move the custom rule (changes the order)', {
		effect: 'prepares a write',
		hint: 'move',
		searchTerms: ['move up', 'move down', 'move to top', 'reorder', 'order', 'priority', 'position'],
		...withSelectedRule(
			({state}) => state().customRules.beginMove(),
			state =>
				getCustomRulesBlockedReason(state) ??
				(state.customRules.data?.rows.length === 1 ? 'it is the only rule' : undefined),
		),
	}),
	defineAction('custom.drop-move', ['esc'], 'cancel the move', {
		paletteMode: 'never',
		hint: 'cancel',
		isActive: isMoving,
		run: app => app.state().customRules.cancelMove(),
	}),
	defineAction('custom.send-move', ['enter'], 'send the new order', {
		effect: 'writes',
		paletteMode: 'never',
		hint: 'send the new order',
		isDestructive: true,
		isActive: isMoving,
		getUnavailableReason: getCustomRulesBlockedReason,
		run: sendMove,
	}),
	...buildRulesetActions({
		rulesNoun: 'custom rules',
		screen: 'customRules',
		ids: {versions: 'custom.versions', undo: 'custom.undo'},
		group: 'Custom rules',
		where: ['customRules'],
		isActive: isListActive,
		isUndoActive: isListActive,
		getOpenedRules: ({customRules: {data: customRules}}) => customRules,
		getBlockedReason: getCustomRulesBlockedReason,
		describeChange: describeRuleChange,
	}),
];
