import {fitBesideList, getBodyRows} from '../../components/layout.ts';
import {getTheme} from '../../components/theme.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {formatQuantity} from '../../text/figures.ts';
import {listMarkedFirewallRules, listVisibleRules} from '../firewall/list.ts';
import {hiddenMarksReason} from '../list/list.ts';
import {getWriteBlockedReason} from '../rulesets/actions.ts';
import {createActionFactory, getReadOnlyReason, withSelection} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {askBeforeWrite} from '../shell/confirmation.ts';
import {getCurrentScreen} from '../shell/screen-name.ts';
import type {ZoneWithLabel} from '../shell/zone-with-label.ts';
import {createRequestActions} from '../write-flow/actions.ts';
import {buildMergeNoteRows, buildMergeReviewRows} from './rows.ts';
import {
	findMergedRule,
	getMergeObstacle,
	getMergeRequests,
	getOldRulesObstacle,
	getReadyMerge,
	type MergeSource,
	type MergeState,
} from './state.ts';

const action = createActionFactory('Custom rules from firewall rules', ['merge']);

const creationLabel = 'creating custom rules';
const deletionLabel = 'deleting firewall rules';

const {marks} = getTheme('none', true);

const findDeletionWork = ({work: {list: work}}: StateWith<'work', 'list'>) =>
	work.find(({subject}) => subject?.kind === 'old firewall rules');

const isDeleting = (state: StateWith<'work', 'list'>): boolean => findDeletionWork(state) !== undefined;

/** Computes the columns of the text between its margins. */
export const getMergeColumns = (columns: number): number => columns - 6;

/** Computes the height of the notes below the rules, in rows; 0 if there is no room for them. */
export const computeNoteRows = (rows: number): number =>
	Math.max(0, fitBesideList(Math.max(5, Math.floor(getBodyRows(rows) * 0.5)) + 1, getBodyRows(rows), 4) - 1);

/** Computes the maximum scroll offset of the notes or the review, in rows. */
function computeLastTop(
	state: StateWith<'merge' | 'connection' | 'customRules'> & StateWith<'navigation', 'viewport'>,
): number {
	const merge = state.merge.data;
	const {viewport} = state.navigation;
	const columns = getMergeColumns(viewport.columns);
	const isReview = merge?.step !== 'rules';
	const {length} = (isReview ? buildMergeReviewRows : buildMergeNoteRows)(state, columns, marks);
	return Math.max(0, length - (isReview ? getBodyRows(viewport.rows) : computeNoteRows(viewport.rows)));
}

/** Moves in the rules, or scrolls the review. */
export function moveOrScrollMerge(
	state: StateWith<'merge', 'data' | 'move' | 'show'> &
		StateWith<'navigation', 'viewport'> &
		StateWith<'connection' | 'customRules'>,
	distance: number,
): void {
	const merge = state.merge.data;
	if (merge?.step === 'rules') state.merge.move(distance);
	else if (merge) state.merge.show({top: Math.max(0, Math.min(computeLastTop(state), merge.top + distance))});
}

/** Reads firewall rules and custom rules; if firewall rules are retired, asks for an export file. */
export function readMergeRules(app: App): void {
	const {state} = app;
	const name = state().merge.data?.zone.name ?? '';
	void state()
		.work.run(`loading the rules of ${name}`, 'read', signal => state().merge.load(signal))
		.then(() => {
			const merge = state().merge.data;
			const dialog = state().dialog.current;
			if (merge?.failure?.code !== 'gone' || getCurrentScreen(state()) !== 'merge' || dialog) return;
			state().messages.clear();
			askForFile(app, merge.zone);
		});
}

function openMerge(app: App, zone: ZoneWithLabel, source: MergeSource): void {
	app.state().merge.open(zone, source);
	app.state().navigation.go('merge');
	readMergeRules(app);
}

/** Asks for an export file, and opens the merge of its rules. */
function askForFile(app: App, zone: ZoneWithLabel): void {
	const {resolveInputPath, checkInputPath, completeInputPath} = app.state().paths;
	const firewall = app.state().firewall.data;
	const isRetired = firewall?.zone.id === zone.id && firewall.failure?.code === 'gone';
	app.state().dialog.openField({
		title: `Custom rules for ${zone.name} from an export`,
		lines: [
			...(isRetired || app.state().merge.data?.failure?.code === 'gone'
				? ['The service has retired firewall rules here.']
				: []),
			'A file made with  ledge firewall export --zone NAME --output FILE',
			'You review its rules first; nothing is sent yet.',
		],
		value: '',
		actionLabel: 'preview the rules',
		complete: completeInputPath,
		check: checkInputPath,
		submit: typedPath => openMerge(app, zone, {kind: 'file', path: resolveInputPath(typedPath)}),
	});
}

function startMerge(app: App, zone: ZoneWithLabel): void {
	const firewall = app.state().firewall.data;
	const merge = app.state().merge.data;
	// A deletion in progress stays visible until it ends.
	if (isDeleting(app.state()) && merge?.zone.id === zone.id) app.state().navigation.go('merge');
	else if (firewall?.zone.id === zone.id && firewall.failure?.code === 'gone') askForFile(app, zone);
	else openMerge(app, zone, {kind: 'zone', ruleIds: listSelectedRuleIds(app.state())});
}

