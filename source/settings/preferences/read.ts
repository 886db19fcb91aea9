import {formatDidYouMean, formatNameList} from '../../text/closest-name.ts';
import {parseWithSchema, type Schema} from '../../text/schema.ts';
import {type ConfigurationDocument, type DocumentTable, getProperty, isTable} from '../document.ts';
import type {DocumentPath, LineAndColumn} from '../layout.ts';
import type {Sourced} from '../sourced.ts';
import {defaultFields} from './default-fields.ts';
import {type ParsedToml, parseTolerantly} from './parse-tolerantly.ts';
import type {DefaultPreferences, PreferenceProblem, Preferences} from './preferences.ts';
import {readKeys} from './read-keys.ts';
import {readThemePreferences} from './read-theme.ts';

const tableNames = ['defaults', 'theme', 'keys'] as const;

/** Reads values of a document and collects what is wrong with it. */
export type PreferenceReader = {
	/** Returns a table; an empty one if it is missing or no table. */
	readTable(path: DocumentPath, tables: DocumentTable): DocumentTable;
	/** Returns a value with its place if it is valid. */
	readValue<T>(path: DocumentPath, value: unknown, schema: Schema<T>): Sourced<T> | undefined;
	reportUnknown(path: DocumentPath, names: readonly string[], noun: string): void;
	report(path: DocumentPath, text: string): void;
	findPosition(path: DocumentPath): LineAndColumn;
};

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
	return {defaults, keys, theme, problems: problems.toSorted((one, other) => one.line - other.line)};
}

function createPreferenceReader(
	document: ConfigurationDocument,
	problems: PreferenceProblem[],
): PreferenceReader {
	const report = (path: DocumentPath, text: string) =>
		void problems.push({...document.findPosition(path), text});
	return {
		report,
		findPosition: path => document.findPosition(path),
		readTable(path, tables) {
			const name = path.at(-1) ?? '';
			const table = getProperty(tables, String(name)) ?? {};
			if (isTable(table)) return table;
			report(path, `"${name}" must be a table: [${path.join('.')}].`);
			return {};
		},
		readValue(path, value, schema) {
			const result = parseWithSchema(schema, value);
			if ('value' in result)
				return {value: result.value, from: `${document.shownAs}:${document.findPosition(path).line}`};
			report(path, `"${path.at(-1)}" must be ${result.problem.message}.`);
			return undefined;
		},
		reportUnknown(path, names, noun) {
			const name = String(path.at(-1));
			const suggestion = formatDidYouMean(name, names).trimEnd();
			report(
				path,
				`there is no ${noun} "${name}" here. ${suggestion || `There is: ${formatNameList(names)}.`}`,
			);
		},
	};
}

function readDefaults(table: DocumentTable, reader: PreferenceReader): DefaultPreferences {
	const names = Object.keys(defaultFields);
	for (const name of Object.keys(table))
		if (!names.includes(name)) reader.reportUnknown(['defaults', name], names, 'default');
	const read = <T>(name: keyof typeof defaultFields, schema: Schema<T>): Sourced<T> | undefined => {
		const value = getProperty(table, name);
		return value === undefined ? undefined : reader.readValue(['defaults', name], value, schema);
	};
	const target = read('target', defaultFields.target.schema);
	const format = read('format', defaultFields.format.schema);
	const preview = read('preview', defaultFields.preview.schema);
	const pageSize = read('page_size', defaultFields.page_size.schema);
	const mouse = read('mouse', defaultFields.mouse.schema);
	return {
		...(target && {target}),
		...(format && {format}),
		...(preview && {preview}),
		...(pageSize && {pageSize}),
		...(mouse && {mouse}),
	};
}
