import {hasEnded} from '../../firewall/rules/end-time.ts';
import {listSkippedNames} from '../../firewall/rules/skip.ts';
import {formatRuleName} from '../../firewall/rules/users.ts';
import {nameKey} from '../../keyboard/named-keys.ts';
import {buildMoveEdit} from '../../rulesets/edit.ts';
import type {RulesetRule} from '../../rulesets/ruleset.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {toDrawable} from '../../text/columns.ts';
import {cutEnd} from '../../text/cut.ts';
import {formatInteger, formatQuantity} from '../../text/figures.ts';
import {capitalize} from '../../text/one-line.ts';
import {describeEndedRules, describeStartEffect, describeStopEffect} from '../firewall/effects.ts';
import {hiddenMarksReason} from '../list/list.ts';
import {createMarkActions, describeHiddenMarks} from '../list/screen.ts';
import {cutToLine, listFirst} from '../rows/dialog-lines.ts';
import {withSelection} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {rulesetActionIds} from './action-ids.ts';
import {buildRulesetActions, getWriteBlockedReason} from './actions.ts';
import {
	type ExistingRule,
	findRulePosition,
	getListedRules,
	type RuleList,
	type RuleListState,
} from './rule-list.ts';
import type {RuleType} from './rule-type.ts';
import type {RulesetPlan} from './writes.ts';

type RuleListScreens = StateWith<RuleType['listScreen'] | 'connection'> & StateWith<'work', 'list'>;

/** Explains why rules of a list cannot be changed here; undefined if they can. */
export const getRulesWriteBlockedReason = (
	{listScreen, noun}: RuleType,
	state: RuleListScreens,
): string | undefined => getWriteBlockedReason(state, state[listScreen].data, `${noun}s`);

/** Lists the rules that an action is for: the marked ones, or the one under the cursor. */
function listTargetRules(list: RuleList, data: RuleListState | undefined): readonly ExistingRule[] {
	return data
		? list.listTargets(data).flatMap(rule => (rule.id === undefined ? [] : {...rule, id: rule.id}))
		: [];
}

/** Lists the rules whose end has passed. */
function listEndedRules(data: RuleListState | undefined): readonly ExistingRule[] {
	return data
		? getListedRules(data).flatMap(rule =>
				rule.id !== undefined && hasEnded(rule.expression) ? {...rule, id: rule.id} : [],
			)
		: [];
}

const areAllPaused = (rules: readonly RulesetRule[]): boolean =>
	rules.length > 0 && rules.every(({enabled}) => enabled === false);

/** Names a rule by its number in the list: "rule 3". */
const formatPosition = ({shortNoun}: RuleType, state: RuleListState, rule: ExistingRule): string =>
	`${shortNoun} ${formatInteger(findRulePosition(getListedRules(state), rule))}`;

/** Describes a rule unmistakably: "rule 3 (block): Scrapers". */
const describeRule = ({shortNoun, formatAction}: RuleType, state: RuleListState, rule: RulesetRule): string =>
	`${shortNoun} ${findRulePosition(getListedRules(state), rule)} (${toDrawable(formatAction(rule))}): ${cutEnd(toDrawable(rule.description || rule.expression), 160)}`;

/** Describes a rule for a dialog, with its expression below a description. */
const describeRuleFully = (type: RuleType, state: RuleListState, rule: RulesetRule): readonly string[] => [
	describeRule(type, state, rule),
	...(rule.description ? [cutEnd(toDrawable(rule.expression), 400)] : []),
];

const getEffect = ({affectedRequests}: RuleType, rule: RulesetRule) => ({
	action: rule.action,
	products: listSkippedNames(rule),
	affectedRequests,
});

/** Describes the rules that a question is about: one fully, of several the first ones in a line each. */
function describeRules(
	type: RuleType,
	state: RuleListState,
	rules: readonly RulesetRule[],
): readonly string[] {
	const [only] = rules;
	return only && rules.length === 1
		? describeRuleFully(type, state, only)
		: listFirst(rules.map(rule => cutToLine(describeRule(type, state, rule))));
}

