import type {Schema} from '../../text/schema.ts';
import {type DocumentTable, getProperty} from '../document.ts';
import type {Sourced} from '../sourced.ts';
import {defaultFields} from './default-fields.ts';
import {type ParsedToml, parseTolerantly} from './parse-tolerantly.ts';
import type {DefaultPreferences, Preferences} from './preferences.ts';
import {readOwnCommands} from './read-commands.ts';
import {readKeys} from './read-keys.ts';
import {readThemePreferences} from './read-theme.ts';
import {createPreferenceReader, type PreferenceReader} from './reader.ts';

const tableNames = ['defaults', 'theme', 'keys', 'commands'] as const;

/** Parses the file. A mistake is reported with its line, and the rest is in effect. */
export async function parsePreferences(
	text: string,
	shownAs: string,
): Promise<Omit<Preferences, 'file' | 'shownAs'>> {
	const {document, problems: syntaxProblems}: ParsedToml = await parseTolerantly(text, shownAs);
	const problems = [...syntaxProblems];
	const reader = createPreferenceReader(document, problems);
	for (const name of Object.keys(document.root))
		if (!tableNames.some(one => one === name)) reader.reportUnknown([name], tableNames, 'table');
	const defaults = readDefaults(reader.readTable(['defaults'], document.root), reader);
	const keys = readKeys(reader.readTable(['keys'], document.root), reader);
	const theme = readThemePreferences(reader.readTable(['theme'], document.root), reader);
	const commands = readOwnCommands(document, reader, syntaxProblems);
	return {
		defaults,
		keys,
		theme,
		commands,
		problems: problems.toSorted((one, other) => one.line - other.line),
	};
}

const readOnlyAdvice =
	'"read_only" is not set here, where it would hold for every account: set it in a context, or use LEDGE_READ_ONLY=1 or --read-only.';

function readDefaults(table: DocumentTable, reader: PreferenceReader): DefaultPreferences {
	const names = Object.keys(defaultFields);
	for (const name of Object.keys(table))
		if (name === 'read_only') reader.report(['defaults', name], readOnlyAdvice);
		else if (!names.includes(name)) reader.reportUnknown(['defaults', name], names, 'default');
	const read = <T>(name: keyof typeof defaultFields, schema: Schema<T>): Sourced<T> | undefined => {
		const value = getProperty(table, name);
		return value === undefined ? undefined : reader.readValue(['defaults', name], value, schema);
	};
	const target = read('target', defaultFields.target.schema);
	const format = read('format', defaultFields.format.schema);
	const preview = read('preview', defaultFields.preview.schema);
	const pageSize = read('page_size', defaultFields.page_size.schema);
	const history = read('history', defaultFields.history.schema);
	const mouse = read('mouse', defaultFields.mouse.schema);
	const title = read('title', defaultFields.title.schema);
	return {
		...(target && {target}),
		...(format && {format}),
		...(preview && {preview}),
		...(pageSize && {pageSize}),
		...(history && {history}),
		...(mouse && {mouse}),
		...(title && {title}),
	};
}
