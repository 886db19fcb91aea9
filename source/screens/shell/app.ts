import type {Key} from '../../keyboard/key.ts';
import type {Restart} from '../../session/restart.ts';
import type {DebugLog} from '../../state/debug-log.ts';
import type {LedgeState, LedgeStore} from '../../store/ledge-store.ts';
import type {Dialog} from './dialog-slice.ts';
import type {Screen} from './screen-name.ts';

/** What handles the keys: the dialog, the filter or search being typed, or the screen. */
export type InputContext =
	| Screen
	| `${Screen} menu`
	| 'too small'
	| 'filter'
	| 'help search'
	| Dialog['kind'];

/** What only a terminal can do. Only the screens use it. */
export type Terminal = {
	/** Copies text to the user's clipboard, over SSH too. Returns a sentence about the outcome. */
	copy(text: string): string;
	/** Lends the terminal to another program until `work` settles. */
	handOver<T>(work: () => Promise<T>): Promise<T>;
	suspend(): void;
	/** Counts the drawn rows of the list with the cursor; undefined if no list is drawn. */
	countListRows?(): number | undefined;
	quit(): void;
	/** Ends this session and starts another one at Home, where `onStart` runs first. */
	restart(target: Restart, onStart?: (app: App) => void): void;
	/** Passes a key to the focused Ink field or menu. */
	forward(key: Key): void;
};

export type App = {
	readonly store: LedgeStore;
	readonly terminal: Terminal;
	readonly actions: readonly Action[];
	/** The log of LEDGE_DEBUG. */
	readonly log?: DebugLog;
	state(): LedgeState;
};

/**
 * One thing that a user can do. The key handler, hints, help, palette and readme are built from actions. Keys
 * are named as in keyboard/key.ts.
 */
export type Action = {
	readonly id: string;
	/** The first one is shown in hints. Empty if the user unbound it: then only the palette runs it. */
	readonly keys: readonly string[];
	/** Its keys without the settings of the user, if those have changed them. */
	readonly defaultKeys?: readonly string[];
	/** Title in the palette and the help. */
	readonly title: string;
	/** Word after its key on the last line; without one it is not shown there. */
	readonly hint?: string;
	/** Whether its hint comes before the others on the last line or is left out there; by default neither. */
	getHintPlace?(state: LedgeState): 'first' | 'none' | undefined;
	/** Other search terms, besides the words of its title and hint. */
	readonly searchTerms?: readonly string[];
	/** Heading in the help. */
	readonly group: string;
	/**
	 * `writes`: sends a write to a service or a local store, after a confirmation if one is needed.
	 * `prepares a write`: opens or continues what another action sends, such as an editor or a review.
	 * Omitted: it reads, or changes only what is shown, typed, copied, or kept on this machine.
	 */
	readonly effect?: 'writes' | 'prepares a write';
	/** True if it deletes, discards or sends something. A search finds it only by its own verbs. */
	readonly isDestructive?: true;
	/** True if it only shows more of the current row. A second click on the row then runs it too. */
	readonly opensRow?: true;
	/** True if it only moves the cursor. A search ranks it last. */
	readonly isMove?: true;
	/** True if it shows the failure of the latest message in full. */
	readonly explainsFailure?: true;
	/** Where its keys work; `everywhere` means all screens and no dialog. */
	readonly where: 'everywhere' | readonly InputContext[];
	/**
	 * True while it belongs to the current step of its screen; always if omitted. If false, its keys are free
	 * and neither the help nor the hints name it.
	 */
	isActive?(state: LedgeState): boolean;
	/** Returns why it cannot be done now, although it is active. */
	getUnavailableReason?(state: LedgeState): string | undefined;
	run(app: App, key: Key): void;
	/**
	 * How the palette offers it on other screens. By default it goes to the first screen of `where` and asks
	 * for a row there. `at once`: needs no row; `in place`: runs without leaving; `never`: makes sense only
	 * on its own screen.
	 */
	readonly paletteMode?: 'at once' | 'in place' | 'never';
	/** Derived from `paletteMode` (reach.ts): what the palette does on other screens. */
	readonly paletteRoute?: PaletteRoute | undefined;
};

/** How an action runs from another screen: by going to its own, where something is chosen first. */
export type PaletteRoute = {
	/** What must be chosen, such as "a namespace"; undefined if nothing. */
	describeChoice(state: LedgeState): string | undefined;
	/** True if the row is chosen on the target screen. */
	choosesOnScreen(state: LedgeState): boolean;
	readonly getUnavailableReason?: Action['getUnavailableReason'] | undefined;
	run(app: App, key: Key): void;
};
