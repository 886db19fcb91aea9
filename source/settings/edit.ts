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

/** How a language writes a value, a property, and an entry with its missing parents. */
type Language = {
	formatLiteral(value: string): string;
	formatProperty(name: string, literal: string): string;
	createItem(entry: NamespaceEntry, missing: readonly string[]): WriteItem;
};

const json: Language = {
	formatLiteral: value => JSON.stringify(value),
	formatProperty: (name, literal) => `${JSON.stringify(name)}: ${literal}`,
	createItem(entry, [name, ...deeper]) {
		const element = getEntryProperties(entry);
		const inner: unknown = [element];
		const nested = deeper.reduceRight((value, key) => ({[key]: value}), inner);
		return ({indentation, spread}, {lineEnd, step}) => {
			// Line feeds inside strings are escaped, so the remaining ones are between tokens.
			const formatJson = (value: unknown) =>
				spread
					? JSON.stringify(value, null, step).replaceAll('\n', lineEnd + indentation)
					: JSON.stringify(value, null, 1).replace(/\n */g, ' ');
			return name === undefined ? formatJson(element) : json.formatProperty(name, formatJson(nested));
		};
	},
};

const toml: Language = {
	formatLiteral: formatTomlString,
	formatProperty: (name, literal) => `${name} = ${literal}`,
	createItem(entry, missing) {
		const element = `{ ${formatTomlProperties(entry).join(', ')} }`;
		return () => (missing.length === 0 ? element : `${missing.map(formatTomlKey).join('.')} = [${element}]`);
	},
};

/**
 * Adds an entry to the text of a configuration file: merged into the list element at `index`, or as a new
 * element, in the existing list or with its missing parents; in TOML as a `[[kv_namespaces]]` table between
 * two others.
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
	const place = findDeepestContainer(statements, getEntryListPath(entry));
	if (!place) return addTable(text, entry, statements);
	return insertItem(text, place.container, format, language.createItem(entry, place.missing));
}

/** Finds the innermost bracketed list or table on the way to a path, and the names missing below it. */
function findDeepestContainer(
	statements: readonly Statement[],
	path: readonly string[],
): {readonly container: Container; readonly missing: readonly string[]} | undefined {
	for (const {path: assigned, value} of statements) {
		if (!value || assigned.length > path.length || !isWithin(path, assigned)) continue;
		const rest = path.slice(assigned.length);
		for (let length = rest.length; length >= 0; length--) {
			const found = length === 0 ? value : findLayoutItem(value, rest.slice(0, length))?.value;
			if (found && found.kind !== 'scalar') return {container: found, missing: rest.slice(length)};
		}
	}
	return undefined;
}

function setProperty(
	text: string,
	format: ConfigurationFormat,
	element: DocumentPath,
	name: string,
	literal: string,
): string {
	const statements = listStatements(text, format);
	const existing = findAssignedValue(statements, [...element, name]);
	if (existing) return text.slice(0, existing.start) + literal + text.slice(existing.end);
	const property = (format === 'toml' ? toml : json).formatProperty(name, literal);
	const container = findAssignedValue(statements, element);
	if (container?.kind === 'table') return insertItem(text, container, format, () => property);
	const neighbours = ['binding', 'id', 'preview_id'].map(neighbour => [...element, neighbour]);
	const last = statements.findLast(({path}) =>
		neighbours.some(neighbour => path.length === neighbour.length && isWithin(path, neighbour)),
	);
	if (!last) return text;
	const at = findTextEnd(text, last.end);
	return `${text.slice(0, at)}${getLineEnd(text)}${getIndentation(text, last.start)}${property}${text.slice(at)}`;
}

/**
 * Adds a table before another header or at the end of the file: anywhere else, the following lines up to the
 * next header would become part of it.
 */
function addTable(text: string, entry: NamespaceEntry, statements: readonly Statement[]): string {
	const lineEnd = getLineEnd(text);
	const table = formatTomlTable(entry).join(lineEnd);
	const next = findFollowingHeader(statements, entry);
	const last = next === undefined ? undefined : statements[next - 1];
	const header = next === undefined ? undefined : statements[next];
	if (!last || !header) {
		const before = text.trimEnd();
		return `${before === '' ? '' : before + lineEnd + lineEnd}${table}${lineEnd}`;
	}
	const {at, separated} = findLineBetween(text, last.end, header.start);
	return `${text.slice(0, at)}${lineEnd}${lineEnd}${table}${separated ? '' : lineEnd}${text.slice(at)}`;
}

/** Finds the statement before which the new table goes; undefined means the end of the file. */
function findFollowingHeader(statements: readonly Statement[], entry: NamespaceEntry): number | undefined {
	const {environment} = entry;
	const surroundings = environment === undefined ? [] : [['env', environment]];
	for (const path of [getEntryListPath(entry), ...surroundings]) {
		const last = statements.findLastIndex(statement => isWithin(statement.path, path));
		if (last === -1) continue;
		const next = statements.findIndex(({kind}, index) => index > last && kind === 'header');
		return next === -1 ? undefined : next;
	}
	if (environment !== undefined) return undefined;
	const firstEnvironment = statements.findIndex(({kind, path}) => kind === 'header' && path[0] === 'env');
	return firstEnvironment > 0 ? firstEnvironment : undefined;
}

/**
 * Finds a line end between a statement and the next header. Comments directly below the statement stay with
 * it, those directly above the header with that; `separated` means there is a blank line between.
 */
function findLineBetween(
	text: string,
	from: number,
	to: number,
): {readonly at: number; readonly separated: boolean} {
	const first = findTextEnd(text, from);
	const separated = /\n[ \t\r]*\n/.test(text.slice(first, to));
	let at = first;
	while (separated && /^\r?\n[ \t]*#/.test(text.slice(at, to)))
		at = findTextEnd(text, text.indexOf('\n', at) + 1);
	return {at, separated};
}

function findTextEnd(text: string, from: number): number {
	const end = findLineEnd(text, from);
	return text.charAt(end - 1) === '\r' && end > from ? end - 1 : end;
}
