import type {Problem} from './grammar/problem.ts';
import type {Token} from './grammar/token.ts';
import type {Expression} from './grammar/tree.ts';
import type {Phase} from './vocabulary/phases.ts';
import type {Plan} from './vocabulary/plan.ts';

/** Where an expression will be used, and how strictly it is judged. */
export type Place = {
	/** The plan of the zone; without one nothing is reported about plans. */
	readonly plan?: Plan | undefined;
	/** The rules that it is for; firewall and custom rules when left out. */
	readonly phase?: Phase | undefined;
	/** Whether a field or function that ledge does not know may be a new one: a warning, not an error. */
	readonly allowUnknown?: boolean | undefined;
	/** Whether it is part of a migration, which counts its bytes. */
	readonly isMigrated?: true;
	/** Whether the rule lets requests through, as skip, bypass and allow do: it must not match too much. */
	readonly letsThrough?: boolean | undefined;
};

/** All that is known of an expression without asking anyone. */
export type Analysis = {
	readonly text: string;
	/** Everything in the text, white space too, in its order and without gaps. */
	readonly tokens: readonly Token[];
	/** The tree, where the whole text could be parsed; it may still have errors of type. */
	readonly tree: Expression | undefined;
	/** By their place in the text. The service would refuse the expression for each of them. */
	readonly errors: readonly Problem[];
	readonly warnings: readonly Problem[];
	/** What is unlikely to be meant, but may be: for an explanation, not for a warning. */
	readonly hints: readonly Problem[];
	/** Names of the fields that it looks at, each once, in the order of the text. */
	readonly fields: readonly string[];
	readonly functions: readonly string[];
};
