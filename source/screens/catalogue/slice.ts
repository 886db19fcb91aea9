import type {Key} from '../../keyboard/key.ts';
import type {Slice} from '../../store/slice.ts';
import {edit, textOf} from '../../text/buffer/buffer.ts';
import {editCommandOf} from '../shell/edit-keys.ts';
import {movedCursor} from '../shell/list.ts';
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

export type CatalogueSlice = {
	readonly catalogue: CatalogueState | undefined;
	/** Puts the browser of managed rules in front. */
	openCatalogue(request: CatalogueRequest): void;
	/** A key in the search. Returns whether it means anything there. */
	typeInCatalogue(key: Key): boolean;
	moveInCatalogue(by: number): void;
	/** Searches the next ruleset, or the one before. */
	narrowCatalogue(by: 1 | -1): void;
	/** Marks the rule under the cursor, or no longer, and moves to the next one. */
	markInCatalogue(): void;
	/** Leaves the screen, and hands over what is picked; warns where nothing can be. */
	pickInCatalogue(): void;
	/** Leaves the screen, and picks nothing. */
	leaveCatalogue(): void;
};

export const createCatalogueSlice: Slice<CatalogueSlice> = (set, get) => {
	const change = (changed: (state: CatalogueState) => CatalogueState) => {
		const {catalogue} = get();
		if (catalogue) set({catalogue: changed(catalogue)});
	};

	return {
		catalogue: undefined,
		openCatalogue(request) {
			set({catalogue: openedCatalogue(request)});
			get().go('catalogue');
		},
		typeInCatalogue(key) {
			const {catalogue} = get();
			const command = editCommandOf(key);
			if (!catalogue || !command) return false;
			if (textOf(catalogue.line).length + key.text.length > longestQuery) {
				get().warn(`Not taken in: ${key.text.length} characters; a search has at most ${longestQuery}.`);
				return true;
			}
			const line = edit(catalogue.line, command);
			const isSame = textOf(line) === textOf(catalogue.line);
			change(state => (isSame ? {...state, line} : searching({...state, line, cursor: 0})));
			return true;
		},
		moveInCatalogue: by =>
			change(state => ({...state, cursor: movedCursor(state.cursor, by, state.found.length)})),
		narrowCatalogue: by => change(state => searching({...state, scope: nextScope(state, by), cursor: 0})),
		markInCatalogue: () =>
			change(state => {
				const id = ruleUnderCursor(state)?.id;
				if (id === undefined) return state;
				const marked = new Set(state.marked);
				if (!marked.delete(id)) marked.add(id);
				// Where only marked rules are listed, the next one moves under the cursor.
				const by = state.scope.kind === 'marked' ? 0 : 1;
				return searching({...state, marked, cursor: state.cursor + by});
			}),
		pickInCatalogue() {
			const {catalogue} = get();
			if (!catalogue) return;
			const picked = picking(catalogue);
			if (typeof picked === 'string') return get().warn(picked);
			get().leaveCatalogue();
			catalogue.of.picked?.(picked);
		},
		leaveCatalogue() {
			get().back();
			set({catalogue: undefined});
		},
	};
};
