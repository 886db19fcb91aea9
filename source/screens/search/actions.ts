import {nameKey} from '../../keyboard/named-keys.ts';
import {findPatternProblem, type Hit} from '../../kv/transfer/search.ts';
import type {LedgeState, StateWith} from '../../store/ledge-store.ts';
import {formatQuantity} from '../../text/figures.ts';
import {type ChosenKeys, formatChosenKeys} from '../keys/chosen-keys.ts';
import {promptForKeys} from '../keys/prompt-for-keys.ts';
import type {KeysState} from '../keys/state.ts';
import {buildLongWorkLines, getMeasuredKeyCount} from '../keys/work-time.ts';
import {extendRange, findRange} from '../list/range.ts';
import {createListActions} from '../list/screen.ts';
import {withSelection} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import type {ScreenDefinition} from '../shell/screen.ts';
import {getHitText, hitList, type SearchRequest, searchModes} from './state.ts';

const {defineAction: defineSearchAction} = hitList;

/** Counts the keys to search; undefined if unknown. */
function countSearchedKeys({index, prefixKeys}: KeysState, keys: ChosenKeys): number | undefined {
	switch (keys.kind) {
		case 'all':
			return index.complete ? index.count : undefined;
		case 'prefix':
			return prefixKeys?.isComplete && prefixKeys.prefix === keys.prefix ? prefixKeys.count : undefined;
		case 'key':
			return 1;
		case 'filtered':
		case 'selected':
			return keys.names.count;
		default:
			return keys satisfies never;
	}
}

/** Asks for the text and mode, then searches on the Search screen. */
function askForSearchText({state}: App, request: SearchRequest): void {
	const {keys, namespace} = request;
	const openedKeys = state().keys.data;
	const total = request.total === undefined ? '' : ` (${formatQuantity(request.total, 'key')})`;
	state().dialog.openField({
		title: 'Search in values',
		lines: [
			`In the values of ${formatChosenKeys(keys, namespace.title)}${keys.kind === 'all' ? total : ''}.`,
			...(openedKeys?.namespace.name === namespace.name
				? buildLongWorkLines(openedKeys, keys, {content: 'both'}, getMeasuredKeyCount(state()))
				: []),
		],
		value: request.pattern,
		actionLabel: 'search',
		modes: {labels: searchModes.map(({label}) => label), selectedIndex: request.mode},
		check: (pattern, mode = 0) => findPatternProblem(pattern, searchModes[mode]?.isRegex === true),
		submit(pattern, mode = 0) {
			state().navigation.go('search');
			void state().search.begin({...request, pattern, mode});
		},
	});
}

/** Runs the last search again from the beginning. */
export function repeatSearch({state}: App): void {
	const {data: search, begin: searchValues} = state().search;
	if (search) void searchValues(search.request);
}

/** Esc: stops the search, else clears the filter. Returns false if the caller must leave the screen. */
export function leaveSearch({state}: App): boolean {
	const {data: search, stop: stopSearch, filter: filterHits, close: closeSearch} = state().search;
	if (stopSearch()) return true;
	if (search && search.filter !== '') {
		filterHits('');
		return true;
	}
	closeSearch();
	return false;
}

/** Opens the value of a hit at the match; `n` and `N` move between matches. */
function openHit({state}: App, {key, offset = 0}: Hit, text: string): void {
	const {go} = state().navigation;
	const closeKey = state().key.close;
	closeKey();
	go('key');
	void state()
		.work.run(`loading ${key}`, 'read', signal => state().key.open(key, signal))
		.then(isRead => isRead && state().key.showMatch(key, text, offset));
}

const getOtherNamespaceReason = ({
	search: {data: search},
	keys: {data: keys},
}: StateWith<'search' | 'keys'>): string | undefined =>
	search && keys?.namespace.name !== search.request.namespace.name
		? 'the namespace of this hit is not open'
		: undefined;

/** Selects or deselects keys in the list of keys, and says how many are selected. */
function setKeySelection(state: LedgeState, names: readonly string[], isSelected: boolean): void {
	const {data: keys, setSelection} = state.keys;
	if (!keys) return;
	setSelection(names, isSelected);
	const count = keys.index.selectedCount;
	state.messages.say(
		count === 0
			? 'No keys selected.'
			: `${formatQuantity(count, 'key')} selected. In the list of keys, ${nameKey('keys.export', 'x')} exports, ${nameKey('keys.copy-to', 'c')} copies and ${nameKey('keys.delete-selected', 'd')} deletes them.`,
	);
}

/** Selects the keys of hits in the list of keys, or deselects them if all are selected. */
function toggleHits(state: LedgeState, hits: readonly Hit[]): void {
	const areAllSelected = hits.every(hit => isHitSelected(state, hit));
	setKeySelection(
		state,
		hits.map(({key}) => key),
		!areAllSelected,
	);
}

