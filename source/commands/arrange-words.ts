import type {Command} from 'commander';
import type {AddCommand} from './shell/declare.ts';

export type CommandWords = Readonly<Record<string, CommandWord>>;

/** A command-line word: either a group with further words, or a module that declares commands. */
type CommandWord = {
	readonly summary: string;
	/** Given for every group, and only for groups: a word without it is a command. */
	readonly example?: string;
} & (
	| {readonly subwords: CommandWords}
	| {
			/** Loads the commands of this group, or the command itself. */
			load(): Promise<AddCommand | readonly AddCommand[]>;
	  }
);

export type ArrangedWords = {
	/** The command with its groups, one word each. */
	readonly commandPath: readonly string[];
	/** The command words first, then everything else. */
	readonly words: readonly string[];
	/** The legacy colon form, if it was used. */
	readonly colonForm: string | undefined;
};

/**
 * Finds the command words among global options, and moves these options after them. Splits the colon form
 * (`kv:key`), turns `help` before or after a word into `--help`, and drops everything else for `--version`.
 */
export function arrangeWords(
	program: Command,
	commandWords: CommandWords,
	typedWords: readonly string[],
): ArrangedWords {
	const takesValue = (word: string) =>
		program.options.some(option => option.required && (option.short === word || option.long === word));
	const words = [...typedWords];
	const commandPath: string[] = [];
	const options: string[] = [];
	let colonForm: string | undefined;
	let index = 0;
	// `any word`: the words of a group whose module is not loaded. Undefined: the command is complete.
	let allowedWords: CommandWords | 'any word' | undefined = commandWords;
	for (; allowedWords && index < words.length; index++) {
		if (commandPath.length === 0 && /^kv:(namespace|key|bulk)$/.test(words[index] ?? '')) {
			colonForm = words[index];
			words.splice(index, 1, ...(colonForm ?? '').split(':'));
		}
		const word = words[index] ?? '';
		if (word === '--') break;
		if (word === '-v' || word === '--version') return {commandPath: [], words: [word], colonForm: undefined};
		if (word === 'help') {
			options.push('--help');
		} else if (word.startsWith('-')) {
			options.push(word);
			if (takesValue(word) && index + 1 < words.length) options.push(words[++index] ?? '');
		} else {
			commandPath.push(word);
			const entry: CommandWord | undefined =
				allowedWords === 'any word' || !Object.hasOwn(allowedWords, word) ? undefined : allowedWords[word];
			allowedWords =
				entry &&
				('subwords' in entry ? entry.subwords : entry.example === undefined ? undefined : 'any word');
		}
	}
	return {commandPath, words: [...commandPath, ...options, ...words.slice(index)], colonForm};
}
