import type {Advice, NamedCommand} from '../failure.ts';
import {quoted} from './shell-word.ts';

/** In a template without a tag it is printed as it is typed, without the options that lead to where the work ran. */
class TypedCommand implements NamedCommand {
	readonly command: string;
	readonly on: NamedCommand['on'];
	readonly rest: string | undefined;

	constructor(words: readonly string[], on?: NamedCommand['on'], rest?: string) {
		const [first = '', ...others] = words;
		this.command = ['ledge', first, ...others.map(quoted)].join(' ');
		this.on = on;
		this.rest = rest;
	}

	toString(): string {
		return `${this.command}${this.rest ?? ''}`;
	}
}

/** A command of ledge: its first words as they are, all others quoted for a shell where they have to be. */
export const ledge = (...words: readonly [string, ...string[]]): NamedCommand => new TypedCommand(words);

/** The same for a command that acts on the keys of a namespace. */
export const onKeys = (...words: readonly [string, ...string[]]): NamedCommand =>
	new TypedCommand(words, 'keys');

/** The same with what the shell does with its output, as ` > file`. */
export const onKeysInto = (words: string, rest: string): NamedCommand =>
	new TypedCommand([words], 'keys', rest);

/** The same for a command that acts on a zone, which it names by its id or leaves to the options in force. */
export const inZone = (...words: readonly [string, ...string[]]): NamedCommand =>
	new TypedCommand(words, 'zone');

type Part = Advice | NamedCommand | undefined;

/** Tag of a template whose values are texts, commands and other advice. */
export const advice = (texts: TemplateStringsArray, ...values: readonly Part[]): Advice =>
	joined(texts.flatMap((text, index) => [text, ...partsOf(values[index])]));

/** Several pieces of advice, a line each. */
export const adviceLines = (...lines: readonly Part[]): Advice | undefined => {
	const given = lines.filter(line => line !== undefined && line !== '');
	return given.length === 0
		? undefined
		: joined(given.flatMap((line, index) => [...(index === 0 ? [] : ['\n']), ...partsOf(line)]));
};

function partsOf(value: Part): readonly (string | NamedCommand)[] {
	if (value === undefined) return [];
	return typeof value === 'string' || 'command' in value ? [value] : value;
}

/** One text where no command is in it. */
const joined = (parts: readonly (string | NamedCommand)[]): Advice =>
	parts.every(part => typeof part === 'string') ? parts.join('') : parts;
