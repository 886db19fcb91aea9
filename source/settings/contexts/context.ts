import type {Failure} from '../../failure.ts';
import type {Target} from '../target.ts';

/** Colours of the badge of a context. */
export const contextColors = ['red', 'green', 'yellow', 'blue', 'magenta', 'cyan'] as const;

type ContextColor = (typeof contextColors)[number];

/** A named place to work at: an account, how to sign in to it, and what holds there. No field holds a secret. */
export type Context = {
	readonly name: string;
	/** Line of the file that it begins in, from 1. */
	readonly line: number;
	readonly accountId?: string;
	/** A login of wrangler. */
	readonly profile?: string;
	/** A program that prints the credential, with its arguments. */
	readonly credentialCommand?: readonly [string, ...string[]];
	/** The name of the variable that holds the API token. */
	readonly tokenVariable?: string;
	readonly baseUrl?: string;
	/** The id of a zone, or its name. */
	readonly zone?: string;
	readonly target?: Target;
	readonly readOnly?: boolean;
	/** Whether every write asks, and scripts have to name it. */
	readonly production: boolean;
	readonly color?: ContextColor;
};

/** How a context came to be in force; `store`: it is named with a store, as in `remote:prod/SESSIONS`; `job`: a job was begun in it. */
export type ContextNaming = '--context' | 'LEDGE_CONTEXT' | 'store' | 'job' | 'in use';

/** The context in force. */
export type ContextInForce = Context & {
	readonly named: ContextNaming;
	/** As settings name it where they come from it: `context prod (--context)`. */
	readonly from: string;
};

/** The file of contexts, as it was read. */
export type Contexts = {
	/** Absolute path. */
	readonly file: string;
	/** The content, for an edit that must not overwrite another one. */
	readonly bytes: Buffer;
	/** The name of the context in use. */
	readonly inUse?: string;
	/** Why the context in use is not one; whoever needs none can still list and change the file. */
	readonly inUseProblem?: Failure;
	/** In the order of the file. */
	readonly all: readonly Context[];
};
