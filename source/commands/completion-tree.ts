import type {Command, Option} from 'commander';
import type {CommandTree, Kind, TreeNode, TreeOption, Values} from '../completion/tree.ts';
import {overviewOptions} from './program.ts';
import {isRepeatable, offeredFor, usualCommand} from './shell/declare.ts';

/** Builds the completion tree of a fully declared program. */
export function completionTree(program: Command): CommandTree {
	const everywhere = program.options.filter(({long}) => long !== '--version');
	const isEverywhere = new Set([...everywhere.map(({long}) => long), '--help']);
	return {
		...nodeOf(program, '', isEverywhere),
		everywhere: [...everywhere.map(one => optionOf(one, '')), help],
		options: [...program.options.filter(({long}) => long === '--version'), ...overviewOptions()].map(one =>
			optionOf(one, ''),
		),
	};
}

const help: TreeOption = {names: ['--help', '-h'], meaning: 'show this help'};

function nodeOf(command: Command, path: string, isEverywhere: ReadonlySet<string | undefined>): TreeNode {
	const {commands, options, registeredArguments} = command;
	const summary = command.description();
	if (commands.length > 0) {
		const usual = usualCommand(command);
		return {
			summary,
			commands: Object.fromEntries(
				commands.map(one => [one.name(), nodeOf(one, `${path} ${one.name()}`.trim(), isEverywhere)]),
			),
			...(usual && {usual: usual.name()}),
		};
	}
	return {
		summary,
		options: options.filter(({long}) => !isEverywhere.has(long)).map(one => optionOf(one, path)),
		words: registeredArguments.map(one => one.argChoices ?? wordOf(path, one.name())),
		...(registeredArguments.at(-1)?.variadic && {repeats: true}),
	};
}

function optionOf(option: Option, path: string): TreeOption {
	const {long, short, description, required, hidden} = option;
	return {
		names: [long, short].filter(name => name != null),
		meaning: description,
		...(required && {value: valuesOf(option, path)}),
		...(isRepeatable(option) && {repeats: true}),
		...(hidden && {hidden: true}),
	};
}

function valuesOf(option: Option, path: string): Values {
	// The name of a new binding.
	if (path === 'kv namespace create' && option.long === '--binding') return 'text';
	const takes = /<(\w+)>$/.exec(option.flags)?.[1] ?? '';
	return offeredFor(option) ?? option.argChoices ?? byName[option.long ?? ''] ?? byWord[takes] ?? 'text';
}

/** Options that mean the same in every command. */
const byName: Readonly<Record<string, Kind>> = {
	'--account-id': 'account',
	'--binding': 'binding',
	'--context': 'context',
	'--env': 'environment',
	'--namespace-id': 'namespace id',
	'--zone': 'zone',
	'--zone-id': 'zone id',
};

/** Placeholders in usages and options. */
const byWord: Readonly<Record<string, Kind>> = {
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

const wordOf = (path: string, name: string): Values =>
	path.startsWith('context ') && path !== 'context add' && name === 'NAME'
		? 'context'
		: (byWord[name] ?? 'text');