/** Lists the ids of the firewall rules that are marked and shown, in their list; undefined if none is marked. */
function listSelectedRuleIds(
	state: StateWith<'firewall'> & StateWith<'navigation', 'stack'>,
): readonly string[] | undefined {
	const firewall = state.firewall.data;
	if (getCurrentScreen(state) !== 'firewall' || !firewall) return undefined;
	const markedIds = listMarkedFirewallRules(firewall).map(({id}) => id);
	const shownIds = listVisibleRules(firewall).map(({id}) => id);
	return markedIds.length === 0 ? undefined : markedIds.filter(id => shownIds.includes(id));
}

/** Opens the merge from the firewall rules and the custom rules. */
export const mergeEntryActions: readonly Action[] = (['firewall', 'customRules'] as const).map(listScreen =>
	createActionFactory(listScreen === 'firewall' ? 'Firewall' : 'Custom rules', [listScreen])(
		`${listScreen === 'firewall' ? 'firewall' : 'custom'}.merge`,
		['m'],
		listScreen === 'firewall'
			? 'create custom rules from the selected or all firewall rules'
			: 'create custom rules from firewall rules',
		{
			effect: 'prepares a write',
			searchTerms: [
				'convert',
				'migrate rules',
				'from old to new',
				'export apply',
				'merge',
				'copy firewall rules',
			],
			isActive: ({customRules: {data: customRules}}) =>
				listScreen === 'firewall' || customRules?.movingRuleId === undefined,
			...withSelection(
				state => state[listScreen].data?.zone,
				'no zone is open',
				startMerge,
				state => (listSelectedRuleIds(state)?.length === 0 ? hiddenMarksReason : undefined),
			),
		},
	),
);

const isInStep =
	(step: MergeState['step']) =>
	({merge: {data: merge}}: StateWith<'merge'>): boolean =>
		merge?.step === step;
const isInReview = ({merge: {data: merge}}: StateWith<'merge'>): boolean =>
	merge !== undefined && merge.step !== 'rules';

const getSendBlockedReason = (
	state: StateWith<'customRules' | 'connection' | 'merge'> & StateWith<'work', 'list'>,
): string | undefined =>
	getWriteBlockedReason(state, state.customRules.data, 'custom rules') ?? getMergeObstacle(state);

/** Sends the request of the review; asks for the zone's name if a new rule lets requests through or stops most of them. */
function send({state}: App): void {
	const merge = state().merge.data;
	const readyMerge = getReadyMerge(state());
	if (!merge || !readyMerge || !state().merge.wasVisibleLongEnough()) return;
	const ruleCountText = formatQuantity(readyMerge.result.addedRules.length, 'custom rule');
	const question = {
		title: `Create ${ruleCountText} in ${merge.zone.name}?`,
		reasons: readyMerge.broadRuleReasons,
		lines: ['They take effect immediately, with one request. Firewall rules are kept.'],
		actionLabel: `create ${ruleCountText}`,
		isReviewed: true,
	};
	askBeforeWrite(
		state(),
		merge.zone,
		question,
		() =>
			void state().work.run(creationLabel, 'write', signal => state().merge.send(readyMerge, signal), {
				kind: 'custom rules',
			}),
	);
}

/** Explains why the firewall rules cannot be deleted now; undefined if they can. */
function getDeleteBlockedReason(
	state: StateWith<'connection' | 'merge' | 'customRules'> & StateWith<'work', 'list'>,
): string | undefined {
	if (state.connection.data?.readOnly) return getReadOnlyReason(state);
	if (isDeleting(state)) return `still ${deletionLabel}`;
	const obstacle = getOldRulesObstacle(state);
	if (obstacle !== undefined || state.merge.data?.step !== 'deletion') return obstacle;
	return state.merge.data.deletion?.deletionPlans.length ? undefined : 'no firewall rules to delete';
}

function deleteReviewedRules({state}: App): void {
	const merge = state().merge.data;
	const deletion = merge?.deletion;
	if (!merge || !deletion || !state().merge.wasVisibleLongEnough()) return;
	const question = {
		title: `Delete ${formatQuantity(deletion.deletionPlans.length, 'firewall rule')} from ${merge.zone.name}?`,
		reasons: ['The custom rules created from them are kept. This cannot be undone.'],
		actionLabel: 'delete the rules',
	};
	askBeforeWrite(
		state(),
		merge.zone,
		question,
		() =>
			void state().work.run(
				deletionLabel,
				'write',
				signal => state().merge.deleteOldRules(deletion, signal),
				{
					kind: 'old firewall rules',
				},
			),
	);
}

/** Returns the id of the rule that the new rules are placed before, or undefined if they are placed last. */
function findPlacementRuleId(state: StateWith<'merge' | 'customRules'>): string | undefined {
	const row = findMergedRule(state);
	const id = row?.isNew ? undefined : row?.rule.id;
	return id === state.merge.data?.nextRuleId ? undefined : id;
}

