import {planRecreation, type RecreationStep} from '../../managed/recreation.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {formatInteger, formatQuantity} from '../../text/figures.ts';
import {createDetailActions, createListActions} from '../list/screen.ts';
import {getManagedBlockedReason, undoManagedEdit} from '../managed/actions.ts';
import {hasUnsentEdits} from '../managed/state.ts';
import {createActionFactory, withSelection} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {getRecreationStep, type LeftItem, leftBehindList, readLeftBehind} from './slice.ts';

/** Opens what the migration left behind, from the active managed rules. */
export const leftBehindEntryAction: Action = createActionFactory('Active managed rules', ['managed'])(
	'managed.left-behind',
	['L'],
	'recreate what the migration left behind',
	{
		hint: 'left behind',
		searchTerms: ['recreate', 'not migrated', 'lost', 'missing rules', 'after the migration'],
		isActive: ({managed: {data: managed}}) => managed?.step !== 'review',
		...withSelection(
			({managed: {data: managed}}) => managed?.zone,
			'no zone is open',
			(app, zone) => {
				app.state().leftBehind.open(zone);
				app.state().navigation.go('leftBehind');
				readLeftBehind(app);
			},
			({managed: {data: managed}}) =>
				managed?.activeRules?.stage === 'previous' ? 'this zone has not migrated' : undefined,
		),
	},
);

/** Explains why the item under the cursor cannot be recreated here; undefined if it can. */
function getRecreateBlockedReason(
	state: StateWith<'leftBehind' | 'managed' | 'connection'> & StateWith<'work', 'list'>,
): string | undefined {
	const item = leftBehindList.getSelected(state.leftBehind.data);
	if (!item) return leftBehindList.noRowReason;
	const blockedReason = getManagedBlockedReason(state);
	if (blockedReason) return blockedReason;
	const step = getRecreationStep(item, state);
	if (step?.kind === 'recreated') return 'already active, or in the unsent changes';
	return step?.kind === 'by hand' ? step.why : undefined;
}

/** Applies the edits of a step locally; nothing is sent before the review. */
function applyStep(
	{state}: App,
	{leftover}: LeftItem,
	step: Extract<RecreationStep, {kind: 'edits'}>,
	chosenCount = 0,
): void {
	if (!state().managed.applyEdits(step.edits)) return;
	const manualStepsText = step.rest.length > 0 ? ` Recreate manually: ${step.rest.join(', ')}.` : '';
	const setCount = step.edits[0]?.kind === 'managed rule override' ? chosenCount - step.edits.length : 0;
	const alreadySetText =
		setCount > 0
			? ` ${formatInteger(setCount)} of ${formatQuantity(chosenCount, 'rule')} ${setCount === 1 ? 'was' : 'were'} already set this way.`
			: '';
	state().messages.say(
		`Added to the unsent changes: ${leftover.what} ${leftover.id}.${alreadySetText}${manualStepsText}`,
	);
}

function recreate(app: App, item: LeftItem): void {
	const {state} = app;
	const step = getRecreationStep(item, state());
	if (step?.kind === 'edits') applyStep(app, item, step);
	const contents = state().managed.data?.activeRules?.catalogue;
	if (step?.kind !== 'choice' || !contents) return;
	const {what, setting} = item.leftover;
	state().catalogue.open({
		title: `${what}, ${setting}: which rules?`,
		rulesets: contents,
		rulesetId: step.ruleset,
		configuration: state().managed.data?.configuration,
		query: step.query,
		pickMode: 'several',
		initialMarks: step.found,
		verb: step.purpose,
		onPick(rules) {
			const managed = state().managed.data;
			if (!managed?.activeRules || rules.length === 0) return;
			const {activeRules, configuration} = managed;
			const plan = planRecreation(item.leftover, {catalogue: activeRules.catalogue, configuration}, rules);
			state().leftBehind.choose(item.itemNumber, rules);
			if (plan.kind === 'edits') applyStep(app, item, plan, rules.length);
			else state().messages.say('No change: these rules are already set this way.');
		},
	});
}

/** Goes to the managed rules and opens the review of the changes. */
function openManagedReview({state}: App): void {
	state().navigation.go('managed');
	state().managed.toStep('review', 'leftBehind');
}

/** The actions on what a migration left behind. */
export const leftBehindActions: readonly Action[] = [
	leftBehindList.defineAction(
		'left.recreate',
		['enter'],
		'recreate it in the managed rules; nothing is sent before the review',
		{
			hint: 'recreate',
			searchTerms: ['make again', 'restore', 'add', 'override', 'exception'],
			...leftBehindList.withCurrentRow(recreate, getRecreateBlockedReason),
		},
	),
	leftBehindList.defineAction('left.review', ['ctrl-s'], 'review and send the changes', {
		hint: 'review',
		searchTerms: ['send', 'apply', 'deploy'],
		getUnavailableReason: ({managed: {data: managed}}) =>
			hasUnsentEdits(managed) ? undefined : 'no changes',
		run: openManagedReview,
	}),
	leftBehindList.defineAction(
		'left.undo',
		['u'],
		'undo the last unsent change; asks before undoing several',
		{
			hint: 'undo',
			searchTerms: ['take back', 'revert'],
			getUnavailableReason: ({managed: {data: managed}}) =>
				hasUnsentEdits(managed) ? undefined : 'no changes',
			run: undoManagedEdit,
		},
	),
	...createDetailActions(leftBehindList, undefined, ['right', 'l']),
	...createListActions(leftBehindList, 'filter the list', [
		{shortcut: 'y', noun: 'the id', hint: 'copy the id', getText: ({leftover}) => leftover.id},
	]),
];
