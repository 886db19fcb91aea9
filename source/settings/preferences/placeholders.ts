import {findClosestName} from '../../text/closest-name.ts';

/** What an argument of a command of the user's own can stand for, and what that is. */
export const placeholders = {
	key: 'the key under the cursor, or the open one',
	value_file: 'a temporary file with its value, byte for byte, which only you can read',
	selected_file: 'a temporary file with the selected keys, else the key under the cursor, as a JSON list',
	namespace: 'the title of the open namespace, or of the one under the cursor',
	namespace_id: 'its id',
	zone: 'the name of the zone that the screen shows',
	zone_id: 'its id',
} as const;

export type PlaceholderName = keyof typeof placeholders;

/** An argument: text, or what replaces it as a whole. */
type CommandArgument =
	| {readonly kind: 'text'; readonly text: string}
	| {readonly kind: 'place'; readonly name: PlaceholderName}
	/** Text that is asked for under this name. */
	| {readonly kind: 'prompt'; readonly name: string};

const wholePattern = /^\{(?:prompt:(?<prompt>[^{}]*)|(?<name>[a-z_]+))\}$/;
const partPattern = /(?<!\{)\{(?:prompt:[^{}]*|[a-z_]+)\}(?!\})/g;
const literalPattern = /\{(\{(?:prompt:[^{}]*|[a-z_]+)\})\}/g;

const isPlaceholderName = (name: string): name is PlaceholderName => Object.hasOwn(placeholders, name);

/**
 * Parses an argument, or returns what is wrong with it. Values never become a part of a word, where a program
 * could take them for something else. `{{key}}` is the text `{key}`.
 */
export function parseCommandArgument(
	argument: string,
): {readonly argument: CommandArgument} | {readonly problem: string} {
	const {prompt, name} = wholePattern.exec(argument)?.groups ?? {};
	if (prompt !== undefined)
		return prompt.trim() === ''
			? {problem: `"${argument}" must have a name: "{prompt:Name}".`}
			: {argument: {kind: 'prompt', name: prompt.trim()}};
	if (name !== undefined) {
		if (isPlaceholderName(name)) return {argument: {kind: 'place', name}};
		const names = [...Object.keys(placeholders), 'prompt:Name'];
		const closest = findClosestName(name, names) ?? names.find(one => one.startsWith(name));
		const help =
			closest === undefined
				? `There is: ${names.map(one => `{${one}}`).join(', ')}.`
				: `Did you mean {${closest}}?`;
		return {
			problem: `there is no placeholder ${argument}. ${help} Write "{${argument}}" for this text itself.`,
		};
	}
	const part = argument
		.match(partPattern)
		?.find(text => text.startsWith('{prompt:') || isPlaceholderName(text.slice(1, -1)));
	if (part !== undefined)
		return {
			problem: `${part} must be an argument of its own, not a part of "${argument}". Write "{${part}}" for this text itself.`,
		};
	return {argument: {kind: 'text', text: argument.replaceAll(literalPattern, '$1')}};
}

/** Parses the arguments of a command that was read, and so is valid. */
export const parseCommandArguments = (command: readonly string[]): readonly CommandArgument[] =>
	command.flatMap(text => {
		const parsed = parseCommandArgument(text);
		return 'argument' in parsed ? [parsed.argument] : [];
	});
