import {getBodyRows} from '../../components/layout.ts';
import {isSameState} from '../../kv/change/whole-key.ts';
import {findExpirationProblem, toEpochSeconds} from '../../kv/limits.ts';
import {trashLimits} from '../../kv/trash/limits.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {type ChosenKeys, formatChosenKeys} from '../keys/chosen-keys.ts';
import {promptForKeys} from '../keys/prompt-for-keys.ts';
import {buildLongWorkLines, getMeasuredKeyCount} from '../keys/work-time.ts';
import {
	createActionFactory,
	filterBehavior,
	getReadOnlyReason,
	withClipboardCopy,
	withSelection,
} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {getCurrentScreen} from '../shell/screen-name.ts';
import {askForStore} from '../transfer/choose-store.ts';
import {formatOtherStoreTitle} from '../transfer/other-store.ts';
import {computeDetailRows, getDetailLayout} from './detail-layout.ts';
import {type CompareSide, getCurrentDifference, getOppositeSide} from './state.ts';

const defineCompareAction = createActionFactory('Compare', ['compare']);

const getSelectedDifference = ({compare: {data: compare}}: StateWith<'compare'>) =>
	compare && getCurrentDifference(compare);
const isDetailOpen = ({compare: {data: compare}}: StateWith<'compare'>): boolean =>
	compare?.detail !== undefined;
const isListShown = (state: StateWith<'compare'>): boolean => !isDetailOpen(state);

/** Moves in the list, or scrolls the opened key. */
export function moveComparison(
	state: StateWith<'compare', 'data' | 'move' | 'scrollDifference'> & StateWith<'navigation', 'viewport'>,
	by: number,
): void {
	const compare = state.compare.data;
	const {viewport} = state.navigation;
	if (compare?.detail?.state !== 'read') {
		state.compare.move(by);
		return;
	}
	const {layout, sideBySide} = getDetailLayout(compare.detail, viewport);
	const lastTop = (layout?.rowCount ?? 0) - computeDetailRows(getBodyRows(viewport.rows), sideBySide);
	state.compare.scrollDifference(by, Math.max(0, lastTop));
}

/** Compares keys of the open namespace with the named store, on the Compare screen. */
function startComparison({state}: App, chosenKeys: ChosenKeys, storeName: string): void {
	const row = state().keys.data?.namespace;
	if (!row) return;
	state().compare.leave();
	state().navigation.go('compare');
	const other = formatOtherStoreTitle(row, storeName, state().namespaces.data);
	void state().work.run(
		`comparing ${formatChosenKeys(chosenKeys, row.title)} with ${other}`,
		'read',
		signal => state().compare.begin(row, chosenKeys, storeName, signal),
	);
}

/** Compares; asks first if there is a warning. */
function askBeforeComparison(
	app: App,
	chosenKeys: ChosenKeys,
	storeName: string,
	warning: string | undefined,
): void {
	const row = app.state().keys.data?.namespace;
	if (!row) return;
	if (warning === undefined) {
		startComparison(app, chosenKeys, storeName);
		return;
	}
	const other = formatOtherStoreTitle(row, storeName, app.state().namespaces.data);
	app.state().dialog.open({
		kind: 'confirm',
		title: `Compare ${formatChosenKeys(chosenKeys, row.title)} with ${other}?`,
		lines: [warning, 'Both are read; nothing is written.'],
		actionLabel: 'compare',
		confirm: () => startComparison(app, chosenKeys, storeName),
	});
}

/** Estimates how long the comparison takes, before the other store is chosen. */
function buildCompareTimeLines({state}: App, chosenKeys: ChosenKeys): readonly string[] {
	const keys = state().keys.data;
	const [time, narrowingAdvice] = keys
		? buildLongWorkLines(keys, chosenKeys, {content: 'both'}, getMeasuredKeyCount(state()))
		: [];
	if (time === undefined || narrowingAdvice === undefined) return [];
	return [time, 'Comparing with another store of the service takes twice as many calls.', narrowingAdvice];
}

/** Creates the actions of one key: it copies a key to the other side, or deletes one that only that side has. */
function createMergeActions(
	sourceSide: CompareSide,
	keys: Action['keys'],
	[from, to]: readonly [string, string],
): readonly Action[] {
	const deletes = (state: StateWith<'compare'>) => deletesInMerge(state, sourceSide);
	const shared = {
		effect: 'writes',
		getUnavailableReason: state => getMergeBlockedReason(state, sourceSide),
		run(app) {
			if (isDetailOpen(app.state())) askToMerge(app, sourceSide);
			else void openDifference(app).then(() => askIfPossible(app, sourceSide));
		},
	} satisfies Partial<Action>;
	return [
		defineCompareAction(`compare.merge-${sourceSide}`, keys, `copy from ${from} to ${to}`, {
			...shared,
			hint: `copy to ${to}`,
			searchTerms: ['merge', 'take over', 'resolve'],
			isActive: state => !deletes(state),
		}),
		defineCompareAction(
			`compare.delete-${sourceSide}`,
			keys,
			`delete on the ${to}, because the ${from} has no such key`,
			{
				...shared,
				hint: `delete on the ${to}`,
				isDestructive: true,
				isActive: deletes,
			},
		),
	];
}

