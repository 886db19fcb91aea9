import {indentationAt, insertItem, writingStyle} from './insertion.ts';
import {type Container, type DocumentPath, itemAt} from './layout.ts';
import {
	listPath,
	type NamespaceEntry,
	propertiesOf,
	tomlKey,
	tomlString,
	tomlTable,
} from './namespace-entry.ts';
import {endOfLine, type Statement, tomlStatements} from './toml-layout.ts';

/**
 * The text of a TOML file with the entry in it: merged into the element at `index` of its list, or, without one,
 * as a new element: in the inline list if there is one, else as a `[[kv_namespaces]]` table between two others.
 */
export function editToml(text: string, entry: NamespaceEntry, index: number | undefined): string {
	if (index !== undefined) {
		return Object.entries(propertiesOf(entry)).reduce(
			(edited, [name, value]) => withProperty(edited, [...listPath(entry), index], name, value),
			text,
		);
	}
	const statements = tomlStatements(text);
	const inline = deepestInline(statements, listPath(entry));
	return inline ? withInlineItem(text, entry, inline) : withTable(text, entry, statements);
}

type Inline = {readonly container: Container; readonly missing: readonly string[]};

/** The innermost inline list or table on the way to a path, and the names that are missing below it. */
function deepestInline(statements: readonly Statement[], path: readonly string[]): Inline | undefined {
	for (const {path: assigned, value} of statements) {
		if (!value || assigned.length > path.length || !startsWith(path, assigned)) continue;
		const rest = path.slice(assigned.length);
		for (let length = rest.length; length >= 0; length--) {
			const found = length === 0 ? value : itemAt(value, rest.slice(0, length))?.value;
			if (found && found.kind !== 'scalar') return {container: found, missing: rest.slice(length)};
		}
	}
	return undefined;
}

function withInlineItem(text: string, entry: NamespaceEntry, {container, missing}: Inline): string {
	const members = Object.entries(propertiesOf(entry)).map(
		([name, value]) => `${name} = ${tomlString(value)}`,
	);
	const element = `{ ${members.join(', ')} }`;
	return insertItem(text, container, {
		format: 'toml',
		style: writingStyle(text),
		write: () => (missing.length === 0 ? element : `${missing.map(tomlKey).join('.')} = [${element}]`),
	});
}

function withProperty(text: string, element: DocumentPath, name: string, value: string): string {
	const statements = tomlStatements(text);
	const literal = tomlString(value);
	const present = valueAt(statements, [...element, name]);
	if (present) return text.slice(0, present.start) + literal + text.slice(present.end);
	const inline = valueAt(statements, element);
	if (inline?.kind === 'table') {
		return insertItem(text, inline, {
			format: 'toml',
			style: writingStyle(text),
			write: () => `${name} = ${literal}`,
		});
	}
	const neighbours = ['binding', 'id', 'preview_id'].map(neighbour => [...element, neighbour]);
	const last = statements.findLast(({path}) => neighbours.some(neighbour => isSame(path, neighbour)));
	if (!last) return text;
	const {lineEnd} = writingStyle(text);
	const at = lineEndAfter(text, last.end);
	const line = `${lineEnd}${indentationAt(text, last.start)}${name} = ${literal}`;
	return text.slice(0, at) + line + text.slice(at);
}

function valueAt(statements: readonly Statement[], path: DocumentPath): Statement['value'] {
	for (const statement of statements) {
		if (!statement.value || !startsWith(path, statement.path)) continue;
		const rest = path.slice(statement.path.length);
		const value = rest.length === 0 ? statement.value : itemAt(statement.value, rest)?.value;
		if (value) return value;
	}
	return undefined;
}

/**
 * Headers are absolute, so a table may be before any other header or at the end of the file, and nowhere
 * else: what follows it up to the next header would become its own.
 */
function withTable(text: string, entry: NamespaceEntry, statements: readonly Statement[]): string {
	const {lineEnd} = writingStyle(text);
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
		const last = statements.findLastIndex(statement => startsWith(statement.path, path));
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

const startsWith = (path: DocumentPath, beginning: DocumentPath): boolean =>
	beginning.every((part, index) => part === path[index]);

const isSame = (path: DocumentPath, other: DocumentPath): boolean =>
	path.length === other.length && startsWith(path, other);
