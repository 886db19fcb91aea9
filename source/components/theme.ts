import {createContext, useContext} from 'react';

/** Properties for Ink's `Text`. */
type Look = {
	readonly color?: string;
	readonly bold?: boolean;
	readonly dimColor?: boolean;
	readonly inverse?: boolean;
};

/** A row drawn over its whole width. */
type BarLook = Look & {readonly backgroundColor?: string};

/**
 * Each colour has one meaning: current item, secondary text, destruction, production, warning, confirmation.
 * Each comes with a mark or word of the same meaning. Only the 16 terminal colours are used, so that the
 * terminal's palette decides; the foreground is set only on a bar.
 */
export type Theme = {
	readonly name: ThemeName;
	readonly current: Look;
	/** The row under the cursor in a list. */
	readonly cursorBar: BarLook;
	/** Selected rows. */
	readonly selectionBar: BarLook;
	readonly dim: Look;
	readonly danger: Look;
	readonly production: Look;
	readonly warning: Look;
	readonly good: Look;
	/** Looks of the series of a plot, which also differ in a letter or pattern. A sixth reuses the first. */
	readonly series: readonly Look[];
	/** True for a screen reader (`spoken.ts`). */
	readonly isSpoken?: boolean;
	/** Marks of states, plain ASCII where the terminal is not UTF-8. */
	readonly marks: Marks;
};

export type ThemeName = 'dark' | 'light' | 'none';

export type Marks = {
	readonly current: string;
	readonly done: string;
	/** What is under way or active; `current` is for the row under the cursor. */
	readonly now: string;
	readonly pending: string;
	readonly failed: string;
	readonly warning: string;
	readonly selected: string;
	readonly open: string;
	readonly closed: string;
	readonly line: string;
	/** Separates the parts of the breadcrumb. */
	readonly level: string;
	readonly badge: readonly [string, string];
	readonly bar: readonly [full: string, empty: string];
	readonly none: string;
	readonly dot: string;
	readonly enter: string;
	/** Precedes a wait. */
	readonly wait: string;
	readonly upDown: string;
};

const unicodeMarks: Marks = {
	current: '▸',
	done: '✓',
	now: '●',
	pending: '○',
	failed: '×',
	warning: '!',
	selected: '◆',
	open: '▾',
	closed: '▹',
	line: '─',
	level: '›',
	badge: ['⟨', '⟩'],
	bar: ['█', '░'],
	none: '–',
	dot: '·',
	wait: '⏳',
	enter: '⏎',
	upDown: '↑↓',
};

const asciiMarks: Marks = {
	current: '>',
	done: '+',
	now: '*',
	pending: 'o',
	failed: 'x',
	warning: '!',
	selected: '#',
	open: 'v',
	closed: '+',
	line: '-',
	level: '>',
	badge: ['<', '>'],
	bar: ['#', '.'],
	none: '-',
	dot: '.',
	wait: '!',
	enter: 'enter',
	upDown: 'up/down',
};

const looks: Readonly<Record<ThemeName, Omit<Theme, 'name' | 'marks' | 'isSpoken'>>> = {
	dark: {
		current: {color: 'cyan', bold: true},
		cursorBar: {backgroundColor: 'cyan', color: 'black', bold: true},
		selectionBar: {backgroundColor: 'blackBright', color: 'whiteBright'},
		dim: {dimColor: true},
		danger: {color: 'red', bold: true},
		production: {color: 'red', bold: true, inverse: true},
		warning: {color: 'yellow'},
		good: {color: 'green'},
		series: [{color: 'cyan'}, {color: 'magenta'}, {color: 'green'}, {color: 'blueBright'}, {color: 'yellow'}],
	},
	light: {
		current: {color: 'blue', bold: true},
		// In some light palettes both whites are grey, and one is too dark for a text on it or with it.
		cursorBar: {backgroundColor: 'white', color: 'black', bold: true},
		selectionBar: {backgroundColor: 'cyan', color: 'black'},
		dim: {dimColor: true},
		danger: {color: 'red', bold: true},
		production: {color: 'red', bold: true, inverse: true},
		warning: {color: 'magenta'},
		good: {color: 'green', bold: true},
		series: [{color: 'blue'}, {color: 'magenta'}, {color: 'green'}, {color: 'cyan'}, {color: 'blackBright'}],
	},
	none: {
		current: {bold: true},
		cursorBar: {bold: true},
		selectionBar: {},
		dim: {},
		danger: {bold: true},
		production: {bold: true, inverse: true},
		warning: {bold: true},
		good: {},
		series: [],
	},
};

export const getTheme = (name: ThemeName, utf8: boolean): Theme => ({
	name,
	...looks[name],
	marks: utf8 ? unicodeMarks : asciiMarks,
});

/**
 * Reads the theme from the environment: `NO_COLOR` means none, then `LEDGE_THEME`, then the background in
 * `COLORFGBG`; dark by default.
 */
export function readThemeName(env: NodeJS.ProcessEnv): ThemeName {
	if (env.NO_COLOR) return 'none';
	const requested = env.LEDGE_THEME;
	if (requested === 'light' || requested === 'dark' || requested === 'none') return requested;
	const background = Number(env.COLORFGBG?.split(';').at(-1) || Number.NaN);
	return background === 7 || background === 15 ? 'light' : 'dark';
}

export const ThemeContext = createContext<Theme>(getTheme('dark', true));

export const useTheme = (): Theme => useContext(ThemeContext);
