import {
	type Document,
	isAlias,
	isMap,
	isScalar,
	isSeq,
	LineCounter,
	type Node,
	type Pair,
	parseDocument,
	Scalar,
	visit,
} from 'yaml';
import {Failure} from '../failure.ts';
import {getOwnRef} from '../rulesets/match.ts';
import {toDrawable} from '../text/columns.ts';
import {findInexactNumber} from '../text/exact-json.ts';
import {parseJsonText} from '../text/json.ts';
import {findSchemaProblems, type RulesFileData, type RulesFileProblem} from './schema.ts';
import {type RulesFileFormat, ruleSections, type SectionKey} from './sections.ts';
import {findSourceOffset} from './source-offset.ts';

/** A position in a file, from 1; columns count UTF-16 units. */
type FilePosition = {readonly line: number; readonly column: number};

type FilePath = RulesFileProblem['path'];

/** A rules file, parsed and checked against its schema. */
export type RulesFile = {
	/** The file as named on the command line, for messages. */
	readonly name: string;
	readonly data: RulesFileData;
	/** Returns the position of a rule, or of a field of it. */
	locate(section: SectionKey, index: number, ...fields: readonly string[]): FilePosition;
	/**
	 * Returns the position of a character of a text that a field holds; of the whole text, if it is folded or
	 * escaped in a way that is not followed.
	 */
	locateInText(section: SectionKey, index: number, fields: readonly string[], offset: number): FilePosition;
	/** Formats the position of a rule, or of a field of it, as `rules.yaml:12:5`. */
	formatPosition(section: SectionKey, index: number, ...fields: readonly string[]): string;
	/** Formats the position in an expression; `line` counts its own lines from 1. */
	formatExpressionPosition(section: SectionKey, index: number, line: number): string;
};

type ParseOptions = {
	readonly name: string;
	readonly format: RulesFileFormat;
	/** Accepts fields that ledge does not know. */
	readonly allowUnknown?: boolean | undefined;
};

/** Maximum number of problems in a message. */
const maxProblems = 10;

/**
 * Parses a rules file. Fails with `input_malformed`, naming line and column, for invalid YAML or JSON, unknown
 * and missing fields, values of the wrong type, inexact numbers, and ids and references used twice.
 */
export function parseRulesFile(text: string, options: ParseOptions): RulesFile {
	const {name, format, allowUnknown = false} = options;
	const lineCounter = new LineCounter();
	const toPosition = (offset: number): FilePosition => {
		const {line, col} = lineCounter.linePos(offset);
		return {line, column: col};
	};
	const formatPlace = ({line, column}: FilePosition) => `${name}:${line}:${column}`;
	const document = parseText(text, options, lineCounter, offset => formatPlace(toPosition(offset)));
	const locate = (path: FilePath): FilePosition => toPosition(findOffset(document, path));
	const value = format === 'json' ? parseJsonText(text) : toData(document, name);
	const problems = [...findSchemaProblems(value, allowUnknown), ...findInexactNumbers(document)];
	const data = value as RulesFileData;
	const allProblems = problems.length > 0 ? problems : findRuleProblems(data);
	if (allProblems.length > 0)
		throw createProblemFailure(
			options,
			allProblems.map(({path, sentence}) => `${formatPlace(locate(path))}: ${sentence}`),
			allProblems.some(({isUnknownField}) => isUnknownField) && !allowUnknown,
		);
	return {
		name,
		data,
		locate: (section, index, ...fields) => locate([section, index, ...fields]),
		locateInText(section, index, fields, offset) {
			const node = findValue(document, [section, index, ...fields]);
			return toPosition(findSourceOffset(text, node, offset) ?? node?.range?.[0] ?? 0);
		},
		formatPosition: (section, index, ...fields) => formatPlace(locate([section, index, ...fields])),
		formatExpressionPosition(section, index, line) {
			const node = findValue(document, [section, index, 'expression']);
			const {line: firstLine, column} = toPosition(node?.range?.[0] ?? 0);
			// The text of a block begins on the line after its header.
			const offset = isScalar(node) && node.type === Scalar.BLOCK_LITERAL ? line : line - 1;
			return offset === 0 ? formatPlace({line: firstLine, column}) : `${name}:${firstLine + offset}`;
		},
	};
}

const tooDeep = 'It is nested too deeply.';

function parseText(
	text: string,
	{name, format}: ParseOptions,
	lineCounter: LineCounter,
	formatOffset: (offset: number) => string,
): Document.Parsed {
	const createSyntaxFailure = (why: string) =>
		new Failure('input_malformed', `${name} is not valid ${format === 'json' ? 'JSON' : 'YAML'}.`, {
			why,
			next: 'Correct the file, or export it again.',
		});
	if (format === 'json')
		try {
			parseJsonText(text);
		} catch (cause) {
			throw createSyntaxFailure(cause instanceof Error ? cause.message : String(cause));
		}
	const document = parseYaml(text, lineCounter, createSyntaxFailure);
	const [problem] = [...document.errors, ...document.warnings];
	if (problem)
		throw createSyntaxFailure(
			`${formatOffset(problem.pos[0])}: ${problem.code === 'RESOURCE_EXHAUSTION' ? tooDeep : problem.message}`,
		);
	return document;
}

