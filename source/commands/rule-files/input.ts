import {isUtf8} from 'node:buffer';
import {Failure} from '../../failure.ts';
import {parseRulesFile, type RulesFile} from '../../rule-files/parse.ts';
import {findRulesFileFormat, type RulesFileFormat} from '../../rule-files/sections.ts';
import {checkFileSize} from '../../session/input-file.ts';
import type {CommandContext} from '../shell/context.ts';
import {readInputValue} from '../shell/input.ts';

type InputOptions = {readonly format?: RulesFileFormat; readonly allowUnknown?: boolean};

/** Reads a rules file, or standard input for `-`. Fails with `usage`, `input_missing` and `input_malformed`. */
export async function readRulesFile(
	context: CommandContext,
	fileArgument: string,
	{format, allowUnknown}: InputOptions,
): Promise<RulesFile> {
	const fileFormat = chooseRulesFormat(fileArgument, format);
	const bytes = await readInputValue(context.resolve(fileArgument), context, checkFileSize);
	const name = fileArgument === '-' ? 'standard input' : fileArgument;
	if (!isUtf8(bytes))
		throw new Failure('input_malformed', `${name} is not UTF-8 text.`, {next: 'Save it as UTF-8.'});
	return parseRulesFile(bytes.toString('utf8'), {name, format: fileFormat, allowUnknown});
}

/** Returns the format of a file: the given one, else that of its ending; YAML for a standard stream. */
export function chooseRulesFormat(
	file: string | undefined,
	format: RulesFileFormat | undefined,
): RulesFileFormat {
	if (format) return format;
	if (file === undefined || file === '-') return 'yaml';
	const foundFormat = findRulesFileFormat(file);
	if (foundFormat) return foundFormat;
	throw new Failure('usage', `The ending of "${file}" does not tell its format.`, {
		next: 'End its name with .yaml or .json, or add --format yaml or --format json.',
	});
}
