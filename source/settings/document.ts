import type {ParseError} from 'jsonc-parser';
import {Failure} from '../failure.ts';
import {JsonTooDeep, maxJsonDepth, parseJsonText} from '../text/json.ts';
import type {ConfigurationFormat} from './discovery.ts';
import {jsonLayout} from './json-layout.ts';
import {createPlaceFinder, type DocumentPath, itemAt, type Statement, type TextPlace} from './layout.ts';
import {tomlStatements} from './toml-layout.ts';

/** Any table of a parsed document. Read it with `property`, never with a plain look-up. */
export type Table = Readonly<Record<string, unknown>>;

/** A configuration file that could be parsed, and where in it things are. */
export type ConfigurationDocument = {
	readonly text: string;
	readonly shownAs: string;
	readonly root: Table;
	/** Where what is at a path begins, or the nearest thing around it. What is there is looked for once, at the first call. */
	findPlace(path: DocumentPath): TextPlace;
};

export const isTable = (value: unknown): value is Table =>
	typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

/** A property that the file itself holds; `__proto__` and `constructor` are nothing special. */
export const property = (table: Table, name: string): unknown =>
	Object.hasOwn(table, name) ? table[name] : undefined;

/**
 * Parses the text of a configuration file; JSON may hold comments and trailing commas.
 * The parser that is needed is loaded, and no other. Fails with `configuration_invalid`, naming line and column.
 * Messages never quote the file: variables with secrets may be there.
 */
export async function parseDocument(
	content: string,
	format: ConfigurationFormat,
	shownAs: string,
): Promise<ConfigurationDocument> {
	const text = content.startsWith('\ufeff') ? content.slice(1) : content;
	const root = format === 'toml' ? await parseToml(text, shownAs) : await parseJson(text, shownAs);
	if (!isTable(root)) {
		throw invalidAt(text, shownAs, 0, 'the whole file must be one object, `{ … }`.');
	}
	const toPlace = createPlaceFinder(text);
	const findOffset = createOffsetFinder(text, format);
	return {text, shownAs, root, findPlace: path => toPlace(findOffset(path))};
}

/** What is wrong at a path of a document, with line and column. */
export const invalid = (document: ConfigurationDocument, path: DocumentPath, problem: string): Failure =>
	invalidAtPlace(document.shownAs, document.findPlace(path), problem);

const invalidAt = (text: string, shownAs: string, offset: number, problem: string): Failure =>
	invalidAtPlace(shownAs, createPlaceFinder(text)(offset), problem);

function invalidAtPlace(shownAs: string, {line, column}: TextPlace, problem: string): Failure {
	return new Failure('configuration_invalid', `${shownAs}:${line}:${column}: ${problem}`, {
		next: `Correct line ${line} of ${shownAs}; nothing was sent or written.`,
	});
}

async function parseToml(text: string, shownAs: string): Promise<unknown> {
	const {parse, TomlError} = await import('smol-toml');
	try {
		return parse(text, {integersAsBigInt: 'asNeeded'});
	} catch (error) {
		if (!(error instanceof TomlError)) throw error;
		// The rest of the parser's message quotes the lines around.
		const problem = error.message.split('\n')[0]?.replace('Invalid TOML document: ', '') ?? '';
		const lines = text.split('\n').slice(0, error.line - 1);
		const offset = lines.reduce((sum, line) => sum + line.length + 1, 0) + error.column - 1;
		throw invalidAt(text, shownAs, offset, `this is not valid TOML: ${problem}.`);
	}
}

async function parseJson(text: string, shownAs: string): Promise<unknown> {
	try {
		return parseJsonText(text);
	} catch (error) {
		if (error instanceof JsonTooDeep || mayBeTooDeep(text))
			throw invalidAt(
				text,
				shownAs,
				0,
				`lists and objects are nested deeper than ${maxJsonDepth.toLocaleString('en-US')} levels, and are not read.`,
			);
		// Comments, trailing commas, or really broken: the slower parser finds out, and where.
		return parseJsonWithComments(text, shownAs);
	}
}

