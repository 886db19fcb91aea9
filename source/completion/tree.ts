/** The kind of a value whose candidates are looked up when it is completed; `text` has none. */
export type ValueKind =
	| 'account'
	| 'binding'
	| 'context'
	| 'environment'
	| 'file'
	| 'folder'
	| 'job'
	| 'namespace id'
	| 'store'
	| 'text'
	/** The title of a namespace. */
	| 'title'
	| 'zone'
	| 'zone id';

/** The values of an option or word: a fixed list, a fixed list that is combined with commas, or a kind. */
export type CompletionValues = readonly string[] | {readonly parts: readonly string[]} | ValueKind;

export type TreeOption = {
	/** `--output` first, then `-o`. */
	readonly names: readonly string[];
	readonly meaning: string;
	/** Only if the option takes a value. */
	readonly value?: CompletionValues;
	/** True if its value can only follow an equals sign. */
	readonly hasOptionalValue?: true;
	readonly repeats?: true;
	/** Accepted but not offered. */
	readonly hidden?: true;
};

/** A word of the command line and everything that can follow it. */
export type TreeNode = {
	readonly summary: string;
	readonly commands?: Readonly<Record<string, TreeNode>>;
	/** The command that a group runs if no subcommand is given. */
	readonly defaultCommand?: string;
	readonly options?: readonly TreeOption[];
	/** Values of its positional words, in order. */
	readonly words?: readonly CompletionValues[];
	/** True if the last positional can be repeated. */
	readonly repeats?: true;
};

/** All commands, and the global options. */
export type CommandTree = TreeNode & {readonly globalOptions: readonly TreeOption[]};