/** Formats rules for log and status lines: the id of one, or how many. */
const formatTargets = ({noun}: RuleType, rules: readonly ExistingRule[]): string =>
	rules.length === 1 ? `${noun} ${rules[0]?.id}` : formatQuantity(rules.length, noun);

/** Formats how many rules a question is about: "rule", "3 rules". */
const formatCount = ({shortNoun}: RuleType, rules: readonly unknown[]): string =>
	rules.length === 1 ? shortNoun : formatQuantity(rules.length, shortNoun);

/** Names rules in a sentence that begins with them: "The rule", "3 rules". */
const formatSubject = (type: RuleType, rules: readonly unknown[]): string =>
	rules.length === 1 ? `The ${type.shortNoun}` : formatCount(type, rules);

/** True if the reasons for the zone's name, which the question shows first, describe the effect. */
const statesEffect = ({reasonsStateEffect}: RuleType, {zoneNameReasons}: RulesetPlan): boolean =>
	reasonsStateEffect && zoneNameReasons.length > 0;

/** Describes what changes for requests when rules are paused or resumed, unless the reasons do. */
function describePauseEffects(
	type: RuleType,
	rules: readonly RulesetRule[],
	isPausing: boolean,
	plan: RulesetPlan,
): readonly string[] {
	const matchingRules = rules.filter(({expression}) => !hasEnded(expression));
	if (matchingRules.length === 0) return [describeEndedRules(rules.length)];
	if (statesEffect(type, plan)) return [];
	const describeEffect = isPausing ? describeStopEffect : describeStartEffect;
	return [...new Set(matchingRules.map(rule => describeEffect(getEffect(type, rule))))];
}

/** Pauses the active rules among these, or resumes all of them if none is active, after a confirmation. */
function togglePauses(list: RuleList, {state}: App, targets: readonly ExistingRule[]): void {
	const {type} = list;
	const {data, plan, write} = list.getSlice(state());
	if (!data) return;
	const isPausing = !areAllPaused(targets);
	const rules = isPausing ? targets.filter(({enabled}) => enabled !== false) : targets;
	const ids = rules.map(({id}) => id);
	const [first] = rules;
	if (!first) return;
	const isOne = rules.length === 1;
	const newState = isPausing ? 'paused' : 'active again';
	const verb = isPausing ? 'pause' : 'resume';
	const count = formatCount(type, rules);
	const rulesetPlan = plan(
		getListedRules(data).map(one =>
			one.id !== undefined && ids.includes(one.id) ? {...one, enabled: !isPausing} : one,
		),
	);
	write(
		{
			plan: rulesetPlan,
			label: `${isPausing ? 'pausing' : 'resuming'} ${formatTargets(type, rules)}`,
			auditLabel: `${verb} ${formatTargets(type, rules)}`,
			describeEffect: () =>
				isOne
					? `${formatSubject(type, rules)} is ${newState}: ${formatRuleName(first)}.`
					: `${formatSubject(type, rules)} are ${newState}.`,
			unknownOutcome: isOne
				? `whether the ${count} is ${newState}`
				: `whether the ${type.shortNoun}s are ${newState}`,
		},
		{
			title: `${isPausing ? 'Pause' : 'Resume'} ${isOne ? formatPosition(type, data, first) : count}?`,
			lines: [
				...describeRules(type, data, rules),
				...(rules.length < targets.length
					? [
							`Already paused: ${formatQuantity(targets.length - rules.length, `selected ${type.shortNoun}`)}.`,
						]
					: []),
				...describePauseEffects(type, rules, isPausing, rulesetPlan),
			],
			actionLabel: `${verb} ${count}`,
		},
	);
}

