import {Failure} from '../failure.ts';
import {segmentGraphemes} from './graphemes.ts';
import type {JsonObject, JsonValue} from './json.ts';
import {escapeText} from './safe-text.ts';

/** An item of an HCL body. */
export type HclItem =
	| {readonly kind: 'attribute'; readonly name: string; readonly value: JsonValue}
	/** An attribute whose value refers to another resource: `to = cloudflare_ruleset.x`. */
	| {readonly kind: 'reference'; readonly name: string; readonly to: readonly string[]}
	| {
			readonly kind: 'block';
			readonly type: string;
			readonly labels?: readonly string[];
			readonly body: readonly HclItem[];
	  }
	/** Comments for people; unsafe characters are escaped. */
	| {readonly kind: 'comment'; readonly lines: readonly string[]};

export const createAttribute = (name: string, value: JsonValue): HclItem => ({
	kind: 'attribute',
	name,
	value,
});

/**
 * Formats HCL like `terraform fmt`: two spaces per level, aligned `=` in consecutive lines, a blank line
 * before each block. Ends in a line feed. A parser reads strings back unchanged, with two exceptions that HCL
 * imposes: characters are composed (NFC), and lone surrogates become U+FFFD. Fails with `answer_malformed` if
 * the name of an attribute or block is invalid in HCL.
 */
export const formatHcl = (items: readonly HclItem[]): string => `${buildBodyLines(items).join('\n')}\n`;

/** Formats a string in HCL: `"…"`, with template markers and unprintable characters escaped. */
export function formatHclString(text: string): string {
	const escaped = text
		.toWellFormed()
		.replace(/["\\]/g, '\\$&')
		.replace(/([$%])(?=\{)/g, '$1$1')
		.replace(/[^ -~]/gu, escapeHclCharacter);
	return `"${escaped}"`;
}

const shortForms: Readonly<Record<string, string>> = {'\n': '\\n', '\r': '\\r', '\t': '\\t'};

function escapeHclCharacter(character: string): string {
	if (escapeText(character) === character) return character;
	const shortForm = shortForms[character];
	if (shortForm !== undefined) return shortForm;
	const code = (character.codePointAt(0) ?? 0).toString(16);
	return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`;
}

/** `name = value`; the first line of the value follows the equals sign. */
type Assignment = {readonly name: string; readonly valueLines: readonly string[]};

function buildBodyLines(items: readonly HclItem[]): string[] {
	const lines: string[] = [];
	let assignmentRun: Assignment[] = [];
	const endRun = () => {
		lines.push(...buildAssignmentLines(assignmentRun));
		assignmentRun = [];
	};
	for (const item of items) {
		if (item.kind === 'attribute') {
			assignmentRun.push({name: requireIdentifier(item.name), valueLines: buildValueLines(item.value)});
			continue;
		}
		if (item.kind === 'reference') {
			assignmentRun.push({
				name: requireIdentifier(item.name),
				valueLines: [item.to.map(requireIdentifier).join('.')],
			});
			continue;
		}
		endRun();
		if (lines.length > 0) lines.push('');
		lines.push(...(item.kind === 'comment' ? buildCommentLines(item.lines) : buildBlockLines(item)));
	}
	endRun();
	return lines;
}

const buildCommentLines = (lines: readonly string[]): string[] =>
	lines.map(line => `# ${escapeText(line)}`.trimEnd());

function buildBlockLines({type, labels = [], body}: HclItem & {kind: 'block'}): string[] {
	const head = [requireIdentifier(type), ...labels.map(formatHclString), '{'].join(' ');
	return body.length === 0 ? [`${head}}`] : [head, ...indentLines(buildBodyLines(body)), '}'];
}

/** Formats assignments of one body; aligns the equals signs of consecutive one-line assignments. */
function buildAssignmentLines(assignments: readonly Assignment[]): string[] {
	const lines: string[] = [];
	let from = 0;
	while (from < assignments.length) {
		const isOneLine = assignments[from]?.valueLines.length === 1;
		let to = from + 1;
		while (isOneLine && assignments[to]?.valueLines.length === 1) to++;
		const run = assignments.slice(from, to);
		const maxNameWidth = Math.max(...run.map(({name}) => countCharacters(name)));
		for (const {name, valueLines} of run) {
			const [firstLine = '', ...continuationLines] = valueLines;
			lines.push(
				`${name}${' '.repeat(maxNameWidth - countCharacters(name))} = ${firstLine}`,
				...continuationLines,
			);
		}
		from = to;
	}
	return lines;
}

/** Counts graphemes, like `terraform fmt`. */
const countCharacters = (name: string): number => [...segmentGraphemes(name)].length;

function buildValueLines(value: JsonValue): string[] {
	if (typeof value === 'string') return [formatHclString(value)];
	if (typeof value !== 'object' || value === null) return [String(value)];
	return isJsonArray(value) ? buildListLines(value) : buildObjectLines(value);
}

/** Formats a list on one line; if an item has several lines, one item after the other. */
function buildListLines(list: readonly JsonValue[]): string[] {
	const items = list.map(buildValueLines);
	if (items.every(item => item.length === 1)) return [`[${items.flat().join(', ')}]`];
	return ['[', ...indentLines(items.flatMap(item => [...item.slice(0, -1), `${item.at(-1)},`])), ']'];
}

function buildObjectLines(object: JsonObject): string[] {
	const entries = Object.entries(object);
	if (entries.length === 0) return ['{}'];
	const assignments = entries.map(([name, value]) => ({
		name: formatObjectKey(name),
		valueLines: buildValueLines(value),
	}));
	return ['{', ...indentLines(buildAssignmentLines(assignments)), '}'];
}

const isJsonArray = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value);

const indentLines = (lines: readonly string[]): string[] =>
	lines.map(line => (line === '' ? '' : `  ${line}`));

const identifierPattern = /^[A-Za-z_][\w-]*$/;

/** Words that have a special meaning at the start of an object. */
const reservedWords: ReadonlySet<string> = new Set(['for', 'null', 'true', 'false']);

const formatObjectKey = (name: string): string =>
	identifierPattern.test(name) && !reservedWords.has(name) ? name : formatHclString(name);

function requireIdentifier(name: string): string {
	if (identifierPattern.test(name)) return name;
	throw new Failure('answer_malformed', `"${name}" is not a valid name in Terraform's language.`, {
		why: 'A name there contains only letters, digits, _ and -, and does not start with a digit.',
	});
}