function isHitSelected({keys: {data: keys}}: StateWith<'keys', 'data'>, {key}: Hit): boolean {
	const {position, isFound} = keys?.index.find(key) ?? {position: 0, isFound: false};
	return isFound && keys?.index.isSelected(position) === true;
}

/** Selects the keys of several hits in the list of keys; a key with several hits is selected with the first. */
export const hitSelection: NonNullable<ScreenDefinition['selection']> = {
	isActive: () => true,
	getUnavailableReason: state =>
		getOtherNamespaceReason(state) ?? (hitList.getCurrentRow(state) ? undefined : hitList.noRowReason),
	// The keys stay selected in their list when the search is left.
	countSelected: () => 0,
	extend(state, distance) {
		const {data, changeRange, move} = state.search;
		const hits = data ? hitList.listVisible(data) : [];
		const rows = data && hitList.getRangeRows(data, hit => isHitSelected(state, hit));
		const extension = rows && extendRange(rows, data?.rangeStart, distance);
		if (!extension) return;
		const {added, removed, cursor, start} = extension;
		const listNames = (indexes: readonly number[]) => indexes.map(index => hits[index]?.key ?? '');
		state.keys.setSelection(listNames(added), true);
		setKeySelection(state, listNames(removed), false);
		move(cursor - rows.cursor);
		changeRange({rangeStart: start});
	},
	selectRange(state) {
		const {data, changeRange} = state.search;
		const range = data && findRange(hitList.getRangeRows(data), data.rangeStart);
		if (!range) return;
		const names = hitList
			.listVisible(data)
			.slice(range.from, range.to)
			.map(({key}) => key);
		setKeySelection(state, names, true);
		changeRange({rangeStart: range.start});
	},
};

export const keysSearchActions: readonly Action[] = [
	defineSearchAction('keys.search-values', ['f'], 'search in the values of keys', {
		paletteMode: 'at once',
		hint: 'search values',
		searchTerms: ['find', 'grep', 'content', 'full text', 'look for', 'search inside', 'find text'],
		group: 'Keys',
		where: ['keys'],
		getUnavailableReason: ({keys: {data: keys}}) =>
			keys && keys.index.count > 0 ? undefined : 'no keys listed',
		run: app =>
			promptForKeys(app, 'Search', chosenKeys => {
				const keys = app.state().keys.data;
				if (!keys) return;
				const total = countSearchedKeys(keys, chosenKeys);
				askForSearchText(app, {namespace: keys.namespace, keys: chosenKeys, total, pattern: '', mode: 0});
			}),
	}),
];

export const searchActions: readonly Action[] = [
	defineSearchAction('search.open', ['enter', 'l', 'right'], 'open the value at the hit', {
		hint: 'open',
		...hitList.withCurrentRow(
			(app, hit, {request}) => openHit(app, hit, getHitText(hit, request)),
			getOtherNamespaceReason,
		),
	}),
	defineSearchAction('search.select', ['space'], 'select the key in the list of keys', {
		hint: 'select',
		searchTerms: ['mark', 'check', 'toggle'],
		...hitList.withCurrentRow(({state}, hit) => {
			toggleHits(state(), [hit]);
			state().search.changeRange({rangeStart: {last: hit}});
		}, getOtherNamespaceReason),
	}),
	defineSearchAction('search.select-all', ['A'], 'select or deselect the keys of all shown hits', {
		searchTerms: ['mark all', 'select all', 'check all'],
		...hitList.withCurrentRow(
			({state}, _hit, search) => toggleHits(state(), hitList.listVisible(search)),
			getOtherNamespaceReason,
		),
	}),
	defineSearchAction('search.continue', ['ctrl-l'], 'continue the search where it stopped', {
		hint: 'continue',
		searchTerms: ['resume', 'retry'],
		getUnavailableReason({search: {data: search}}) {
			switch (search?.phase.name) {
				case 'stopped':
				case 'failed':
					return undefined;
				case 'searching':
					return 'still searching';
				default:
					return 'the search is complete';
			}
		},
		run: app => void app.state().search.resume(),
	}),
	defineSearchAction('search.again', ['f'], 'search for another text in the same keys', {
		hint: 'another text',
		searchTerms: ['edit', 'change'],
		...withSelection(
			state => state.search.data,
			'no search yet',
			(app, {request}) => askForSearchText(app, request),
		),
	}),
	...createListActions(hitList, 'filter hits by key or excerpt', [
		{
			shortcut: 'y',
			noun: 'the key name',
			hint: 'copy',
			searchTerms: ['clipboard'],
			getText: ({key}) => key,
		},
	]),
];
