/** What a terminal sends for the keys that have a name. */
const namedKeys: Readonly<Record<string, string>> = {
	enter: '\r',
	esc: '\u001b',
	tab: '\t',
	'shift-tab': '\u001b[Z',
	space: ' ',
	'ctrl-space': '\0',
	backspace: '\u007f',
	insert: '\u001b[2~',
	delete: '\u001b[3~',
	pageup: '\u001b[5~',
	pagedown: '\u001b[6~',
	f1: '\u001bOP',
	f2: '\u001bOQ',
	f3: '\u001bOR',
	f4: '\u001bOS',
	f5: '\u001b[15~',
	f6: '\u001b[17~',
	f7: '\u001b[18~',
	f8: '\u001b[19~',
	f9: '\u001b[20~',
	f10: '\u001b[21~',
	f11: '\u001b[23~',
	f12: '\u001b[24~',
};

/** The cursor keys, whose second character depends on the mode of the terminal. */
const cursorKeys: Readonly<Record<string, string>> = {
	up: 'A',
	down: 'B',
	right: 'C',
	left: 'D',
	end: 'F',
	home: 'H',
};

const modifiers: Readonly<Record<string, number>> = {shift: 2, alt: 3, ctrl: 5};

const segmenter = new Intl.Segmenter();

/**
 * The bytes of one key: a name (`down`, `pageup`, `enter`, `f5`), one character, `ctrl-k`, `alt-b`, or a cursor
 * key with a modifier (`shift-up`). `applicationCursor` is the mode that programs ask for with DECCKM.
 */
export function keyBytes(key: string, applicationCursor = false): string {
	const cursor = cursorKeys[key];
	if (cursor !== undefined) return `\u001b${applicationCursor ? 'O' : '['}${cursor}`;
	const namedBytes = namedKeys[key];
	if (namedBytes !== undefined) return namedBytes;
	if ([...segmenter.segment(key)].length === 1) return key;
	const [, modifier = '', rest = ''] = /^(ctrl|alt|shift)-(.+)$/su.exec(key) ?? [];
	const modified = cursorKeys[rest];
	if (modified !== undefined) return `\u001b[1;${modifiers[modifier]}${modified}`;
	if (modifier === 'alt') return `\u001b${keyBytes(rest)}`;
	if (modifier === 'ctrl' && /^[a-z@[\\\]^_]$/.test(rest))
		return String.fromCharCode(rest.toUpperCase().charCodeAt(0) & 0x1f);
	throw new Error(`"${key}" is no key of the keyboard: see test/terminal/screen/keys.ts`);
}

/** A text as a terminal with bracketed paste sends it: line ends become carriage returns. */
export const pasteBytes = (text: string): string => `\u001b[200~${text.replace(/\r?\n/g, '\r')}\u001b[201~`;

/** What a mouse does, by the number that a terminal sends for it. */
export const mouseButtons = {click: 0, 'wheel-up': 64, 'wheel-down': 65} as const;

/** The bytes that a terminal sends for it, in the SGR form; a click includes the release of the button. */
export function mouseBytes(action: keyof typeof mouseButtons, column: number, row: number): string {
	const report = `\u001b[<${mouseButtons[action]};${column + 1};${row + 1}`;
	return action === 'click' ? `${report}M${report}m` : `${report}M`;
}
