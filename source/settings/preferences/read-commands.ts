import {isAbsolute} from 'node:path';
import {
	array,
	boolean,
	check,
	type GenericSchema,
	integer,
	maxValue,
	minLength,
	minValue,
	number,
	optional,
	picklist,
	pipe,
	regex,
	string,
	union,
} from 'valibot';
import {containsDangerousCharacters} from '../../text/safe-text.ts';
import type {Schema} from '../../text/schema.ts';
import {type ConfigurationDocument, type DocumentTable, getProperty, isTable} from '../document.ts';
import type {DocumentPath} from '../layout.ts';
import {listTomlHeaders} from '../toml-layout.ts';
import {parseCommandArgument} from './placeholders.ts';
import {commandOutputs, type OwnCommand, type PreferenceProblem} from './preferences.ts';
import {keyList} from './read-keys.ts';
import type {PreferenceReader} from './reader.ts';

const oneLine = (rule: string, maxLength: number) =>
	pipe(
		string(rule),
		check(
			text =>
				text.trim() !== '' &&
				text.length <= maxLength &&
				!/[\t\n]/.test(text) &&
				!containsDangerousCharacters(text),
			rule,
		),
	);

const wordsRule = 'a list of words: ["program", "argument"]';
const timeoutRule = 'a whole number of seconds from 1 to 86400';
const variableRule = 'a list of names of variables, such as ["CLOUDFLARE_API_TOKEN"]';

/** A field of an entry. The message of its schema says what it must be. */
type CommandField = {readonly schema: GenericSchema<unknown>; readonly meaning: string};

/** The fields of `[[commands]]`, in the order of the documentation. */
export const commandFields = {
	title: {
		schema: oneLine('one line of text, at most 60 characters', 60),
		meaning: 'its name in help, palette and messages; required, and no two are the same',
	},
	command: {
		schema: pipe(array(string(wordsRule), wordsRule), minLength(1, wordsRule)),
		meaning:
			'program and arguments, as a list; required. The program is a name in your `PATH` or starts with `/` or `~/`',
	},
	key: {schema: keyList, meaning: 'one key, or several in `[ ]`; without it, the palette runs the command'},
	screens: {
		schema: array(string('a list of names of screens'), 'a list of names of screens'),
		meaning:
			'where the key works, such as `["keys", "key"]`; by default every screen, or these two if it needs a key',
	},
	hint: {
		schema: oneLine('one word or two, at most 20 characters', 20),
		meaning:
			'the word after the key on the last line of the screen; without it, only help and palette show the command',
	},
	output: {
		schema: picklist(
			commandOutputs,
			commandOutputs
				.map(name => `"${name}"`)
				.join(', ')
				.replace(/, ([^,]*)$/, ' or $1'),
		),
		meaning:
			'what happens to what it prints: `"none"`; `"status"` (the first line on the status line; default); `"pager"` (all of it, in `$PAGER`); `"value"` (it becomes the new value of the key, which you review before it is written)',
	},
	foreground: {
		schema: boolean('true or false'),
		meaning: 'whether it gets the terminal until it ends, as an editor does; default `false`',
	},
	confirm: {
		schema: union([boolean(), oneLine('true, false, or a question', 200)], 'true, false, or a question'),
		meaning: 'a question to ask first, or `true` for "Run …?"; production always asks',
	},
	read_only: {
		schema: boolean('true or false'),
		meaning: 'whether it changes nothing: it then also runs while ledge is read-only; default `false`',
	},
	timeout: {
		schema: pipe(
			number(timeoutRule),
			integer(timeoutRule),
			minValue(1, timeoutRule),
			maxValue(86_400, timeoutRule),
		),
		meaning: 'seconds until it is stopped; default 60, in the foreground no limit',
	},
	env: {
		schema: array(pipe(string(variableRule), regex(/^[A-Za-z_]\w*$/, variableRule)), variableRule),
		meaning: 'variables with credentials that it gets; default none of them',
	},
} satisfies Readonly<Record<string, CommandField>>;

type FieldName = keyof typeof commandFields;

const defaultTimeoutSeconds = 60;

/**
 * Reads `[[commands]]`. Unlike other mistakes, one in an entry drops all of it: without its question, or with
 * other arguments, it would do something else. That includes lines of it that are not valid TOML.
 */
