import type {Failure} from '../../failure.ts';
import {findProposalBlocker} from '../../managed/proposal.ts';
import {describeEdit} from '../../migration/configuration/difference-words.ts';
import {managedPhase} from '../../rulesets/ruleset.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {toDrawable} from '../../text/columns.ts';
import {formatQuantity} from '../../text/figures.ts';
import type {CatalogueRequest} from '../catalogue/state.ts';
import {hasLoaded} from '../list/reading.ts';
import {buildEditActions, editSelectedRow, getRowEditRefusal} from '../managed-edit/actions.ts';
import {browseRules} from '../managed-edit/ask-override.ts';
import {buildEditRows} from '../managed-edit/edit-rows.ts';
import {buildRulesetActions, getWriteBlockedReason} from '../rulesets/actions.ts';
import {createActionFactory, createPartPredicate, withClipboardCopy, withSelection} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {withFailureDetails} from '../shell/global-actions.ts';
import {createScrollActions} from '../shell/scrolling.ts';
import {createRequestActions} from '../write-flow/actions.ts';
import {getManagedExtent} from './body.ts';
import {buildManagedRequests, getLastEdits, hasUnsentEdits, listNotDeployed} from './state.ts';

const group = 'Active managed rules';
const where = ['managed'] as const;
const action = createActionFactory(group, where);

const isInStep = createPartPredicate(({managed: {data: managed}}: StateWith<'managed'>) => managed?.step);
const isShowingRules = (state: StateWith<'managed'>): boolean => !isInStep('review')(state);

/** Returns why nothing can be changed here, or why the last operation failed. */
const getShownFailure = ({managed: {data: managed}}: StateWith<'managed'>): Failure | undefined =>
	managed?.obstacle ?? managed?.activeRules?.readOnlyReason ?? managed?.failure;

/** Explains why nothing can be changed here; undefined if it can. */
export function getManagedBlockedReason(
	state: StateWith<'managed' | 'connection'> & StateWith<'work', 'list'>,
): string | undefined {
	const managed = state.managed.data;
	if (managed?.activeRules?.readOnlyReason && hasLoaded(managed))
		return managed.activeRules.readOnlyReason.message;
	return getWriteBlockedReason(state, managed, 'managed rules');
}

/**
 * Opens the browser of all managed rules of the zone. Picking rules overrides them. `onLeave`: called after it
 * is left without a pick.
 */
export function browseManaged(
	app: App,
	{query, onLeave}: Pick<CatalogueRequest, 'query' | 'onLeave'> = {},
): void {
	const {state} = app;
	const managed = state().managed.data;
	const contents = managed?.activeRules?.catalogue;
	if (!contents) return;
	const canPick = getManagedBlockedReason(state()) === undefined;
	browseRules(app, {
		...managed,
		rulesets: contents,
		query,
		onLeave,
		pickMode: canPick ? 'several' : 'nothing',
	});
}

/** Asks which managed ruleset to deploy. */
function askDeployment(app: App): void {
	const editor = app.state().managed.getEditor();
	const managed = app.state().managed.data;
	if (!editor || !managed) return;
	app.state().dialog.open({
		kind: 'choice',
		title: 'Deploy which managed ruleset?',
		lines: ['It is added at the end, for all requests. Nothing is sent before the review.'],
		choices: listNotDeployed(managed).map(({id, name}) => ({value: id, label: name})),
		choose(ruleset) {
			const currentEditor = app.state().managed.getEditor();
			currentEditor?.apply({kind: 'ruleset deployed', ruleset});
			currentEditor?.move(Number.POSITIVE_INFINITY);
		},
	});
}

function getDeployBlockedReason(
	state: StateWith<'managed' | 'connection'> & StateWith<'work', 'list'>,
): string | undefined {
	const blockedReason = getManagedBlockedReason(state);
	if (blockedReason) return blockedReason;
	const managed = state.managed.data;
	if (managed?.activeRules?.catalogue === undefined) return 'the managed rulesets could not be read';
	return listNotDeployed(managed).length > 0
		? undefined
		: 'all managed rulesets of the zone are already deployed';
}

/** Sends what the review shows; asks for the zone's name if it reduces protection. */
function send({state}: App): void {
	const {getReviewedChange, wasVisibleLongEnough, write} = state().managed;
	const change = getReviewedChange();
	if (!change || !wasVisibleLongEnough()) return;
	const {zone} = change.plan;
	const title = `Change the managed rules of ${zone.name}?`;
	write(change, {title, actionLabel: 'change the rules', isReviewed: true});
}

/** Returns the id of the rule or override under the cursor. */
function getSelectedId({managed: {data: managed}}: StateWith<'managed'>): string | undefined {
	const row = managed && buildEditRows(managed.configuration)[managed.cursor];
	if (!row) return undefined;
	if (row.kind === 'override') return row.id;
	const id = managed.configuration.rules[row.index]?.id;
	return typeof id === 'string' ? id : undefined;
}

/** Switches between the request and `curl`, and scrolls to it: the differences above it may fill the screen. */
function toggleRequestView({state}: App): void {
	state().managed.toggleView();
	const {requestTop = 0, lastTop} = getManagedExtent(state());
	state().managed.scroll(requestTop, lastTop);
}

/** Maximum changes that the question before undoing lists; the others are counted. */
const maxListedEdits = 5;

