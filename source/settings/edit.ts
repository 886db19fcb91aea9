import type {ConfigurationFormat} from './discovery.ts';
import {listStatements} from './document.ts';
import {getIndentation, getLineEnd, insertItem, type WriteItem} from './insertion.ts';
import {
	type Container,
	type DocumentPath,
	findAssignedValue,
	findLayoutItem,
	findLineEnd,
	isWithin,
	type Statement,
} from './layout.ts';
import {
	formatTomlKey,
	formatTomlProperties,
	formatTomlString,
	formatTomlTable,
	getEntryListPath,
	getEntryProperties,
	type NamespaceEntry,
} from './namespace-entry.ts';

/** Formats values, properties, and an entry with its missing parents in one language. */
type Language = {
	formatLiteral(value: string): string;
	formatProperty(name: string, literal: string): string;
	createItemWriter(entry: NamespaceEntry, missingNames: readonly string[]): WriteItem;
};

const json: Language = {
	formatLiteral: value => JSON.stringify(value),
	formatProperty: (name, literal) => `${JSON.stringify(name)}: ${literal}`,
	createItemWriter(entry, [name, ...restNames]) {
		const element = getEntryProperties(entry);
		const wrapped: unknown = [element];
		const nested = restNames.reduceRight((value, key) => ({[key]: value}), wrapped);
		return ({indentation, isMultiline}, {lineEnd, step}) => {
			// Line feeds inside strings are escaped, so the remaining ones are between tokens.
			const formatJson = (value: unknown) =>
				isMultiline
					? JSON.stringify(value, null, step).replaceAll('\n', lineEnd + indentation)
					: JSON.stringify(value, null, 1).replace(/\n */g, ' ');
			return name === undefined ? formatJson(element) : json.formatProperty(name, formatJson(nested));
		};
	},
};

const toml: Language = {
	formatLiteral: formatTomlString,
	formatProperty: (name, literal) => `${name} = ${literal}`,
	createItemWriter(entry, missingNames) {
		const element = `{ ${formatTomlProperties(entry).join(', ')} }`;
		return () =>
			missingNames.length === 0 ? element : `${missingNames.map(formatTomlKey).join('.')} = [${element}]`;
	},
};

/**
 * Adds an entry to the text of a configuration file. With `index`, merges it into that element of the list;
 * otherwise adds an element to the existing list, or the list with its missing parents. In TOML, a new entry
 * without a bracketed list becomes a `[[kv_namespaces]]` table.
 */
export function addEntry(
	text: string,
	format: ConfigurationFormat,
	entry: NamespaceEntry,
	index: number | undefined,
): string {
	const language = format === 'toml' ? toml : json;
	if (index !== undefined)
		return Object.entries(getEntryProperties(entry)).reduce(
			(edited, [name, value]) =>
				setProperty(edited, format, [...getEntryListPath(entry), index], name, language.formatLiteral(value)),
			text,
		);
	const statements = listStatements(text, format);
	const innermost = findDeepestContainer(statements, getEntryListPath(entry));
	if (!innermost) return addTable(text, entry, statements);
	return insertItem(
		text,
		innermost.container,
		format,
		language.createItemWriter(entry, innermost.missingNames),
	);
}

/**
 * Finds the innermost bracketed list or table on the way to a path, and the names missing below it; undefined
 * if there is none.
 */
function findDeepestContainer(
	statements: readonly Statement[],
	path: readonly string[],
): {readonly container: Container; readonly missingNames: readonly string[]} | undefined {
	for (const {path: assignedPath, value} of statements) {
		if (!value || assignedPath.length > path.length || !isWithin(path, assignedPath)) continue;
		const restPath = path.slice(assignedPath.length);
		for (let length = restPath.length; length >= 0; length--) {
			const innermost = length === 0 ? value : findLayoutItem(value, restPath.slice(0, length))?.value;
			if (innermost && innermost.kind !== 'scalar')
				return {container: innermost, missingNames: restPath.slice(length)};
		}
	}
	return undefined;
}

