import {getBodyRows} from '../../components/layout.ts';
import {findExpirationProblem, toEpochSeconds} from '../../kv/limits.ts';
import {trashLimits} from '../../kv/trash/limits.ts';
import type {Has} from '../../store/ledge-store.ts';
import {promptForKeys} from '../keys/choose.ts';
import {type ChosenKeys, formatChosenKeys} from '../keys/chosen.ts';
import {buildLongKeyWorkLines, getMeasuredKeyCount} from '../keys/long-time.ts';
import {
	createActionFactory,
	filterBehavior,
	getReadOnlyReason,
	withClipboardCopy,
	withSelection,
} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {chooseStore} from '../transfer/choose-store.ts';
import {formatOtherStoreTitle} from '../transfer/other-store.ts';
import {computeDetailRows, getDetailLayout} from './detail-layout.ts';
import {type CompareSide, getCurrentDifference, getOtherSide} from './state.ts';

const defineCompareAction = createActionFactory('Compare', ['compare']);

const getSelectedDifference = ({compare: {data: compare}}: Has<'compare'>) =>
	compare && getCurrentDifference(compare);
const isDetailOpen = ({compare: {data: compare}}: Has<'compare'>): boolean => compare?.detail !== undefined;
const isListShown = (state: Has<'compare'>): boolean => !isDetailOpen(state);

/** Moves in the list, or scrolls the opened key. */
export function moveComparison(
	state: Has<'compare', 'data' | 'move' | 'scrollDifference'> & Has<'navigation', 'viewport'>,
	by: number,
): void {
	const compare = state.compare.data;
	const {viewport} = state.navigation;
	if (compare?.detail?.state !== 'read') {
		state.compare.move(by);
		return;
	}
	const {layout, sideBySide} = getDetailLayout(compare.detail, viewport);
	const last = (layout?.count ?? 0) - computeDetailRows(getBodyRows(viewport.rows), sideBySide);
	state.compare.scrollDifference(by, Math.max(0, last));
}

/** Compares keys of the open namespace with the named store, on the Compare screen. */
function startComparison({state}: App, chosen: ChosenKeys, name: string): void {
	const row = state().keys.data?.namespace;
	if (!row) return;
	state().compare.leave();
	state().navigation.go('compare');
	const other = formatOtherStoreTitle(row, name, state().namespaces.data);
	void state().work.run(`comparing ${formatChosenKeys(chosen, row.title)} with ${other}`, 'read', signal =>
		state().compare.begin(row, chosen, name, signal),
	);
}

/** Estimates how long the comparison takes, before the other store is chosen. */
function buildCompareTimeLines({state}: App, chosen: ChosenKeys): readonly string[] {
	const keys = state().keys.data;
	const [time, fewerAdvice] = keys
		? buildLongKeyWorkLines(keys, chosen, {content: 'both'}, getMeasuredKeyCount(state()))
		: [];
	if (time === undefined || fewerAdvice === undefined) return [];
	return [time, 'Comparing with another store of the service takes twice as many calls.', fewerAdvice];
}

const createMergeAction = (from: CompareSide, keys: Action['keys'], hint: string): Action => {
	const side = from === 'one' ? 'the left side' : 'the right side';
	return defineCompareAction(`compare.merge-${from}`, keys, `copy ${side} to the other side`, {
		hint,
		searchTerms: ['merge', 'take over', 'resolve'],
		isActive: isDetailOpen,
		getUnavailableReason(state) {
			const compare = state.compare.data;
			if (compare?.detail?.state !== 'read') return 'the key is still loading';
			const readOnlyReason = getReadOnlyReason(state);
			if (readOnlyReason !== undefined) return readOnlyReason;
			if (!compare[getOtherSide(from)].isWritable) return "files can't be changed here";
			const expiration = compare.detail[from]?.expiration;
			return expiration !== undefined && findExpirationProblem(expiration, toEpochSeconds(Date.now()))
				? 'that key has expired, or will within a minute'
				: undefined;
		},
		run: app => askToMerge(app, from),
	});
};

function askToMerge({state}: App, from: CompareSide): void {
	const compare = state().compare.data;
	const {open} = state().dialog;
	if (compare?.detail?.state !== 'read') return;
	const {detail} = compare;
	const to = compare[getOtherSide(from)];
	const overwrites = detail[getOtherSide(from)] !== undefined;
	open({
		kind: 'confirm',
		title: detail[from] ? `Write ${detail.key} to ${to.title}?` : `Delete ${detail.key} from ${to.title}?`,
		lines: [
			to.label,
			detail[from]
				? `It gets the value, metadata and expiration from ${compare[from].title}.${overwrites ? ` The current version stays in the trash for ${trashLimits.days} days.` : ''}`
				: `${compare[from].title} has no such key. The deleted key stays in the trash for ${trashLimits.days} days.`,
		],
		actionLabel: detail[from] ? 'write the key' : 'delete the key',
		confirm: () =>
			void state().work.run(`merging ${detail.key}`, 'write', signal =>
				state().compare.mergeDifference(from, signal),
			),
	});
}

export const keysCompareActions: readonly Action[] = [
	defineCompareAction('keys.compare', ['='], 'compare with another store', {
		paletteMode: 'at once',
		hint: 'compare',
		searchTerms: ['diff', 'difference', 'diff namespaces', 'compare namespaces'],
		group: 'Keys',
		where: ['keys'],
		run: app =>
			promptForKeys(app, 'Compare', keys =>
				chooseStore(app, keys, {
					verb: 'Compare',
					writesStore: false,
					lines: buildCompareTimeLines(app, keys),
					onChosen: name => startComparison(app, keys, name),
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
		...withSelection(getSelectedDifference, 'no difference selected', ({state}) => {
			void state().work.run('loading the key from both sides', 'read', signal =>
				state().compare.openDifference(signal),
			);
		}),
	}),
	createMergeAction('one', ['>'], 'left to right'),
	createMergeAction('other', ['<'], 'right to left'),
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
