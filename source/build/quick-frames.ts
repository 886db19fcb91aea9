import {createPatchPlugin, type FilePatch} from './patch-plugin.ts';

/** Builds a replacement that creates a segmenter on first use: the first one of a process takes 9 ms. */
export const deferSegmenter = (name: string, options: string): readonly [string, string] => [
	`const ${name} = new Intl.Segmenter(${options});`,
	`let ${name}Made; const ${name} = {segment: text => (${name}Made ??= new Intl.Segmenter(${options})).segment(text)};`,
];

const outputPatch: FilePatch = {
	filter: /ink.build.output\.js$/,
	replacements: [
		['caches = new OutputCaches();', 'caches = createFrameCaches();'],
		// Reuses the lines of the previous frame.
		[
			'let cached = this.styledChars.get(line);',
			'let cached = this.styledChars.get(line) ?? this.reuse(line, caches => caches.styledChars);',
		],
		[
			'    getStringWidth(text) {',
			`    reuse(text, getCache) {
        const found = this.before && getCache(this.before).get(text);
        if (found !== undefined) getCache(this).set(text, found);
        return found;
    }
    getLines(text) {
        let cached = this.lines.get(text) ?? this.reuse(text, caches => caches.lines);
        if (cached === undefined) {
            cached = linesOf(this.getStyledChars(text));
            this.lines.set(text, cached);
        }
        return cached;
    }
    getStringWidth(text) {
        if (text.length === 1 && text >= ' ' && text <= '~') return 1;`,
		],
		['widths = new Map();', 'widths = new Map();\n    lines = new Map();\n    before;'],
		[
			`const characterLines = [[]];
        for (const character of this.caches.getStyledChars(text)) {
            if (character.value === '\\n') {
                characterLines.push([]);
            }
            else {
                characterLines.at(-1).push(character);
            }
        }
        let lines = characterLines.map(line => styledCharsToString(line));`,
			'let lines = this.caches.getLines(text);',
		],
		// Returns a line that fits uncut.
		[
			'if (from >= to) {',
			'if (from === 0 && to === this.caches.getStringWidth(line)) return line;\n        if (from >= to) {',
		],
		// Blanks are never modified in place, so they can share one object.
		[
			`row.push({
                    type: 'char',
                    value: ' ',
                    fullWidth: false,
                    styles: [],
                });`,
			'row.push(blank);',
		],
		['.map(line => {\n            // See', '.map((line, y) => {\n            // See'],
		[
			'return styledCharsToString(lineWithoutEmptyItems).trimEnd();',
			'return rowOf(y, lineWithoutEmptyItems);',
		],
	],
	appended: `
const blank = { type: 'char', value: ' ', fullWidth: false, styles: [] };
let latest;
/** Caches for the lines of a frame, filled from those of the frame before. */
function createFrameCaches() {
    const caches = new OutputCaches();
    caches.before = latest;
    if (latest) latest.before = undefined;
    latest = caches;
    return caches;
}
function linesOf(characters) {
    const lines = [[]];
    for (const character of characters) {
        if (character.value === '\\n') lines.push([]);
        else lines.at(-1).push(character);
    }
    return lines.map(line => styledCharsToString(line));
}
const rows = [];
/** A row of the frame: the one of the frame before if its characters are the same. */
function rowOf(y, characters) {
    const row = rows[y];
    if (row && row.characters.length === characters.length && row.characters.every((one, x) => one === characters[x]))
        return row.text;
    const text = styledCharsToString(characters).trimEnd();
    rows[y] = { characters, text };
    return text;
}
`,
};

/** Skips sanitizing of texts without control characters, and caches the result for others. */
const squashPatch: FilePatch = {
	filter: /ink.build.squash-text-nodes\.js$/,
	replacements: [
		[
			"text = sanitizeAnsi(text.replaceAll('\\r\\n', '\\n'));",
			`const original = text;
    if (plainPattern.test(original)) return original;
    const known = cleaned.get(original) ?? cleanedBefore.get(original);
    if (known !== undefined) return keep(original, known);
    text = sanitizeAnsi(text.replaceAll('\\r\\n', '\\n'));`,
		],
		['return text;', 'return keep(original, text);'],
	],
	appended: `
/** Without any character that would be taken out or changed. */
const plainPattern = /^[^\\p{Control}]*$/u;
let cleaned = new Map();
let cleanedBefore = new Map();
function keep(text, clean) {
    // Ink expands tabs only in an outermost text node, so the same text has two results: do not cache it.
    if (text.includes('\\t')) return clean;
    if (cleaned.size >= 1000) {
        cleanedBefore = cleaned;
        cleaned = new Map();
    }
    cleaned.set(text, clean);
    return clean;
}
`,
};

const tokenizerPatch: FilePatch = {
	filter: /ansi-tokenize.build.tokenize\.js$/,
	replacements: [
		['segmenter.segment(str)', 'segmentsOf(str)'],
		deferSegmenter('segmenter', 'undefined, { granularity: "grapheme" }'),
	],
	appended: `
/** Characters of one code unit that never join with another one. */
const apart = /^[\\n\\u001b -~\\u00a1-\\u00ac\\u00ae-\\u02ff\\u2010-\\u2027\\u2030-\\u205e\\u2190-\\u2bff]*$/;
const segmentsOf = text =>
    apart.test(text) ? Array.from(text, (segment, index) => ({ segment, index })) : segmenter.segment(text);
`,
};

/**
 * Speeds up Ink's frames without changing them (test/build/quick-frames.test.ts). Ink splits every line of
 * the screen into characters for each key press. The patched one keeps the result for the next frame, in
 * which most lines are the same.
 */
export const quickFrames = createPatchPlugin('quick frames', [outputPatch, squashPatch, tokenizerPatch]);
