import {fits} from '../../components/layout.ts';
import type {Key} from '../../keyboard/key.ts';
import type {Restart} from '../../session/restarted.ts';
import type {LedgeState, LedgeStore} from '../../store/ledge-store.ts';
import {isEmergencyTyping} from '../emergency/state.ts';
import {isMigrationTyping} from '../migration/state.ts';
import {isTyping} from '../wizard/state.ts';
import type {DialogSlice} from './dialog-slice.ts';
import {type Screen, screenOf} from './navigation-slice.ts';

/** What takes the keys: the dialog in front, the filter that is being typed, or the screen. */
export type Context =
	| Screen
	| 'wizard menu'
	| 'emergency menu'
	| 'migration menu'
	| 'too small'
	| 'filter'
	| NonNullable<DialogSlice['dialog']>['kind'];

/** What only a terminal can do; the screens ask for it, and nobody else. */
export type Terminal = {
	/** Puts text on the clipboard of the person, over SSH too. Gives a sentence about what became of it. */
	copy(text: string): string;
	/** Lends the terminal to another program until the work is done. */
	handOver<T>(work: () => Promise<T>): Promise<T>;
	suspend(): void;
	quit(): void;
	/** Ends this session of the screens and begins another one at Home; `then` is what is done first in it. */
	restart(into: Restart, then?: (app: App) => void): void;
	/** Gives a key to the field or menu of Ink in front. */
	forward(key: Key): void;
};

/** What actions act on. */
export type App = {
	readonly store: LedgeStore;
	readonly terminal: Terminal;
	readonly actions: readonly Action[];
	state(): LedgeState;
};

/** Parts of the help, in its order. */
export const groups = [
	'Everywhere',
	'Move',
	'Namespaces',
	'Keys',
	'Value',
	'Editor',
	'Review',
	'Bulk',
	'Export and copy',
	'Compare',
	'Zones',
	'Accounts',
	'Firewall',
	'Rule wizard',
	'Emergency',
	'Migration',
	'Jobs',
	'Calls',
	'Dialogs',
] as const;

/**
 * One thing that a person can do: what the handler, the hints, the help, the palette and the readme are made
 * from. Keys are named as in keyboard/key.ts.
 */
export type Action = {
	readonly id: string;
	readonly keys: readonly [string, ...string[]];
	/** What it does, as the palette and the help say it. */
	readonly title: string;
	/** The word behind its key on the last line; without one it does not stand there. */
	readonly hint?: string;
	/** Other names that people look for it by, beside the words of its title and its hint. */
	readonly words?: readonly string[];
	readonly group: (typeof groups)[number];
	/** It deletes, discards or sends something: who looks for other words than its own never finds it first. */
	readonly destroys?: true;
	/** It moves in what is there, and does nothing: who looks for an action by words finds it last. */
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
};

/** What takes the keys now. */
export function contextOf(state: LedgeState): Context {
	if (!fits(state.viewport)) return 'too small';
	if (state.dialog) return state.dialog.kind;
	return state.filtering ? 'filter' : screenContext(state);
}

/** What the keys of the screen in front mean, whatever lies over it: the wizard, the emergency and the migration have steps where letters are text. */
export function screenContext(state: LedgeState): Context {
	const screen = screenOf(state);
	const {wizard, emergency, migration} = state;
	if (screen === 'wizard') return wizard && isTyping(wizard) ? screen : 'wizard menu';
	if (screen === 'emergency') return emergency && isEmergencyTyping(emergency) ? screen : 'emergency menu';
	if (screen === 'migration') return migration && isMigrationTyping(migration) ? screen : 'migration menu';
	return screen;
}

/** Screens where no text is typed. */
const screens: ReadonlySet<Context> = new Set<Screen>([
	'home',
	'namespaces',
	'keys',
	'key',
	'review',
	'bulk',
	'transfer',
	'compare',
	'zones',
	'accounts',
	'firewall',
	'jobs',
	'activity',
]);

/** Whether the keys of an action work in a context. Where text is typed, letters are text. */
export const worksIn = ({where}: Action, context: Context): boolean =>
	where === 'everywhere' ? screens.has(context) : where.includes(context);

/** Whether an action is one of a context as it stands: its keys work there, and it belongs to the step in front. */
export const belongsTo = (action: Action, context: Context, state: LedgeState): boolean =>
	worksIn(action, context) && action.isHere?.(state) !== false;
