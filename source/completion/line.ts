import type {CommandTree, TreeNode, TreeOption, Values} from './tree.ts';

/** What can be completed at the cursor. */
export type Place = {
	/** Options already on the line that say where it acts: all values by long name. */
	readonly given: ReadonlyMap<string, readonly string[]>;
	/** What was typed of the value so far, without `before`. */
	readonly typed: string;
	/** Part of the same word that stays in front: `--format=`. */
	readonly before: string;
} & (
	| {readonly kind: 'commands'; readonly commands: Readonly<Record<string, TreeNode>>}
	| {readonly kind: 'options'; readonly options: readonly TreeOption[]}
	| {readonly kind: 'value'; readonly values: Values}
);

/** Groups of options that exclude each other: after one of them, the others are not offered. */
const either: readonly (readonly string[])[] = [
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
export function placeOn(tree: CommandTree, words: readonly string[]): Place | undefined {
	const typed = words.at(-1) ?? '';
	const given = new Map<string, string[]>();
	const give = (option: TreeOption, value: string) => {
		const name = option.names[0] ?? '';
		given.set(name, [...(given.get(name) ?? []), value]);
	};
	let node: TreeNode = tree;
	let pending: TreeOption | undefined;
	let positionals = 0;
	let isBehindDashes = false;
	const optionsHere = () => [...ownOptions(node), ...tree.everywhere];
	const named = (word: string) => optionsHere().find(({names}) => names.includes(word));

	for (const word of words.slice(0, -1).flatMap(apart)) {
		if (pending) {
			give(pending, word);
			pending = undefined;
		} else if (!isBehindDashes && word === '--') {
			isBehindDashes = true;
		} else if (!isBehindDashes && /^-./.test(word)) {
			const [name, value] = split(word);
			const option = named(name);
			if (option?.value !== undefined && value === undefined) pending = option;
			else if (option) give(option, value ?? '');
		} else if (node.commands) {
			const next = Object.hasOwn(node.commands, word) ? node.commands[word] : usualOf(node);
			if (word === 'help') continue;
			if (!next) return undefined;
			if (!Object.hasOwn(node.commands, word)) positionals++;
			node = next;
		} else {
			positionals++;
		}
	}

	const common = {given, typed, before: ''};
	if (pending) return {...common, kind: 'value', values: pending.value ?? 'text'};
	if (!isBehindDashes && typed.startsWith('-')) {
		const [name, value] = split(typed);
		const option = value === undefined ? undefined : named(name);
		if (value === undefined) return {...common, kind: 'options', options: left(optionsHere(), given)};
		if (option?.value === undefined) return undefined;
		return {given, kind: 'value', values: option.value, before: `${name}=`, typed: value};
	}
	if (node.commands) return {...common, kind: 'commands', commands: node.commands};
	const values = node.words?.[positionals] ?? (node.repeats ? node.words?.at(-1) : undefined);
	return values === undefined ? undefined : {...common, kind: 'value', values};
}

const usualOf = ({commands, usual}: TreeNode): TreeNode | undefined =>
	usual === undefined ? undefined : commands?.[usual];

const ownOptions = (node: TreeNode): readonly TreeOption[] => [
	...(node.options ?? []),
	...(usualOf(node)?.options ?? []),
];

/** Splits the legacy colon form, `kv:key`, into two words. */
const apart = (word: string): string[] => (/^kv:(namespace|key|bulk)$/.test(word) ? word.split(':') : [word]);

/** Splits `--name=value`; any other word has no value. */
function split(word: string): [name: string, value: string | undefined] {
	const at = word.startsWith('--') ? word.indexOf('=') : -1;
	return at === -1 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}

/** Returns the options that can still be given. */
function left(options: readonly TreeOption[], given: Place['given']): readonly TreeOption[] {
	const excluded = new Set(either.filter(names => names.some(name => given.has(name))).flat());
	return options.filter(({names: [name = ''], repeats, hidden}) => {
		if (hidden) return false;
		return repeats || (!given.has(name) && !excluded.has(name));
	});
}
