import type {Key} from '../../keyboard/key.ts';
import type {Restart} from '../../session/restarted.ts';
import type {LedgeState, LedgeStore} from '../../store/ledge-store.ts';
import type {Dialog} from './dialog-slice.ts';
import type {Screen} from './screen-name.ts';

/** What takes the keys: the dialog in front, the filter that is being typed, or the screen. */
export type Context = Screen | `${Screen} menu` | 'too small' | 'filter' | Dialog['kind'];

/** What only a terminal can do; the screens ask for it, and nobody else. */
export type Terminal = {
	/** Puts text on the clipboard of the person, over SSH too. Returns a sentence about what became of it. */
	copy(text: string): string;
	/** Lends the terminal to another program until the work is done. */
	handOver<T>(work: () => Promise<T>): Promise<T>;
	suspend(): void;
	quit(): void;
	/** Ends this session of the screens and begins another one at Home; `then` is what is done first in it. */
	restart(into: Restart, then?: (app: App) => void): void;
	/** Passes a key to the field or menu of Ink in front. */
	forward(key: Key): void;
};

/** What actions act on. */
export type App = {
	readonly store: LedgeStore;
	readonly terminal: Terminal;
	readonly actions: readonly Action[];
	state(): LedgeState;
};

/**
 * One thing that a person can do: what the handler, the hints, the help, the palette and the readme are made
 * from. Keys are named as in keyboard/key.ts.
 */
export type Action = {
	readonly id: string;
	readonly keys: readonly [string, ...string[]];
	/** What it does, as the palette and the help say it. */
	readonly title: string;
	/** The word behind its key on the last line; without one the action is not shown there. */
	readonly hint?: string;
	/** Other names that people look for it by, beside the words of its title and its hint. */
	readonly words?: readonly string[];
	/** A heading of the help. */
	readonly group: string;
	/** It deletes, discards or sends something: who looks for other words than its own never finds it first. */
	readonly destroys?: true;
	/** On enter it only shows more of the row under the cursor: a second click on the row does it, too. */
	readonly opens?: true;
	/** It only moves: who looks for an action by words finds it last. */
	readonly isMove?: true;
	/** Where its keys work. `everywhere` is all screens, and no dialog. */
	readonly where: 'everywhere' | readonly Context[];
	/**
	 * Whether it belongs to the step of its screen that is in front; without it, to all of them. Where it does not, its
	 * keys are not its own, and neither the help nor the hints name it.
	 */
	isHere?(state: LedgeState): boolean;
	/** Why it cannot be done now, although it belongs here. */
	unavailable?(state: LedgeState): string | undefined;
	run(app: App, key: Key): void;
	/**
	 * How the palette offers it on other screens. It goes to the first screen of `where` and asks for a row there, unless
	 * this says otherwise: `at once`, it needs no row; `in place`, it stays where it is; `never`, only a look at its screen
	 * shows what it would act on.
	 */
	readonly elsewhere?: 'at once' | 'in place' | 'never';
	/** Made of `elsewhere` (reach.ts): what the palette does on other screens. */
	readonly fromElsewhere?: Elsewhere | undefined;
};

/** How an action is done from another screen than its own: by going there, where something is chosen first. */
export type Elsewhere = {
	/** What has to be chosen: "a namespace"; `undefined` where that is clear, or nothing has to be. */
	needs(state: LedgeState): string | undefined;
	/** Whether the way ends on that screen, where a row is chosen for it. */
	isChosenThere(state: LedgeState): boolean;
	/** Why it cannot be done from here. */
	readonly unavailable?: Action['unavailable'] | undefined;
	run(app: App, key: Key): void;
};
