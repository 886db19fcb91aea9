/** What kind of value follows an option, or is a word of a command, where it is known on this machine only. */
export type Kind =
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
	| 'title'
	| 'zone'
	| 'zone id';

/** The values of an option or a word: fixed ones, fixed ones with commas between them, or a kind. */
export type Values = readonly string[] | {readonly parts: readonly string[]} | Kind;

export type TreeOption = {
	/** `--output` first, then `-o`. */
	readonly names: readonly string[];
	readonly meaning: string;
	/** Of an option that takes a value. */
	readonly value?: Values;
	readonly repeats?: true;
	/** It is understood and not offered. */
	readonly hidden?: true;
};

/** A word of the command line with everything that can follow it. */
export type TreeNode = {
	readonly summary: string;
	readonly commands?: Readonly<Record<string, TreeNode>>;
	/** The command that a group runs where no word follows. */
	readonly usual?: string;
	readonly options?: readonly TreeOption[];
	/** What its positional words are, in their order. */
	readonly words?: readonly Values[];
	/** Whether the last of them may be given several times. */
	readonly repeats?: true;
};

/** All commands, and the options that work everywhere. */
export type CommandTree = TreeNode & {readonly everywhere: readonly TreeOption[]};
