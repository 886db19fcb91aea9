import {isDeepStrictEqual} from 'node:util';
import {Failure, isFailure} from '../failure.ts';
import {replaceFile} from '../state/replace-file.ts';
import {decodeConfiguration} from './configuration.ts';
import {type ConfigurationFormat, readConfigurationBytes} from './discovery.ts';
import {
	type ConfigurationDocument,
	createInvalidFailure,
	getProperty,
	isTable,
	parseDocument,
} from './document.ts';
import {addEntry} from './edit.ts';
import {
	formatEntrySnippet,
	getEntryListPath,
	getEntryProperties,
	type NamespaceEntry,
} from './namespace-entry.ts';

/**
 * Writes an entry into the configuration file (`--update-config`) and returns its line, from 1. Atomic; keeps
 * comments, indentation and line ends. Fails with `configuration_invalid`, `input_missing`,
 * `changed_meanwhile` or `file_failed`, leaving the file unchanged.
 */
export async function updateConfiguration(
	file: string,
	format: ConfigurationFormat,
	entry: NamespaceEntry,
): Promise<number> {
	const bytes = readConfigurationBytes(file, file);
	const text = decodeConfiguration(bytes, file);
	if (!Buffer.from(text).equals(bytes)) {
		throw createNotPossibleFailure(
			format,
			entry,
			file,
			'The file contains bytes that are not UTF-8, which would be lost.',
		);
	}
	const editedText = await addNamespace(text, format, entry, file);
	if (editedText !== text) replaceFile(file, bytes, editedText);
	const document = await parseDocument(editedText, format, file);
	return document.findPosition([
		...getEntryListPath(entry),
		findEntryIndex(getEntryList(document, entry), entry) ?? 0,
	]).line;
}

/**
 * Adds an entry to the text of a configuration file, or merges it into the entry of the same binding. Parses
 * both texts to check that nothing else changes. Fails with `configuration_invalid` if the text is broken,
 * and with `file_failed`, showing the snippet, if no safe place is found.
 */
export async function addNamespace(
	text: string,
	format: ConfigurationFormat,
	entry: NamespaceEntry,
	shownAs = 'the configuration file',
): Promise<string> {
	const document = await parseDocument(text, format, shownAs);
	const index = findEntryIndex(getEntryList(document, entry), entry);
	const editedText = addEntry(document.text, format, entry, index);
	if (!(await isContentEqual(editedText, format, buildExpected(document, entry, index)))) {
		throw createNotPossibleFailure(format, entry, shownAs, 'ledge found no safe place for the entry in it.');
	}
	return text.startsWith('\ufeff') ? `\ufeff${editedText}` : editedText;
}

/** Returns the list for the entry, empty if absent; fails if anything on its path has the wrong type. */
function getEntryList(document: ConfigurationDocument, entry: NamespaceEntry): readonly unknown[] {
	let value: unknown = document.root;
	const path = getEntryListPath(entry);
	for (const [depth, name] of path.entries()) {
		if (value === undefined) return [];
		if (!isTable(value)) throw createInvalidFailure(document, path.slice(0, depth), 'this must be a table.');
		value = getProperty(value, name);
	}
	if (value === undefined) return [];
	if (!Array.isArray(value))
		throw createInvalidFailure(document, path, '"kv_namespaces" must be a list of bindings.');
	return value;
}

function findEntryIndex(list: readonly unknown[], {binding}: NamespaceEntry): number | undefined {
	const index = list.findIndex(element => isTable(element) && getProperty(element, 'binding') === binding);
	return index === -1 ? undefined : index;
}

/** Builds the expected content of the changed file. */
function buildExpected(
	document: ConfigurationDocument,
	entry: NamespaceEntry,
	index: number | undefined,
): unknown {
	const merge = (path: readonly string[], value: unknown): unknown => {
		const [name, ...restPath] = path;
		if (name === undefined) {
			const list = Array.isArray(value) ? [...value] : [];
			const listIndex = index ?? list.length;
			list[listIndex] = {...list[listIndex], ...getEntryProperties(entry)};
			return list;
		}
		const table = isTable(value) ? value : {};
		return {...table, [name]: merge(restPath, getProperty(table, name))};
	};
	return toComparable(merge(getEntryListPath(entry), document.root));
}

async function isContentEqual(
	text: string,
	format: ConfigurationFormat,
	expected: unknown,
): Promise<boolean> {
	try {
		const {root} = await parseDocument(text, format, 'the changed file');
		return isDeepStrictEqual(toComparable(root), expected);
	} catch (error) {
		if (isFailure(error, 'configuration_invalid')) return false;
		throw error;
	}
}

/** Copies a value without prototypes and with dates as text, for comparison. */
function toComparable(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(toComparable);
	if (value instanceof Date) return `date ${value.toISOString()}`;
	if (!isTable(value)) return value;
	const copy: Record<string, unknown> = Object.create(null);
	for (const [name, item] of Object.entries(value)) copy[name] = toComparable(item);
	return copy;
}

function createNotPossibleFailure(
	format: ConfigurationFormat,
	entry: NamespaceEntry,
	shownAs: string,
	why: string,
): Failure {
	return new Failure('file_failed', `The binding "${entry.binding}" could not be written to ${shownAs}.`, {
		why: `${why} The file is unchanged.`,
		next: `Add this yourself:\n${formatEntrySnippet(format, entry)}`,
	});
}
