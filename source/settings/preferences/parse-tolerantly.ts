import {type ConfigurationDocument, describeTomlError, parseDocument} from '../document.ts';
import type {PreferenceProblem} from './preferences.ts';

/** A document without its invalid lines. */
export type ParsedToml = {
	readonly document: ConfigurationDocument;
	readonly problems: readonly PreferenceProblem[];
};

/** Invalid lines to leave out before the whole file counts as invalid. */
const maxInvalidLines = 20;

/**
 * Parses TOML and leaves out each line that is invalid: one typing error must not reset every other setting.
 * What follows an invalid header is left out too, as its table is unknown.
 */
export async function parseTolerantly(content: string, shownAs: string): Promise<ParsedToml> {
	const {parse, TomlError} = await import('smol-toml');
	const lines = content.replace(/^\ufeff/, '').split('\n');
	const problems: PreferenceProblem[] = [];
	while (problems.length < maxInvalidLines) {
		try {
			parse(lines.join('\n'), {integersAsBigInt: 'asNeeded'});
			return {document: await parseDocument(lines.join('\n'), 'toml', shownAs), problems};
		} catch (error) {
			if (!(error instanceof TomlError)) throw error;
			const {line, column} = error;
			const isHeader = lines[line - 1]?.trimStart().startsWith('[') ?? false;
			const consequence = isHeader ? 'the lines below it are ignored' : 'this line is ignored';
			problems.push({
				line,
				column,
				text: `this is not valid TOML: ${describeTomlError(error)}; ${consequence}.`,
			});
			if (!removeLine(lines, line - 1, isHeader)) break;
		}
	}
	const text = 'nothing in the file is used: too much of it is not valid TOML.';
	return {
		document: await parseDocument('', 'toml', shownAs),
		problems: [...problems, {line: 1, column: 1, text}],
	};
}

/** Empties a line, and with `isHeader` those up to the next header. Returns false if it was empty already. */
function removeLine(lines: string[], index: number, isHeader: boolean): boolean {
	if ((lines[index] ?? '').trim() === '') return false;
	const nextHeader = lines.findIndex((line, other) => other > index && line.trimStart().startsWith('['));
	const end = isHeader ? (nextHeader === -1 ? lines.length : nextHeader) : index + 1;
	lines.fill('', index, end);
	return true;
}
