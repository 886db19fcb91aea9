import type {Advice, NamedCommand} from '../failure.ts';
import {quoteShellWord} from './shell-word.ts';

/**
 * A command, and whether it acts on keys or on a zone. Outside a `buildAdvice` template it prints without the
 * options that select them.
 */
class TypedCommand implements NamedCommand {
	readonly command: string;
	readonly selects: NamedCommand['selects'];
	readonly suffix: string | undefined;

	constructor(words: readonly string[], selects?: NamedCommand['selects'], suffix?: string) {
		const [first = '', ...otherWords] = words;
		this.command = ['ledge', first, ...otherWords.map(quoteShellWord)].join(' ');
		this.selects = selects;
		this.suffix = suffix;
	}

	toString(): string {
		return `${this.command}${this.suffix ?? ''}`;
	}
}

/** Builds a ledge command; quotes all words but the first for a shell where needed. */
export const buildCommand = (...words: readonly [string, ...string[]]): NamedCommand =>
	new TypedCommand(words);

/** Builds a command that acts on the keys of a namespace. */
export const buildKeysCommand = (...words: readonly [string, ...string[]]): NamedCommand =>
	new TypedCommand(words, 'keys');

/** Builds a command on keys with a redirection of its output, such as ` > file`. */
export const buildKeysCommandInto = (words: string, redirection: string): NamedCommand =>
	new TypedCommand([words], 'keys', redirection);

/**
 * Builds a command that acts on a zone. The command names the zone by id, or leaves it to the current
 * options.
 */
export const buildZoneCommand = (...words: readonly [string, ...string[]]): NamedCommand =>
	new TypedCommand(words, 'zone');

type AdvicePart = Advice | NamedCommand | undefined;

/** Tags a template whose values are strings, commands and other advice. */
export const buildAdvice = (texts: TemplateStringsArray, ...values: readonly AdvicePart[]): Advice =>
	mergeAdviceParts(texts.flatMap((text, index) => [text, ...toAdviceParts(values[index])]));

/** Joins pieces of advice, one per line. */
export const joinAdviceLines = (...lines: readonly AdvicePart[]): Advice | undefined => {
	const presentLines = lines.filter(line => line !== undefined && line !== '');
	return presentLines.length === 0
		? undefined
		: mergeAdviceParts(
				presentLines.flatMap((line, index) => [...(index === 0 ? [] : ['\n']), ...toAdviceParts(line)]),
			);
};

function toAdviceParts(value: AdvicePart): readonly (string | NamedCommand)[] {
	if (value === undefined) return [];
	return typeof value === 'string' || 'command' in value ? [value] : value;
}

/** Joins the parts to one string unless they contain a command. */
const mergeAdviceParts = (parts: readonly (string | NamedCommand)[]): Advice =>
	parts.every(part => typeof part === 'string') ? parts.join('') : parts;