function setProperty(
	text: string,
	format: ConfigurationFormat,
	elementPath: DocumentPath,
	name: string,
	literal: string,
): string {
	const statements = listStatements(text, format);
	const existingValue = findAssignedValue(statements, [...elementPath, name]);
	if (existingValue) return text.slice(0, existingValue.start) + literal + text.slice(existingValue.end);
	const property = (format === 'toml' ? toml : json).formatProperty(name, literal);
	const container = findAssignedValue(statements, elementPath);
	if (container?.kind === 'table') return insertItem(text, container, format, () => property);
	const neighbours = ['binding', 'id', 'preview_id'].map(neighbour => [...elementPath, neighbour]);
	const lastNeighbour = statements.findLast(({path}) =>
		neighbours.some(neighbour => path.length === neighbour.length && isWithin(path, neighbour)),
	);
	if (!lastNeighbour) return text;
	const insertOffset = findTextEnd(text, lastNeighbour.end);
	return `${text.slice(0, insertOffset)}${getLineEnd(text)}${getIndentation(text, lastNeighbour.start)}${property}${text.slice(insertOffset)}`;
}

/**
 * Adds a table before another header or at the end of the file: anywhere else, the following lines up to the
 * next header would become part of it.
 */
function addTable(text: string, entry: NamespaceEntry, statements: readonly Statement[]): string {
	const lineEnd = getLineEnd(text);
	const table = formatTomlTable(entry).join(lineEnd);
	const nextHeaderIndex = findFollowingHeaderIndex(statements, entry);
	const previousStatement = nextHeaderIndex === undefined ? undefined : statements[nextHeaderIndex - 1];
	const header = nextHeaderIndex === undefined ? undefined : statements[nextHeaderIndex];
	if (!previousStatement || !header) {
		const trimmed = text.trimEnd();
		return `${trimmed === '' ? '' : trimmed + lineEnd + lineEnd}${table}${lineEnd}`;
	}
	const {lineEndOffset: insertOffset, hasBlankLine} = findLineBetween(
		text,
		previousStatement.end,
		header.start,
	);
	return `${text.slice(0, insertOffset)}${lineEnd}${lineEnd}${table}${hasBlankLine ? '' : lineEnd}${text.slice(insertOffset)}`;
}

/**
 * Finds the index of the header before which the new table is inserted; undefined means the end of the file.
 */
function findFollowingHeaderIndex(
	statements: readonly Statement[],
	entry: NamespaceEntry,
): number | undefined {
	const {environment} = entry;
	const surroundings = environment === undefined ? [] : [['env', environment]];
	for (const path of [getEntryListPath(entry), ...surroundings]) {
		const lastWithinIndex = statements.findLastIndex(statement => isWithin(statement.path, path));
		if (lastWithinIndex === -1) continue;
		const nextHeaderIndex = statements.findIndex(
			({kind}, index) => index > lastWithinIndex && kind === 'header',
		);
		return nextHeaderIndex === -1 ? undefined : nextHeaderIndex;
	}
	if (environment !== undefined) return undefined;
	const firstEnvironmentIndex = statements.findIndex(
		({kind, path}) => kind === 'header' && path[0] === 'env',
	);
	return firstEnvironmentIndex > 0 ? firstEnvironmentIndex : undefined;
}

/**
 * Finds a line end between a statement and the next header. Comments directly below the statement stay with
 * it, those directly above the header with the header. `hasBlankLine`: there is a blank line between the two.
 */
function findLineBetween(
	text: string,
	start: number,
	end: number,
): {readonly lineEndOffset: number; readonly hasBlankLine: boolean} {
	const firstLineEnd = findTextEnd(text, start);
	const hasBlankLine = /\n[ \t\r]*\n/.test(text.slice(firstLineEnd, end));
	let insertOffset = firstLineEnd;
	while (hasBlankLine && /^\r?\n[ \t]*#/.test(text.slice(insertOffset, end)))
		insertOffset = findTextEnd(text, text.indexOf('\n', insertOffset) + 1);
	return {lineEndOffset: insertOffset, hasBlankLine};
}

function findTextEnd(text: string, start: number): number {
	const end = findLineEnd(text, start);
	return text.charAt(end - 1) === '\r' && end > start ? end - 1 : end;
}
