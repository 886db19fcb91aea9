import {planRecreation, type RecreationStep} from '../../managed/recreation.ts';
import type {Has} from '../../store/ledge-store.ts';
import {createListActions} from '../list/screen.ts';
import {getManagedBlockedReason} from '../managed/actions.ts';
import {hasUnsentEdits} from '../managed/state.ts';
import {createActionFactory, withSelection} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {
	getLeftBehindItem,
	getRecreationStep,
	type LeftItem,
	leftBehindList,
	readLeftBehind,
} from './slice.ts';

/** Opens what the migration left behind, from the active managed rules. */
export const leftBehindEntryAction: Action = createActionFactory('Managed rules in force', ['managed'])(
	'managed.left-behind',
	['L'],
	'what the migration left behind, to recreate it here',
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
		),
	},
);

/** Explains why the item under the cursor cannot be recreated here; undefined if it can. */
function getRecreateBlockedReason(
	state: Has<'leftBehind' | 'managed' | 'connection'> & Has<'work', 'list'>,
): string | undefined {
	const item = getLeftBehindItem(state);
	if (!item) return leftBehindList.none;
	const blockedReason = getManagedBlockedReason(state);
	if (blockedReason) return blockedReason;
	const step = getRecreationStep(item, state);
	if (step?.kind === 'recreated') return 'it is in force, or among the changes that are not sent';
	return step?.kind === 'by hand' ? step.why : undefined;
}

/** Applies the edits of a step locally; nothing is sent before the review. */
function applyStep({state}: App, {left}: LeftItem, step: Extract<RecreationStep, {kind: 'edits'}>): void {
	for (const edit of step.edits) state().managed.applyEdit(edit);
	const restText = step.rest.length > 0 ? ` Recreate by hand: ${step.rest.join(', ')}.` : '';
	if (state().messages.latest?.kind === 'failed') return;
	state().messages.say(`Among the changes, not sent yet: ${left.what} ${left.id}.${restText}`);
}

function recreate(app: App, item: LeftItem): void {
	const {state} = app;
	const step = getRecreationStep(item, state());
	if (step?.kind === 'edits') applyStep(app, item, step);
	const contents = state().managed.data?.activeRules?.catalogue;
	if (step?.kind !== 'choice' || !contents) return;
	const {what, setting} = item.left;
	state().catalogue.open({
		title: `${what}, ${setting}: which rules?`,
		rulesets: contents,
		rulesetId: step.ruleset,
		configuration: state().managed.data?.configuration,
		query: step.query,
		pickMode: 'several',
		initialMarks: step.found,
		actionLabel: step.purpose === 'override' ? 'override them' : 'skip them',
		onPick(rules) {
			const managed = state().managed.data;
			if (!managed?.activeRules || rules.length === 0) return;
			const {activeRules, configuration} = managed;
			const plan = planRecreation(item.left, {catalogue: activeRules.catalogue, configuration}, rules);
			if (plan.kind === 'edits') applyStep(app, item, plan);
			else state().messages.say('These rules are so already.');
		},
	});
}

/** Returns to the managed rules and opens the review of the changes. */
function openManagedReview({state}: App): void {
	state().navigation.back();
	state().managed.toStep('review');
}

/** The actions on what a migration left behind. */
export const leftBehindActions: readonly Action[] = [
	leftBehindList.action(
		'left.recreate',
		['enter'],
		'recreate it among the managed rules; nothing is sent before the review',
		{
			hint: 'recreate',
			searchTerms: ['make again', 'restore', 'add', 'override', 'exception'],
			...leftBehindList.withCurrentRow(recreate, getRecreateBlockedReason),
		},
	),
	leftBehindList.action('left.review', ['s'], 'review the changes, and send them', {
		hint: 'review',
		searchTerms: ['send', 'apply', 'deploy'],
		getUnavailableReason: ({managed: {data: managed}}) =>
			hasUnsentEdits(managed) ? undefined : 'nothing was changed',
		run: openManagedReview,
	}),
	leftBehindList.action('left.undo', ['u'], 'undo the last change that is not sent', {
		hint: 'undo',
		searchTerms: ['take back', 'revert'],
		getUnavailableReason: ({managed: {data: managed}}) =>
			hasUnsentEdits(managed) ? undefined : 'nothing was changed',
		run: ({state}) => state().managed.undoEdit(),
	}),
	...createListActions(leftBehindList, 'show only what has a text in it', [
		{shortcut: 'y', noun: 'the id', hint: 'copy the id', getText: ({left}) => left.id},
	]),
];
