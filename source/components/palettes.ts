import {toTerminalColor} from '../settings/preferences/colors.ts';
import type {ThemeChoice, ThemeRole} from '../settings/preferences/preferences.ts';

/** A background with the text on it. */
type Bar = readonly [background: string, text: string];

/** Colours of a theme on the background that it is made for. */
export type ThemePalette = Readonly<Record<Exclude<ThemeRole, 'cursor' | 'selection'>, string>> & {
	readonly background: string;
	readonly cursor: Bar;
	readonly selection: Bar;
	readonly series: readonly string[];
	/** Colours in place of the nearest of the 256, which would be the same for two roles. */
	readonly in256?: Partial<Readonly<Record<'danger' | 'success', string>>>;
};

/** Converts a palette for a terminal with `depth` bits of colour, and keeps its texts readable. */
export function convertPalette(palette: ThemePalette, depth: number | undefined): ThemePalette {
	const {background} = palette;
	const convert = (color: string) => toTerminalColor(color, depth, background);
	const convertBar = ([bar, text]: Bar): Bar => {
		const convertedBar = convert(bar);
		return [convertedBar, toTerminalColor(text, depth, convertedBar)];
	};
	return {
		background,
		text: convert(palette.text),
		dim: convert(palette.dim),
		accent: convert(palette.accent),
		cursor: convertBar(palette.cursor),
		selection: convertBar(palette.selection),
		warning: convert(palette.warning),
		danger: convert(palette.danger),
		success: convert(palette.success),
		border: convert(palette.border),
		heading: convert(palette.heading),
		series: palette.series.map(convert),
		...(depth === 8 && palette.in256),
	};
}

type PaletteName = Exclude<ThemeChoice, 'default' | 'dark' | 'light'>;

/**
 * The built-in themes for dark and light terminals. Colours of the originals that have too little contrast as
 * text are made lighter or darker (test/components/palettes.test.ts).
 */
export const palettes: Readonly<Record<PaletteName, Readonly<Record<'dark' | 'light', ThemePalette>>>> = {
	'high-contrast': {
		dark: {
			background: '#000000',
			text: '#ffffff',
			dim: '#d0d0d0',
			accent: '#00ffff',
			cursor: ['#ffff00', '#000000'],
			selection: ['#303080', '#ffffff'],
			warning: '#ffff00',
			danger: '#ff9090',
			success: '#80ff80',
			border: '#ffffff',
			heading: '#ffffff',
			series: ['#00ffff', '#ff90ff', '#80ff80', '#9090ff', '#ffff00'],
		},
		light: {
			background: '#ffffff',
			text: '#000000',
			dim: '#303030',
			accent: '#0000b0',
			cursor: ['#0000b0', '#ffffff'],
			selection: ['#c8c8c8', '#000000'],
			warning: '#703800',
			danger: '#a00000',
			success: '#005000',
			border: '#000000',
			heading: '#000000',
			series: ['#0000b0', '#800080', '#005000', '#005a70', '#703800'],
		},
	},
	solarized: {
		dark: {
			background: '#002b36',
			text: '#93a1a1',
			dim: '#657b83',
			accent: '#2aa198',
			cursor: ['#268bd2', '#000000'],
			selection: ['#073642', '#93a1a1'],
			warning: '#b58900',
			danger: '#e56865',
			success: '#859900',
			border: '#62777d',
			heading: '#3b96d6',
			series: ['#2aa198', '#d33682', '#859900', '#268bd2', '#b58900'],
		},
		light: {
			background: '#fdf6e3',
			text: '#586e75',
			dim: '#828f8f',
			accent: '#2074af',
			cursor: ['#268bd2', '#000000'],
			selection: ['#eee8d5', '#556a70'],
			warning: '#8b6900',
			danger: '#d3302d',
			success: '#667600',
			border: '#828f8f',
			heading: '#6468b5',
			series: ['#268bd2', '#d33682', '#809300', '#289b92', '#b18600'],
		},
	},
	gruvbox: {
		dark: {
			background: '#282828',
			text: '#ebdbb2',
			dim: '#a89984',
			accent: '#83a598',
			cursor: ['#83a598', '#282828'],
			selection: ['#504945', '#ebdbb2'],
			warning: '#fabd2f',
			danger: '#fb5a48',
			success: '#b8bb26',
			border: '#928374',
			heading: '#fe8019',
			series: ['#83a598', '#d3869b', '#b8bb26', '#8ec07c', '#fabd2f'],
		},
		light: {
			background: '#fbf1c7',
			text: '#3c3836',
			dim: '#7c6f64',
			accent: '#076678',
			cursor: ['#076678', '#fbf1c7'],
			selection: ['#d5c4a1', '#3c3836'],
			warning: '#946010',
			danger: '#9d0006',
			success: '#746f0d',
			in256: {success: 'ansi256(58)'},
			border: '#928374',
			heading: '#af3a03',
			series: ['#076678', '#8f3f71', '#79740e', '#427b58', '#b57614'],
		},
	},
	catppuccin: {
		dark: {
			background: '#1e1e2e',
			text: '#cdd6f4',
			dim: '#9399b2',
			accent: '#89b4fa',
			cursor: ['#89b4fa', '#1e1e2e'],
			selection: ['#45475a', '#cdd6f4'],
			warning: '#f9e2af',
			danger: '#f38ba8',
			success: '#a6e3a1',
			border: '#7f849c',
			heading: '#cba6f7',
			series: ['#89b4fa', '#f5c2e7', '#a6e3a1', '#94e2d5', '#fab387'],
		},
		light: {
			background: '#eff1f5',
			text: '#4c4f69',
			dim: '#7c7f93',
			accent: '#1d62eb',
			cursor: ['#1e66f5', '#ffffff'],
			selection: ['#ccd0da', '#4c4f69'],
			warning: '#955f13',
			danger: '#d20f39',
			success: '#317b21',
			border: '#848798',
			heading: '#8839ef',
			series: ['#1e66f5', '#c764ad', '#3d9a29', '#179299', '#e65a0a'],
		},
	},
	nord: {
		dark: {
			background: '#2e3440',
			text: '#d8dee9',
			dim: '#7b88a1',
			accent: '#88c0d0',
			cursor: ['#88c0d0', '#2e3440'],
			selection: ['#434c5e', '#d8dee9'],
			warning: '#ebcb8b',
			danger: '#d18d93',
			success: '#a3be8c',
			border: '#768198',
			heading: '#81a1c1',
			series: ['#88c0d0', '#b48ead', '#a3be8c', '#81a1c1', '#ebcb8b'],
		},
		light: {
			background: '#eceff4',
			text: '#2e3440',
			dim: '#616e88',
			accent: '#4e6c8f',
			cursor: ['#5e81ac', '#000000'],
			selection: ['#d8dee9', '#2e3440'],
			warning: '#915e4e',
			danger: '#a2535a',
			in256: {danger: 'ansi256(124)'},
			success: '#607053',
			border: '#79859e',
			heading: '#4e6c8f',
			series: ['#5e81ac', '#9c7b96', '#788c67', '#628b97', '#b57561'],
		},
	},
};
