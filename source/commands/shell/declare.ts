import {type Argument, type Command, type Help, Option, type OutputConfiguration} from 'commander';
import type {CompletionValues} from '../../completion/tree.ts';
import {Failure} from '../../failure.ts';
import type {Invocation, OutputStream} from '../../host.ts';
import {qualifyCommands} from '../../session/qualify-commands.ts';
import {parseFigure} from '../../text/figures.ts';
import {type CommandContext, createCommandContext, type GlobalOptions} from './context.ts';

/** The implementation of a command: receives its options and positional arguments. */
type Run<Options> = (context: CommandContext, options: Options, ...words: string[]) => Promise<void>;

/** Loads the implementation on first use. */
export const runLazily =
	<Options>(load: () => Promise<Run<Options>>): Run<Options> =>
	async (...args) =>
		(await load())(...args);

/** An option whose type contains the field that holds its value. */
export type TypedOption<Fields> = Option & {readonly fields?: (fields: Fields) => Fields};

type OptionWith<Flags extends string, Value> = TypedOption<{readonly [Name in FieldName<Flags>]?: Value}>;

/** The field name of an option with these flags: `dryRun` for `--dry-run`, `watch` for `--no-watch`. */
type FieldName<Flags extends string> = Flags extends `${string}--no-${infer Name}`
	? CamelCase<Name>
	: Flags extends `${string}--${infer Name} ${string}`
		? CamelCase<Name>
		: Flags extends `${string}--${infer Name}`
			? CamelCase<Name>
			: never;

type CamelCase<Text extends string> = Text extends `${infer First}-${infer Rest}`
	? `${First}${Capitalize<CamelCase<Rest>>}`
	: Text;

/** The fields that a command with these options receives. */
export type OptionValues<Options extends () => readonly Option[]> =
	Receiver<ReturnType<Options>[number]> extends (fields: infer Fields) => void ? Fields & object : never;

/** Takes the fields of an option: inferring the parameter of a union of these intersects the fields. */
type Receiver<One> = One extends TypedOption<infer Fields> ? (fields: Fields) => void : never;

type Declaration<Fields> = {
	/** The command's name and positional arguments in commander's notation: `put <KEY> [VALUE]`. */
	readonly usage: string;
	readonly summary: string;
	/** A working example, without the program's name. */
	readonly example: string;
	/**
	 * What `--read-only` refuses, for its message: "deleting filters". `true` if its arguments or data decide
	 * whether it writes to the service; `run` then refuses that itself.
	 */
	readonly refusedByReadOnly?: string | true;
	/** True if it calls no service, at least with `sampleArguments`. */
	readonly isOffline?: true;
	/**
	 * Arguments with which it works on the sample data of the simulated service, as typed in a shell; default
	 * none. Tests run every command with them. `{rule}` stands for the id of a sample rule.
	 */
	readonly sampleArguments?: string;
	/** Its positional argument, if only certain values are allowed. */
	readonly argument?: () => Argument;
	/** Help text between the options and the example. */
	readonly formatDetails?: () => string;
	/** A function, because a run needs the options of only one command. */
	readonly options?: () => readonly Option[];
	/** True if its group runs it when no subcommand is given. */
	readonly isDefault?: boolean;
	/** True if it must work when the contexts file is invalid, or the named context does not exist. */
	readonly toleratesInvalidContexts?: boolean;
	readonly run: Run<Fields>;
};

/** Properties of a command that tests read. */
type Traits = Pick<Declaration<never>, 'refusedByReadOnly' | 'isOffline' | 'sampleArguments'>;

/** Creates an option with a value; giving it twice fails. */
export const createValueOption = <Flags extends string>(flags: Flags, description: string) =>
	createParsedOption(flags, description, {parse: text => text, expectedFormat: 'a text'});

/**
 * Creates an option that takes a whole number of at least `min`, with or without thousands separators. Giving
 * it twice fails.
 */
export function createNumberOption<Flags extends string>(
	flags: Flags,
	description: string,
	min = Number.MIN_SAFE_INTEGER,
) {
	const expectedFormat =
		min === Number.MIN_SAFE_INTEGER ? 'a whole number' : `a whole number of at least ${min}`;
	const parseBounded = (text: string) => {
		const number = parseWholeNumberOption(text);
		return number !== undefined && number >= min ? number : undefined;
	};
	return createParsedOption(flags, description, {parse: parseBounded, expectedFormat});
}

/** Parses a whole number, with or without a sign and thousands separators. Undefined for anything else. */
export function parseWholeNumberOption(text: string): number | undefined {
	const signedNumber = /^[+-]\d+$/.test(text.trim()) ? Number(text) : undefined;
	return Number.isSafeInteger(signedNumber) ? signedNumber : parseFigure(text);
}

/**
 * Creates an option whose text is parsed; `parse` returns undefined for invalid text. Giving it twice fails.
 */
