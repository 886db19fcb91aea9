import {formatCustomRuleAction} from '../../firewall/rules/custom-rule-words.ts';
import {hasEnded} from '../../firewall/rules/end-time.ts';
import {listSkippedNames} from '../../firewall/rules/skip.ts';
import {formatRuleName} from '../../firewall/rules/users.ts';
import {buildMoveEdit} from '../../rulesets/edit.ts';
import type {RulesetRule} from '../../rulesets/ruleset.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {toDrawable} from '../../text/columns.ts';
import {cutEnd} from '../../text/cut.ts';
import {formatInteger, formatQuantity} from '../../text/figures.ts';
import {describeStartEffect, describeStopEffect} from '../firewall/effects.ts';
import {hiddenMarksReason} from '../list/list.ts';
import {cutToLine, listFirst} from '../rows/dialog-lines.ts';
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

/** Lists the rules that an action is for: the marked ones, or the one under the cursor. */
const listTargetCustomRules = ({customRules: {data}}: StateWith<'customRules'>): readonly ExistingRule[] =>
	data
		? customRuleList.listTargets(data).flatMap(rule => (rule.id === undefined ? [] : {...rule, id: rule.id}))
		: [];

/** Lists the rules whose end has passed. */
const listEndedCustomRules = ({customRules: {data}}: StateWith<'customRules'>): readonly ExistingRule[] =>
	data
		? getCustomRules(data).flatMap(rule =>
				rule.id !== undefined && hasEnded(rule.expression) ? {...rule, id: rule.id} : [],
			)
		: [];

const areAllPaused = (rules: readonly RulesetRule[]): boolean =>
	rules.length > 0 && rules.every(({enabled}) => enabled === false);

/** Builds the part of an action that works on the marked rules or the one under the cursor. */
const withTargetCustomRules = (execute: (app: App, rules: readonly ExistingRule[]) => void) =>
	withSelection(
		state => {
			const rules = listTargetCustomRules(state);
			return rules.length > 0 ? rules : undefined;
		},
		customRuleList.noRowReason,
		execute,
		state =>
			getCustomRulesBlockedReason(state) ??
			(state.customRules.data &&
			listTargetCustomRules(state).length === 0 &&
			customRuleList.listMarked(state.customRules.data).length > 0
				? hiddenMarksReason
				: undefined),
	);

/** Names a rule by its number in the list: "rule 3". */
const formatPosition = (state: CustomRulesState, rule: ExistingRule): string =>
	`rule ${formatInteger(getCustomRulePosition(getCustomRules(state), rule))}`;

/** Describes a rule unmistakably: "rule 3 (block): Scrapers". */
const describeCustomRule = (state: CustomRulesState, rule: RulesetRule): string =>
	`rule ${getCustomRulePosition(getCustomRules(state), rule)} (${toDrawable(formatCustomRuleAction(rule))}): ${cutEnd(toDrawable(rule.description || rule.expression), 160)}`;

/** Describes a rule for a dialog, with its expression below a description. */
const describeCustomRuleFully = (state: CustomRulesState, rule: RulesetRule): readonly string[] => [
	describeCustomRule(state, rule),
	...(rule.description ? [cutEnd(toDrawable(rule.expression), 400)] : []),
];

const getEffect = (rule: RulesetRule) => ({action: rule.action, products: listSkippedNames(rule)});

/** Describes the rules that a question is about: one fully, of several the first ones in a line each. */
function describeCustomRules(state: CustomRulesState, rules: readonly RulesetRule[]): readonly string[] {
	const [only] = rules;
	return only && rules.length === 1
		? describeCustomRuleFully(state, only)
		: listFirst(rules.map(rule => cutToLine(describeCustomRule(state, rule))));
}

/** Names rules in a sentence that begins with them: "The rule", "3 rules". */
const formatSubject = (rules: readonly unknown[]): string =>
	rules.length === 1 ? 'The rule' : formatQuantity(rules.length, 'rule');

