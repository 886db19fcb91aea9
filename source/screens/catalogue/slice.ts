import type {Key} from '../../keyboard/key.ts';
import type {Slice} from '../../store/slice.ts';
import {edit, textOf} from '../../text/buffer/buffer.ts';
import {movedCursor} from '../list/list.ts';
import {editCommandOf} from '../shell/edit-keys.ts';
import {
	type CatalogueRequest,
	type CatalogueState,
	longestQuery,
	nextScope,
	openedCatalogue,
	picking,
	ruleUnderCursor,
	searching,
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
	move(by: number): void;
	/** Switches the search to the next or previous ruleset. */
	filter(by: 1 | -1): void;
	/** Marks or unmarks the rule under the cursor, and moves to the next one. */
	mark(): void;
	/** Leaves the screen and passes on the picked rules; warns if there are none. */
	pick(): void;
	/** Leaves the screen without a pick. */
	leave(): void;
};

export const createCatalogueSlice: Slice<CatalogueSlice> = (set, get) => {
	const change = (changed: (state: CatalogueState) => CatalogueState) => {
		const catalogue = get().catalogue.data;
		if (catalogue) set({data: changed(catalogue)});
	};

	return {
		data: undefined,
		open(request) {
			set({data: openedCatalogue(request)});
			get().navigation.go('catalogue');
		},
		type(key) {
			const catalogue = get().catalogue.data;
			const command = editCommandOf(key);
			if (!catalogue || !command) return false;
			if (textOf(catalogue.line).length + key.text.length > longestQuery) {
				get().messages.warn(
					`Not taken in: ${key.text.length} characters; a search has at most ${longestQuery}.`,
				);
				return true;
			}
			const line = edit(catalogue.line, command);
			const isSame = textOf(line) === textOf(catalogue.line);
			change(state => (isSame ? {...state, line} : searching({...state, line, cursor: 0})));
			return true;
		},
		move: by => change(state => ({...state, cursor: movedCursor(state.cursor, by, state.found.length)})),
		filter: by => change(state => searching({...state, scope: nextScope(state, by), cursor: 0})),
		mark: () =>
			change(state => {
				const id = ruleUnderCursor(state)?.id;
				if (id === undefined) return state;
				const marked = new Set(state.marked);
				if (!marked.delete(id)) marked.add(id);
				// If only marked rules are listed, the next one moves up to the cursor.
				const by = state.scope.kind === 'marked' ? 0 : 1;
				return searching({...state, marked, cursor: state.cursor + by});
			}),
		pick() {
			const catalogue = get().catalogue.data;
			if (!catalogue) return;
			const picked = picking(catalogue);
			if (typeof picked === 'string') return get().messages.warn(picked);
			get().catalogue.leave();
			catalogue.of.picked?.(picked);
		},
		leave() {
			get().navigation.back();
			set({data: undefined});
		},
	};
};
