import type {Command, Option} from 'commander';
import type {CommandTree, CompletionValues, TreeNode, TreeOption, ValueKind} from '../completion/tree.ts';
import {buildOverviewOptions} from './overview-options.ts';
import {getDefaultCommand, getOfferedValues, isRepeatable} from './shell/declare.ts';

/** Builds the completion tree of a fully declared program. */
export function buildCompletionTree(program: Command): CommandTree {
	const globals = program.options.filter(({long}) => long !== '--version');
	const globalNames = new Set([...globals.map(({long}) => long), '--help']);
	return {
		...buildNode(program, '', globalNames),
		globalOptions: [...globals.map(option => buildTreeOption(option, '')), helpOption],
		options: [...program.options.filter(({long}) => long === '--version'), ...buildOverviewOptions()].map(
			option => buildTreeOption(option, ''),
		),
	};
}

const helpOption: TreeOption = {names: ['--help', '-h'], meaning: 'show this help'};

function buildNode(command: Command, path: string, globalNames: ReadonlySet<string | undefined>): TreeNode {
	const {commands, options, registeredArguments} = command;
	const summary = command.description();
	if (commands.length > 0) {
		const defaultCommand = getDefaultCommand(command);
		return {
			summary,
			commands: Object.fromEntries(
				commands.map(subcommand => [
					subcommand.name(),
					buildNode(subcommand, `${path} ${subcommand.name()}`.trim(), globalNames),
				]),
			),
			...(defaultCommand && {defaultCommand: defaultCommand.name()}),
		};
	}
	return {
		summary,
		options: options.filter(({long}) => !globalNames.has(long)).map(option => buildTreeOption(option, path)),
		words: registeredArguments.map(
			argument => argument.argChoices ?? getArgumentValues(path, argument.name()),
		),
		...(registeredArguments.at(-1)?.variadic && {repeats: true}),
	};
}

function buildTreeOption(option: Option, path: string): TreeOption {
	const {long, short, description, required, optional, hidden} = option;
	return {
		names: [long, short].filter(name => name != null),
		meaning: description,
		...((required || optional) && {value: getOptionValues(option, path)}),
		...(optional && {hasOptionalValue: true}),
		...(isRepeatable(option) && {repeats: true}),
		...(hidden && {hidden: true}),
	};
}

function getOptionValues(option: Option, path: string): CompletionValues {
	// This binding is created, so existing ones are not offered.
	if (path === 'kv namespace create' && option.long === '--binding') return 'text';
	const placeholder = /<(\w+)>$/.exec(option.flags)?.[1] ?? '';
	return (
		getOfferedValues(option) ??
		option.argChoices ??
		kindsByOption[option.long ?? ''] ??
		kindsByPlaceholder[placeholder] ??
		'text'
	);
}

/** Options that mean the same in every command. */
const kindsByOption: Readonly<Record<string, ValueKind>> = {
	'--account-id': 'account',
	'--binding': 'binding',
	'--context': 'context',
	'--env': 'environment',
	'--namespace-id': 'namespace id',
	'--zone': 'zone',
	'--zone-id': 'zone id',
};

/** Placeholders in usages and options. */
const kindsByPlaceholder: Readonly<Record<string, ValueKind>> = {
	BACKUP: 'file',
	FILE: 'file',
	FILENAME: 'file',
	FROM: 'store',
	JOB: 'job',
	ONE: 'store',
	OTHER: 'store',
	TITLE: 'title',
	TO: 'store',
	file: 'file',
	folder: 'folder',
	zone: 'zone',
};

const getArgumentValues = (path: string, name: string): CompletionValues =>
	path.startsWith('context ') && path !== 'context add' && name === 'NAME'
		? 'context'
		: (kindsByPlaceholder[name] ?? 'text');
