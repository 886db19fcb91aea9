import type {Failure} from '../../failure.ts';
import type {Key} from '../../keyboard/key.ts';
import type {Has, LedgeState} from '../../store/ledge-store.ts';
import {grouped} from '../../text/figures.ts';
import {holding} from '../../text/smart-case.ts';
import type {JobRow} from '../jobs/row.ts';
import type {App} from './app.ts';
import type {Screen} from './screen-name.ts';

export type Screens = Readonly<Record<Screen, ScreenDefinition>>;

/** On what a screen acts, for the header. */
export type ActsOn = {
	readonly isLocal: boolean;
	readonly isPreview?: boolean | undefined;
	/** Of the zone; it decides what can be done there. */
	readonly plan?: string | undefined;
	readonly zone?: ZoneHere | undefined;
};

type ZoneHere = {
	readonly id: string;
	readonly name: string;
	readonly plan?: string | undefined;
	readonly accountId?: string | undefined;
};

/** On what a screen of a zone acts. */
export const onZone = (zone: ZoneHere | undefined): ActsOn => ({isLocal: false, plan: zone?.plan, zone});

/** A job of this session: it has a row in the jobs before, and while, it is recorded. */
export type SessionJob = Pick<
	JobRow,
	'id' | 'title' | 'name' | 'isPaused' | 'done' | 'total' | 'about' | 'zone'
>;

/** What quitting would lose of a screen, or leave half done. */
type Unsaved = {
	readonly lines: readonly string[];
	/** Whether something typed is kept as a draft. */
	readonly isDraft?: boolean;
};

/** Keys that change the text being typed, and are not actions; the help lists them. */
export type TextKeys = {readonly keys: readonly string[]; readonly title: string};

/** A place that the palette leads to by its name. */
export type Jump = {
	/** What it is: "namespace". */
	readonly what: string;
	/** Data as it is. */
	readonly name: string;
	run(app: App): void;
};

/** Places of one kind that are offered by name at most. */
const mostJumps = 5;

/** The rows whose names hold a text, by smart case, as places to go to: those that begin with it first, a few at most. */
export function jumpsOf<Row>(
	what: string,
	rows: readonly Row[],
	nameOf: (row: Row) => string,
	sought: string,
	open: (app: App, row: Row) => void,
): readonly Jump[] {
	const isMatch = holding(sought);
	const begins = (row: Row) => nameOf(row).toLowerCase().startsWith(sought.toLowerCase());
	return rows
		.filter(row => isMatch(nameOf(row)))
		.toSorted((one, other) => Number(begins(other)) - Number(begins(one)))
		.slice(0, mostJumps)
		.map(row => ({what, name: nameOf(row), run: app => open(app, row)}));
}

/** All that the shell needs of a screen, except how it is drawn. */
export type ScreenDefinition = {
	/** The heading of its actions in the help. */
	readonly group?: string;
	/** Its name in a sentence, where that is not the name of the screen: "the value". */
	readonly called?: string;
	/** The breadcrumb, from the breadcrumb of the screens before it. Data as it is. */
	path(before: readonly string[], state: LedgeState): readonly string[];
	/** On what it acts, where that is not what the screens before it act on. */
	actsOn?(before: ActsOn, state: LedgeState): ActsOn;
	/** Reads what it shows once more. */
	reload?(app: App): void;
	/** Moves the cursor of its list, which stays within the list. */
	move?(state: LedgeState, by: number): void;
	/** What `/` narrows it by, or finds in it. */
	readonly filter?: {
		text(state: LedgeState): string;
		narrow(state: LedgeState, text: string): void;
		/** What is shown for it, of how much: "150 of 390". Asked for only while there is a text. */
		counts(state: LedgeState): string;
	};
	/** What of it the palette leads to by name: its rows whose names hold a text, the best first, a few at most. */
	jumps?(state: LedgeState, sought: string): readonly Jump[];
	/** Begins to read what `jumps` leads to, where nothing of it was read yet; says nothing where that fails. */
	readJumps?(app: App): void;
	/** What esc takes back before it leaves the screen, the filter aside. Returns whether there was anything. */
	takeBack?(app: App, stopped: boolean): boolean;
	/** Where letters are text. In its other steps the context is the `menu` of the screen. */
	readonly text?: {
		isTyping(state: LedgeState): boolean;
		/** Returns whether the key means anything in the text. */
		type(state: LedgeState, key: Key): boolean;
		keys?(state: LedgeState): readonly TextKeys[];
	};
	/** The state as the screen draws it, where that lags behind. */
	drawn?(state: LedgeState): LedgeState;
	/** Another width of the terminal. */
	resized?(state: LedgeState): void;
	/** The name of the form that is open in it and has something typed: "rule for shop.example". */
	openForm?(state: LedgeState): string | undefined;
	/** `lost` is why no draft can be kept. */
	unsaved?(state: LedgeState, lost: Failure | undefined): Unsaved | undefined;
	isSending?(state: LedgeState): boolean;
	/** Stops what it sends, and finds out and records what became of it, before the process ends. */
	end?(state: LedgeState): Promise<void>;
	/**
	 * Closes what it holds and others need, where another session begins: a journal, for one. What is sent continues. Returns the
	 * name of what can be continued later.
	 */
	letGo?(state: LedgeState): Promise<string | undefined>;
	/** What has to be printed once ledge has left the screen of the terminal. */
	lastWords?(state: LedgeState): string | undefined;
	readonly job?: {
		row(state: Has<'bulk' | 'transfer' | 'migration'>): SessionJob | undefined;
		/** How far it is, for the status of other screens. */
		brief?(state: LedgeState): string;
		/** Why a recorded job cannot be resumed now. */
		unavailable?(state: LedgeState, job: JobRow): string | undefined;
		resume(app: App, job: JobRow): void;
		/** Pauses it, or resumes it after a pause. */
		pause?(state: LedgeState, isPaused: boolean): void;
	};
};

/** How many rows a filter shows, of how many. */
export const shownOf = (shown: {readonly length: number}, all: {readonly length: number}): string =>
	all.length === 0 ? '' : `${grouped(shown.length)} of ${grouped(all.length)}`;

/** Every screen with its name. */
export const entriesOf = (screens: Screens): readonly (readonly [Screen, ScreenDefinition])[] =>
	Object.entries(screens) as [Screen, ScreenDefinition][];

/** The headings of the help, in their order. */
export const groupsOf = (screens: Screens): readonly string[] => [
	'Everywhere',
	'Move',
	...entriesOf(screens).flatMap(([, {group}]) => group ?? []),
	'Dialogs',
];
