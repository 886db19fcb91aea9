import {getSelectedSuggestion, type Suggestions} from '../../components/suggestions.tsx';
import type {Failure} from '../../failure.ts';
import type {Key} from '../../keyboard/key.ts';
import type {Slice} from '../../store/slice.ts';
import {
	createSelectedLine,
	editBuffer,
	getBufferText,
	replaceRange,
	type TextBuffer,
} from '../../text/buffer/buffer.ts';
import type {JsonObject} from '../../text/json.ts';
import {
	createTypedAnswers,
	type DialogText,
	describeMissingInput,
	describeNameMismatch,
	emptyDialogText,
	getPageLines,
	hasUnreadText,
	noticeDialogText,
	scrollDialogText,
} from './dialog-text.ts';
import {getEditCommand} from './edit-keys.ts';
import type {TextCompletion} from './paths.ts';
import {getCurrentScreen, type Screen} from './screen-name.ts';

type Choice = {readonly value: string; readonly label: string};

/** An overlay that handles the keys. Texts may be unescaped: they are made safe when drawn. */
export type Dialog =
	| {
			/** Question before something is destroyed or left; `y` confirms. */
			readonly kind: 'confirm';
			readonly title: string;
			readonly lines: readonly string[];
			/** Names the confirmed action: "delete". */
			readonly actionLabel: string;
			confirm(): void;
	  }
	| {
			/** One line of text in any script. */
			readonly kind: 'field';
			readonly title: string;
			readonly lines: readonly string[];
			readonly buffer: TextBuffer;
			/** The text with which it opened. */
			readonly initialText?: string;
			/** Text that must be typed to continue: the name of a zone, or the title of a namespace. */
			readonly requiredInput?: string | undefined;
			readonly actionLabel: string;
			readonly problem?: string | undefined;
			/**
			 * Earlier input of the form this line belongs to, kept as a draft together with this line
			 * (`text`). Without it no draft is kept: one line is quickly typed again.
			 */
			readonly formInput?: JsonObject | undefined;
			/** Completes a value, such as a path, on tab. */
			complete?(value: string): TextCompletion;
			/** Interpretations of the input; tab selects the next one. */
			readonly modes?: {readonly labels: readonly string[]; readonly selectedIndex: number} | undefined;
			/** Describes what the value means, below the line: the full path. Unescaped. */
			describe?(value: string): string;
			/** Values to choose from; what is typed filters them. Only a text that matches none is submitted itself. */
			readonly suggestions?: Suggestions | undefined;
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
			readonly actionLabel: string;
			readonly problem?: string | undefined;
			/** Completes a value on tab; `completionCount` is how often it did. */
			complete?(value: string): TextCompletion;
			readonly completionCount?: number | undefined;
			check?(value: string): string | undefined;
			submit(value: string): void;
	  }
	| {
			readonly kind: 'choice';
			readonly title: string;
			readonly lines: readonly string[];
			readonly choices: readonly Choice[];
			/** Value selected initially. */
			readonly initialValue?: string | undefined;
			choose(value: string): void;
	  }
	| {readonly kind: 'failure'; readonly failure: Pick<Failure, 'message' | 'next' | 'details'>}
	| {readonly kind: 'palette'; readonly query: string; readonly cursor: number}
	| {
			readonly kind: 'help';
			readonly query: string;
			/** True while letters are typed into the query; otherwise they scroll. */
			readonly isSearching?: boolean;
	  };

type FieldQuestion = Extract<Dialog, {kind: 'field'}>;

type FieldDialog = Omit<FieldQuestion, 'kind' | 'problem' | 'buffer' | 'initialText'> & {
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
	/** Questions whose answers led to the current one, in order. */
	readonly previous: readonly Dialog[];
	/** Reopens the screen whose pick led to the first question; undefined if none did. */
	readonly reopenPicker: (() => void) | undefined;
	/** How far the text of the dialog was scrolled and read. */
	readonly text: DialogText;
	/** True while the filter of the screen is being typed. */
	readonly isFiltering: boolean;
	/** Line being typed: a filter, or the query of the palette or help. */
	readonly lineBuffer: TextBuffer;
	open(dialog: Dialog): void;
	openField(field: FieldDialog): void;
	/** Closes the dialog and the questions before it. */
	close(): void;
	/** Returns to the previous question, with its answer; from the first one to the screen that led to it. */
	goBack(): void;
	/** Makes the question that opens next lead back to a screen. */
	leadBackTo(reopenPicker: () => void): void;
	/** Ends the questions: one that opens from now on leads back to none. */
	endQuestions(): void;
	/** Closes a choice and takes its answer. */
	choose(value: string): void;
	/** Replaces the text of the field, entry or query. */
	setText(text: string): void;
	/** Edits the field. Returns whether it handles the key. */
	typeInField(key: Key): boolean;
	/** Edits the filter or query, and searches at once. Returns whether it handles the key. */
	typeInLine(key: Key): boolean;
	/** Starts or ends typing into the query of the help. */
	searchHelp(isSearching: boolean): void;
	/** Selects an interpretation of the input after or before the selected one. */
	moveMode(distance: 1 | -1): void;
	/** Selects a suggestion below or above the selected one. */
	moveSuggestion(distance: number): void;
	/** Replaces the suggestions of the field with this title, if it is still open. The selected one stays. */
	suggest(title: string, suggestions: Pick<Suggestions, 'all' | 'note'>): void;
	/** Submits the field or entry unless its value is invalid; confirms a question. */
	submit(): void;
	move(distance: number, lastIndex: number): void;
	/** Records how many lines the text of the dialog has, and how many of them are visible. */
	noticeText(extent: Pick<DialogText, 'lineCount' | 'visibleCount'>): void;
	/** Scrolls the text of the dialog by lines or pages. */
	scrollText(distance: number, unit?: 'line' | 'page'): void;
	/** If part of the text has not been visible yet, scrolls on and returns true. */
	readOn(): boolean;
	beginFilter(): void;
	/** Returns the filter of the current screen. */
	getFilterText(): string;
	filter(filter: string): void;
	/** Keeps the filter and returns the keys to the screen. */
	endFilter(): void;
};

