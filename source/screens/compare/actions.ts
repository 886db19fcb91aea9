import {bodyRows} from '../../components/layout.ts';
import {expirationProblem, unixSeconds} from '../../kv/limits.ts';
import {trashLimits} from '../../kv/trash/limits.ts';
import type {Has} from '../../store/ledge-store.ts';
import {chooseKeys} from '../keys/choose.ts';
import {type ChosenKeys, chosenText} from '../keys/chosen.ts';
import {longTimeLines, measuredKeys} from '../keys/long-time.ts';
import {actionsOf, copying, filtering, readOnly, withFound} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {chooseStore} from '../transfer/choose-store.ts';
import {titleBeside} from '../transfer/other-store.ts';
import {detailLayout, detailRoom} from './detail-layout.ts';
import {type CompareSide, differenceHere, otherSide} from './state.ts';

const action = actionsOf('Compare', ['compare']);

const here = ({compare: {data: compare}}: Has<'compare'>) => compare && differenceHere(compare);
const isOpen = ({compare: {data: compare}}: Has<'compare'>): boolean => compare?.detail !== undefined;
const isList = (state: Has<'compare'>): boolean => !isOpen(state);

/** Moves in the list, or scrolls the opened key. */
export function moveInComparison(
	state: Has<'compare', 'data' | 'move' | 'scrollDifference'> & Has<'navigation', 'viewport'>,
	by: number,
): void {
	const compare = state.compare.data;
	const {viewport} = state.navigation;
	if (compare?.detail?.state !== 'read') {
		state.compare.move(by);
		return;
	}
	const {layout, sideBySide} = detailLayout(compare.detail, viewport);
	const last = (layout?.count ?? 0) - detailRoom(bodyRows(viewport.rows), sideBySide);
	state.compare.scrollDifference(by, Math.max(0, last));
}

/** Compares keys of the open namespace with the named store, on the Compare screen. */
function compareHere({state}: App, chosen: ChosenKeys, name: string): void {
	const row = state().keys.data?.namespace;
	if (!row) return;
	state().compare.leave();
	state().navigation.go('compare');
	const other = titleBeside(row, name, state().namespaces.data);
	void state().work.run(`comparing ${chosenText(chosen, row.title)} with ${other}`, 'read', signal =>
		state().compare.begin(row, chosen, name, signal),
	);
}

/** Estimates how long the comparison takes, before the other store is chosen. */
function comparingLines({state}: App, chosen: ChosenKeys): readonly string[] {
	const keys = state().keys.data;
	const [time, fewer] = keys ? longTimeLines(keys, chosen, {reads: 'both'}, measuredKeys(state())) : [];
	if (time === undefined || fewer === undefined) return [];
	return [time, 'Another store of the service takes as many calls again.', fewer];
}

const merging = (from: CompareSide, keys: Action['keys'], hint: string): Action => {
	const side = from === 'one' ? 'the left side' : 'the right side';
	return action(`compare.merge-${from}`, keys, `write what ${side} has to the other one`, {
		hint,
		words: ['merge', 'take over', 'resolve'],
		isHere: isOpen,
		unavailable(state) {
			const compared = state.compare.data;
			if (compared?.detail?.state !== 'read') return 'the key is being read';
			const refused = readOnly(state);
			if (refused !== undefined) return refused;
			if (!compared[otherSide(from)].isWritable) return 'a file is not written in';
			const expiration = compared.detail[from]?.expiration;
			return expiration !== undefined && expirationProblem(expiration, unixSeconds(Date.now()))
				? 'it has expired there, or will within a minute'
				: undefined;
		},
		run: app => askToMerge(app, from),
	});
};

function askToMerge({state}: App, from: CompareSide): void {
	const compared = state().compare.data;
	const {open} = state().dialog;
	if (compared?.detail?.state !== 'read') return;
	const {detail} = compared;
	const to = compared[otherSide(from)];
	const isOver = detail[otherSide(from)] !== undefined;
	open({
		kind: 'confirm',
		title: detail[from] ? `Write ${detail.key} to ${to.title}?` : `Delete ${detail.key} from ${to.title}?`,
		lines: [
			to.label,
			detail[from]
				? `It gets value, metadata and expiry of ${compared[from].title}.${isOver ? ` What it has now stays in the trash for ${trashLimits.days} days.` : ''}`
				: `${compared[from].title} has no such key. It stays in the trash for ${trashLimits.days} days.`,
		],
		does: detail[from] ? 'write it' : 'delete it',
		confirm: () =>
			void state().work.run(`merging ${detail.key}`, 'write', signal =>
				state().compare.mergeDifference(from, signal),
			),
	});
}

export const keysCompareActions: readonly Action[] = [
	action('keys.compare', ['='], 'compare with another store', {
		elsewhere: 'at once',
		hint: 'compare',
		words: ['diff', 'difference', 'diff namespaces', 'compare namespaces'],
		group: 'Keys',
		where: ['keys'],
		run: app =>
			chooseKeys(app, 'Compare', keys =>
				chooseStore(app, keys, {
					does: 'Compare',
					into: false,
					lines: comparingLines(app, keys),
					chosen: name => compareHere(app, keys, name),
				}),
			),
	}),
];

export const compareActions: readonly Action[] = [
	action('compare.open', ['enter', 'l', 'right'], 'show in what the key differs', {
		opens: true,
		words: ['show difference', 'view difference'],
		hint: 'open',
		isHere: isList,
		...withFound(here, 'there is no difference here', ({state}) => {
			void state().work.run('reading the key on both sides', 'read', signal =>
				state().compare.openDifference(signal),
			);
		}),
	}),
	merging('one', ['>'], 'left to right'),
	merging('other', ['<'], 'right to left'),
	action('compare.filter', ['/'], 'show only the differences with a text in the name of the key', {
		words: ['find difference'],
		...filtering,
		isHere: isList,
	}),
	action('compare.copy', ['y'], 'copy the name of the key', {
		words: ['copy name'],
		...copying(state => here(state)?.key, 'there is no key here'),
	}),
];
