import {formatDidYouMean, formatNameList} from '../../text/closest-name.ts';
import {parseWithSchema, type Schema} from '../../text/schema.ts';
import {type ConfigurationDocument, type DocumentTable, getProperty, isTable} from '../document.ts';
import type {DocumentPath, LineAndColumn} from '../layout.ts';
import type {Sourced} from '../sourced.ts';
import type {PreferenceProblem} from './preferences.ts';

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

/** Creates a reader of a document that adds what is wrong to `problems`. */
export function createPreferenceReader(
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
