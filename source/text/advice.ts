import type {Advice, NamedCommand} from '../failure.ts';
import {quoted} from './shell-word.ts';

/** A command of ledge: its first words as they are, all others quoted for a shell where they have to be. */
export const ledge = (words: string, ...others: readonly string[]): NamedCommand => ({
	command: ['ledge', words, ...others.map(quoted)].join(' '),
});

/** The same for a command that acts on the keys of a namespace. */
export const onKeys = (words: string, ...others: readonly string[]): NamedCommand => ({
	...ledge(words, ...others),
	on: 'keys',
});

/** The same for a command that acts on a zone, which it names by its id or leaves to the options in force. */
export const inZone = (words: string, ...others: readonly string[]): NamedCommand => ({
	...ledge(words, ...others),
	on: 'zone',
});

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
