import type {Plan} from '../../service/plan.ts';
import type {Problem} from './grammar/problem.ts';
import type {Token} from './grammar/token.ts';
import type {Expression} from './grammar/tree.ts';

/** Where an expression will be used; without a plan, what a plan lacks is a warning only. */
export type Place = {
	readonly plan?: Plan | undefined;
	/** Whether it is part of a migration, which counts its bytes. */
	readonly isMigrated?: true;
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
	/** Names of the fields that it looks at, each once, in the order of the text. */
	readonly fields: readonly string[];
	readonly functions: readonly string[];
};