/** True if the brackets of a text that may not be JSON could exhaust the stack of the slower parser. */
function mayBeTooDeep(text: string): boolean {
	let depth = 0;
	for (const [bracket] of text.matchAll(/[[{\]}]/g)) {
		depth += bracket === '[' || bracket === '{' ? 1 : -1;
		if (depth > maxJsonDepth) return true;
	}
	return false;
}

const jsonProblems: Readonly<Record<string, string>> = {
	InvalidSymbol: 'this is not a JSON value',
	InvalidNumberFormat: 'this is not a number as JSON writes it',
	PropertyNameExpected: 'a property name in double quotes is missing here',
	ValueExpected: 'a value is missing here',
	ColonExpected: 'a colon is missing here',
	CommaExpected: 'a comma is missing before this',
	CloseBraceExpected: 'a closing brace is missing here',
	CloseBracketExpected: 'a closing bracket is missing here',
	EndOfFileExpected: 'the file should end here',
	UnexpectedEndOfComment: 'the comment is not closed',
	UnexpectedEndOfString: 'the string is not closed',
	UnexpectedEndOfNumber: 'the number is not complete',
	InvalidUnicode: 'this escape of a character is not complete',
	InvalidEscapeCharacter: 'JSON does not know this escape',
	InvalidCharacter: 'this control character must be written as an escape',
};

async function parseJsonWithComments(text: string, shownAs: string): Promise<unknown> {
	const {parse, printParseErrorCode} = await import('jsonc-parser');
	const errors: ParseError[] = [];
	const root: unknown = parse(text, errors, {allowTrailingComma: true});
	const [first] = errors;
	if (!first) return root;
	const problem = jsonProblems[printParseErrorCode(first.error)] ?? 'something is wrong here';
	throw invalidAt(text, shownAs, first.offset, `this is not valid JSON: ${problem}.`);
}

/** What a document says, statement by statement. The text must have been parsed before: this finds places, it does not judge. */
export function statementsOf(text: string, format: ConfigurationFormat): readonly Statement[] {
	if (format === 'toml') return tomlStatements(text);
	const value = jsonLayout(text);
	return [{kind: 'assignment', path: [], start: value.start, end: value.end, value}];
}

/** What a document says at a path, and below it. */
type PlaceNode = {
	/** Of the first statement here or below. */
	start?: number;
	/** Values that are assigned to the path, which hold what is below it. */
	values?: NonNullable<Statement['value']>[];
	below?: Map<string | number, PlaceNode>;
};

function createOffsetFinder(text: string, format: ConfigurationFormat): (path: DocumentPath) => number {
	let places: PlaceNode | undefined;
	return path => {
		places ??= indexStatements(statementsOf(text, format));
		for (let length = path.length; length > 0; length--) {
			const offset = findOffset(places, path.slice(0, length));
			if (offset !== undefined) return offset;
		}
		return places.start ?? 0;
	};
}

function indexStatements(statements: readonly Statement[]): PlaceNode {
	const root: PlaceNode = {};
	for (const {path, start, value} of statements) {
		let node = root;
		for (const part of path) {
			node.below ??= new Map();
			let below = node.below.get(part);
			if (!below) {
				below = {start};
				node.below.set(part, below);
			}
			node = below;
		}
		if (value) {
			node.values ??= [];
			node.values.push(value);
		}
		// Of a JSON document; TOML has no statement of its root, and begins at 0.
		if (path.length === 0) root.start = start;
	}
	return root;
}

/** The offset of what is at a path; undefined where nothing is. */
function findOffset(root: PlaceNode, path: DocumentPath): number | undefined {
	let node: PlaceNode | undefined = root;
	let inValue: number | undefined;
	for (const [depth, part] of path.entries()) {
		for (const value of node.values ?? []) inValue ??= itemAt(value, path.slice(depth))?.start;
		node = node.below?.get(part);
		if (!node) return inValue;
	}
	return node.start ?? inValue;
}
