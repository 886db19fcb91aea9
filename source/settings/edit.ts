import type {ConfigurationFormat} from './discovery.ts';
import {statementsOf} from './document.ts';
import {indentationAt, insertItem, lineEndIn, type Write} from './insertion.ts';
import {
	type Container,
	type DocumentPath,
	endOfLine,
	isWithin,
	itemAt,
	type Statement,
	valueAt,
} from './layout.ts';
import {
	listPath,
	type NamespaceEntry,
	propertiesOf,
	tomlKey,
	tomlProperties,
	tomlString,
	tomlTable,
} from './namespace-entry.ts';

/** How a language writes a value, a property, and an entry with its missing parents. */
type Language = {
	literal(value: string): string;
	property(name: string, literal: string): string;
	item(entry: NamespaceEntry, missing: readonly string[]): Write;
};

const json: Language = {
	literal: value => JSON.stringify(value),
	property: (name, literal) => `${JSON.stringify(name)}: ${literal}`,
	item(entry, [name, ...deeper]) {
		const element = propertiesOf(entry);
		const inner: unknown = [element];
		const nested = deeper.reduceRight((value, key) => ({[key]: value}), inner);
		return ({indentation, spread}, {lineEnd, step}) => {
			// Line feeds inside strings are escaped, so the remaining ones are between tokens.
			const text = (value: unknown) =>
				spread
					? JSON.stringify(value, null, step).replaceAll('\n', lineEnd + indentation)
					: JSON.stringify(value, null, 1).replace(/\n */g, ' ');
			return name === undefined ? text(element) : json.property(name, text(nested));
		};
	},
};

const toml: Language = {
	literal: tomlString,
	property: (name, literal) => `${name} = ${literal}`,
	item(entry, missing) {
		const element = `{ ${tomlProperties(entry).join(', ')} }`;
		return () => (missing.length === 0 ? element : `${missing.map(tomlKey).join('.')} = [${element}]`);
	},
};

/**
 * Adds an entry to the text of a configuration file: merged into the list element at `index`, or as a new
 * element, in the existing list or with its missing parents; in TOML as a `[[kv_namespaces]]` table between
 * two others.
 */
export function withEntry(
	text: string,
	format: ConfigurationFormat,
	entry: NamespaceEntry,
	index: number | undefined,
): string {
	const language = format === 'toml' ? toml : json;
	if (index !== undefined)
		return Object.entries(propertiesOf(entry)).reduce(
			(edited, [name, value]) =>
				withProperty(edited, format, [...listPath(entry), index], name, language.literal(value)),
			text,
		);
	const statements = statementsOf(text, format);
	const place = deepestContainer(statements, listPath(entry));
	if (!place) return withTable(text, entry, statements);
	return insertItem(text, place.container, format, language.item(entry, place.missing));
}

/** Finds the innermost bracketed list or table on the way to a path, and the names missing below it. */
function deepestContainer(
	statements: readonly Statement[],
	path: readonly string[],
): {readonly container: Container; readonly missing: readonly string[]} | undefined {
	for (const {path: assigned, value} of statements) {
		if (!value || assigned.length > path.length || !isWithin(path, assigned)) continue;
		const rest = path.slice(assigned.length);
		for (let length = rest.length; length >= 0; length--) {
			const found = length === 0 ? value : itemAt(value, rest.slice(0, length))?.value;
			if (found && found.kind !== 'scalar') return {container: found, missing: rest.slice(length)};
		}
	}
	return undefined;
}

function withProperty(
	text: string,
	format: ConfigurationFormat,
	element: DocumentPath,
	name: string,
	literal: string,
): string {
	const statements = statementsOf(text, format);
	const present = valueAt(statements, [...element, name]);
	if (present) return text.slice(0, present.start) + literal + text.slice(present.end);
	const property = (format === 'toml' ? toml : json).property(name, literal);
	const container = valueAt(statements, element);
	if (container?.kind === 'table') return insertItem(text, container, format, () => property);
	const neighbours = ['binding', 'id', 'preview_id'].map(neighbour => [...element, neighbour]);
	const last = statements.findLast(({path}) =>
		neighbours.some(neighbour => path.length === neighbour.length && isWithin(path, neighbour)),
	);
	if (!last) return text;
	const at = lineEndAfter(text, last.end);
	return `${text.slice(0, at)}${lineEndIn(text)}${indentationAt(text, last.start)}${property}${text.slice(at)}`;
}

/**
 * Adds a table before another header or at the end of the file: anywhere else, the following lines up to the
 * next header would become part of it.
 */
function withTable(text: string, entry: NamespaceEntry, statements: readonly Statement[]): string {
	const lineEnd = lineEndIn(text);
	const table = tomlTable(entry).join(lineEnd);
	const next = followingHeader(statements, entry);
	const last = next === undefined ? undefined : statements[next - 1];
	const header = next === undefined ? undefined : statements[next];
	if (!last || !header) {
		const before = text.trimEnd();
		return `${before === '' ? '' : before + lineEnd + lineEnd}${table}${lineEnd}`;
	}
	const {at, separated} = lineBetween(text, last.end, header.start);
	return `${text.slice(0, at)}${lineEnd}${lineEnd}${table}${separated ? '' : lineEnd}${text.slice(at)}`;
}

/** Finds the statement before which the new table goes; undefined means the end of the file. */
function followingHeader(statements: readonly Statement[], entry: NamespaceEntry): number | undefined {
	const {environment} = entry;
	const surroundings = environment === undefined ? [] : [['env', environment]];
	for (const path of [listPath(entry), ...surroundings]) {
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
function lineBetween(
	text: string,
	from: number,
	to: number,
): {readonly at: number; readonly separated: boolean} {
	const first = lineEndAfter(text, from);
	const separated = /\n[ \t\r]*\n/.test(text.slice(first, to));
	let at = first;
	while (separated && /^\r?\n[ \t]*#/.test(text.slice(at, to)))
		at = lineEndAfter(text, text.indexOf('\n', at) + 1);
	return {at, separated};
}

function lineEndAfter(text: string, from: number): number {
	const end = endOfLine(text, from);
	return text.charAt(end - 1) === '\r' && end > from ? end - 1 : end;
}
