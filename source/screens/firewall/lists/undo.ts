import {
	type FirewallEdit,
	getEditItem,
	listEditDifferences,
	previewEdits,
} from '../../../firewall/rules/edits.ts';
import type {Filter} from '../../../firewall/rules/filter.ts';
import {findFirewallRuleZoneNameReasons} from '../../../firewall/rules/name-reasons.ts';
import type {Rule} from '../../../firewall/rules/rule.ts';
import {findFilterUsers} from '../../../firewall/rules/users.ts';
import type {StateWith} from '../../../store/ledge-store.ts';
import {toDrawable} from '../../../text/columns.ts';
import {cutEnd} from '../../../text/cut.ts';
import {formatInteger, formatQuantity} from '../../../text/figures.ts';
import {capitalize} from '../../../text/one-line.ts';
import {cutToLine, listFirst} from '../../rows/dialog-lines.ts';
import {withSelection} from '../../shell/action.ts';
import type {Action, App} from '../../shell/app.ts';
import {askBeforeWrite} from '../../shell/confirmation.ts';
import {describeLaterChange} from '../../zones/later-change.ts';
import {describeEndedRules, describeStartEffect, describeStopEffect} from '../effects.ts';
import {canRuleMatch, firewallList, hasRuleEnded, isRule} from '../list.ts';
import type {FirewallState} from '../state.ts';
import {listRemainingEdits, type UndoStep} from '../undo.ts';
import {formatUndoSubject, pickMainEdits} from '../undo-words.ts';
import {describeRule, describeRuleFully} from './rule-words.ts';
import {getFirewallBlockedReason, runWrites} from './targets.ts';

type UndoState = StateWith<'firewall', 'data' | 'undoSteps'> &
	StateWith<'customRules' | 'managed' | 'rateLimits', 'getLastChange'>;

/** Returns the last change to the open zone that can be undone. */
const findLastStep = (state: UndoState): UndoStep | undefined =>
	state.firewall.undoSteps.findLast(
		step => step.zoneId === state.firewall.data?.zone.id && listRemainingEdits(state, step).length > 0,
	);

/** Explains why the last change to the open zone cannot be undone; undefined if it can. */
function findLastProblem(state: UndoState): string | undefined {
	const {data: firewall, undoSteps} = state.firewall;
	const lastStep = undoSteps.findLast(({zoneId}) => zoneId === firewall?.zone.id);
	if (!lastStep || lastStep.problem !== undefined) return lastStep?.problem;
	return listRemainingEdits(state, lastStep).length > 0
		? undefined
		: `${formatUndoSubject(lastStep.edits)} no longer ${pickMainEdits(lastStep.edits).length === 1 ? 'exists' : 'exist'}`;
}

/** Explains why nothing can be undone now: rules cannot be changed, or are being written. */
function getUndoBlockedReason(
	state: UndoState & StateWith<'connection'> & StateWith<'work', 'list'>,
): string | undefined {
	const zoneId = state.firewall.data?.zone.id ?? '';
	if (!findLastStep(state))
		return findLastProblem(state) ?? describeLaterChange(state, 'firewall', {zoneId, number: 0});
	for (const {subject} of state.work.list)
		if (subject && 'ids' in subject) return `still ${subject.activityLabel}`;
	return getFirewallBlockedReason(state);
}

/** Asks before the last change is undone, as the write that it sends would, and undoes it. */
function undoLastStep(app: App, step: UndoStep): void {
	const firewall = app.state().firewall.data;
	if (!firewall) return;
	const edits = listRemainingEdits(app.state(), step);
	const {before, after} = previewEdits(firewall.rules, edits);
	const mainEdits = pickMainEdits(edits);
	const kind = mainEdits[0]?.kind ?? 'rule';
	const problem = findLastProblem(app.state());
	const laterChange = describeLaterChange(app.state(), 'firewall', step);
	const isLast = problem === undefined && laterChange === undefined;
	const question = {
		title: isLast ? 'Undo the last change?' : 'Undo an earlier change?',
		reasons: findFirewallRuleZoneNameReasons(firewall.zone, before, after),
		lines: [
			...(laterChange === undefined ? [] : [`${capitalize(laterChange)}.`]),
			...(problem === undefined
				? []
				: [
						`The last change ${laterChange === undefined ? '' : 'of the firewall rules '}can't be undone: ${toDrawable(problem)}.`,
					]),
			...(isLast ? [] : [laterChange === undefined ? 'The change before it:' : 'Change to undo:']),
			...describeUndo(firewall, edits, mainEdits),
		],
		actionLabel: 'undo',
	};
	const ids = mainEdits.map(edit => getEditItem(edit).id);
	askBeforeWrite(app.state(), firewall.zone, question, () =>
		runWrites(app, {kind, ids}, 'undoing the change of', (firewall, signal, progress) =>
			firewall.undoStep(step, signal, progress),
		),
	);
}

/** Describes what an undo sends, and its effect on requests. */
function describeUndo(
	state: FirewallState,
	edits: readonly FirewallEdit[],
	mainEdits: readonly FirewallEdit[],
): readonly string[] {
	const [first] = mainEdits;
	if (!first) return [];
	const itemLines =
		mainEdits.length === 1
			? [...describeItem(state, first), ...listDifferences(first)]
			: listFirst(mainEdits.map(edit => describeInLine(state, edit)));
	return [
		...itemLines,
		...new Set(
			mainEdits
				.filter(edit => mainEdits.length === 1 || !isIdle(edit))
				.flatMap(edit => describeEffects(state, edit)),
		),
		...(mainEdits.length === 1 ? [] : describeIdleRules(mainEdits.filter(isIdle).length)),
		...describeCreation(edits),
		...describeDeletion(edits),
	];
}

