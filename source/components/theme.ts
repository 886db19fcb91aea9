import {createContext, useContext} from 'react';
import {computeContrast, toRgb, toTerminalColor} from '../settings/preferences/colors.ts';
import type {ThemePreferences, ThemeRole} from '../settings/preferences/preferences.ts';
import {formatLink, type Link} from '../terminal/links.ts';
import {convertPalette, palettes, type ThemePalette} from './palettes.ts';

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
 * Each comes with a mark or word of the same meaning. By default only the 16 terminal colours are used, so
 * that the terminal's palette decides; the foreground is set only on a bar.
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
	/** Lines and frames. */
	readonly border: Look;
	readonly heading: Look;
	readonly warning: Look;
	readonly good: Look;
	/** Looks of the series of a plot, which also differ in a letter or pattern. A sixth reuses the first. */
	readonly series: readonly Look[];
	/** Colour of everything without a look; undefined leaves it to the terminal. */
	readonly textColor?: string | undefined;
	/** True if its colours are its own, not the 16 of the terminal. */
	readonly hasPalette?: true;
	/** Bits of a colour that the terminal shows; undefined if unknown. */
	readonly colorDepth?: number;
	/** True if the terminal has links. */
	readonly hasLinks?: boolean;
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
	/** From empty to full, to draw images without colours. */
	readonly shades: readonly string[];
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
	shades: [' ', '░', '▒', '▓', '█'],
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
	shades: [' ', '.', ':', '-', '=', '+', '*', '#', '%', '@'],
};

type ThemeLooks = Omit<Theme, 'name' | 'marks' | 'isSpoken' | 'colorDepth'>;

const looks: Readonly<Record<ThemeName, ThemeLooks>> = {
	dark: {
		current: {color: 'cyan', bold: true},
		cursorBar: {backgroundColor: 'cyan', color: 'black', bold: true},
		selectionBar: {backgroundColor: 'blackBright', color: 'whiteBright'},
		dim: {dimColor: true},
		border: {dimColor: true},
		heading: {bold: true},
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
		border: {dimColor: true},
		heading: {bold: true},
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
		border: {},
		heading: {bold: true},
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
 * Reads the theme from the environment: `NO_COLOR` means none, then `LEDGE_THEME`, then the preferences, for
 * the background in `COLORFGBG`; dark by default. `colorDepth`: bits of a colour that the terminal shows.
 */
export function readTheme(
	env: NodeJS.ProcessEnv,
	utf8: boolean,
	preferences: ThemePreferences | undefined,
	colorDepth?: number,
): Theme {
	if (env.NO_COLOR) return getTheme('none', utf8);
	const requested = env.LEDGE_THEME;
	if (requested === 'light' || requested === 'dark' || requested === 'none') return getTheme(requested, utf8);
	const name = preferences?.name?.value ?? 'default';
	const background = Number(env.COLORFGBG?.split(';').at(-1) || Number.NaN);
	const detectedMode = background === 7 || background === 15 ? 'light' : 'dark';
	const mode = name === 'light' || name === 'dark' ? name : detectedMode;
	const isBuiltIn = name === 'default' || name === mode;
	const theme = {
		...getTheme(mode, utf8),
		...(!isBuiltIn &&
			name in palettes &&
			toLooks(convertPalette(palettes[name as keyof typeof palettes][mode], colorDepth))),
	};
	return withRoles(theme, preferences?.roles ?? {}, colorDepth);
}

const toLooks = (palette: ThemePalette): ThemeLooks => ({
	hasPalette: true,
	textColor: palette.text,
	current: {color: palette.accent, bold: true},
	cursorBar: {backgroundColor: palette.cursor[0], color: palette.cursor[1], bold: true},
	selectionBar: {backgroundColor: palette.selection[0], color: palette.selection[1]},
	dim: {color: palette.dim},
	border: {color: palette.border},
	heading: {color: palette.heading, bold: true},
	danger: {color: palette.danger, bold: true},
	production: {color: palette.danger, bold: true, inverse: true},
	warning: {color: palette.warning},
	good: {color: palette.success},
	series: palette.series.map(color => ({color})),
});

/** Replaces the colours of roles. */
function withRoles(theme: Theme, roles: ThemePreferences['roles'], depth: number | undefined): Theme {
	const getColor = (role: ThemeRole) => {
		const color = roles[role]?.value;
		return color === undefined ? undefined : toTerminalColor(color, depth);
	};
	const recolor = (look: Look, role: ThemeRole): Look => {
		const color = getColor(role);
		const {dimColor: _, ...rest} = look;
		return color === undefined ? look : {...rest, color};
	};
	const refill = (look: BarLook, role: ThemeRole): BarLook => {
		const color = getColor(role);
		return color === undefined ? look : {...look, backgroundColor: color, color: chooseTextOn(color)};
	};
	return {
		...theme,
		textColor: getColor('text') ?? theme.textColor,
		current: recolor(theme.current, 'accent'),
		cursorBar: refill(theme.cursorBar, 'cursor'),
		selectionBar: refill(theme.selectionBar, 'selection'),
		dim: recolor(theme.dim, 'dim'),
		border: recolor(theme.border, 'border'),
		heading: recolor(theme.heading, 'heading'),
		danger: recolor(theme.danger, 'danger'),
		production: recolor(theme.production, 'danger'),
		warning: recolor(theme.warning, 'warning'),
		good: recolor(theme.good, 'success'),
	};
}

/** Chooses black or white, whichever can be read better. Of the 16 colours, white is on the dark ones. */
function chooseTextOn(color: string): string {
	const rgb = toRgb(color);
	if (rgb)
		return computeContrast(rgb, [0, 0, 0]) > computeContrast(rgb, [255, 255, 255]) ? '#000000' : '#ffffff';
	return /^(black|blue|red|magenta|blackBright)$/.test(color) ? 'whiteBright' : 'black';
}

/** Makes safe text open an address, where the terminal has links. */
export const drawLink = ({hasLinks = false}: Theme, text: string, link: Link | undefined): string =>
	hasLinks && link !== undefined ? formatLink(text, link) : text;

export const ThemeContext = createContext<Theme>(getTheme('dark', true));

export const useTheme = (): Theme => useContext(ThemeContext);
