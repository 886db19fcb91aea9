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

/** What lies over a screen and takes the keys. Texts may hold data as it is: they are made safe where they are drawn. */
export type Dialog =
	| {
			/** A question before something is destroyed or left. `y` says yes, or typing what `typed` says. */
			readonly kind: 'confirm';
			readonly title: string;
			readonly lines: readonly string[];
			/** What will be done, as a verb: "delete". */
			readonly does: string;
			confirm(): void;
			/** Another way to do it, under `d`. */
			readonly other?: {readonly does: string; act(): void};
	  }
	| {
			/** One line to be filled in, in any script. */
			readonly kind: 'field';
			readonly title: string;
			readonly lines: readonly string[];
			readonly buffer: TextBuffer;
			/** What is typed to continue: the title of a namespace that will be gone, or how many keys will be. */
			readonly typed?: string | number | undefined;
			readonly does: string;
			readonly problem?: string | undefined;
			/**
			 * What was entered before in the same form, where this line is a part of something longer: it is kept as a
			 * draft, with what is typed here (`text`). Without it nothing is kept: one line is typed again in a moment.
			 */
			readonly keeps?: JsonObject | undefined;
			/** What tab completes a value to: a path. */
			complete?(value: string): string;
			/** Ways in which what is typed is meant; tab goes to the next one. */
			readonly modes?: {readonly labels: readonly string[]; readonly at: number} | undefined;
			/** What is wrong with a value, or nothing; `mode` is where it is among the ways. */
			check?(value: string, mode?: number): string | undefined;
			submit(value: string, mode?: number): void;
	  }
	| {
			/** One short plain line that opens empty (ink-text-input): a path, a store. Typed again in a moment, so no draft is kept. */
			readonly kind: 'entry';
			readonly title: string;
			readonly lines: readonly string[];
			readonly value: string;
			readonly does: string;
			readonly problem?: string | undefined;
			/** What tab completes a value to, and how often it has. */
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
			/** The value that holds now: there it begins. */
			readonly now?: string | undefined;
			choose(value: string): void;
	  }
	| {readonly kind: 'failure'; readonly failure: Failure}
	| {readonly kind: 'palette'; readonly query: string; readonly cursor: number}
	| {readonly kind: 'help'; readonly query: string; readonly top: number};

type FieldDialog = Omit<Extract<Dialog, {kind: 'field'}>, 'kind' | 'problem' | 'buffer'> & {
	/** What the field holds when it opens, selected: typing replaces it. */
	readonly value: string;
};

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly dialog: DialogSlice;
	}
}

type DialogSlice = {
	readonly current: Dialog | undefined;
	/** Whether the filter of the screen is being typed. */
	readonly isFiltering: boolean;
	/** The line that is being typed: a filter, or what is sought in the palette or the help. */
	readonly line: TextBuffer;
	open(dialog: Dialog): void;
	openField(field: FieldDialog): void;
	close(): void;
	/** Replaces the text of the field or entry, or of the query. */
	enter(text: string): void;
	/** A key in a field of any script. Returns whether it means anything there. */
	typeInField(key: Key): boolean;
	/** A key in a filter or a query, which is looked for at once. Returns whether it means anything there. */
	typeInLine(key: Key): boolean;
	/** Means what is typed in the next way. */
	nextMode(): void;
	/** Submits what is in the field or entry unless there is a problem with it; says yes to a question. */
	submit(): void;
	/** Takes the other way of a question. */
	takeOtherWay(): void;
	/** Moves in the palette or the help. */
	move(by: number, last: number): void;
	beginFilter(): void;
	/** The filter of the screen in front. */
	filterText(): string;
	filter(filter: string): void;
	/** The filter stays as it is, and the keys are the screen's again. */
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

/** What is typed to continue, as it is shown. */
export const shownTyped = (wanted: string | number): string =>
	typeof wanted === 'number' ? grouped(wanted) : drawable(wanted);
