import type {ParseError} from 'jsonc-parser';
import type {TomlError} from 'smol-toml';
import {Failure} from '../failure.ts';
import {JsonTooDeep, maxJsonDepth, parseJsonText} from '../text/json.ts';
import type {ConfigurationFormat} from './discovery.ts';
import {parseJsonLayout} from './json-layout.ts';
import {
	createPositionFinder,
	type DocumentPath,
	findLayoutItem,
	type LineAndColumn,
	type Statement,
} from './layout.ts';
import {listAssignments, listTomlHeaders, listTomlStatements} from './toml-layout.ts';

/** A table of a parsed document. Read it with `getProperty` only. */
export type DocumentTable = Readonly<Record<string, unknown>>;

/** A parsed configuration file that can find the line and column of its values. */
export type ConfigurationDocument = {
	readonly text: string;
	readonly shownAs: string;
	readonly root: DocumentTable;
	/**
	 * Finds where the value at a path begins, or its nearest existing ancestor. Indexes the text at the first
	 * call.
	 */
	findPosition(path: DocumentPath): LineAndColumn;
};

export const isTable = (value: unknown): value is DocumentTable =>
	typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

/** Returns an own property; `__proto__` and `constructor` are not special. */
export const getProperty = (table: DocumentTable, name: string): unknown =>
	Object.hasOwn(table, name) ? table[name] : undefined;

/**
 * Parses a configuration file; JSON may have comments and trailing commas. Loads only the parser it needs.
 * Fails with `configuration_invalid`, with line and column. Messages never quote the file, which may contain
 * secrets.
 */
export async function parseDocument(
	content: string,
	format: ConfigurationFormat,
	shownAs: string,
): Promise<ConfigurationDocument> {
	const text = content.startsWith('\ufeff') ? content.slice(1) : content;
	const root = format === 'toml' ? await parseToml(text, shownAs) : await parseJsonDocument(text, shownAs);
	if (!isTable(root)) {
		throw createInvalidFailureAt(text, shownAs, 0, 'the whole file must be one object, `{ … }`.');
	}
	const toPosition = createPositionFinder(text);
	const findNearestOffset = createOffsetFinder(text, format);
	return {text, shownAs, root, findPosition: path => toPosition(findNearestOffset(path))};
}

/** Creates the failure for a problem at a path of a document, with line and column. */
export const createInvalidFailure = (
	document: ConfigurationDocument,
	path: DocumentPath,
	problem: string,
): Failure => createPositionFailure(document.shownAs, document.findPosition(path), problem);

const createInvalidFailureAt = (text: string, shownAs: string, offset: number, problem: string): Failure =>
	createPositionFailure(shownAs, createPositionFinder(text)(offset), problem);

function createPositionFailure(shownAs: string, {line, column}: LineAndColumn, problem: string): Failure {
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
		const problem = describeTomlError(error);
		const lines = text.split('\n').slice(0, error.line - 1);
		const offset = lines.reduce((sum, line) => sum + line.length + 1, 0) + error.column - 1;
		throw createInvalidFailureAt(text, shownAs, offset, `this is not valid TOML: ${problem}.`);
	}
}

/** Describes an error of the TOML parser; the rest of its message quotes nearby lines. */
export const describeTomlError = (error: TomlError): string =>
	error.message.split('\n')[0]?.replace('Invalid TOML document: ', '') ?? '';

async function parseJsonDocument(text: string, shownAs: string): Promise<unknown> {
	try {
		return parseJsonText(text);
	} catch (error) {
		if (error instanceof JsonTooDeep || canBeTooDeep(text))
			throw createInvalidFailureAt(
				text,
				shownAs,
				0,
				`lists and objects are nested deeper than ${maxJsonDepth.toLocaleString('en-US')} levels, which ledge does not support.`,
			);
		// The text has comments or trailing commas, or is invalid: the slower parser tells which, and where.
		return parseJsonWithComments(text, shownAs);
	}
}

/** True if the brackets of a text that may not be JSON could exhaust the stack of the slower parser. */
function canBeTooDeep(text: string): boolean {
	let depth = 0;
	for (let offset = 0; offset < text.length; offset++) {
		const character = text.charAt(offset);
		if (character === '[' || character === '{') depth++;
		else if (character === ']' || character === '}') depth--;
		if (depth > maxJsonDepth) return true;
	}
	return false;
}

