import type {CommandTree, CompletionValues, TreeNode, TreeOption} from './tree.ts';

/** What can be completed at the cursor. */
export type CompletionPlace = {
	/** Options already on the line: all values by long name. */
	readonly givenOptions: ReadonlyMap<string, readonly string[]>;
	/** The part of the value that was typed so far, without `prefix`. */
	readonly typedText: string;
	/** Part of the same word that stays in front: `--format=`. */
	readonly prefix: string;
} & (
	| {readonly kind: 'commands'; readonly commands: Readonly<Record<string, TreeNode>>}
	| {readonly kind: 'options'; readonly options: readonly TreeOption[]}
	| {readonly kind: 'value'; readonly values: CompletionValues}
);

/** Groups of options that exclude each other: after one of them, the others are not offered. */
const exclusiveOptions: readonly (readonly string[])[] = [
	['--binding', '--namespace-id', '--namespace'],
	['--local', '--remote'],
	['--zone', '--zone-id'],
	['--simulate', '--context', '--base-url'],
	['--simulate', '--account-id'],
	['--first', '--last', '--before', '--after', '--to'],
];

/**
 * Finds what can be completed at the last of `words`, which are unquoted. Undefined after an unknown command,
 * or if the command takes no further word.
 */
export function findCompletionPlace(
	tree: CommandTree,
	words: readonly string[],
): CompletionPlace | undefined {
	const typedText = words.at(-1) ?? '';
	const givenOptions = new Map<string, string[]>();
	const recordOption = (option: TreeOption, value: string) => {
		const name = option.names[0] ?? '';
		givenOptions.set(name, [...(givenOptions.get(name) ?? []), value]);
	};
	let node: TreeNode = tree;
	let pendingOption: TreeOption | undefined;
	let positionalCount = 0;
	let isAfterDashes = false;
	const listAvailableOptions = () => [...listOwnOptions(node), ...tree.globalOptions];
	const findOption = (word: string) => listAvailableOptions().find(({names}) => names.includes(word));

	for (const word of words.slice(0, -1).flatMap(splitLegacyWord)) {
		if (pendingOption) {
			recordOption(pendingOption, word);
			pendingOption = undefined;
		} else if (!isAfterDashes && word === '--') {
			isAfterDashes = true;
		} else if (!isAfterDashes && /^-./.test(word)) {
			const [name, value] = splitOption(word);
			const option = findOption(name);
			if (option?.value !== undefined && !option.hasOptionalValue && value === undefined)
				pendingOption = option;
			else if (option) recordOption(option, value ?? '');
		} else if (node.commands) {
			const childNode = Object.hasOwn(node.commands, word) ? node.commands[word] : findDefaultCommand(node);
			if (word === 'help') continue;
			if (!childNode) return undefined;
			if (!Object.hasOwn(node.commands, word)) positionalCount++;
			node = childNode;
		} else {
			positionalCount++;
		}
	}

	const commonFields = {givenOptions, typedText, prefix: ''};
	if (pendingOption) return {...commonFields, kind: 'value', values: pendingOption.value ?? 'text'};
	if (!isAfterDashes && typedText.startsWith('-')) {
		const [name, value] = splitOption(typedText);
		const option = value === undefined ? undefined : findOption(name);
		if (value === undefined)
			return {
				...commonFields,
				kind: 'options',
				options: listRemainingOptions(listAvailableOptions(), givenOptions),
			};
		if (option?.value === undefined) return undefined;
		return {givenOptions, kind: 'value', values: option.value, prefix: `${name}=`, typedText: value};
	}
	if (node.commands) return {...commonFields, kind: 'commands', commands: node.commands};
	const values = node.words?.[positionalCount] ?? (node.repeats ? node.words?.at(-1) : undefined);
	return values === undefined ? undefined : {...commonFields, kind: 'value', values};
}

const findDefaultCommand = ({commands, defaultCommand}: TreeNode): TreeNode | undefined =>
	defaultCommand === undefined ? undefined : commands?.[defaultCommand];

const listOwnOptions = (node: TreeNode): readonly TreeOption[] => [
	...(node.options ?? []),
	...(findDefaultCommand(node)?.options ?? []),
];

/** Splits the legacy colon form, `kv:key`, into two words. */
const splitLegacyWord = (word: string): string[] =>
	/^kv:(namespace|key|bulk)$/.test(word) ? word.split(':') : [word];

/** Splits `--name=value`; any other word has no value. */
function splitOption(word: string): [name: string, value: string | undefined] {
	const index = word.startsWith('--') ? word.indexOf('=') : -1;
	return index === -1 ? [word, undefined] : [word.slice(0, index), word.slice(index + 1)];
}

/** Returns the options that can still be given. */
function listRemainingOptions(
	options: readonly TreeOption[],
	givenOptions: CompletionPlace['givenOptions'],
): readonly TreeOption[] {
	const excluded = new Set(
		exclusiveOptions.filter(names => names.some(name => givenOptions.has(name))).flat(),
	);
	return options.filter(({names: [name = ''], repeats, hidden}) => {
		if (hidden) return false;
		return repeats || (!givenOptions.has(name) && !excluded.has(name));
	});
}