/** True if the cursor is on an existing rule, or the new rules can be placed last again. */
const canPlaceNewRules = (state: StateWith<'merge' | 'customRules'>): boolean =>
	findPlacementRuleId(state) !== undefined || state.merge.data?.nextRuleId !== undefined;

/** The actions of the merge. */
export const mergeActions: readonly Action[] = [
	action('merge.review', ['enter'], 'review the request that creates the rules', {
		effect: 'prepares a write',
		hint: 'review',
		isActive: isInStep('rules'),
		getUnavailableReason: getSendBlockedReason,
		run: ({state}) => state().merge.show({step: 'request', top: 0}),
	}),
	action('merge.send', ['y'], 'send the request that creates the rules', {
		effect: 'writes',
		hint: 'send',
		isDestructive: true,
		isActive: isInStep('request'),
		getUnavailableReason: getSendBlockedReason,
		run: send,
	}),
	action('merge.place', ['b'], 'place the new rules before the rule under the cursor, or back at the end', {
		hint: 'place new rules',
		searchTerms: ['place', 'position', 'order', 'last'],
		isActive: isInStep('rules'),
		getUnavailableReason(state) {
			if (!getReadyMerge(state)?.result.addedRules.length) return 'no rules to create';
			return canPlaceNewRules(state) ? undefined : 'the cursor is not on an existing rule';
		},
		run: ({state}) => state().merge.placeNewRules(findPlacementRuleId(state())),
	}),
	action('merge.file', ['o'], 'use the rules in an export file', {
		effect: 'prepares a write',
		hint: 'from file',
		searchTerms: ['exported rules', 'rules from a file'],
		isActive: isInStep('rules'),
		...withSelection(
			({merge: {data: merge}}) => merge?.zone,
			'no zone is open',
			(app, zone) => askForFile(app, zone),
		),
	}),
	action('merge.zone', ['z'], 'use the firewall rules of the zone again', {
		isActive: state => isInStep('rules')(state) && state.merge.data?.source.kind === 'file',
		...withSelection(
			({merge: {data: merge}}) => merge?.zone,
			'no zone is open',
			(app, zone) => openMerge(app, zone, {kind: 'zone'}),
		),
	}),
	action('merge.old', ['d'], 'delete the old firewall rules, after a review', {
		effect: 'prepares a write',
		hint: 'delete old rules',
		searchTerms: ['remove', 'delete old'],
		isDestructive: true,
		isActive: isInStep('rules'),
		getUnavailableReason: getDeleteBlockedReason,
		run: ({state}) =>
			void state().work.run('loading the firewall rules', 'read', signal =>
				state().merge.reviewOldRules(signal),
			),
	}),
	action('merge.delete', ['y'], 'delete the reviewed firewall rules', {
		effect: 'writes',
		hint: 'delete',
		isDestructive: true,
		isActive: isInStep('deletion'),
		getUnavailableReason: getDeleteBlockedReason,
		run: deleteReviewedRules,
	}),
	action('merge.stop', ['ctrl-x'], 'stop the deletion; rules already deleted stay deleted', {
		hint: 'stop',
		isActive: isDeleting,
		run: ({state}) =>
			state().dialog.open({
				kind: 'confirm',
				title: 'Stop the deletion?',
				lines: ['Rules already deleted stay deleted. The remaining rules are reloaded afterwards.'],
				actionLabel: 'stop the deletion',
				confirm: () => findDeletionWork(state())?.cancel(),
			}),
	}),
	...createRequestActions({
		id: 'merge',
		group: 'Custom rules from firewall rules',
		where: ['merge'],
		isActive: isInReview,
		listRequests: getMergeRequests,
		toggleView({state}) {
			const {data: merge, show} = state().merge;
			show({shows: merge?.shows === 'curl' ? 'requests' : 'curl', top: 0});
		},
	}),
	action('merge.read-on', ['space'], 'one page down in the review', {
		hint: 'more',
		isActive: isInReview,
		getHintPlace: state => ((state.merge.data?.top ?? 0) < computeLastTop(state) ? undefined : 'none'),
		getUnavailableReason: state => (computeLastTop(state) > 0 ? undefined : 'everything is already visible'),
		run: ({state}) => moveOrScrollMerge(state(), getBodyRows(state().navigation.viewport.rows) - 1),
	}),
	action('merge.more', ['space'], 'show more details', {
		hint: 'more',
		isActive: isInStep('rules'),
		getUnavailableReason: state =>
			computeNoteRows(state.navigation.viewport.rows) === 0
				? 'the window is too small for the details'
				: computeLastTop(state) > 0
					? undefined
					: 'everything is already visible',
		run({state}) {
			const lastTop = computeLastTop(state());
			const top = state().merge.data?.top ?? 0;
			const pageRows = Math.max(1, computeNoteRows(state().navigation.viewport.rows) - 1);
			state().merge.show({top: top >= lastTop ? 0 : Math.min(lastTop, top + pageRows)});
		},
	}),
];