/** Describes what changes for requests when rules are deleted, unless the reasons for the zone's name do. */
function describeDeletionEffects(
	type: RuleType,
	rules: readonly RulesetRule[],
	plan: RulesetPlan,
): readonly string[] {
	const endedCount = rules.filter(({expression}) => hasEnded(expression)).length;
	if (endedCount === rules.length) return [describeEndedRules(rules.length)];
	const activeRules = rules.filter(({enabled, expression}) => enabled !== false && !hasEnded(expression));
	const idleCount = rules.length - activeRules.length;
	const effects = statesEffect(type, plan)
		? []
		: [...new Set(activeRules.map(rule => describeStopEffect(getEffect(type, rule))))];
	if (idleCount === 0) return effects;
	return rules.length === 1
		? ['It is paused and currently has no effect.']
		: [
				...effects,
				`${endedCount > 0 ? 'Paused or ended' : 'Paused'}, so without effect now: ${formatInteger(idleCount)} of them.`,
			];
}

function deleteRules(list: RuleList, {state}: App, rules: readonly ExistingRule[]): void {
	const {type} = list;
	const {data, plan, write} = list.getSlice(state());
	const [first] = rules;
	if (!data || !first) return;
	const isOne = rules.length === 1;
	const ids = rules.map(({id}) => id);
	const count = formatCount(type, rules);
	const actionIds = rulesetActionIds[type.listScreen];
	const rulesetPlan = plan(getListedRules(data).filter(({id}) => id === undefined || !ids.includes(id)));
	write(
		{
			plan: rulesetPlan,
			label: `deleting ${formatTargets(type, rules)}`,
			auditLabel: `delete ${formatTargets(type, rules)}`,
			describeEffect: () =>
				isOne
					? `${capitalize(type.shortNoun)} deleted: ${formatRuleName({...first, action: type.formatAction(first)})}.`
					: `${formatSubject(type, rules)} deleted.`,
			unknownOutcome: isOne
				? `whether the ${count} was deleted`
				: `whether the ${type.shortNoun}s were deleted`,
		},
		{
			title: `Delete ${isOne ? formatPosition(type, data, first) : count}?`,
			lines: [
				...describeRules(type, data, rules),
				...describeHiddenMarks(rules, list.listMarked(data), list.listVisible(data)),
				...describeDeletionEffects(type, rules, rulesetPlan),
				`To undo: press ${nameKey(actionIds.undo, 'u')} right afterwards, or ${nameKey(actionIds.versions, 'V')} (earlier versions) at any time.`,
			],
			actionLabel: `delete ${count}`,
		},
	);
}

/** Sends the order of the preview, after a question. */
function sendMove(list: RuleList, {state}: App): void {
	const {noun, shortNoun} = list.type;
	const {data, plan, write, cancelMove} = list.getSlice(state());
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
			label: `moving ${noun} ${id}`,
			auditLabel: `move ${noun} ${id} to position ${findRulePosition(order, {id})}`,
			describeEffect: ({rules}) =>
				`${capitalize(shortNoun)} moved to position ${findRulePosition(rules, {id})} of ${rules.length}: ${id}.`,
			unknownOutcome: `which position the ${shortNoun} is at`,
		},
		{
			title: `Move this ${shortNoun} to position ${findRulePosition(order, {id})} of ${order.length}?`,
			lines: describeRuleFully(list.type, data, movedRule),
			actionLabel: `move ${shortNoun}`,
		},
	);
}