/** Pauses the active rules among these, or resumes all of them if none is active, after a confirmation. */
function togglePauses({state}: App, targets: readonly ExistingRule[]): void {
	const {data, plan, write} = state().customRules;
	if (!data) return;
	const isPausing = !areAllPaused(targets);
	const rules = isPausing ? targets.filter(({enabled}) => enabled !== false) : targets;
	const ids = rules.map(({id}) => id);
	const [first] = rules;
	if (!first) return;
	const isOne = rules.length === 1;
	const newState = isPausing ? 'paused' : 'active again';
	const nouns = isOne ? `custom rule ${first.id}` : formatQuantity(rules.length, 'custom rule');
	const shortNouns = isOne ? 'rule' : formatQuantity(rules.length, 'rule');
	write(
		{
			plan: plan(
				getCustomRules(data).map(one =>
					one.id !== undefined && ids.includes(one.id) ? {...one, enabled: !isPausing} : one,
				),
			),
			label: `${isPausing ? 'pausing' : 'resuming'} ${nouns}`,
			auditLabel: `${isPausing ? 'pause' : 'resume'} ${nouns}`,
			describeEffect: () =>
				isOne
					? `The rule is ${newState}: ${formatRuleName(first)}.`
					: `${formatSubject(rules)} are ${newState}.`,
			unknownOutcome: isOne ? `whether the rule is ${newState}` : `whether the rules are ${newState}`,
		},
		{
			title: `${isPausing ? 'Pause' : 'Resume'} ${isOne ? formatPosition(data, first) : shortNouns}?`,
			lines: [
				...describeCustomRules(data, rules),
				...(rules.length < targets.length
					? [`Already paused: ${formatQuantity(targets.length - rules.length, 'selected rule')}.`]
					: []),
				...new Set(
					rules.map(rule =>
						isPausing ? describeStopEffect(getEffect(rule)) : describeStartEffect(getEffect(rule)),
					),
				),
			],
			actionLabel: `${isPausing ? 'pause' : 'resume'} ${shortNouns}`,
		},
	);
}

/** Describes what changes for requests when rules are deleted. */
function describeDeletionEffects(rules: readonly RulesetRule[]): readonly string[] {
	const endedCount = rules.filter(({expression}) => hasEnded(expression)).length;
	if (endedCount === rules.length)
		return [
			rules.length === 1
				? 'It has ended and matches no more requests.'
				: 'They have ended and match no more requests.',
		];
	const activeRules = rules.filter(({enabled, expression}) => enabled !== false && !hasEnded(expression));
	const idleCount = rules.length - activeRules.length;
	const effects = [...new Set(activeRules.map(rule => describeStopEffect(getEffect(rule))))];
	if (idleCount === 0) return effects;
	return rules.length === 1
		? ['It is paused and currently has no effect.']
		: [
				...effects,
				`${endedCount > 0 ? 'Paused or ended' : 'Paused'}, so without effect now: ${formatInteger(idleCount)} of them.`,
			];
}

function deleteRules({state}: App, rules: readonly ExistingRule[]): void {
	const {data, plan, write} = state().customRules;
	const [first] = rules;
	if (!data || !first) return;
	const isOne = rules.length === 1;
	const ids = rules.map(({id}) => id);
	const nouns = isOne ? `custom rule ${first.id}` : formatQuantity(rules.length, 'custom rule');
	const shortNouns = isOne ? 'rule' : formatQuantity(rules.length, 'rule');
	write(
		{
			plan: plan(getCustomRules(data).filter(({id}) => id === undefined || !ids.includes(id))),
			label: `deleting ${nouns}`,
			auditLabel: `delete ${nouns}`,
			describeEffect: () =>
				isOne
					? `Rule deleted: ${formatRuleName({...first, action: formatCustomRuleAction(first)})}.`
					: `${formatSubject(rules)} deleted.`,
			unknownOutcome: isOne ? 'whether the rule was deleted' : 'whether the rules were deleted',
		},
		{
			title: `Delete ${isOne ? formatPosition(data, first) : shortNouns}?`,
			lines: [
				...describeCustomRules(data, rules),
				...describeDeletionEffects(rules),
				'To undo: press u right afterwards, or V (earlier versions) at any time.',
			],
			actionLabel: `delete ${shortNouns}`,
		},
	);
}