export function createParsedOption<Flags extends string, Value>(
	flags: Flags,
	description: string,
	{parse, expectedFormat}: {parse(text: string): Value | undefined; readonly expectedFormat: string},
): OptionWith<Flags, Value> {
	return new Option(flags, description).argParser<Value>((text, previous) => {
		if (previous !== undefined) throw buildRepeatedOptionFailure(flags);
		const value = parse(text);
		if (value !== undefined) return value;
		throw new Failure('usage', `${flags} takes ${expectedFormat}.`, {why: `Got "${text}".`});
	});
}

const buildRepeatedOptionFailure = (flags: string): Failure =>
	new Failure('usage', `${flags} was given twice.`, {next: 'Use it only once.'});

/** Builds the failure for two options, or an option and something else, that can't be combined. */
export const buildExclusionFailure = (
	firstOption: string,
	secondOption: string,
	next = 'Leave one of them out.',
): Failure => new Failure('usage', `${firstOption} and ${secondOption} can't be combined.`, {next});

/** Creates an option with a value that can be repeated. */
export function createListOption<Flags extends string>(
	flags: Flags,
	description: string,
): OptionWith<Flags, readonly string[]> {
	const option = new Option(flags, description);
	repeatableOptions.add(option);
	return option.argParser<string[]>((value, previous) => [...(previous ?? []), value]);
}

const repeatableOptions = new WeakSet<Option>();

export const isRepeatable = (option: Option): boolean => repeatableOptions.has(option);

const completionValues = new WeakMap<Option, CompletionValues>();

/**
 * Attaches the values that completion offers for an option. Only the command itself validates the given
 * value.
 */
export function withCompletion<Offered extends Option>(option: Offered, values: CompletionValues): Offered {
	completionValues.set(option, values);
	return option;
}

/** Returns the values attached with `withCompletion`. */
export const getOfferedValues = (option: Option): CompletionValues | undefined =>
	completionValues.get(option);

export const createSwitchOption = <Flags extends string>(
	flags: Flags,
	description: string,
): OptionWith<Flags, boolean> => new Option(flags, description);

/** Creates an option that takes one of a few values. */
export const createChoiceOption = <Flags extends string, Value extends string>(
	flags: Flags,
	description: string,
	choices: readonly Value[],
): OptionWith<Flags, Value> => new Option(flags, description).choices(choices);

const createGlobalOptions = (): Option[] => [
	createValueOption('-c, --config <file>', 'configuration file instead of the one found'),
	createValueOption('-e, --env <name>', 'use a named environment of the configuration'),
	createListOption('--env-file <file>', 'read variables from a .env file'),
	createValueOption('--cwd <folder>', 'run as if started in this folder'),
	createValueOption('--account-id <id>', 'account to act on'),
	createValueOption('--context <name>', 'context to use, see `ledge context`'),
	createValueOption('--profile <name>', 'wrangler login to use, by its profile'),
	createValueOption('--zone-id <id>', 'zone to act on, by id'),
	createValueOption('--zone <name>', 'zone to act on, by name'),
	createValueOption('--base-url <url>', 'address of the service'),
	createSwitchOption('--simulate', 'use the simulated service'),
	createValueOption('--state <file>', 'file that stores the simulated world'),
	createSwitchOption('--json', 'print JSON in a documented format'),
	createSwitchOption('-y, --yes', 'confirm destructive actions'),
	new Option('-f, --force', 'same as --yes').implies({yes: true}).hideHelp(),
	new Option('--skip-confirmation', 'same as --yes').implies({yes: true}).hideHelp(),
	createSwitchOption('--read-only', 'refuse all writes before sending them'),
	createSwitchOption('--dry-run', 'show what would be sent; --dry-run=server: the service checks it'),
	new Option('--dry-run-server').implies({dryRun: true}).hideHelp(),
	createSwitchOption('--verbose', 'show each call on stderr'),
	new Option('--progress <form>', 'how to show progress').choices(['auto', 'json', 'none']),
	createNumberOption('--concurrency <n>', 'maximum number of parallel calls (default: 6)', 1),
];

/** Functions that finish a declaration, called when the command to run is known. */
const pendingDeclarations = new WeakMap<Command, () => void>();

/** Declares the options and the help of a command. */
export function finishDeclaration(command: Command): void {
	pendingDeclarations.get(command)?.();
	pendingDeclarations.delete(command);
}

/**
 * Declares a group of commands. Without a subcommand it prints its help, whatever global options are given.
 */
export function declareGroup(parent: Command, name: string, summary: string, example: string): Command {
	const group = parent.command(name).description(summary).helpCommand(false);
	finishSubcommandsOnUse(group);
	pendingDeclarations.set(group, () => {
		for (const option of createGlobalOptions()) group.addOption(option.hideHelp());
	});
	return group.addHelpText('after', `\nGlobal options: ledge --help\n\nExample:\n  $ ledge ${example}`);
}

/** Finishes the declaration of each subcommand when it is used. */
export const finishSubcommandsOnUse = (group: Command): Command =>
	group.hook('preSubcommand', (_group, command) => finishDeclaration(command));

/** Adds a command to its group, or to the program. */
export type AddCommand = (parent: Command) => void;

