/**
 * Everything that text of users or of the service could do to a terminal: C0 and C1 controls, DEL, the marks
 * that turn the direction of text, line and paragraph separators, invisible format characters that hide
 * (zero width, tags), and halves of surrogate pairs.
 */
const dangerous =
	/[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]|\p{Cs}/gu;

const shortForms: Readonly<Record<string, string>> = {'\n': '\\n', '\r': '\\r', '\t': '\\t'};

/** One character as the escape that represents it: `\n`, `\x1b`, `\u202e`, `\u{1f3fd}`. */
export function escaped(character: string): string {
	const short = shortForms[character];
	if (short !== undefined) return short;
	const code = character.codePointAt(0) ?? 0;
	if (code < 0x100) return `\\x${code.toString(16).padStart(2, '0')}`;
	if (code < 0x10000) return `\\u${code.toString(16).padStart(4, '0')}`;
	return `\\u{${code.toString(16)}}`;
}

/**
 * Text from data as one line that does nothing to a terminal but be there: what is dangerous is shown as an
 * escape (`\x1b`, `\n`, `\u202e`). Everything from users, files and the service goes through here.
 */
export const safeText = (text: string): string => text.replace(dangerous, escaped);

/** The same for text of several lines: line feeds and tabs stay as they are. */
export const safeLines = (text: string): string =>
	text.replace(dangerous, character =>
		character === '\n' || character === '\t' ? character : escaped(character),
	);

/**
 * JSON text made safe without changing what it says: inside strings, what is dangerous becomes a `\u` escape.
 * Takes the output of `JSON.stringify`, whose own line feeds (between tokens) stay.
 */
export const safeJson = (json: string): string =>
	json.replace(dangerous, character => {
		if (character === '\n' || character === '\t') return character;
		let text = '';
		for (let unit = 0; unit < character.length; unit++)
			text += `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`;
		return text;
	});