/** True if the rule has no effect after the undo, nor before it. */
const isIdle = (edit: FirewallEdit): boolean =>
	edit.kind === 'rule' &&
	edit.after !== undefined &&
	!canRuleMatch(edit.after) &&
	!(edit.before && canRuleMatch(edit.before));

const describeIdleRules = (count: number): readonly string[] =>
	count === 0
		? []
		: [
				`${formatInteger(count)} of them ${count === 1 ? 'has' : 'have'} no effect: the rule or its filter is paused, or it has ended.`,
			];

const listDifferences = ({before, after}: FirewallEdit): readonly string[] =>
	before && after ? listEditDifferences(before, after).map(line => cutEnd(toDrawable(line), 200)) : [];

/** Returns the rule or filter as the lists show it. */
const getShownItem = ({before, after}: FirewallEdit) => (before ?? after) as Rule | Filter;

function describeItem(state: FirewallState, edit: FirewallEdit): readonly string[] {
	const item = getShownItem(edit);
	return isRule(item)
		? describeRuleFully(state, item)
		: [`filter: ${cutEnd(toDrawable(item.expression), 160)}`];
}

/** Describes one of several edits: "state: paused → active for rule 3 (block): …". */
function describeInLine(state: FirewallState, edit: FirewallEdit): string {
	const item = getShownItem(edit);
	const name = isRule(item) ? describeRule(state, item) : toDrawable(item.expression);
	return cutToLine([listDifferences(edit).join(', '), name].filter(Boolean).join(' for '));
}

/** Describes what the undo of one edit means for requests. */
function describeEffects({rules}: FirewallState, edit: FirewallEdit): readonly string[] {
	const {before, after} = edit;
	if (edit.kind === 'rule') {
		if (edit.after) return describeRuleEffect(edit.before, edit.after);
		return edit.before && canRuleMatch(edit.before) ? [describeStopEffect(edit.before)] : [];
	}
	if (!before || !after || !('expression' in after)) return [];
	const users = findFilterUsers(after.id, rules);
	if (users.length === 0) return ['No rule uses it: nothing changes for requests.'];
	if (before.paused === after.paused) return [`This affects ${formatQuantity(users.length, 'rule')}.`];
	return users.flatMap(rule =>
		describeRuleEffect({...rule, filter: {...after, paused: before.paused}}, {...rule, filter: after}),
	);
}

function describeRuleEffect(before: Rule | undefined, after: Rule): readonly string[] {
	const [wasActive, isActive] = [before !== undefined && canRuleMatch(before), canRuleMatch(after)];
	if (!isActive) {
		if (before && wasActive) return [describeStopEffect(before)];
		if (hasRuleEnded(after)) return [describeEndedRules(1)];
		return before
			? ['Nothing changes for requests: it or its filter is paused.']
			: ['It has no effect: it or its filter is paused.'];
	}
	const hasSameEffect =
		wasActive && before?.action === after.action && before.products?.join() === after.products?.join();
	return hasSameEffect ? [] : [describeStartEffect(after)];
}

/** Says that what was deleted gets new ids; nothing if nothing was deleted. */
function describeCreation(edits: readonly FirewallEdit[]): readonly string[] {
	const created = edits.filter(({before}) => !before);
	const ruleCount = created.filter(({kind}) => kind === 'rule').length;
	const filterCount = created.length - ruleCount;
	if (created.length === 0) return [];
	if (ruleCount === 0) return ['The filter is created again, with a new id.'];
	if (ruleCount > 1)
		return [
			`They are created again${filterCount > 0 ? `, with ${formatQuantity(filterCount, 'filter')}` : ', on the filters that were kept'}. All of these get new ids; the priorities are the same as before.`,
		];
	return [
		filterCount > 0
			? 'The rule and its filter are created again, with new ids. It has the same priority as before.'
			: 'The rule is created again, with a new id, on the filter that was kept. It has the same priority as before.',
	];
}

/** Says that what was created is deleted; nothing if nothing was created. */
function describeDeletion(edits: readonly FirewallEdit[]): readonly string[] {
	const kinds = edits.flatMap(({kind, after}) => (after ? [] : [kind]));
	if (!kinds.includes('rule'))
		return kinds.length === 0 ? [] : ['You created this filter; it is deleted, unless something uses it.'];
	return kinds.includes('filter')
		? ['You created this rule; it is deleted, and its filter too, unless something else uses it.']
		: ['You created this rule; it is deleted, and its filter stays.'];
}

/** The action that undoes the last change. */
export const undoAction: Action = firewallList.defineAction(
	'firewall.undo',
	['u'],
	'undo the last change made here',
	{
		effect: 'writes',
		paletteMode: 'never',
		hint: 'undo',
		searchTerms: ['restore rule', 'undelete rule', 'revert', 'take back', 'roll back'],
		...withSelection(findLastStep, 'nothing to undo in this zone', undoLastStep, getUndoBlockedReason),
	},
);
