import {cutMark} from '../text/cut.ts';
import {type Marks, type Theme, themeOf} from './theme.ts';

/**
 * Marks for a screen that is read aloud. Each takes one column, so that no column of a table cuts it, and becomes a word
 * when the frame is read (`inWords`). They are code points for private use that no font and no data has.
 */
const words = {
	here: 'cursor on',
	done: 'done',
	now: 'now',
	toCome: 'to come',
	failed: 'failed',
	warning: 'warning',
	selected: 'selected',
	open: 'open',
	closed: 'closed',
	level: ',',
	none: 'none',
	dot: ',',
	wait: 'waiting',
	upDown: 'up and down',
} as const satisfies Partial<Record<keyof Marks, string>>;

const firstSign = 0x10fe00;
const names = Object.keys(words) as (keyof typeof words)[];
const signOf = (name: keyof typeof words): string => String.fromCodePoint(firstSign + names.indexOf(name));

const signs = new RegExp(`[${signOf('here')}-${signOf('upDown')}]`, 'gu');
const here = signOf('here');

const marks: Marks = {
	...(Object.fromEntries(names.map(name => [name, signOf(name)])) as Record<keyof typeof words, string>),
	rule: '',
	badge: ['', ''],
	bar: ['', ''],
	enter: 'enter',
};

/** The theme of a screen that is read aloud: without colours, with words for marks. */
export const spokenTheme: Theme = {...themeOf('none', true), marks, isSpoken: true};

/** A size at which nothing that is read aloud is cut, and at which a frame is still made in a moment. */
export const spokenSize = {columns: 1200, rows: 60, isSpoken: true} as const;

/** The size of its frames: a row of a list has its place behind it. */
export const spokenFrameSize = {...spokenSize, columns: spokenSize.columns + 60} as const;

/** One line of a frame, as it is read aloud. */
type SpokenLine = {
	readonly text: string;
	/** Whether the cursor is on it. */
	readonly isHere: boolean;
};

/** What of a frame is read aloud, from the top: lines without anything but signs of drawing are left out. */
export function spokenLines(frame: string): readonly SpokenLine[] {
	return frame.split('\n').flatMap(line => {
		const isHere = line.includes(here);
		const text = inWords(line.replaceAll(here, ' '));
		return /[^\s,\u2500-\u257f\u2580-\u259f]/u.test(text) ? [{text, isHere}] : [];
	});
}

/** A line in words: columns that stood apart are separated by commas. */
function inWords(line: string): string {
	return line
		.replace(/^ *! /, 'warning ')
		.replace(signs, sign => ` ${words[names[(sign.codePointAt(0) ?? 0) - firstSign] ?? 'none']} `)
		.replaceAll(/ [\u00b7\u2502] /g, ', ')
		.replaceAll(' › ', ', ')
		.replaceAll(/(\d) \u2192 (\d)/g, '$1 to $2')
		.replaceAll(cutMark, '...')
		.trim()
		.replace(/ {3,}/g, ', ')
		.replace(/ {2}/g, ' ')
		.replace(/[ ,]+,/g, ',');
}

/**
 * What is new in a frame after the one before it, line by line. A line that the cursor left, or in which only seconds passed, is not news. Where the
 * first line changed, which is where the person is, all is read, and the line of the cursor is introduced.
 */
export function newsIn(before: readonly SpokenLine[], after: readonly SpokenLine[]): readonly string[] {
	const isElsewhere = before[0]?.text !== after[0]?.text;
	if (isElsewhere) return after.map(({text, isHere}) => (isHere ? `${words.here} ${text}` : text));
	const known = new Map<string, boolean>();
	for (const {text, isHere} of before) known.set(still(text), isHere || known.get(still(text)) === true);
	return after
		.filter(({text, isHere}) => !known.has(still(text)) || (isHere && known.get(still(text)) === false))
		.map(({text}) => text);
}

/** A line without the seconds that pass: a clock is not news. */
const still = (text: string): string => text.replace(/\b\d+ s\b/g, 's');
