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

/** How a language writes a value, a property, and an entry with whatever is missing around it. */
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
			// Line feeds inside strings are written as escapes, so those that are left are between tokens.
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
 * The text of a configuration file with the entry in it: merged into the element at `index` of its list, or, without
 * one, as a new element: in the list if there is one, else with whatever is missing around it; in TOML that is a
 * `[[kv_namespaces]]` table between two others.
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

/** The innermost list or table in brackets on the way to a path, and the names that are missing below it. */
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
 * Headers are absolute, so a table may be before any other header or at the end of the file, and nowhere
 * else: what follows it up to the next header would become its own.
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

/** The statement before which the new table comes; none: the end of the file. */
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
 * The end of a line between a statement and the header after it. Comments directly below the statement stay with
 * it and those directly above the header with that; `separated` is whether there is a blank line between.
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
