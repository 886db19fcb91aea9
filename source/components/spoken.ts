import {cutMark} from '../text/cut.ts';
import {getTheme, type Marks, type Theme} from './theme.ts';

/**
 * The words for marks. In a frame each mark is a sign of one column, so that no column of a table cuts it; it
 * becomes a word when the frame is read (`replaceSigns`). The signs are private-use code points that no font
 * and no data uses.
 */
const markWords = {
	current: 'cursor on',
	done: 'done',
	now: 'now',
	pending: 'pending',
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
const markNames = Object.keys(markWords) as (keyof typeof markWords)[];
const getSign = (name: keyof typeof markWords): string =>
	String.fromCodePoint(firstSign + markNames.indexOf(name));

const signPattern = new RegExp(`[${getSign('current')}-${getSign('upDown')}]`, 'gu');
const cursorSign = getSign('current');

const marks: Marks = {
	...(Object.fromEntries(markNames.map(name => [name, getSign(name)])) as Record<
		keyof typeof markWords,
		string
	>),
	line: '',
	badge: ['', ''],
	bar: ['', ''],
	shades: [' '],
	enter: 'enter',
};

/** Theme for screen readers: no colours, words for marks. */
export const spokenTheme: Theme = {...getTheme('none', true), marks, isSpoken: true};

/** A size at which nothing is cut, and frames are still fast. */
export const spokenSize = {columns: 1200, rows: 60, isSpoken: true} as const;

/** Size of the frames drawn for a screen reader: has room for the position after a list row. */
export const spokenFrameSize = {...spokenSize, columns: spokenSize.columns + 60} as const;

type SpokenLine = {
	readonly text: string;
	readonly hasCursor: boolean;
};

/** Returns the lines of a frame to read; lines with only drawing characters are left out. */
export function toSpokenLines(frame: string): readonly SpokenLine[] {
	return frame.split('\n').flatMap(line => {
		const hasCursor = line.includes(cursorSign);
		const text = replaceSigns(line.replaceAll(cursorSign, ' '));
		return /[^\s,\u2500-\u257f\u2580-\u259f]/u.test(text) ? [{text, hasCursor}] : [];
	});
}

/** Replaces signs by words, and gaps between columns by commas. */
function replaceSigns(line: string): string {
	return line
		.replace(/^ *! /, 'warning ')
		.replace(
			signPattern,
			sign => ` ${markWords[markNames[(sign.codePointAt(0) ?? 0) - firstSign] ?? 'none']} `,
		)
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
 * Returns the new lines of a frame. A line that only lost the cursor, or whose seconds only went on, is not
 * new. If the first line (the place) changed, all lines are read, and that of the cursor is introduced.
 */
export function findNews(before: readonly SpokenLine[], after: readonly SpokenLine[]): readonly string[] {
	const placeChanged = before[0]?.text !== after[0]?.text;
	if (placeChanged)
		return after.map(({text, hasCursor}) => (hasCursor ? `${markWords.current} ${text}` : text));
	// By text: whether the cursor was on such a line.
	const cursorByText = new Map<string, boolean>();
	for (const {text, hasCursor} of before)
		cursorByText.set(removeSeconds(text), hasCursor || cursorByText.get(removeSeconds(text)) === true);
	return after
		.filter(
			({text, hasCursor}) =>
				!cursorByText.has(removeSeconds(text)) ||
				(hasCursor && cursorByText.get(removeSeconds(text)) === false),
		)
		.map(({text}) => text);
}

/** Removes seconds: a clock is not news. */
const removeSeconds = (text: string): string => text.replace(/\b\d+ s\b/g, 's');