/** Defines an executable command; each run gets its own context. */
export const defineCommand =
	<Options extends () => readonly Option[] = () => []>(
		declaration: Declaration<OptionValues<Options>> & {readonly options?: Options},
	): AddCommand =>
	parent =>
		void declareCommand(parent, declaration);

export function declareCommand<Fields>(parent: Command, declaration: Declaration<Fields>): Command {
	const {
		usage,
		summary,
		example,
		argument,
		formatDetails,
		options,
		isDefault = false,
		toleratesInvalidContexts = false,
		refusedByReadOnly,
		run,
	} = declaration;
	const command = parent.command(usage, {isDefault}).description(summary);
	if (argument) command.addArgument(argument());
	declarations.set(command, declaration);
	if (isDefault) defaultCommands.set(parent, command);
	pendingDeclarations.set(command, () => {
		for (const option of options?.() ?? []) command.addOption(option);
		addGlobalOptions(command);
		command.addHelpText(
			'after',
			`${formatDetails ? `\n${formatDetails()}\n` : ''}\nExample:\n  $ ledge ${example}`,
		);
	});
	return command.action(async (...actionArguments: unknown[]) => {
		const words = actionArguments
			.slice(0, -2)
			.flat()
			.filter(word => typeof word === 'string');
		const optionValues = command.optsWithGlobals<GlobalOptions & Fields>();
		using context = await createCommandContext(optionValues, getInvocation(command), {
			commandPath: formatCommandPath(command),
			typedWords: getTypedWords(command),
			toleratesInvalidContexts,
		});
		try {
			if (typeof refusedByReadOnly === 'string') context.refuseWhenReadOnly(refusedByReadOnly);
			await run(context, optionValues, ...words);
			await context.finish();
		} catch (error) {
			throw error instanceof Failure ? qualifyCommands(error, optionValues) : error;
		}
	});
}

const declarations = new WeakMap<Command, Traits>();

/** Returns the declared traits of a command; empty for a group. */
export const getCommandTraits = (command: Command): Traits => declarations.get(command) ?? {};

const defaultCommands = new WeakMap<Command, Command>();

/** Returns the command that a group runs if no subcommand is given. */
export const getDefaultCommand = (group: Command): Command | undefined => defaultCommands.get(group);

/** Returns all command-line arguments after `ledge`. */
function getTypedWords(command: Command): readonly string[] {
	if (command.parent) return getTypedWords(command.parent);
	// Commander documents `rawArgs` but does not type it.
	return 'rawArgs' in command ? (command.rawArgs as readonly string[]) : [];
}

/** Formats a command with its groups, without `ledge`: "kv key put". */
const formatCommandPath = (command: Command): string =>
	command.parent ? `${formatCommandPath(command.parent)} ${command.name()}`.trim() : '';

export function addGlobalOptions(command: Command): void {
	command.optionsGroup('Global options:');
	for (const option of createGlobalOptions()) command.addOption(option);
}

/** Configures a program or group to throw instead of exiting, and to print help on stdout. */
export function prepareCommand(command: Command, invocation?: Invocation): Command {
	if (invocation) invocations.set(command, invocation);
	return (
		command
			.exitOverride()
			.helpOption('-h, --help', 'show this help')
			.helpCommand(false)
			.showSuggestionAfterError(true)
			// A group without a subcommand shows its help, which is not an error; `main` prints errors.
			.configureOutput({...(invocation && createHelpOutput(invocation)), outputError: () => {}})
			.configureHelp({
				sortSubcommands: false,
				subcommandTerm: (subcommand: Command) => formatCommandTerm(subcommand),
				styleTitle: keepUnstyled,
			} as Partial<Help>)
	);
}

const invocations = new WeakMap<Command, Invocation>();

export function getInvocation(command: Command): Invocation {
	const invocation = command.parent ? getInvocation(command.parent) : invocations.get(command);
	if (!invocation) throw new Failure('internal', 'This program has no invocation and cannot run.');
	return invocation;
}

const createHelpOutput = ({host: {stdout}}: Invocation): OutputConfiguration => ({
	writeOut: text => stdout.write(text),
	writeErr: text => stdout.write(text),
	getOutHelpWidth: () => getHelpWidth(stdout),
	getErrHelpWidth: () => getHelpWidth(stdout),
});

/** Help wraps at the terminal's width; elsewhere at commander's default, 80 columns. */
const getHelpWidth = ({isTTY, columns}: OutputStream): number => (isTTY ? columns : undefined) ?? 80;

const keepUnstyled = (text: string): string => text;

const formatCommandTerm = (command: Command): string =>
	[
		command.name(),
		...command.registeredArguments.map(argument => {
			const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
			return argument.required ? `<${name}>` : `[${name}]`;
		}),
	].join(' ');

/**
 * Returns the command that `words` invoke, with its groups: "ledge managed edit". Skips options and values.
 */
export function formatCalledCommand(program: Command, words: readonly string[]): string {
	let current = program;
	const names = ['ledge'];
	for (const word of words) {
		const next = current.commands.find(subcommand => subcommand.name() === word);
		if (!next) continue;
		current = next;
		names.push(word);
	}
	return names.join(' ');
}
