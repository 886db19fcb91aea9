import type {Failure} from '../../failure.ts';
import type {Key} from '../../keyboard/key.ts';
import type {LedgeState, StateWith} from '../../store/ledge-store.ts';
import type {Slice} from '../../store/slice.ts';
import {formatInteger} from '../../text/figures.ts';
import {createSmartCaseFilter} from '../../text/smart-case.ts';
import type {JobRow} from '../jobs/row.ts';
import type {Action, App} from './app.ts';
import type {Screen} from './screen-name.ts';
import type {ZoneWithLabel} from './zone-with-label.ts';

export type Screens = Readonly<Record<Screen, ScreenDefinition>>;

/** What a screen acts on, for the header. */
export type ScreenTarget = {
	readonly isLocal: boolean;
	readonly isPreview?: boolean | undefined;
	/** Plan of the zone, which decides what can be done there. */
	readonly plan?: string | undefined;
	readonly zone?: TargetZone | undefined;
};

type TargetZone = {
	readonly id: string;
	readonly name: string;
	readonly plan?: string | undefined;
	readonly accountId?: string | undefined;
};

export const createZoneTarget = (zone: TargetZone | undefined): ScreenTarget => ({
	isLocal: false,
	plan: zone?.plan,
	zone,
});

/** A job of this session, shown among the jobs even before it is recorded. */
export type SessionJob = Pick<
	JobRow,
	'id' | 'title' | 'name' | 'isPaused' | 'done' | 'total' | 'about' | 'zone'
>;

/** What quitting would lose or leave half done on a screen. */
type UnsavedInput = {
	readonly lines: readonly string[];
	/** True if typed text is kept as a draft. */
	readonly isDraft?: boolean;
};

/** Changes that are undone together or one after the other, while the session lasts. */
type UndoableChanges = {
	readonly count: number;
	/** What they changed: "the custom rules of shop.example". Unescaped. */
	readonly subject: string;
	/** The command that shows how it was before, if there is one. */
	readonly command?: string;
};

/** Unsent input: a form still open behind other screens, a draft on disk, or a review without a write. */
export type UnfinishedInput = {readonly id: string; readonly text: string; open(app: App): void};

/** Keys that edit the text being typed; not actions, but listed in the help. */
export type TextKeys = {readonly keys: readonly string[]; readonly title: string};

/** A place that the palette can go to by name. */
export type Jump = {
	/** Noun for its kind, such as "namespace". */
	readonly noun: string;
	/** Raw text. */
	readonly name: string;
	/** Tells it from another place of the same name. Raw text. */
	readonly detail?: string | undefined;
	run(app: App): void;
};

/** Maximum number of places of one kind offered by name. */
const maxJumps = 5;

/**
 * Finds up to `maxJumps` rows whose names contain the text by smart case; names that begin with it come first.
 * `getDetail` tells rows of the same name apart.
 */
export function findJumps<Row>(
	noun: string,
	rows: readonly Row[],
	getName: (row: Row) => string,
	searchText: string,
	open: (app: App, row: Row) => void,
	getDetail?: (row: Row) => string | undefined,
): readonly Jump[] {
	const isMatch = createSmartCaseFilter(searchText);
	const startsWithText = (row: Row) => getName(row).toLowerCase().startsWith(searchText.toLowerCase());
	return rows
		.filter(row => isMatch(getName(row)))
		.toSorted((one, other) => Number(startsWithText(other)) - Number(startsWithText(one)))
		.slice(0, maxJumps)
		.map(row => ({noun, name: getName(row), detail: getDetail?.(row), run: app => open(app, row)}));
}

