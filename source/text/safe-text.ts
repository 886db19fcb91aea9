/**
 * All characters by which data could affect a terminal: C0 and C1 controls, DEL, bidirectional marks, line
 * and paragraph separators, invisible format characters (zero width, tags), and lone surrogates.
 */
const dangerousPattern =
	/[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]|\p{Cs}/gu;

const shortForms: Readonly<Record<string, string>> = {'\n': '\\n', '\r': '\\r', '\t': '\\t'};

/** Formats a character as an escape: `\n`, `\x1b`, `\u202e`, `\u{1f3fd}`. */
export function escapeCharacter(character: string): string {
	const shortForm = shortForms[character];
	if (shortForm !== undefined) return shortForm;
	const code = character.codePointAt(0) ?? 0;
	if (code < 0x100) return `\\x${code.toString(16).padStart(2, '0')}`;
	if (code < 0x10000) return `\\u${code.toString(16).padStart(4, '0')}`;
	return `\\u{${code.toString(16)}}`;
}

/**
 * Makes text from users, files or the service safe for a terminal, on one line: dangerous characters become
 * escapes (`\x1b`, `\n`, `\u202e`).
 */
export const escapeText = (text: string): string => text.replace(dangerousPattern, escapeCharacter);

/** Makes multi-line text safe like `escapeText`, but keeps line feeds and tabs. */
export const escapeLines = (text: string): string =>
	text.replace(dangerousPattern, character =>
		character === '\n' || character === '\t' ? character : escapeCharacter(character),
	);

/**
 * Makes JSON text safe without changing its value: dangerous characters in strings become `\u` escapes. Keeps
 * the line feeds of `JSON.stringify` between tokens.
 */
export const escapeJson = (json: string): string =>
	json.replace(dangerousPattern, character => {
		if (character === '\n' || character === '\t') return character;
		let text = '';
		for (let unit = 0; unit < character.length; unit++)
			text += `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`;
		return text;
	});

/** True if the text contains characters that could affect a terminal, apart from line feeds and tabs. */
export const containsDangerousCharacters = (text: string): boolean => escapeLines(text) !== text;

/**
 * Makes YAML text safe without changing its value if all strings with dangerous characters are in double
 * quotes: the characters become `\u` and `\U` escapes.
 */
export const escapeYaml = (yaml: string): string =>
	yaml.replace(dangerousPattern, character => {
		if (character === '\n' || character === '\t') return character;
		const digits = (character.codePointAt(0) ?? 0).toString(16);
		return digits.length > 4 ? `\\U${digits.padStart(8, '0')}` : `\\u${digits.padStart(4, '0')}`;
	});
