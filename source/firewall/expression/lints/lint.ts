import type {ExpressionContext} from '../context.ts';

/**
 * A kind of problem that the checker reports, identified by its code. Codes never change their meaning: new
 * lints get new ones.
 */
export type Lint = {
	readonly code: string;
	/**
	 * The service rejects an error. A warning states what is certain: the part has no effect, or another one than it
	 * seems, or is not documented. A hint is only likely to be a mistake.
	 */
	readonly level: 'error' | 'warning' | 'hint';
	/** One short clause, without its full stop. */
	readonly title: string;
	/** Why it matters, and what to write instead: up to three sentences. */
	readonly explanation: string;
	readonly example: {
		/** An expression that causes the problem. */
		readonly wrong: string;
		/** What to write instead, without the problem. */
		readonly right: string;
		/** Where the two are used, if that matters. */
		readonly context?: ExpressionContext;
	};
	/** The address of the page in the documentation of the service. */
	readonly page: `https://developers.cloudflare.com/${string}`;
};
