import type {Failure} from '../../failure.ts';
import type {Key} from '../../keyboard/key.ts';
import type {Slice} from '../../store/slice.ts';
import {edit, replaceStretch, selectedLine, type TextBuffer, textOf} from '../../text/buffer/buffer.ts';
import {drawable} from '../../text/columns.ts';
import {grouped} from '../../text/figures.ts';
import type {JsonObject} from '../../text/json.ts';
import {isTypedNumber} from '../../text/typed-number.ts';
import {editCommandOf} from './edit-keys.ts';
import {screenOf} from './screen-name.ts';

type Choice = {readonly value: string; readonly label: string};

/** An overlay that handles the keys. Texts may be unescaped: they are made safe when drawn. */
export type Dialog =
	| {
			/** Question before something is destroyed or left; `y` confirms. */
			readonly kind: 'confirm';
			readonly title: string;
			readonly lines: readonly string[];
			/** The verb of what is confirmed: "delete". */
			readonly does: string;
			confirm(): void;
			/** Alternative answer, bound to `d`. */
			readonly other?: {readonly does: string; act(): void};
	  }
	| {
			/** One line of text in any script. */
			readonly kind: 'field';
			readonly title: string;
			readonly lines: readonly string[];
			readonly buffer: TextBuffer;
			/**
			 * Text or number that must be typed to continue: the title of a namespace, or a number of keys.
			 */
			readonly typed?: string | number | undefined;
			readonly does: string;
			readonly problem?: string | undefined;
			/**
			 * Earlier input of the form this line belongs to, kept as a draft together with this line
			 * (`text`). Without it no draft is kept: one line is quickly typed again.
			 */
			readonly keeps?: JsonObject | undefined;
			/** Completes a value, such as a path, on tab. */
			complete?(value: string): string;
			/** Interpretations of the input; tab selects the next one. */
			readonly modes?: {readonly labels: readonly string[]; readonly at: number} | undefined;
			/** Returns what is wrong with a value; `mode` is the index of the interpretation. */
			check?(value: string, mode?: number): string | undefined;
			submit(value: string, mode?: number): void;
	  }
	| {
			/** One short line that opens empty (ink-text-input): a path, a store. No draft is kept. */
			readonly kind: 'entry';
			readonly title: string;
			readonly lines: readonly string[];
			readonly value: string;
			readonly does: string;
			readonly problem?: string | undefined;
			/** Completes a value on tab; `completions` counts how often it did. */
			complete?(value: string): string;
			readonly completions?: number | undefined;
			check?(value: string): string | undefined;
			submit(value: string): void;
	  }
	| {
			readonly kind: 'choice';
			readonly title: string;
			readonly lines: readonly string[];
			readonly choices: readonly Choice[];
			/** Value selected initially. */
			readonly now?: string | undefined;
			choose(value: string): void;
	  }
	| {readonly kind: 'failure'; readonly failure: Failure}
	| {readonly kind: 'palette'; readonly query: string; readonly cursor: number}
	| {readonly kind: 'help'; readonly query: string; readonly top: number};

type FieldDialog = Omit<Extract<Dialog, {kind: 'field'}>, 'kind' | 'problem' | 'buffer'> & {
	/** Initial content, selected: typing replaces it. */
	readonly value: string;
};

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly dialog: DialogSlice;
	}
}

type DialogSlice = {
	readonly current: Dialog | undefined;
	/** True while the filter of the screen is being typed. */
	readonly isFiltering: boolean;
	/** Line being typed: a filter, or the query of the palette or help. */
	readonly line: TextBuffer;
	open(dialog: Dialog): void;
	openField(field: FieldDialog): void;
	close(): void;
	/** Replaces the text of the field, entry or query. */
	enter(text: string): void;
	/** Edits the field. Returns whether it handles the key. */
	typeInField(key: Key): boolean;
	/** Edits the filter or query, and searches at once. Returns whether it handles the key. */
	typeInLine(key: Key): boolean;
	/** Selects the next interpretation of the input. */
	nextMode(): void;
	/** Submits the field or entry unless its value is invalid; confirms a question. */
	submit(): void;
	/** Chooses the alternative answer of a question. */
	takeOtherWay(): void;
	move(by: number, last: number): void;
	beginFilter(): void;
	/** Returns the filter of the current screen. */
	filterText(): string;
	filter(filter: string): void;
	/** Keeps the filter and returns the keys to the screen. */
	endFilter(): void;
};

