import {findClosestName} from '../text/closest-name.ts';

const notAKey = 'is no key: write one such as "x", "ctrl-x", "enter" or "f5"';

const namedKeys = [
	...'enter esc tab space backspace delete insert up down left right home end pageup pagedown'.split(' '),
	...Array.from({length: 25}, (_, index) => `f${index + 1}`),
];

const otherNames: Readonly<Record<string, string>> = {
	return: 'enter',
	escape: 'esc',
	spacebar: 'space',
	del: 'delete',
	ins: 'insert',
	'page-up': 'pageup',
	pgup: 'pageup',
	'page-down': 'pagedown',
	pgdn: 'pagedown',
	pgdown: 'pagedown',
};

/** Modifiers in the order in which the name of a key has them. */
const modifierNames: Readonly<Record<string, readonly string[]>> = {
	ctrl: ['ctrl', 'control'],
	alt: ['alt', 'option', 'meta'],
	shift: ['shift'],
	super: ['super', 'cmd'],
};

/** Control keys that terminals send as another key. */
const aliases: Readonly<Record<string, string>> = {
	'ctrl-i': 'tab',
	'ctrl-m': 'enter',
	'ctrl-j': 'enter',
	'ctrl-[': 'esc',
};

/**
 * Parses the key of a setting, such as `x`, `ctrl-x`, `Ctrl+X` or `PageUp`, to its name (key.ts). Returns why
 * not if no terminal sends it.
 */
export function parseKeySetting(text: string): {readonly name: string} | {readonly problem: string} {
	if ([...text].length === 1) return parseCharacterName(text);
	const parts = /^((?:[a-z]+[-+])*)(.+)$/i.exec(text);
	const [, prefix = '', base = ''] = parts ?? [];
	const words = prefix.toLowerCase().split(/[-+]/).filter(Boolean);
	const modifiers = Object.entries(modifierNames).filter(([, names]) =>
		words.some(word => names.includes(word)),
	);
	if (words.length !== modifiers.length) return parseNamed(text, []);
	return parseNamed(
		base,
		modifiers.map(([name]) => name),
	);
}

const parseCharacterName = (text: string): ReturnType<typeof parseKeySetting> => {
	if (text === ' ') return {name: 'space'};
	return /[\p{Cc}\p{Zs}\p{Zl}\p{Zp}]/u.test(text) ? {problem: notAKey} : {name: text};
};

function parseNamed(base: string, modifiers: readonly string[]): ReturnType<typeof parseKeySetting> {
	const isCharacter = [...base].length === 1;
	if (isCharacter && modifiers.length === 1 && modifiers[0] === 'shift') return {name: base.toUpperCase()};
	const lowercase = base.toLowerCase();
	const name = isCharacter ? lowercase : (otherNames[lowercase] ?? lowercase);
	if (!isCharacter && !namedKeys.includes(name)) {
		const closest = findClosestName(base, namedKeys);
		if (closest === undefined) return {problem: notAKey};
		return {problem: `is no key; did you mean "${[...modifiers, closest].join('-')}"?`};
	}
	const fullName = [...modifiers, name].join('-');
	const alias = Object.hasOwn(aliases, fullName) ? aliases[fullName] : undefined;
	return alias === undefined
		? {name: fullName}
		: {problem: `can't be told from ${alias}, which terminals send for it`};
}
