import {createKey, createTextKey, type Key} from './key.ts';

/** Keys of `ESC [ n ~`: xterm, VT220, rxvt, the Linux console. */
const numberedKeys: Readonly<Record<number, string>> = {
	1: 'home',
	2: 'insert',
	3: 'delete',
	4: 'end',
	5: 'pageup',
	6: 'pagedown',
	7: 'home',
	8: 'end',
	...nameFunctionKeys(11, [1, 2, 3, 4, 5]),
	...nameFunctionKeys(17, [6, 7, 8, 9, 10]),
	...nameFunctionKeys(23, [11, 12, 13, 14]),
	...nameFunctionKeys(28, [15, 16]),
	...nameFunctionKeys(31, [17, 18, 19, 20]),
};

/** Keys of `ESC [ letter` and `ESC O letter`. */
const letteredKeys: Readonly<Record<string, string>> = {
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
const codePointKeys: Readonly<Record<number, string>> = {
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
	...nameFunctionKeys(57376, [13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25]),
};

/** The number pad in the same protocols, starting at code point 57399. */
const codePointPad = [...'0123456789./*-+', undefined, '=', ','];

function nameFunctionKeys(firstCode: number, numbers: readonly number[]): Record<number, string> {
	return Object.fromEntries(numbers.map((number, index) => [firstCode + index, `f${number}`]));
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
const characterModifiers = shift | 64 | 128;

const formatModifiedName = (name: string, bits: number): string =>
	modifierBits
		.filter(([, bit]) => (bits & bit) !== 0)
		.map(([modifier]) => `${modifier}-`)
		.join('') + name;

/** Creates the key of a control character, with modifiers sent in another way. */
function createControlKey(code: number, bits: number, sequence: string): Key {
	const name = codePointKeys[code] ?? (code === 0x0a ? 'enter' : undefined);
	if (name) return createKey(formatModifiedName(name, bits), sequence);
	if (code === 0) return createKey(formatModifiedName('space', bits | control), sequence);
	return createKey(
		formatModifiedName(String.fromCodePoint(code + (code <= 0x1a ? 0x60 : 0x40)), bits | control),
		sequence,
	);
}

/** Returns the key of a character without an escape; C1 controls and invalid UTF-8 insert nothing. */
export function parseCharacter(character: string): Key {
	const code = character.codePointAt(0) ?? 0;
	if (code < 0x20 || code === 0x7f) return createControlKey(code, 0, character);
	if (code < 0x7f) return createTextKey(character);
	return code <= 0x9f || character === '\ufffd' ? createKey('unknown', character) : createTextKey(character);
}

/**
 * Returns the keys of a complete escape sequence: none for reports of the terminal (answers, focus, unused
 * mouse events), one for a key, and two if Esc was pressed just before something that takes no Alt.
 */
export function parseSequence(sequence: string): readonly Key[] {
	if (sequence === '\u001b') return [createKey('esc', sequence)];
	const isAlt = sequence.startsWith('\u001b\u001b');
	const inner = isAlt ? sequence.slice(1) : sequence;
	const bits = isAlt ? alt : 0;
	if (inner.startsWith('\u001b[') || inner.startsWith('\u001bO')) {
		const key =
			inner[1] === '[' ? parseControlSequence(inner.slice(2), bits) : parseSingleShift(inner.slice(2), bits);
		const mouse = parseMouse(inner);
		if (mouse) return isAlt ? [createKey('esc', '\u001b'), mouse] : [mouse];
		if (key) return [{...key, sequence}];
		return isAlt ? [createKey('esc', '\u001b')] : [];
	}
	const character = sequence.slice(1);
	const code = character.codePointAt(0) ?? 0;
	if (code < 0x20 || code === 0x7f) return [createControlKey(code, alt, sequence)];
	const {name} = parseCharacter(character);
	return [createKey(name === 'unknown' ? name : `alt-${name}`, sequence)];
}

/**
 * Splits an `alt-` key into Esc and another key. Terminals send both alike; only the caller knows which keys
 * are bound. Undefined if the terminal reported Alt explicitly.
 */
export function splitAlt(key: Key): readonly [Key, Key] | undefined {
	const rest = key.sequence.slice(1);
	if (!key.name.includes('alt-') || !key.sequence.startsWith('\u001b')) return undefined;
	const [keyAfterEsc] = rest.startsWith('\u001b') ? parseSequence(rest) : [parseCharacter(rest)];
	const wasPrefixed = rest.startsWith('\u001b') || [...rest].length === 1;
	return wasPrefixed && keyAfterEsc ? [createKey('esc', '\u001b'), keyAfterEsc] : undefined;
}

/** Mouse buttons without modifiers: the left one and the wheel. */
const buttons: Readonly<Record<number, string>> = {0: 'click', 64: 'wheel-up', 65: 'wheel-down'};

/** Parses a mouse report (SGR); undefined for a release, other buttons, and older forms. */
function parseMouse(sequence: string): Key | undefined {
	const parts = /^\u001b\[<(\d{1,3});(\d{1,5});(\d{1,5})M$/.exec(sequence);
	if (!parts) return undefined;
	const [button = 0, column = 0, row = 0] = parts.slice(1).map(Number);
	const name = buttons[button];
	if (name === undefined || column === 0 || row === 0) return undefined;
	return {...createKey(name, sequence), at: {column: column - 1, row: row - 1}};
}

const unknownKey = createKey('unknown', '');

/** Parses `ESC [ …`; undefined for what is not a key. */
function parseControlSequence(body: string, bits: number): Key | undefined {
	if (/^\[[A-E]$/.test(body))
		return createKey(formatModifiedName(`f${'ABCDE'.indexOf(body[1] ?? '') + 1}`, bits), '');
	if (body.startsWith('M')) return undefined;
	const parts = /^([<=>?]?)([\d;:]*)([ -/]*)([@-~]?)$/.exec(body);
	if (!parts) return unknownKey;
	const [, mark, parameters = '', intermediates, final = ''] = parts;
	const fields = parameters.split(';').map(field => field.split(':').map(Number));
	if (final === '') return intermediates === '$' ? parseTilde(fields, bits | shift) : unknownKey;
	if (mark !== '' || /[IOMmnty]/.test(final)) return undefined;
	// With parameters: cursor position and terminal identification. Without, they are keys.
	if (parameters !== '' && /[Rc]/.test(final)) return undefined;
	if (intermediates !== '') return unknownKey;
	if (final === 'u') return parseCodePoint(fields, bits);
	if (final === '~') return parseTilde(fields, bits);
	if (final === '^') return parseTilde(fields, bits | control);
	if (final === '@') return parseTilde(fields, bits | control | shift);
	if (/[a-d]/.test(final))
		return createKey(formatModifiedName(letteredKeys[final.toUpperCase()] ?? '', bits | shift), '');
	const name = letteredKeys[final];
	return name === undefined
		? unknownKey
		: createModifiedKey(name, fields.at(-1), bits | (final === 'Z' ? shift : 0));
}

/** Parses `ESC O …`: keys of the application mode. rxvt sends ctrl with arrows as small letters. */
function parseSingleShift(body: string, bits: number): Key | undefined {
	const final = body.at(-1) ?? '';
	const modifiers = body.slice(0, -1).split(';').at(-1) ?? '';
	if (final === 'M') return createModifiedKey('enter', [Number(modifiers)], bits);
	if (/[a-d]/.test(final))
		return createKey(formatModifiedName(letteredKeys[final.toUpperCase()] ?? '', bits | control), '');
	const character = numberPad[final];
	if (character !== undefined)
		return bits === 0 && modifiers === ''
			? createTextKey(character)
			: createModifiedKey(character, [Number(modifiers)], bits);
	const name = letteredKeys[final];
	return name === undefined ? unknownKey : createModifiedKey(name, [Number(modifiers)], bits);
}

/**
 * Parses `ESC [ n ; modifiers ~`, and xterm's form for any key with modifiers: `ESC [ 27 ; modifiers ; code
 * ~`.
 */
function parseTilde(fields: readonly (readonly number[])[], bits: number): Key | undefined {
	const number = fields[0]?.[0] ?? 0;
	if (number === 27 && fields.length === 3) return parseCodePoint([fields[2] ?? [], fields[1] ?? []], bits);
	if (number === 200 || number === 201) return undefined; // The marks of a paste, see split.ts.
	const name = numberedKeys[number];
	return name === undefined ? unknownKey : createModifiedKey(name, fields[1], bits);
}

/** Creates a key from its name and `modifiers:event`; undefined for a key release. */
function createModifiedKey(
	name: string,
	field: readonly number[] | undefined,
	bits: number,
): Key | undefined {
	const [modifiers = 0, event] = field ?? [];
	if (event === 3) return undefined;
	return createKey(formatModifiedName(name, bits | Math.max(0, modifiers - 1)), '');
}

/** Parses `ESC [ code : shifted ; modifiers : event ; text u`. */
function parseCodePoint(fields: readonly (readonly number[])[], extraBits: number): Key | undefined {
	const [[code = 0, shiftedCode] = [], field = [], text = []] = fields;
	const name = codePointKeys[code];
	if (name !== undefined) return createModifiedKey(name, field, extraBits);
	// A release, or a modifier key on its own.
	if (field[1] === 3 || (code >= 57441 && code <= 57454)) return undefined;
	const bits = extraBits | Math.max(0, (field[0] ?? 0) - 1);
	const character = codePointPad[code - 57399] ?? toCharacter(code);
	if (character === undefined) return unknownKey;
	const sentText = text.map(toCharacter).join('');
	const shiftedCharacter = toCharacter(shiftedCode ?? 0) ?? character.toUpperCase();
	if ((bits & ~characterModifiers) === 0)
		return createTextKey(sentText || ((bits & (shift | 64)) !== 0 ? shiftedCharacter : character), '');
	const isShiftedCharacter = (bits & control) === 0 && shiftedCharacter !== character && (bits & shift) !== 0;
	const base = character === ' ' ? 'space' : character;
	return createKey(
		isShiftedCharacter ? formatModifiedName(shiftedCharacter, bits & ~shift) : formatModifiedName(base, bits),
		'',
	);
}

/** Returns the typable character of a code point. */
function toCharacter(code: number): string | undefined {
	const isPrivateKey = code >= 57344 && code <= 63743;
	if (code < 0x20 || (code >= 0x7f && code <= 0x9f) || code > 0x10ffff || isPrivateKey) return undefined;
	return String.fromCodePoint(code).isWellFormed() ? String.fromCodePoint(code) : undefined;
}