/** Undoes the last unsent change. Asks first if it undoes several that were made together. */
export function undoManagedEdit({state}: App): void {
	const managed = state().managed.data;
	const edits = managed ? getLastEdits(managed) : [];
	if (edits.length < 2) {
		state().managed.undoEdit();
		return;
	}
	const countText = formatQuantity(edits.length, 'change');
	const hiddenCount = edits.length - maxListedEdits;
	state().dialog.open({
		kind: 'confirm',
		title: `Undo ${countText}?`,
		lines: [
			'They were made together, and are undone together.',
			...edits
				.slice(0, maxListedEdits)
				.map(({edit, before}) => toDrawable(describeEdit(edit, before, managed?.activeRules?.catalogue))),
			...(hiddenCount > 0 ? [`… ${hiddenCount} more`] : []),
		],
		actionLabel: `undo ${countText}`,
		confirm: () => state().managed.undoEdit(),
	});
}

const hasEdits = ({managed: {data: managed}}: StateWith<'managed'>): boolean => hasUnsentEdits(managed);

const scrolling: Parameters<typeof createScrollActions>[1] = {
	getExtent: getManagedExtent,
	getTop: state => state.managed.data?.top,
	scroll: (state, distance, lastTop) => state.managed.scroll(distance, lastTop),
};
const createReviewScroll = createScrollActions(
	{id: 'managed', group, where, isActive: isInStep('review')},
	scrolling,
);
const createDetailScroll = createScrollActions(
	{id: 'managed.aside', group, where, isActive: isShowingRules},
	scrolling,
);

const [versionsAction, undoSentAction] = buildRulesetActions({
	rulesNoun: 'managed rules',
	screen: 'managed',
	group,
	where,
	isActive: isShowingRules,
	isUndoActive: state => !hasEdits(state),
	getOpenedRules: ({managed: {data: managed}}) =>
		managed && {...managed, ruleset: managed.activeRules?.ruleset},
	getBlockedReason: getManagedBlockedReason,
});

/** The actions of the active managed rules. */
export const managedActions: readonly Action[] = [
	action('managed.send', ['y'], 'send the reviewed changes in one call', {
		effect: 'writes',
		hint: 'send',
		isDestructive: true,
		isActive: isInStep('review'),
		getUnavailableReason: state =>
			getManagedBlockedReason(state) ??
			(state.managed.data?.proposal?.edit ? undefined : 'no difference from the active rules'),
		run: send,
	}),
	action('managed.review', ['enter', 'ctrl-s'], 'review your changes before sending', {
		effect: 'prepares a write',
		hint: 'review',
		searchTerms: ['send', 'apply', 'deploy'],
		isActive: isShowingRules,
		getUnavailableReason: state => (hasEdits(state) ? undefined : 'no changes'),
		run: ({state}) => state().managed.toStep('review'),
	}),
	action('managed.open-row', ['enter'], 'edit the selected row (while nothing is unsent)', {
		effect: 'prepares a write',
		hint: 'edit',
		isActive: state => isShowingRules(state) && !hasEdits(state),
		getUnavailableReason: state => getManagedBlockedReason(state) ?? getRowEditRefusal(state),
		run: editSelectedRow,
	}),
	action('managed.undo', ['u'], 'undo the last unsent change; asks before undoing several', {
		hint: 'undo',
		searchTerms: ['take back', 'revert'],
		isActive: hasEdits,
		run: undoManagedEdit,
	}),
	undoSentAction,
	...buildEditActions({
		idPrefix: 'managed',
		group,
		where,
		isActive: isShowingRules,
		getRefusal: getManagedBlockedReason,
	}),
	action('managed.deploy', ['D'], 'deploy another managed ruleset', {
		effect: 'prepares a write',
		hint: 'deploy',
		searchTerms: ['new', 'add ruleset', 'available'],
		isActive: isShowingRules,
		getUnavailableReason: getDeployBlockedReason,
		run: askDeployment,
	}),
	action('managed.browse', ['b', '/'], 'search all managed rules and their effect here, and override them', {
		hint: 'browse',
		searchTerms: ['catalogue', 'search rules', 'find rule', 'look up', 'which rule blocks', 'false positive'],
		isActive: isShowingRules,
		...withSelection(
			({managed: {data: managed}}) => managed?.activeRules?.catalogue,
			'the managed rulesets could not be read',
			app => browseManaged(app),
		),
	}),
	versionsAction,
	action('managed.copy', ['y'], 'copy the rule id', {
		hint: 'copy id',
		isActive: isShowingRules,
		...withClipboardCopy(getSelectedId, 'no id yet: the rule is new'),
	}),
	...createRequestActions({
		id: 'managed',
		group,
		where,
		isActive: isInStep('review'),
		listRequests: ({managed: {data: managed}}) => (managed ? buildManagedRequests(managed) : []),
		getObstacle({managed: {data: managed}}) {
			const {activeRules, proposal} = managed ?? {};
			const blocker = activeRules && proposal && findProposalBlocker(activeRules, proposal);
			return blocker && [blocker.message, blocker.details.why].filter(Boolean).join(' ');
		},
		toggleView: toggleRequestView,
		findCheckableChange({managed: {data: managed}}) {
			const [request] = managed ? buildManagedRequests(managed) : [];
			return managed && request && {zoneId: managed.zone.id, phase: managedPhase, request};
		},
	}),
	action('managed.why', ['i'], 'show why it was not sent or cannot be changed', {
		hint: 'why',
		isActive: state => getShownFailure(state) !== undefined,
		...withFailureDetails(getShownFailure),
	}),
	createDetailScroll('down', ['ctrl-d'], 'scroll the details down', 'line down', 'more'),
	createDetailScroll('up', ['ctrl-u'], 'scroll the details up', 'line up'),
	createReviewScroll('page-down', ['space'], 'one page down in the review', 'page down', 'more'),
];