const jsonProblems: Readonly<Record<string, string>> = {
	InvalidSymbol: 'this is not a JSON value',
	InvalidNumberFormat: 'this is not a valid JSON number',
	PropertyNameExpected: 'a property name in double quotes is missing here',
	ValueExpected: 'a value is missing here',
	ColonExpected: 'a colon is missing here',
	CommaExpected: 'a comma is missing before this',
	CloseBraceExpected: 'a closing brace is missing here',
	CloseBracketExpected: 'a closing bracket is missing here',
	EndOfFileExpected: 'the file should end here',
	UnexpectedEndOfComment: 'the comment is not closed',
	UnexpectedEndOfString: 'the string is not closed',
	UnexpectedEndOfNumber: 'the number is incomplete',
	InvalidUnicode: 'this character escape is incomplete',
	InvalidEscapeCharacter: 'this is not a valid JSON escape',
	InvalidCharacter: 'this control character must be written as an escape',
};

async function parseJsonWithComments(text: string, shownAs: string): Promise<unknown> {
	const {parse, printParseErrorCode} = await import('jsonc-parser');
	const errors: ParseError[] = [];
	const root: unknown = parse(text, errors, {allowTrailingComma: true});
	const [firstError] = errors;
	if (!firstError) return root;
	const problem = jsonProblems[printParseErrorCode(firstError.error)] ?? 'something is wrong here';
	throw createInvalidFailureAt(text, shownAs, firstError.offset, `this is not valid JSON: ${problem}.`);
}

/** Lists the statements of a document. The text must have been parsed before: this only finds positions. */
export function listStatements(text: string, format: ConfigurationFormat): readonly Statement[] {
	if (format === 'toml') return listTomlStatements(text);
	const value = parseJsonLayout(text);
	return [{kind: 'assignment', path: [], start: value.start, end: value.end, value}];
}

/** Statements of a document at and below a path. */
type PathNode = {
	/** Start of the first statement here or below. */
	readonly start: number;
	/** Statements at the path or below, in order. */
	readonly statements: Statement[];
	/** Built when first needed. */
	content?: NodeContent;
};

type NodeContent = {
	/** Values assigned to the path, which contain what is below. */
	readonly values: readonly NonNullable<Statement['value']>[];
	/** The nodes below, by the next part of their path. */
	readonly children: ReadonlyMap<string | number, PathNode>;
};

function createOffsetFinder(text: string, format: ConfigurationFormat): (path: DocumentPath) => number {
	let root: PathNode | undefined;
	return path => {
		if (!root) {
			const statements = format === 'toml' ? listTomlHeaders(text) : listStatements(text, format);
			root = {start: statements[0]?.start ?? 0, statements: [...statements]};
		}
		for (let length = path.length; length > 0; length--) {
			const offset = findExactOffset(text, root, path.slice(0, length));
			if (offset !== undefined) return offset;
		}
		return root.start;
	};
}

/** Divides statements at or below a path of `depth` parts by the next part of their path. */
function divideStatements(text: string, statements: readonly Statement[], depth: number): NodeContent {
	const values: NonNullable<Statement['value']>[] = [];
	const children = new Map<string | number, PathNode>();
	const add = (statement: Statement) => {
		const part = statement.path[depth];
		if (part === undefined) {
			// Computed on demand: few of many thousand tables are needed.
			if (statement.kind === 'header')
				for (const assignment of listAssignments(text, statement)) add(assignment);
			else if (statement.value) values.push(statement.value);
			return;
		}
		const node = children.get(part);
		if (node) node.statements.push(statement);
		else children.set(part, {start: statement.start, statements: [statement]});
	};
	for (const statement of statements) add(statement);
	return {values, children};
}

/** Finds the offset of a path; undefined if it is missing. Does not fall back to the paths above. */
function findExactOffset(text: string, root: PathNode, path: DocumentPath): number | undefined {
	let node = root;
	let offsetInValue: number | undefined;
	for (const [depth, part] of path.entries()) {
		node.content ??= divideStatements(text, node.statements, depth);
		const {values, children} = node.content;
		for (const value of values) offsetInValue ??= findLayoutItem(value, path.slice(depth))?.start;
		const child = children.get(part);
		if (!child) return offsetInValue;
		node = child;
	}
	return node.start;
}