export function readOwnCommands(
	document: ConfigurationDocument,
	reader: PreferenceReader,
	syntaxProblems: readonly PreferenceProblem[],
): readonly OwnCommand[] {
	const entries = getProperty(document.root, 'commands') ?? [];
	if (!Array.isArray(entries)) {
		reader.report(['commands'], '"commands" must be entries: [[commands]].');
		return [];
	}
	const commands: OwnCommand[] = [];
	const damaged = findDamagedEntries(document, syntaxProblems);
	for (const [index, entry] of entries.entries()) {
		const path = ['commands', index] as const;
		if (!isTable(entry)) reader.report(path, 'a command must be a table: [[commands]].');
		else if (damaged.has(index))
			reader.report(path, 'this command is ignored: a line of it is not valid TOML.');
		else {
			const command = readOwnCommand(entry, path, reader, commands);
			if (command) commands.push(command);
		}
	}
	return commands;
}

/** Finds the entries with lines that were left out, by their index. */
function findDamagedEntries(
	{text}: ConfigurationDocument,
	syntaxProblems: readonly PreferenceProblem[],
): ReadonlySet<number> {
	const headers = listTomlHeaders(text).map(({path, start}) => ({
		path,
		line: text.slice(0, start).split('\n').length,
	}));
	return new Set(
		syntaxProblems.flatMap(({line}) => {
			const header = headers.findLast(one => one.path.length > 0 && one.line <= line);
			const [table, index] = header?.path ?? [];
			return table === 'commands' && typeof index === 'number' ? [index] : [];
		}),
	);
}

function readOwnCommand(
	entry: DocumentTable,
	path: DocumentPath,
	reader: PreferenceReader,
	earlierCommands: readonly OwnCommand[],
): OwnCommand | undefined {
	const names = Object.keys(commandFields);
	let isValid = true;
	const refuse = (name: string, text: string): undefined => {
		isValid = false;
		reader.report([...path, name], `${text} This command is ignored.`);
	};
	for (const name of Object.keys(entry))
		if (!names.includes(name)) {
			isValid = false;
			reader.reportUnknown([...path, name], names, 'setting of a command');
		}
	const read = <T>(name: FieldName, schema: Schema<T>): T | undefined => {
		const value = getProperty(entry, name);
		if (value === undefined) return undefined;
		const result = reader.readValue([...path, name], value, schema);
		if (!result) isValid = false;
		return result?.value;
	};
	const title = read('title', commandFields.title.schema);
	const words = read('command', commandFields.command.schema);
	const keys = read('key', commandFields.key.schema) ?? [];
	const screens = read('screens', commandFields.screens.schema);
	const hint = read('hint', commandFields.hint.schema);
	const output = read('output', optional(commandFields.output.schema, 'status')) ?? 'status';
	const isForeground = read('foreground', commandFields.foreground.schema) ?? false;
	const confirm = read('confirm', commandFields.confirm.schema) ?? false;
	const isReadOnly = read('read_only', commandFields.read_only.schema) ?? false;
	const timeout = read('timeout', commandFields.timeout.schema);
	const environment = read('env', commandFields.env.schema) ?? [];
	if (!isValid) return undefined;
	const [program, ...commandArguments] = words ?? [];
	if (title === undefined) return refuse('title', 'a command must have a title.');
	if (program === undefined) return refuse('command', `a command must have "command", ${wordsRule}.`);
	const earlier = earlierCommands.find(one => one.title === title);
	if (earlier) return refuse('title', `"${title}" is already the command of line ${earlier.line}.`);
	const programProblem = findProgramProblem(program);
	if (programProblem !== undefined) return refuse('command', programProblem);
	for (const word of commandArguments) {
		const parsed = parseCommandArgument(word);
		if ('problem' in parsed) refuse('command', parsed.problem);
		if (word.includes('\0')) refuse('command', 'no argument can contain the character 0.');
	}
	if (!isValid) return undefined;
	if (isForeground && output === 'pager')
		return refuse('output', 'a command in the foreground shows its output itself, so it can\'t be "pager".');
	const needsKey =
		output === 'value' || commandArguments.some(word => /^\{(key|value_file|selected_file)\}$/.test(word));
	return {
		title,
		command: [program, ...commandArguments],
		keys,
		screens: screens ?? (needsKey ? ['keys', 'key'] : undefined),
		hint,
		output,
		isForeground,
		confirm,
		isReadOnly,
		timeoutSeconds: timeout ?? (isForeground ? undefined : defaultTimeoutSeconds),
		environment,
		...reader.findPosition(path),
	};
}

/** A program must not come from the folder where ledge runs, which may belong to a project of someone else. */
function findProgramProblem(program: string): string | undefined {
	const parsed = parseCommandArgument(program);
	if ('problem' in parsed || parsed.argument.kind !== 'text')
		return `the program must be a name, not "${program}".`;
	if (program.trim() === '' || program.includes('\0')) return 'the program must have a name.';
	if (!/[/\\]/.test(program) || program.startsWith('~/') || isAbsolute(program)) return undefined;
	return `the program must be a name in your PATH, or start with / or ~/: "${program}" depends on the folder where ledge runs.`;
}
