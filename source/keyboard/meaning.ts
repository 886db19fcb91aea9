import {type Key, pressed, typed} from './key.ts';

/** Keys of `ESC [ n ~`: xterm, VT220, rxvt, the Linux console. */
const numbered: Readonly<Record<number, string>> = {
	1: 'home',
	2: 'insert',
	3: 'delete',
	4: 'end',
	5: 'pageup',
	6: 'pagedown',
	7: 'home',
	8: 'end',
	...functionKeys(11, [1, 2, 3, 4, 5]),
	...functionKeys(17, [6, 7, 8, 9, 10]),
	...functionKeys(23, [11, 12, 13, 14]),
	...functionKeys(28, [15, 16]),
	...functionKeys(31, [17, 18, 19, 20]),
};

/** Keys of `ESC [ letter` and `ESC O letter`. */
const lettered: Readonly<Record<string, string>> = {
	A: 'up',
	B: 'down',
	C: 'right',
	D: 'left',
	F: 'end',
	H: 'home',
	P: 'f1',
	Q: 'f2',
	R: 'f3',
	S: 'f4',
	Z: 'tab',
};

/** The number pad in its application mode: `ESC O letter`. */
const numberPad: Readonly<Record<string, string>> = {
	X: '=',
	j: '*',
	k: '+',
	l: ',',
	m: '-',
	n: '.',
	o: '/',
	...Object.fromEntries([...'pqrstuvwxy'].map((letter, digit) => [letter, String(digit)])),
};

/** Keys without a character in protocols that send code points: `ESC [ code u`. */
const coded: Readonly<Record<number, string>> = {
	8: 'backspace',
	9: 'tab',
	13: 'enter',
	27: 'esc',
	127: 'backspace',
	57414: 'enter',
	...Object.fromEntries(
		['left', 'right', 'up', 'down', 'pageup', 'pagedown', 'home', 'end', 'insert', 'delete'].map(
			(name, index) => [57417 + index, name],
		),
	),
	...functionKeys(57376, [13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25]),
};

/** The number pad in the same protocols, starting at code point 57399. */
const codedPad = [...'0123456789./*-+', undefined, '=', ','];

function functionKeys(from: number, numbers: readonly number[]): Record<number, string> {
	return Object.fromEntries(numbers.map((number, index) => [from + index, `f${number}`]));
}

const modifierBits = [
	['ctrl', 4],
	['alt', 2 | 32],
	['shift', 1],
	['super', 8],
	['hyper', 16],
] as const;

const shift = 1;
const alt = 2;
const control = 4;
/** Shift and the locks, which change the character but not the key's name. */
const changesCharacterOnly = shift | 64 | 128;

const modified = (name: string, bits: number): string =>
	modifierBits
		.filter(([, bit]) => (bits & bit) !== 0)
		.map(([modifier]) => `${modifier}-`)
		.join('') + name;

/** Creates the key of a control character, with modifiers sent in another way. */
function controlKey(code: number, bits: number, sequence: string): Key {
	const name = coded[code] ?? (code === 0x0a ? 'enter' : undefined);
	if (name) return pressed(modified(name, bits), sequence);
	if (code === 0) return pressed(modified('space', bits | control), sequence);
	return pressed(
		modified(String.fromCodePoint(code + (code <= 0x1a ? 0x60 : 0x40)), bits | control),
		sequence,
	);
}

/** Returns the key of a character without an escape; C1 controls and invalid UTF-8 insert nothing. */
export function characterKey(character: string): Key {
	const code = character.codePointAt(0) ?? 0;
	if (code < 0x20 || code === 0x7f) return controlKey(code, 0, character);
	if (code < 0x7f) return typed(character);
	return code <= 0x9f || character === '\ufffd' ? pressed('unknown', character) : typed(character);
}

/**
 * Returns the keys of a complete escape sequence: none for reports of the terminal (answers, focus, unused
 * mouse events), one for a key, and two if Esc was pressed just before something that takes no Alt.
 */
export function sequenceKeys(sequence: string): readonly Key[] {
	if (sequence === '\u001b') return [pressed('esc', sequence)];
	const isAlt = sequence.startsWith('\u001b\u001b');
	const inner = isAlt ? sequence.slice(1) : sequence;
	const bits = isAlt ? alt : 0;
	if (inner.startsWith('\u001b[') || inner.startsWith('\u001bO')) {
		const key =
			inner[1] === '[' ? controlSequenceKey(inner.slice(2), bits) : singleShiftKey(inner.slice(2), bits);
		const mouse = mouseKey(inner);
		if (mouse) return isAlt ? [pressed('esc', '\u001b'), mouse] : [mouse];
		if (key) return [{...key, sequence}];
		return isAlt ? [pressed('esc', '\u001b')] : [];
	}
	const character = sequence.slice(1);
	const code = character.codePointAt(0) ?? 0;
	if (code < 0x20 || code === 0x7f) return [controlKey(code, alt, sequence)];
	const {name} = characterKey(character);
	return [pressed(name === 'unknown' ? name : `alt-${name}`, sequence)];
}

/**
 * Splits an `alt-` key into Esc and another key. Terminals send both alike; only the caller knows which keys
 * are bound. Undefined if the terminal reported Alt explicitly.
 */
export function withoutAlt(key: Key): readonly [Key, Key] | undefined {
	const rest = key.sequence.slice(1);
	if (!key.name.includes('alt-') || !key.sequence.startsWith('\u001b')) return undefined;
	const [second] = rest.startsWith('\u001b') ? sequenceKeys(rest) : [characterKey(rest)];
	const wasPrefixed = rest.startsWith('\u001b') || [...rest].length === 1;
	return wasPrefixed && second ? [pressed('esc', '\u001b'), second] : undefined;
}