/** Sends the order of the preview, after a question. */
function sendMove({state}: App): void {
	const {data, plan, write, cancelMove} = state().customRules;
	if (data?.movingRuleId === undefined) return;
	const {movingRuleId: id, rows: order} = data;
	// If two rules swap positions, either could have moved; the edit names the one that the user moved.
	const movePlan = plan(order, buildMoveEdit(order, id));
	const movedRule = order.find(rule => rule.id === id);
	if (!movePlan.send || !movedRule) {
		cancelMove();
		state().messages.say('No difference, so nothing was sent.');
		return;
	}
	write(
		{
			plan: movePlan,
			label: `moving custom rule ${id}`,
			auditLabel: `move custom rule ${id} to position ${getCustomRulePosition(order, {id})}`,
			describeEffect: ({rules}) =>
				`Rule moved to position ${getCustomRulePosition(rules, {id})} of ${rules.length}: ${id}.`,
			unknownOutcome: 'which position the rule is at',
		},
		{
			title: `Move this rule to position ${getCustomRulePosition(order, {id})} of ${order.length}?`,
			lines: describeCustomRuleFully(data, movedRule),
			actionLabel: 'move rule',
		},
	);
}

/** Puts the hint of an action on the marked rules before the others. */
const putFirstIfMarked = ({customRules: {data}}: StateWith<'customRules'>): 'first' | undefined =>
	data && customRuleList.listMarked(data).length > 0 ? 'first' : undefined;

/** The changes offered in the list. Each one first shows its effect on requests. */
export const customRuleChanges: readonly Action[] = [
	defineAction('custom.pause', ['p'], 'pause the selected custom rules or the rule', {
		effect: 'writes',
		hint: 'pause',
		getHintPlace: putFirstIfMarked,
		searchTerms: ['unblock', 'disable', 'turn off'],
		isActive: state => isListActive(state) && !areAllPaused(listTargetCustomRules(state)),
		...withTargetCustomRules(togglePauses),
	}),
	defineAction('custom.resume', ['p'], 'resume the selected custom rules or the rule', {
		effect: 'writes',
		hint: 'resume',
		getHintPlace: putFirstIfMarked,
		searchTerms: ['enable', 'turn on', 'unpause'],
		isActive: state => isListActive(state) && areAllPaused(listTargetCustomRules(state)),
		...withTargetCustomRules(togglePauses),
	}),
	defineAction('custom.delete', ['d'], 'delete the selected custom rules or the rule', {
		effect: 'writes',
		hint: 'delete',
		getHintPlace: putFirstIfMarked,
		searchTerms: ['remove'],
		isDestructive: true,
		...withTargetCustomRules(deleteRules),
	}),
	defineAction('custom.delete-ended', ['Z'], 'delete the custom rules that have ended', {
		effect: 'writes',
		hint: 'delete ended',
		searchTerms: ['expired', 'remove ended', 'clean up'],
		isDestructive: true,
		isActive: state => isListActive(state) && listEndedCustomRules(state).length > 0,
		getUnavailableReason: getCustomRulesBlockedReason,
		run: app => deleteRules(app, listEndedCustomRules(app.state())),
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
	defineAction('custom.select', ['space'], 'select the custom rule', {
		paletteMode: 'never',
		hint: 'select',
		getHintPlace: putFirstIfMarked,
		searchTerms: ['mark', 'tick', 'check', 'pick'],
		isActive: state => isListActive(state) && state.customRules.data?.detail === undefined,
		...customRuleList.withCurrentRow(({state}) => state().customRules.toggleMark()),
	}),
	defineAction('custom.select-all', ['A'], 'select or deselect all shown custom rules', {
		searchTerms: ['mark all', 'deselect all', 'unselect'],
		isActive: state => isListActive(state) && state.customRules.data?.detail === undefined,
		...customRuleList.withCurrentRow(({state}) => state().customRules.toggleShownMarks()),
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
	}),
];