/** Everything the shell needs of a screen, except how it is drawn. */
export type ScreenDefinition = {
	/** Heading of its actions in the help. */
	readonly group?: string;
	/** Its name in a sentence if it differs from the screen's: "the value". */
	readonly label?: string;
	/** Appends to the breadcrumb of the screens before it. Unescaped data. */
	buildPath(parentPath: readonly string[], state: LedgeState): readonly string[];
	/** What it acts on, if that differs from the screens before it. */
	getTarget?(parentTarget: ScreenTarget, state: LedgeState): ScreenTarget;
	/** The zone whose data it shows; the areas of a zone then open for this zone. */
	getZone?(state: LedgeState): ZoneWithLabel | undefined;
	/** Its actions. Screens whose order among the others matters have theirs in screens/actions.ts instead. */
	readonly actions?: readonly Action[];
	/** Creates the part of the state that has the name of the screen, unless store/create-store.ts does. */
	readonly createSlice?: Slice<unknown>;
	/** Refreshes what it shows. */
	reload?(app: App): void;
	/** Called before each key that has an action: the cursor must not move by itself any more. */
	stopFollowing?(state: LedgeState): void;
	/** Moves the cursor of its list, clamped to the rows. */
	move?(state: LedgeState, distance: number): void;
	/** Present if several rows of its list can be selected. */
	readonly selection?: {
		/** True while its rows are shown. */
		isActive(state: LedgeState): boolean;
		/** Returns why none of them can be selected; shift with an arrow then moves like the arrow. */
		getUnavailableReason(state: LedgeState): string | undefined;
		/** Counts the selected rows, also those that the filter hides. */
		countSelected(state: LedgeState): number;
		/** Moves the cursor by one row and selects the rows that it passes; moving back deselects them. */
		extend(state: LedgeState, distance: 1 | -1): void;
		/** Selects the shown rows from the one that was selected or deselected last to the cursor. */
		selectRange(state: LedgeState): void;
	};
	/** The filter or search that `/` starts. */
	readonly filter?: {
		getText(state: LedgeState): string;
		setText(state: LedgeState, text: string): void;
		/** Called when the typing ends, to send at once what waits for a rest. */
		finish?(state: LedgeState): void;
		/** Formats how much matches: "150 of 390". Called only while there is a text. */
		formatCounts(state: LedgeState): string;
		/** True if nothing has the text as typed, and what is shown has all of its words. */
		hasSplitWords?(state: LedgeState): boolean;
	};
	/** Called when the screen is opened, not when the user returns to it. */
	onOpen?(state: LedgeState): void;
	/** Lists the few best rows whose names contain a text, as places for the palette. */
	listJumps?(state: LedgeState, searchText: string): readonly Jump[];
	/** Starts loading the rows of `listJumps` unless some are loaded. A failure is not reported. */
	loadJumps?(app: App): void;
	/**
	 * Undoes one thing, other than the filter, before esc leaves the screen. Returns whether it did.
	 */
	handleEscape?(app: App, hasStoppedReads: boolean): boolean;
	/** Present if letters are text in some steps. In the others the context is the `menu` of the screen. */
	readonly textInput?: {
		isTyping(state: LedgeState): boolean;
		/** Returns whether the text input handles the key. */
		handleKey(state: LedgeState, key: Key): boolean;
		listKeys?(state: LedgeState): readonly TextKeys[];
	};
	/** The state that is drawn, if the screen lags behind. */
	getDrawnState?(state: LedgeState): LedgeState;
	/** Called when the width of the terminal changes. */
	onResize?(state: LedgeState): void;
	/** Name of the open form if something is typed in it: "rule for shop.example". */
	getOpenForm?(state: LedgeState): string | undefined;
	/** Discards what is typed in the open form; the screen stays. */
	discardOpenForm?(state: LedgeState): void;
	/** Returns to its open form so that esc leads to the list the form is about; by default the screen is opened. */
	resumeForm?(app: App): void;
	/** Lists unsent input of earlier forms that no draft keeps, because it is stored elsewhere. */
	listUnfinished?(state: LedgeState): readonly UnfinishedInput[];
	/** True if an area key or `[` leaves it open, so that coming back shows the same step. Otherwise it is closed as by esc. */
	staysOpen?(state: LedgeState): boolean;
	/** `draftFailure` is why no draft can be kept. */
	getUnsaved?(state: LedgeState, draftFailure: Failure | undefined): UnsavedInput | undefined;
	isSending?(state: LedgeState): boolean;
	/** Stops what it sends, then determines and records the outcome before the process ends. */
	end?(state: LedgeState): Promise<void>;
	/**
	 * Closes what the next session needs, such as a journal, before it begins. Sending continues.
	 * Returns the name of what can be resumed later.
	 */
	release?(state: LedgeState): Promise<string | undefined>;
	/** Lists what only this session can undo. */
	listUndoable?(state: LedgeState): readonly UndoableChanges[];
	/** Text to print after ledge leaves the full screen. */
	getQuitMessage?(state: LedgeState): string | undefined;
	readonly job?: {
		getRow(state: StateWith<'bulk' | 'transfer' | 'migration'>): SessionJob | undefined;
		/** Progress for the status of other screens. */
		formatProgress?(state: LedgeState): string;
		getUnavailableReason?(state: LedgeState, job: JobRow): string | undefined;
		resume(app: App, job: JobRow): void;
		pause?(state: LedgeState, isPaused: boolean): void;
	};
};

/** Formats "150 of 390"; empty without rows. */
export const formatFilterCount = (
	visibleRows: {readonly length: number},
	allRows: {readonly length: number},
): string =>
	allRows.length === 0 ? '' : `${formatInteger(visibleRows.length)} of ${formatInteger(allRows.length)}`;

/** Lists every screen with its name. */
export const listScreens = (screens: Screens): readonly (readonly [Screen, ScreenDefinition])[] =>
	Object.entries(screens) as [Screen, ScreenDefinition][];

/** Heading of the commands of the user's own configuration file. */
export const ownCommandsGroup = 'Your commands';

/** Lists the headings of the help in order. */
export const listHelpGroups = (screens: Screens): readonly string[] => [
	'Everywhere',
	'Move',
	...listScreens(screens).flatMap(([, {group}]) => group ?? []),
	ownCommandsGroup,
	'Dialogs',
];