/** True if the opened key, or else the selected one, does not exist on the side that is copied. */
function deletesInMerge({compare: {data: compare}}: StateWith<'compare'>, sourceSide: CompareSide): boolean {
	if (compare?.detail?.state === 'read') return compare.detail[sourceSide] === undefined;
	const kind = compare && getCurrentDifference(compare)?.kind;
	return kind === (sourceSide === 'one' ? 'only in other' : 'only in one');
}

/** Returns why the opened key, or else the selected one, cannot be merged. */
function getMergeBlockedReason(
	state: StateWith<'compare' | 'connection'>,
	sourceSide: CompareSide,
): string | undefined {
	const compare = state.compare.data;
	const selected = compare && getCurrentDifference(compare);
	if (!compare || !selected) return 'no difference selected';
	if (compare.detail?.state === 'reading') return 'the key is still loading';
	const readOnlyReason = getReadOnlyReason(state);
	if (readOnlyReason !== undefined) return readOnlyReason;
	if (!compare[getOppositeSide(sourceSide)].isWritable) return "files can't be changed here";
	if (!compare.detail) return compare.merged.has(selected.key) ? 'both sides are the same now' : undefined;
	if (isSameState(compare.detail.one, compare.detail.other)) return 'both sides are the same now';
	const expiration = compare.detail[sourceSide]?.expiration;
	return expiration !== undefined && findExpirationProblem(expiration, toEpochSeconds(Date.now()))
		? 'the key has expired or expires within a minute'
		: undefined;
}

/** Asks to merge the key that was just opened from the list, with its difference behind the question. */
function askIfPossible(app: App, sourceSide: CompareSide): void {
	const state = app.state();
	if (state.compare.data?.detail?.state !== 'read' || state.dialog.current) return;
	if (getCurrentScreen(state) !== 'compare') return;
	const reason = getMergeBlockedReason(state, sourceSide);
	if (reason !== undefined) {
		state.messages.warn(reason);
		return;
	}
	// A refusal returns to the list, where the question was asked.
	state.dialog.leadBackTo(() => void app.state().compare.leave());
	askToMerge(app, sourceSide);
}

const openDifference = ({state}: App): Promise<boolean> =>
	state().work.run('loading the key from both sides', 'read', signal =>
		state().compare.openDifference(signal),
	);

function askToMerge({state}: App, sourceSide: CompareSide): void {
	const compare = state().compare.data;
	const {open} = state().dialog;
	if (compare?.detail?.state !== 'read') return;
	const {detail} = compare;
	const targetStore = compare[getOppositeSide(sourceSide)];
	const overwrites = detail[getOppositeSide(sourceSide)] !== undefined;
	open({
		kind: 'confirm',
		title: detail[sourceSide]
			? `Write ${detail.key} to ${targetStore.title}?`
			: `Delete ${detail.key} from ${targetStore.title}?`,
		lines: [
			targetStore.label,
			detail[sourceSide]
				? `It gets the value, metadata and expiration from ${compare[sourceSide].title}.${overwrites ? ` The current version stays in the trash for ${trashLimits.retentionDays} days.` : ''}`
				: `${compare[sourceSide].title} has no such key. The deleted key stays in the trash for ${trashLimits.retentionDays} days.`,
		],
		actionLabel: detail[sourceSide] ? 'write the key' : 'delete the key',
		confirm: () =>
			void state().work.run(`merging ${detail.key}`, 'write', signal =>
				state().compare.mergeDifference(sourceSide, signal),
			),
	});
}

export const keysCompareActions: readonly Action[] = [
	defineCompareAction('keys.compare', ['='], 'compare with another store', {
		paletteMode: 'at once',
		hint: 'compare',
		searchTerms: [
			'diff staging prod',
			'diff stores',
			'diff',
			'difference',
			'diff namespaces',
			'compare namespaces',
		],
		group: 'Keys',
		where: ['keys'],
		run: app =>
			promptForKeys(app, 'Compare', keys =>
				askForStore(app, keys, {
					verb: 'Compare',
					writesStore: false,
					lines: buildCompareTimeLines(app, keys),
					onChosen: (name, warning) => askBeforeComparison(app, keys, name, warning),
				}),
			),
	}),
];

export const compareActions: readonly Action[] = [
	defineCompareAction('compare.open', ['enter', 'l', 'right'], 'show how the key differs', {
		opensRow: true,
		searchTerms: ['show difference', 'view difference'],
		hint: 'open',
		isActive: isListShown,
		...withSelection(getSelectedDifference, 'no difference selected', app => {
			void openDifference(app);
		}),
	}),
	...createMergeActions('one', ['>'], ['left', 'right']),
	...createMergeActions('other', ['<'], ['right', 'left']),
	defineCompareAction('compare.filter', ['/'], 'filter differences by key name', {
		searchTerms: ['find difference'],
		...filterBehavior,
		isActive: isListShown,
	}),
	defineCompareAction('compare.copy', ['y'], 'copy the key name', {
		searchTerms: ['copy name'],
		...withClipboardCopy(state => getSelectedDifference(state)?.key, 'no key selected'),
	}),
];