/** Builds the changes offered in a list of rules. Each one first shows its effect on requests. */
export function buildRuleListChanges(list: RuleList): readonly Action[] {
	const {defineAction, type, id: prefix} = list;
	const {noun, shortNoun} = type;
	const getData = (state: StateWith<RuleType['listScreen']>) => state[type.listScreen].data;
	const getBlockedReason = (state: RuleListScreens) => getRulesWriteBlockedReason(type, state);
	const isMoving = (state: StateWith<RuleType['listScreen']>): boolean =>
		getData(state)?.movingRuleId !== undefined;
	const isListActive = (state: StateWith<RuleType['listScreen']>): boolean => !isMoving(state);
	const isInList = (state: StateWith<RuleType['listScreen']>): boolean =>
		isListActive(state) && getData(state)?.detail === undefined;

	/** Builds the part of an action that works on the marked rules or the one under the cursor. */
	const withTargets = (execute: (list: RuleList, app: App, rules: readonly ExistingRule[]) => void) =>
		withSelection(
			(state: RuleListScreens) => {
				const rules = listTargetRules(list, getData(state));
				return rules.length > 0 ? rules : undefined;
			},
			list.noRowReason,
			(app, rules) => execute(list, app, rules),
			(state: RuleListScreens) => {
				const data = getData(state);
				const areMarksHidden =
					data && listTargetRules(list, getData(state)).length === 0 && list.listMarked(data).length > 0;
				return getBlockedReason(state) ?? (areMarksHidden ? hiddenMarksReason : undefined);
			},
		);

	/** Puts the hint of an action on the marked rules before the others. */
	const getHintPlace = (state: StateWith<RuleType['listScreen']>): 'first' | undefined => {
		const data = getData(state);
		return data && list.listMarked(data).length > 0 ? 'first' : undefined;
	};

	return [
		defineAction(`${prefix}.pause`, ['p'], `pause the selected ${noun}s or the ${shortNoun}`, {
			effect: 'writes',
			hint: 'pause',
			getHintPlace,
			searchTerms: ['unblock', 'disable', 'turn off'],
			isActive: state => isListActive(state) && !areAllPaused(listTargetRules(list, getData(state))),
			...withTargets(togglePauses),
		}),
		defineAction(`${prefix}.resume`, ['p'], `resume the selected ${noun}s or the ${shortNoun}`, {
			effect: 'writes',
			hint: 'resume',
			getHintPlace,
			searchTerms: ['enable', 'turn on', 'unpause'],
			isActive: state => isListActive(state) && areAllPaused(listTargetRules(list, getData(state))),
			...withTargets(togglePauses),
		}),
		defineAction(`${prefix}.delete`, ['d'], `delete the selected ${noun}s or the ${shortNoun}`, {
			effect: 'writes',
			hint: 'delete',
			getHintPlace,
			searchTerms: ['remove'],
			isDestructive: true,
			...withTargets(deleteRules),
		}),
		defineAction(`${prefix}.delete-ended`, ['Z'], `delete the ${noun}s that have ended`, {
			effect: 'writes',
			hint: `delete ended ${shortNoun}s`,
			paletteMode: 'at once',
			searchTerms: ['ended rules', 'expired', 'remove ended', 'clean up'],
			isDestructive: true,
			isActive: isListActive,
			...withSelection(
				(state: RuleListScreens) => {
					const endedRules = listEndedRules(getData(state));
					return endedRules.length > 0 ? endedRules : undefined;
				},
				'none has ended',
				(app, endedRules) => deleteRules(list, app, endedRules),
				getBlockedReason,
			),
		}),
		defineAction(`${prefix}.move`, ['O'], `move the ${noun} (changes the order)`, {
			effect: 'prepares a write',
			hint: 'move',
			searchTerms: ['move up', 'move down', 'move to top', 'reorder', 'order', 'priority', 'position'],
			...withSelection(
				(state: RuleListScreens) => list.getSelectedRule(getData(state)),
				list.noRowReason,
				({state}) => list.getSlice(state()).beginMove(),
				(state: RuleListScreens) =>
					getBlockedReason(state) ??
					(getData(state)?.rows.length === 1 ? `it is the only ${shortNoun}` : undefined),
			),
		}),
		defineAction(`${prefix}.drop-move`, ['esc'], 'cancel the move', {
			paletteMode: 'never',
			hint: 'cancel',
			isActive: isMoving,
			run: app => list.getSlice(app.state()).cancelMove(),
		}),
		defineAction(`${prefix}.send-move`, ['enter'], 'send the new order', {
			effect: 'writes',
			paletteMode: 'never',
			hint: 'send the new order',
			isDestructive: true,
			isActive: isMoving,
			getUnavailableReason: getBlockedReason,
			run: app => sendMove(list, app),
		}),
		...createMarkActions(list, noun, {getHintPlace, isActive: isInList}),
		...buildRulesetActions({
			rulesNoun: `${noun}s`,
			screen: type.listScreen,
			group: list.group,
			where: [list.screen],
			isActive: isListActive,
			isUndoActive: isListActive,
			getOpenedRules: getData,
			getBlockedReason,
		}),
	];
}