/** Mouse buttons without modifiers: the left one and the wheel. */
const buttons: Readonly<Record<number, string>> = {0: 'click', 64: 'wheel-up', 65: 'wheel-down'};

/** Parses a mouse report (SGR); undefined for a release, other buttons, and older forms. */
function mouseKey(sequence: string): Key | undefined {
	const parts = /^\u001b\[<(\d{1,3});(\d{1,5});(\d{1,5})M$/.exec(sequence);
	if (!parts) return undefined;
	const [button = 0, column = 0, row = 0] = parts.slice(1).map(Number);
	const name = buttons[button];
	if (name === undefined || column === 0 || row === 0) return undefined;
	return {...pressed(name, sequence), at: {column: column - 1, row: row - 1}};
}

const unknown = pressed('unknown', '');

/** Parses `ESC [ …`; undefined for what is not a key. */
function controlSequenceKey(body: string, bits: number): Key | undefined {
	if (/^\[[A-E]$/.test(body)) return pressed(modified(`f${'ABCDE'.indexOf(body[1] ?? '') + 1}`, bits), '');
	if (body.startsWith('M')) return undefined;
	const parts = /^([<=>?]?)([\d;:]*)([ -/]*)([@-~]?)$/.exec(body);
	if (!parts) return unknown;
	const [, mark, parameters = '', between, final = ''] = parts;
	const fields = parameters.split(';').map(field => field.split(':').map(Number));
	if (final === '') return between === '$' ? tildeKey(fields, bits | shift) : unknown;
	if (mark !== '' || /[IOMmnty]/.test(final)) return undefined;
	// // With parameters: cursor position and terminal identification. Without, they are keys.
	if (parameters !== '' && /[Rc]/.test(final)) return undefined;
	if (between !== '') return unknown;
	if (final === 'u') return codePointKey(fields, bits);
	if (final === '~') return tildeKey(fields, bits);
	if (final === '^') return tildeKey(fields, bits | control);
	if (final === '@') return tildeKey(fields, bits | control | shift);
	if (/[a-d]/.test(final)) return pressed(modified(lettered[final.toUpperCase()] ?? '', bits | shift), '');
	const name = lettered[final];
	return name === undefined ? unknown : withFields(name, fields.at(-1), bits | (final === 'Z' ? shift : 0));
}

/** Parses `ESC O …`: keys of the application mode. rxvt sends ctrl with arrows as small letters. */
function singleShiftKey(body: string, bits: number): Key | undefined {
	const final = body.at(-1) ?? '';
	const modifiers = body.slice(0, -1).split(';').at(-1) ?? '';
	if (final === 'M') return withFields('enter', [Number(modifiers)], bits);
	if (/[a-d]/.test(final)) return pressed(modified(lettered[final.toUpperCase()] ?? '', bits | control), '');
	const character = numberPad[final];
	if (character !== undefined)
		return bits === 0 && modifiers === ''
			? typed(character)
			: withFields(character, [Number(modifiers)], bits);
	const name = lettered[final];
	return name === undefined ? unknown : withFields(name, [Number(modifiers)], bits);
}

/**
 * Parses `ESC [ n ; modifiers ~`, and xterm's form for any key with modifiers: `ESC [ 27 ; modifiers ; code
 * ~`.
 */
function tildeKey(fields: readonly (readonly number[])[], bits: number): Key | undefined {
	const number = fields[0]?.[0] ?? 0;
	if (number === 27 && fields.length === 3) return codePointKey([fields[2] ?? [], fields[1] ?? []], bits);
	if (number === 200 || number === 201) return undefined;
	const name = numbered[number];
	return name === undefined ? unknown : withFields(name, fields[1], bits);
}

/** Creates a key from its name and `modifiers:event`; undefined for a key release. */
function withFields(name: string, field: readonly number[] | undefined, bits: number): Key | undefined {
	const [modifiers = 0, event] = field ?? [];
	if (event === 3) return undefined;
	return pressed(modified(name, bits | Math.max(0, modifiers - 1)), '');
}

/** `ESC [ code : shifted ; modifiers : event ; text u`. */
function codePointKey(fields: readonly (readonly number[])[], extra: number): Key | undefined {
	const [[code = 0, shifted] = [], field = [], text = []] = fields;
	const name = coded[code];
	if (name !== undefined) return withFields(name, field, extra);
	if (field[1] === 3 || (code >= 57441 && code <= 57454)) return undefined;
	const bits = extra | Math.max(0, (field[0] ?? 0) - 1);
	const plain = codedPad[code - 57399] ?? characterOf(code);
	if (plain === undefined) return unknown;
	const sent = text.map(characterOf).join('');
	const upper = characterOf(shifted ?? 0) ?? plain.toUpperCase();
	if ((bits & ~changesCharacterOnly) === 0)
		return typed(sent || ((bits & (shift | 64)) !== 0 ? upper : plain), '');
	const isShiftedCharacter = (bits & control) === 0 && upper !== plain && (bits & shift) !== 0;
	const base = plain === ' ' ? 'space' : plain;
	return pressed(isShiftedCharacter ? modified(upper, bits & ~shift) : modified(base, bits), '');
}

/** Returns the typable character of a code point. */
function characterOf(code: number): string | undefined {
	const isPrivateKey = code >= 57344 && code <= 63743;
	if (code < 0x20 || (code >= 0x7f && code <= 0x9f) || code > 0x10ffff || isPrivateKey) return undefined;
	return String.fromCodePoint(code).isWellFormed() ? String.fromCodePoint(code) : undefined;
}
