import type {Command, Option} from 'commander';
import {capitalize} from '../text/one-line.ts';

/** An option as the reference and the man pages show it. */
export type DescribedOption = {
	/** `-o, --output <file>` */
	readonly flags: string;
	readonly meaning: string;
	readonly choices: readonly string[];
};

/** An executable command as the reference and the man pages show it. */
export type DescribedCommand = {
	/** The command with its groups, beginning with `ledge`. */
	readonly words: readonly string[];
	/** The words with their arguments: `ledge kv key put <KEY> [VALUE]`. */
	readonly usage: string;
	readonly summary: string;
	/** Its own options, without the global ones. */
	readonly options: readonly DescribedOption[];
	/** The help text between the options and the example, such as the fault syntax. */
	readonly details: string;
	/** A working command line, beginning with `ledge`. */
	readonly example: string;
};

/** Lists the commands of a fully declared program, in the order of the help. */
export function listDescribedCommands(program: Command): DescribedCommand[] {
	const globals = new Set(program.options.map(option => option.long));
	return listLeafCommands(program).map(command => {
		const [details = '', example = ''] = getExtraHelp(command).split('Example:\n  $ ');
		return {
			words: getCommandWords(command),
			usage: [...getCommandWords(command), ...command.registeredArguments.map(formatArgument)].join(' '),
			summary: toSentence(command.description()),
			options: describeOptions(command.options.filter(option => !globals.has(option.long))),
			details: details.trim(),
			example: example.trim(),
		};
	});
}

/** Returns the names and summaries of the top-level words. */
export const listCommandSummaries = (
	program: Command,
): readonly {readonly name: string; readonly summary: string}[] =>
	program.commands.map(command => ({name: command.name(), summary: command.description()}));

export const listGlobalOptions = (program: Command): DescribedOption[] => describeOptions(program.options);

const listLeafCommands = (command: Command): Command[] =>
	command.commands.flatMap(subcommand =>
		subcommand.commands.length === 0 ? [subcommand] : listLeafCommands(subcommand),
	);

const getCommandWords = (command: Command): string[] => [
	...(command.parent ? getCommandWords(command.parent) : []),
	command.name(),
];

const formatArgument = (argument: Command['registeredArguments'][number]): string => {
	const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
	return argument.required ? `<${name}>` : `[${name}]`;
};

const describeOptions = (options: readonly Option[]): DescribedOption[] =>
	options
		.filter(option => !option.hidden)
		.map(({flags, description, argChoices}) => ({flags, meaning: description, choices: argChoices ?? []}));

/** Returns the part of a command's help after its options. */
function getExtraHelp(command: Command): string {
	let help = '';
	command.configureOutput({
		writeOut: text => {
			help += text;
		},
	});
	command.outputHelp();
	return help.slice(command.helpInformation().length);
}

const toSentence = (text: string): string => `${capitalize(text)}.`;
