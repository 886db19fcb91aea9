import {isJson, isUtf8Text} from './content.ts';

/** File extensions by content. */
type Extension = 'json' | 'xml' | 'html' | 'yaml' | 'toml' | 'csv' | 'txt' | 'bin';

/** Bytes to inspect of text; JSON is parsed whole. */
const sampleBytes = 1 << 16;

/**
 * Detects the file extension for these bytes, without the dot. JSON is parsed; other formats are detected by
 * the starts of their lines. `bin` is invalid UTF-8 or has a NUL byte; `txt` is all other text, including
 * empty text.
 */
export function detectExtension(bytes: Uint8Array): Extension {
	if (!isUtf8Text(bytes)) return 'bin';
	const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const text = buffer.subarray(0, sampleBytes).toString('utf8');
	if (/^\s*[[{]/.test(text) && isJson(buffer.toString('utf8'))) return 'json';
	if (/^\s*<(!doctype html|html)\b/i.test(text)) return 'html';
	if (/^\s*(<\?xml\s|<!--|<[A-Za-z][\w.:-]*(\s[^<>]*)?\/?>)/.test(text)) return 'xml';
	const lines = splitFilledLines(text, buffer.length > sampleBytes);
	if (isToml(lines)) return 'toml';
	if (isYaml(lines)) return 'yaml';
	if (isCsv(lines)) return 'csv';
	return 'txt';
}

/** Returns the lines that are not blank, without the last one if it may be cut. */
function splitFilledLines(text: string, isTruncated: boolean): readonly string[] {
	const lines = text.split(/\r?\n/);
	return (isTruncated ? lines.slice(0, -1) : lines).filter(line => line.trim() !== '');
}

const isComment = (line: string): boolean => line.trimStart().startsWith('#');

const tomlTable = /^\s*\[{1,2}\s*[\w."' -]+\s*\]{1,2}\s*(#.*)?$/;
const tomlPair = /^\s*("[^"]*"|'[^']*'|[\w.-]+)\s*=\s*(["'[{]|[+-]?\d|true\b|false\b|[+-]?inf\b|[+-]?nan\b)/;

/** True if each line is a table, a pair or a comment; lines of an open array belong to its pair. */
function isToml(lines: readonly string[]): boolean {
	let depth = 0;
	let pairCount = 0;
	for (const line of lines) {
		if (isComment(line)) continue;
		if (depth === 0 && tomlTable.test(line)) continue;
		if (depth === 0 && !tomlPair.test(line)) return false;
		if (depth === 0) pairCount++;
		const unquoted = line.replaceAll(/"(\\.|[^"\\])*"|'[^']*'|#.*/g, '');
		depth = Math.max(0, depth + countMatches(unquoted, /[[{]/g) - countMatches(unquoted, /[\]}]/g));
	}
	return pairCount > 0;
}

const yamlPair = /^(- +)*("[^"]*"|'[^']*'|[\w$./-][\w$ ./-]*):(\s|$)/;

/**
 * True if the text starts with `---`, or if it has at least two pairs and each line is a pair, an item,
 * indented or a comment.
 */
function isYaml(lines: readonly string[]): boolean {
	const contentLines = lines.filter(line => !isComment(line));
	if (contentLines[0]?.trimEnd() === '---') return contentLines.length > 1;
	const pairCount = contentLines.filter(line => yamlPair.test(line.trimStart())).length;
	return (
		pairCount > 1 &&
		yamlPair.test(contentLines[0] ?? '') &&
		contentLines.every(line => /^(\s+\S|- |-$)/.test(line) || yamlPair.test(line))
	);
}

/**
 * True if at least two lines have the same number of commas outside quotes, and the first line has a name for
 * every column.
 */
function isCsv(lines: readonly string[]): boolean {
	if (lines[0]?.split(',').some(name => name.trim() === '')) return false;
	const commaCounts = lines.map(line => countMatches(line.replaceAll(/"[^"]*"/g, ''), /,/g));
	const [firstCount = 0] = commaCounts;
	return lines.length > 1 && firstCount > 0 && commaCounts.every(count => count === firstCount);
}

const countMatches = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
