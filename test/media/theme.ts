import type {Colour, NamedColour} from '../terminal/screen/cells.ts';

export type Theme = {
	readonly name: 'dark' | 'light';
	readonly foreground: string;
	readonly background: string;
	readonly border: string;
	readonly bar: string;
	readonly title: string;
	/** The three buttons of the window. */
	readonly button: string;
	readonly palette: Readonly<Record<NamedColour, string>>;
};

export const dark: Theme = {
	name: 'dark',
	foreground: '#d4d9e0',
	background: '#11151c',
	border: '#343c48',
	bar: '#1a2029',
	title: '#8b95a3',
	button: '#3d4654',
	palette: {
		black: '#1d2530',
		red: '#ff7b72',
		green: '#57c46a',
		yellow: '#dfae4f',
		blue: '#6cb2ff',
		magenta: '#c79bff',
		cyan: '#4fc9d6',
		white: '#c3cad3',
		'bright-black': '#7d8896',
		'bright-red': '#ffa198',
		'bright-green': '#7ee08f',
		'bright-yellow': '#f2cc79',
		'bright-blue': '#9ccbff',
		'bright-magenta': '#dcc2ff',
		'bright-cyan': '#83dfe8',
		'bright-white': '#ffffff',
	},
};

export const light: Theme = {
	name: 'light',
	foreground: '#24292f',
	background: '#ffffff',
	border: '#d0d7de',
	bar: '#f3f5f7',
	title: '#6a737d',
	button: '#cfd5dc',
	palette: {
		black: '#24292f',
		red: '#c62a32',
		green: '#1b7a35',
		yellow: '#8f6200',
		blue: '#0a63c9',
		magenta: '#7d46cf',
		cyan: '#10707c',
		white: '#8a929c',
		'bright-black': '#6a737d',
		'bright-red': '#a5232b',
		'bright-green': '#15652b',
		'bright-yellow': '#744f00',
		'bright-blue': '#0550ae',
		'bright-magenta': '#6639ba',
		'bright-cyan': '#0b5a64',
		'bright-white': '#57606a',
	},
};

export const themes = [dark, light] as const;

/** The colours from 16 to 255 that all terminals share: a cube of 6×6×6, and 24 greys. */
function paletteColour(index: number): string {
	const hex = (...parts: number[]) => `#${parts.map(part => part.toString(16).padStart(2, '0')).join('')}`;
	if (index >= 232) {
		const grey = 8 + (index - 232) * 10;
		return hex(grey, grey, grey);
	}
	const step = (part: number) => (part === 0 ? 0 : 55 + part * 40);
	const cube = index - 16;
	return hex(step(Math.floor(cube / 36)), step(Math.floor(cube / 6) % 6), step(cube % 6));
}

/** What a colour looks like in a theme. */
export function resolveColour(colour: Colour, theme: Theme, ground: 'foreground' | 'background'): string {
	if (colour === 'default') return theme[ground];
	if (colour.startsWith('#')) return colour;
	if (colour.startsWith('palette-')) return paletteColour(Number(colour.slice('palette-'.length)));
	return theme.palette[colour as NamedColour];
}

/** A mix of two colours: 0 is the first, 1 the second. */
export function mixColours(one: string, other: string, share: number): string {
	const part = (colour: string, at: number) => Number.parseInt(colour.slice(at, at + 2), 16);
	return `#${[1, 3, 5]
		.map(at => Math.round(part(one, at) * (1 - share) + part(other, at) * share))
		.map(figure => figure.toString(16).padStart(2, '0'))
		.join('')}`;
}