function parseYaml(
	text: string,
	lineCounter: LineCounter,
	createSyntaxFailure: (why: string) => Failure,
): Document.Parsed {
	try {
		// Without the tags of YAML 1.1 (binary data, dates, sets), every value is one of JSON.
		return parseDocument(text, {lineCounter, prettyErrors: false, resolveKnownTags: false});
	} catch (cause) {
		throw createSyntaxFailure(cause instanceof RangeError ? tooDeep : describeCause(cause));
	}
}

function toData(document: Document.Parsed, name: string): unknown {
	try {
		return document.toJS({maxAliasCount: 1_000});
	} catch (cause) {
		throw new Failure('input_malformed', `${name} can't be read.`, {
			why: describeCause(cause),
			next: 'Write out what its aliases stand for.',
		});
	}
}

const describeCause = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

/** Finds numbers that would be sent as other numbers, and those that JSON does not have. */
function findInexactNumbers(document: Document.Parsed): readonly RulesFileProblem[] {
	const problems: RulesFileProblem[] = [];
	visit(document, {
		Scalar(_key, {value, source}, ancestors) {
			if (typeof value !== 'number' || isExactNumber(value, source)) return;
			problems.push({
				path: buildPath(ancestors),
				sentence: `the number ${source} would be sent as ${value}`,
			});
		},
	});
	return problems;
}

function isExactNumber(value: number, source: string | undefined): boolean {
	if (!Number.isFinite(value)) return false;
	if (Number.isInteger(value) && !Number.isSafeInteger(value)) return false;
	if (source === undefined || !/^-?(0|[1-9]\d*)(\.\d+)?(e[-+]?\d+)?$/i.test(source)) return true;
	return findInexactNumber(source) === undefined;
}

/** Builds the path of the innermost pair or item among the ancestors of a node. */
function buildPath(ancestors: readonly (Document | Node | Pair)[]): FilePath {
	const path: (string | number)[] = [];
	for (const [index, ancestor] of ancestors.entries()) {
		const child = ancestors[index + 1];
		if (isMap(ancestor)) {
			const pair = ancestor.items.find(item => item === child);
			if (pair) path.push(String(isScalar(pair.key) ? pair.key.value : pair.key));
		} else if (isSeq(ancestor) && child) path.push(ancestor.items.indexOf(child));
	}
	return path;
}

/** Finds what a schema cannot express: files without rules, and ids and references used twice in a section. */
function findRuleProblems(data: RulesFileData): readonly RulesFileProblem[] {
	const sections = ruleSections.filter(({key}) => data[key]);
	if (sections.length === 0)
		return [{path: [], sentence: `the file has none of ${ruleSections.map(({key}) => key).join(', ')}`}];
	return sections.flatMap(({key}) => {
		const rules = data[key] ?? [];
		return [
			...findRepeated(
				key,
				'id',
				rules.map(({id}) => id),
			),
			...findRepeated(key, 'ref', rules.map(getOwnRef)),
		];
	});
}

const findRepeated = (
	section: SectionKey,
	field: 'id' | 'ref',
	values: readonly (string | undefined)[],
): readonly RulesFileProblem[] =>
	values.flatMap((value, index) =>
		value !== undefined && values.indexOf(value) < index
			? [{path: [section, index, field], sentence: `another rule has the ${field} "${value}"`}]
			: [],
	);

function createProblemFailure(
	{name}: ParseOptions,
	lines: readonly string[],
	hasUnknownFields: boolean,
): Failure {
	const hiddenCount = lines.length - maxProblems;
	// Names from the file cannot add lines.
	const visibleLines = lines.slice(0, maxProblems).map(toDrawable);
	return new Failure('input_malformed', `${name} is not a valid rules file.`, {
		why: [...visibleLines, ...(hiddenCount > 0 ? [`and ${hiddenCount} more`] : [])].join('\n'),
		left: 'Nothing was sent.',
		next: hasUnknownFields
			? 'Correct the file, or add --allow-unknown to send fields that ledge does not know.'
			: 'Correct the file.',
	});
}

/** Finds the node of a value; undefined if the path leads nowhere. Follows aliases. */
function findValue(document: Document.Parsed, path: FilePath): Node | undefined {
	return findChild(document, path)?.value;
}

/** Returns the offset of a field's name, else of a value, else of the nearest value around it. */
function findOffset(document: Document.Parsed, path: FilePath): number {
	const child = findChild(document, path);
	if (child) return child.key?.range?.[0] ?? child.value?.range?.[0] ?? 0;
	return path.length === 0 ? 0 : findOffset(document, path.slice(0, -1));
}

type Child = {readonly key?: Node | undefined; readonly value?: Node | undefined};

function findChild(document: Document.Parsed, path: FilePath): Child | undefined {
	let child: Child | undefined = {value: document.contents ?? undefined};
	for (const step of path) {
		const parent: Node | undefined = child?.value;
		const node: Node | undefined = isAlias(parent) ? parent.resolve(document) : parent;
		if (isMap(node)) {
			const pair: Pair | undefined = node.items.find(
				({key}) => isScalar(key) && String(key.value) === String(step),
			);
			child = pair && {key: pair.key as Node, value: (pair.value as Node | null) ?? undefined};
		} else if (isSeq(node)) child = {value: node.items[Number(step)] as Node | undefined};
		else return undefined;
		if (!child) return undefined;
	}
	return child;
}
