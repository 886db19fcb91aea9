import type {Failure} from '../../failure.ts';
import type {Target} from '../target.ts';

/** Badge colours of contexts. */
export const contextColors = ['red', 'green', 'yellow', 'blue', 'magenta', 'cyan'] as const;

type ContextColor = (typeof contextColors)[number];

/** A named place to work: an account, its sign-in, and its settings. No field contains a secret. */
export type Context = {
	readonly name: string;
	/** First line in the file, from 1. */
	readonly line: number;
	readonly accountId?: string;
	/** wrangler login profile. */
	readonly profile?: string;
	/** Program that prints the credential, with arguments. */
	readonly credentialCommand?: readonly [string, ...string[]];
	/** Name of the variable with the API token. */
	readonly tokenVariable?: string;
	readonly baseUrl?: string;
	/** Zone id or name. */
	readonly zone?: string;
	readonly target?: Target;
	readonly readOnly?: boolean;
	/** Every write asks for confirmation, and scripts must name the context. */
	readonly production: boolean;
	readonly color?: ContextColor;
};

/**
 * How a context became active; `store`: named with a store, as in `remote:prod/SESSIONS`; `job`: recorded in
 * a job.
 */
export type ContextNaming = '--context' | 'LEDGE_CONTEXT' | 'store' | 'job' | 'in use';

export type ActiveContext = Context & {
	readonly namedBy: ContextNaming;
	/** Source name in settings: `context prod (--context)`. */
	readonly from: string;
};

/** The content of the file of contexts. */
export type ContextsFile = {
	/** Absolute path. */
	readonly file: string;
	/** Content, to detect concurrent edits. */
	readonly bytes: Buffer;
	/** Name of the context in use. */
	readonly inUseName?: string;
	/** Why the context in use is invalid; the file can still be listed and edited. */
	readonly inUseProblem?: Failure;
	/** In the order of the file. */
	readonly all: readonly Context[];
};
