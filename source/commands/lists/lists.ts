import {listKinds} from '../../lists/account-lists.ts';
import {
	createChoiceOption,
	createValueOption,
	defineCommand,
	type OptionValues,
	runLazily,
} from '../shell/declare.ts';

const listFormats = ['table', 'text', 'json'] as const;

const buildShowOptions = () => [
	createChoiceOption('--format <form>', 'output format (table); text: one item per line', listFormats),
];

const buildCreateOptions = () => [
	createChoiceOption('--kind <kind>', 'what its items are (ip)', listKinds),
	createValueOption('--description <text>', 'what the list is for'),
];

const buildFileOption = () =>
	createValueOption('--file <file>', 'read more addresses from a file, - for standard input');

const createListConfirmOption = () =>
	createValueOption('--confirm <list>', "the list's name, to change a list that rules use");

const buildAddOptions = () => [
	createValueOption('--comment <text>', 'comment of these addresses; replaces existing comments'),
	buildFileOption(),
	createListConfirmOption(),
];

const buildRemoveOptions = () => [buildFileOption(), createListConfirmOption()];

export type ListShowOptions = OptionValues<typeof buildShowOptions>;
export type ListCreateOptions = OptionValues<typeof buildCreateOptions>;
export type ListAddOptions = OptionValues<typeof buildAddOptions>;
export type ListRemoveOptions = OptionValues<typeof buildRemoveOptions>;

/** `lists …`: the lists of an account, which expressions of all its zones use as `$name`. */
export const accountListCommands = [
	defineCommand({
		usage: 'list',
		summary: 'list the lists of the account',
		example: 'lists list',
		run: runLazily(async () => (await import('./read.ts')).printAccountLists),
	}),

	defineCommand({
		usage: 'show <NAME>',
		summary: 'list the items of a list, by name or id',
		example: 'lists show office --format text',
		sampleArguments: 'office',
		options: buildShowOptions,
		run: runLazily(async () => (await import('./read.ts')).printAccountList),
	}),

	defineCommand({
		usage: 'create <NAME>',
		summary: 'create an empty list',
		example: 'lists create attackers',
		refusedByReadOnly: 'creating a list',
		sampleArguments: 'attackers',
		options: buildCreateOptions,
		run: runLazily(async () => (await import('./write.ts')).createAccountListCommand),
	}),

	defineCommand({
		usage: 'add <NAME> [ADDRESS...]',
		summary: 'add addresses and networks to an IP list',
		example: `lists add blocklist 203.0.113.7 198.51.100.0/24 --comment 'ticket 4711'`,
		refusedByReadOnly: 'adding to a list',
		sampleArguments: 'blocklist 198.51.100.0/24',
		options: buildAddOptions,
		run: runLazily(async () => (await import('./write.ts')).addListAddresses),
	}),

	defineCommand({
		usage: 'remove <NAME> [ADDRESS...]',
		summary: 'remove addresses and networks from an IP list',
		example: 'lists remove blocklist 203.0.113.7',
		refusedByReadOnly: 'removing from a list',
		sampleArguments: 'blocklist 192.0.2.7',
		options: buildRemoveOptions,
		run: runLazily(async () => (await import('./write.ts')).removeListAddresses),
	}),
];
