import type {Advice, NamedCommand} from '../failure.ts';
import {quoteShellWord} from './shell-word.ts';

/**
 * A command with the place it acts on. Outside a `buildAdvice` template it prints as is, without the options
 * for that place.
 */
class TypedCommand implements NamedCommand {
	readonly command: string;
	readonly on: NamedCommand['on'];
	readonly rest: string | undefined;

	constructor(words: readonly string[], on?: NamedCommand['on'], rest?: string) {
		const [first = '', ...others] = words;
		this.command = ['ledge', first, ...others.map(quoteShellWord)].join(' ');
		this.on = on;
		this.rest = rest;
	}

	toString(): string {
		return `${this.command}${this.rest ?? ''}`;
	}
}

/** Builds a ledge command; quotes all words but the first for a shell where needed. */
export const buildCommand = (...words: readonly [string, ...string[]]): NamedCommand =>
	new TypedCommand(words);

/** Builds a command that acts on the keys of a namespace. */
export const buildKeysCommand = (...words: readonly [string, ...string[]]): NamedCommand =>
	new TypedCommand(words, 'keys');

/** Builds a command on keys with a redirection of its output, such as ` > file`. */
export const buildKeysCommandInto = (words: string, rest: string): NamedCommand =>
	new TypedCommand([words], 'keys', rest);

/** Builds a command that acts on a zone, which it names by id or leaves to the current options. */
export const buildZoneCommand = (...words: readonly [string, ...string[]]): NamedCommand =>
	new TypedCommand(words, 'zone');

type Part = Advice | NamedCommand | undefined;

/** Tags a template whose values are strings, commands and other advice. */
export const buildAdvice = (texts: TemplateStringsArray, ...values: readonly Part[]): Advice =>
	mergeAdviceParts(texts.flatMap((text, index) => [text, ...toAdviceParts(values[index])]));

/** Joins pieces of advice, one per line. */
export const joinAdviceLines = (...lines: readonly Part[]): Advice | undefined => {
	const given = lines.filter(line => line !== undefined && line !== '');
	return given.length === 0
		? undefined
		: mergeAdviceParts(
				given.flatMap((line, index) => [...(index === 0 ? [] : ['\n']), ...toAdviceParts(line)]),
			);
};

function toAdviceParts(value: Part): readonly (string | NamedCommand)[] {
	if (value === undefined) return [];
	return typeof value === 'string' || 'command' in value ? [value] : value;
}

/** Joins the parts to one string unless they contain a command. */
const mergeAdviceParts = (parts: readonly (string | NamedCommand)[]): Advice =>
	parts.every(part => typeof part === 'string') ? parts.join('') : parts;
