import type {Key} from '../../keyboard/key.ts';
import type {Slice} from '../../store/slice.ts';
import {editBuffer, getBufferText} from '../../text/buffer/buffer.ts';
import {moveCursor} from '../list/list.ts';
import {endExtension, extendRange, findRange, type RangeRows} from '../list/range.ts';
import {getEditCommand} from '../shell/edit-keys.ts';
import {
	type CatalogueRequest,
	type CatalogueState,
	createCatalogue,
	getCurrentCatalogueRule,
	getNextScope,
	maxQueryLength,
	resolvePick,
	withSearch,
} from './state.ts';

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly catalogue: CatalogueSlice;
	}
}

type CatalogueSlice = {
	readonly data: CatalogueState | undefined;
	/** Opens the browser of managed rules. */
	open(request: CatalogueRequest): void;
	/** Applies a key to the search. Returns false if the key has no meaning there. */
	type(key: Key): boolean;
	move(distance: number): void;
	/** Switches the search to the next or previous scope: all rulesets, one of them, or the marked rules. */
	switchScope(direction: 1 | -1): void;
	/** Marks the rule under the cursor, or removes its mark; the cursor stays. */
	toggleMark(): void;
	/** Moves the cursor by one row and marks the rules that it passes, if several can be picked; moving back removes these marks. */
	extendMarks(distance: 1 | -1): void;
	/** Marks the shown rules from the one that was marked or unmarked last to the cursor. */
	markRange(): void;
	/** Marks all shown rules, or removes their marks if all have one. */
	toggleShownMarks(): void;
	/** Leaves the screen and passes on the picked rules; warns if there are none. */
	pick(): void;
	/** Leaves the screen without a pick. */
	leave(): void;
};

const getRangeRows = ({matches, cursor, markedIds}: CatalogueState): RangeRows<string> => ({
	cursor,
	getKey: row => matches[row]?.id,
	findRow(id) {
		const row = matches.findIndex(rule => rule.id === id);
		return row === -1 ? undefined : row;
	},
	isSelected: row => markedIds.has(matches[row]?.id ?? ''),
});

export const createCatalogueSlice: Slice<CatalogueSlice> = (set, get) => {
	const change = (update: (state: CatalogueState) => CatalogueState) => {
		const catalogue = get().catalogue.data;
		if (catalogue) set({data: update(catalogue)});
	};

	return {
		data: undefined,
		open(request) {
			set({data: createCatalogue(request)});
			get().navigation.go('catalogue');
		},
		type(key) {
			const catalogue = get().catalogue.data;
			const command = getEditCommand(key);
			if (!catalogue || !command) return false;
			if (getBufferText(catalogue.line).length + key.text.length > maxQueryLength) {
				get().messages.warn(
					`Not inserted: ${key.text.length} characters; a search is limited to ${maxQueryLength}.`,
				);
				return true;
			}
			const line = editBuffer(catalogue.line, command);
			const isTextUnchanged = getBufferText(line) === getBufferText(catalogue.line);
			change(state => (isTextUnchanged ? {...state, line} : withSearch({...state, line, cursor: 0})));
			return true;
		},
		move: distance =>
			change(state => ({
				...state,
				cursor: moveCursor(state.cursor, distance, state.matches.length),
				rangeStart: endExtension(state.rangeStart),
			})),
		switchScope: direction =>
			change(state =>
				withSearch({...state, scope: getNextScope(state, direction), cursor: 0, rangeStart: undefined}),
			),
		toggleMark: () =>
			change(state => {
				const id = getCurrentCatalogueRule(state)?.id;
				if (id === undefined) return state;
				const markedIds = new Set(state.markedIds);
				if (!markedIds.delete(id)) markedIds.add(id);
				return withSearch({...state, markedIds, rangeStart: {last: id}});
			}),
		extendMarks(distance) {
			const catalogue = get().catalogue.data;
			if (catalogue?.request.pickMode !== 'several') return get().catalogue.move(distance);
			change(state => {
				const rows = getRangeRows(state);
				const extension = extendRange(rows, state.rangeStart, distance);
				if (!extension) return state;
				const markedIds = new Set(state.markedIds);
				for (const row of extension.added) markedIds.add(rows.getKey(row) ?? '');
				for (const row of extension.removed) markedIds.delete(rows.getKey(row) ?? '');
				return withSearch({...state, markedIds, cursor: extension.cursor, rangeStart: extension.start});
			});
		},
		markRange: () =>
			change(state => {
				const range = findRange(getRangeRows(state), state.rangeStart);
				if (!range) return state;
				const ids = new Set(state.matches.slice(range.from, range.to).map(({id}) => id));
				return withSearch({...state, markedIds: ids.union(state.markedIds), rangeStart: range.start});
			}),
		toggleShownMarks: () =>
			change(state => {
				const shownIds = new Set(state.matches.map(({id}) => id));
				return withSearch({
					...state,
					rangeStart: undefined,
					markedIds: shownIds.isSubsetOf(state.markedIds)
						? state.markedIds.difference(shownIds)
						: state.markedIds.union(shownIds),
				});
			}),
		pick() {
			const catalogue = get().catalogue.data;
			if (!catalogue) return;
			const pickedRules = resolvePick(catalogue);
			if (typeof pickedRules === 'string') return get().messages.warn(pickedRules);
			get().catalogue.leave();
			get().dialog.leadBackTo(() => {
				set({data: catalogue});
				get().navigation.go('catalogue');
			});
			catalogue.request.onPick?.(pickedRules);
		},
		leave() {
			get().navigation.back();
			set({data: undefined});
		},
	};
};