/** The state of a question that none led to. */
const noQuestions: Pick<DialogSlice, 'previous' | 'reopenPicker'> = {previous: [], reopenPicker: undefined};

export const createDialogSlice: Slice<DialogSlice> = (set, get) => {
	/** Questions answered so far, for the next one; it may open after a read. */
	let answered: (Pick<DialogSlice, 'previous' | 'reopenPicker'> & {readonly screen: Screen}) | undefined;

	/** Closes a question that was answered. After a confirmation nothing leads back. */
	function closeAnswered(question: Dialog): void {
		const {previous, reopenPicker} = get().dialog;
		answered = isChange(question)
			? undefined
			: {screen: getCurrentScreen(get()), previous: [...previous, question], reopenPicker};
		set({current: undefined, ...noQuestions});
	}

	/** Returns what led to a question that opens now. */
	function takeAnswered(): typeof noQuestions {
		const {screen, ...questions} = answered ?? {};
		answered = undefined;
		return screen === getCurrentScreen(get()) ? {...noQuestions, ...questions} : noQuestions;
	}

	const typedAnswers = createTypedAnswers();

	return {
		current: undefined,
		...noQuestions,
		text: emptyDialogText,
		isFiltering: false,
		lineBuffer: createSelectedLine(''),
		open(dialog) {
			const questions = takeAnswered();
			if (questions.previous.length === 0) typedAnswers.clear();
			set({
				current: dialog.kind === 'field' || dialog.kind === 'entry' ? typedAnswers.restore(dialog) : dialog,
				...questions,
				text: emptyDialogText,
				...((dialog.kind === 'palette' || dialog.kind === 'help') && {
					lineBuffer: createSelectedLine(dialog.query),
				}),
			});
		},
		openField: ({value, ...field}) =>
			get().dialog.open({
				kind: 'field',
				buffer: createSelectedLine(value),
				initialText: value,
				...field,
			}),
		close() {
			answered = undefined;
			set({current: undefined, ...noQuestions});
		},
		goBack() {
			const {current, previous, reopenPicker, close} = get().dialog;
			const question = previous.at(-1);
			if ((current?.kind === 'field' || current?.kind === 'entry') && !isChange(current))
				typedAnswers.note(current);
			if (!question) {
				close();
				return reopenPicker?.();
			}
			set({current: question, previous: previous.slice(0, -1), text: emptyDialogText});
		},
		leadBackTo(reopenPicker) {
			answered = {...noQuestions, screen: getCurrentScreen(get()), reopenPicker};
		},
		endQuestions() {
			answered = undefined;
		},
		choose(value) {
			const dialog = get().dialog.current;
			if (dialog?.kind !== 'choice') return;
			closeAnswered({...dialog, initialValue: value});
			dialog.choose(value);
		},
		setText(text) {
			const {current: dialog, lineBuffer} = get().dialog;
			switch (dialog?.kind) {
				case 'field':
					return set({current: {...dialog, buffer: replaceText(dialog.buffer, text), problem: undefined}});
				case 'entry':
					return set({current: {...dialog, value: text, problem: undefined}});
				case 'palette':
					return set({
						lineBuffer: replaceText(lineBuffer, text),
						current: {...dialog, query: text, cursor: 0},
					});
				case 'help':
					return set({
						lineBuffer: replaceText(lineBuffer, text),
						current: {...dialog, query: text},
						text: emptyDialogText,
					});
			}
		},
		typeInField(key) {
			const dialog = get().dialog.current;
			const command = getEditCommand(key);
			if (dialog?.kind !== 'field' || !command) return false;
			const buffer = editBuffer(dialog.buffer, command);
			const isSameText = getBufferText(buffer) === getBufferText(dialog.buffer);
			const suggestions =
				dialog.suggestions &&
				(isSameText
					? dialog.suggestions
					: withSelected({...dialog.suggestions, selectedValue: undefined}, buffer));
			set({current: {...dialog, buffer, suggestions, problem: undefined}});
			return true;
		},
		typeInLine(key) {
			const command = getEditCommand(key);
			if (!command) return false;
			const lineBuffer = editBuffer(get().dialog.lineBuffer, command);
			const text = getBufferText(lineBuffer);
			const dialog = get().dialog.current;
			if (dialog) get().dialog.setText(text);
			else get().dialog.filter(text);
			set({lineBuffer});
			return true;
		},
		searchHelp(isSearching) {
			const dialog = get().dialog.current;
			if (dialog?.kind === 'help') set({current: {...dialog, isSearching}});
		},
		moveMode(distance) {
			const dialog = get().dialog.current;
			if (dialog?.kind !== 'field' || !dialog.modes) return;
			const {labels, selectedIndex} = dialog.modes;
			set({
				current: {
					...dialog,
					modes: {labels, selectedIndex: (selectedIndex + distance + labels.length) % labels.length},
					problem: undefined,
				},
			});
		},
		moveSuggestion(distance) {
			const dialog = get().dialog.current;
			if (dialog?.kind !== 'field' || !dialog.suggestions) return;
			const suggestions = withSelected(dialog.suggestions, dialog.buffer, distance);
			set({current: {...dialog, suggestions, problem: undefined}});
		},
		suggest(title, {all, note}) {
			const dialog = get().dialog.current;
			if (dialog?.kind !== 'field' || dialog.title !== title || !dialog.suggestions) return;
			set({
				current: {...dialog, suggestions: withSelected({...dialog.suggestions, all, note}, dialog.buffer)},
			});
		},
		submit() {
			const dialog = get().dialog.current;
			// A wrong name is reported at once, even if text is still unread.
			const mismatch = dialog?.kind === 'field' ? describeNameMismatch(dialog) : undefined;
			if (isChange(dialog) && mismatch === undefined && get().dialog.readOn()) return;
			if (dialog?.kind === 'entry') {
				const problem = dialog.check?.(dialog.value);
				if (problem !== undefined) return set({current: {...dialog, problem}});
				closeAnswered(dialog);
				dialog.submit(dialog.value);
			} else if (dialog?.kind === 'field') {
				const mode = dialog.modes?.selectedIndex ?? 0;
				const typed = getBufferText(dialog.buffer);
				const suggestion = dialog.suggestions && getSelectedSuggestion(dialog.suggestions, typed);
				if (suggestion) {
					closeAnswered(dialog);
					return dialog.submit(suggestion.value, mode);
				}
				const problem = mismatch ?? describeMissingInput(dialog) ?? dialog.check?.(typed, mode);
				if (problem !== undefined) return set({current: {...dialog, problem}});
				closeAnswered(dialog);
				dialog.submit(typed, mode);
			} else if (dialog?.kind === 'confirm') {
				closeAnswered(dialog);
				dialog.confirm();
			}
		},
		move(distance, lastIndex) {
			const dialog = get().dialog.current;
			if (dialog?.kind !== 'palette') return;
			set({current: {...dialog, cursor: Math.max(0, Math.min(lastIndex, dialog.cursor + distance))}});
		},
		noticeText(extent) {
			const {text} = get().dialog;
			const noticed = noticeDialogText(text, extent);
			if (Object.entries(noticed).some(([name, value]) => text[name as keyof DialogText] !== value))
				set({text: noticed});
		},
		scrollText(distance, unit = 'page') {
			const {text} = get().dialog;
			set({text: scrollDialogText(text, distance * (unit === 'page' ? getPageLines(text) : 1))});
		},
		readOn() {
			if (!hasUnreadText(get().dialog.text)) return false;
			get().dialog.scrollText(1);
			return true;
		},
		beginFilter: () => set({isFiltering: true, lineBuffer: createSelectedLine(get().dialog.getFilterText())}),
		getFilterText() {
			const state = get();
			return state.navigation.screens[getCurrentScreen(state)].filter?.getText(state) ?? '';
		},
		filter(filter) {
			const state = get();
			state.navigation.screens[getCurrentScreen(state)].filter?.setText(state, filter);
		},
		endFilter() {
			set({isFiltering: false});
			const state = get();
			state.navigation.screens[getCurrentScreen(state)].filter?.finish?.(state);
		},
	};
};

/** True for a question whose text must have been visible before an answer counts. */
const isChange = (dialog: Dialog | undefined): boolean =>
	dialog?.kind === 'confirm' || (dialog?.kind === 'field' && dialog.requiredInput !== undefined);

/** Returns suggestions with one selected, so that the same one stays selected when others are added. */
const withSelected = (suggestions: Suggestions, buffer: TextBuffer, distance = 0): Suggestions => ({
	...suggestions,
	selectedValue: getSelectedSuggestion(suggestions, getBufferText(buffer), distance)?.value,
});

const replaceText = (line: TextBuffer, text: string): TextBuffer =>
	replaceRange(line, 0, getBufferText(line).length, text);