export const createDialogSlice: Slice<DialogSlice> = (set, get) => ({
	current: undefined,
	isFiltering: false,
	line: selectedLine(''),
	open: dialog =>
		set({
			current: dialog,
			...((dialog.kind === 'palette' || dialog.kind === 'help') && {line: selectedLine(dialog.query)}),
		}),
	openField: ({value, ...field}) => set({current: {kind: 'field', buffer: selectedLine(value), ...field}}),
	close: () => set({current: undefined}),
	enter(text) {
		const {current: dialog, line} = get().dialog;
		switch (dialog?.kind) {
			case 'field':
				return set({current: {...dialog, buffer: replaceText(dialog.buffer, text), problem: undefined}});
			case 'entry':
				return set({current: {...dialog, value: text, problem: undefined}});
			case 'palette':
				return set({line: replaceText(line, text), current: {...dialog, query: text, cursor: 0}});
			case 'help':
				return set({line: replaceText(line, text), current: {...dialog, query: text, top: 0}});
		}
	},
	typeInField(key) {
		const dialog = get().dialog.current;
		const command = editCommandOf(key);
		if (dialog?.kind !== 'field' || !command) return false;
		set({current: {...dialog, buffer: edit(dialog.buffer, command), problem: undefined}});
		return true;
	},
	typeInLine(key) {
		const command = editCommandOf(key);
		if (!command) return false;
		const line = edit(get().dialog.line, command);
		const text = textOf(line);
		const dialog = get().dialog.current;
		if (dialog) get().dialog.enter(text);
		else get().dialog.filter(text);
		set({line});
		return true;
	},
	nextMode() {
		const dialog = get().dialog.current;
		if (dialog?.kind !== 'field' || !dialog.modes) return;
		const {labels, at} = dialog.modes;
		set({current: {...dialog, modes: {labels, at: (at + 1) % labels.length}, problem: undefined}});
	},
	submit() {
		const dialog = get().dialog.current;
		if (dialog?.kind === 'entry') {
			const problem = dialog.check?.(dialog.value);
			if (problem !== undefined) return set({current: {...dialog, problem}});
			set({current: undefined});
			dialog.submit(dialog.value);
		} else if (dialog?.kind === 'field') {
			const mode = dialog.modes?.at ?? 0;
			const value = textOf(dialog.buffer);
			const problem =
				dialog.typed !== undefined && !isTyped(dialog.typed, value)
					? `Does not match. Type ${shownTyped(dialog.typed)}.`
					: dialog.check?.(value, mode);
			if (problem !== undefined) return set({current: {...dialog, problem}});
			set({current: undefined});
			dialog.submit(value, mode);
		} else if (dialog?.kind === 'confirm') {
			set({current: undefined});
			dialog.confirm();
		}
	},
	takeOtherWay() {
		const dialog = get().dialog.current;
		if (dialog?.kind !== 'confirm' || !dialog.other) return;
		set({current: undefined});
		dialog.other.act();
	},
	move(by, last) {
		const dialog = get().dialog.current;
		const moved = (from: number) => Math.max(0, Math.min(last, from + by));
		if (dialog?.kind === 'palette') set({current: {...dialog, cursor: moved(dialog.cursor)}});
		if (dialog?.kind === 'help') set({current: {...dialog, top: moved(dialog.top)}});
	},
	beginFilter: () => set({isFiltering: true, line: selectedLine(get().dialog.filterText())}),
	filterText() {
		const state = get();
		return state.navigation.screens[screenOf(state)].filter?.text(state) ?? '';
	},
	filter(filter) {
		const state = get();
		state.navigation.screens[screenOf(state)].filter?.narrow(state, filter);
	},
	endFilter: () => set({isFiltering: false}),
});

const replaceText = (line: TextBuffer, text: string): TextBuffer =>
	replaceStretch(line, 0, textOf(line).length, text);

const isTyped = (wanted: string | number, value: string): boolean =>
	typeof wanted === 'number' ? isTypedNumber(value, wanted) : wanted === value;

/** Formats what must be typed to continue. */
export const shownTyped = (wanted: string | number): string =>
	typeof wanted === 'number' ? grouped(wanted) : drawable(wanted);
