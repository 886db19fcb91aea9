import type {Span} from './problem.ts';
import type {Quoted} from './quotes.ts';

/** A piece of the text that the parser looks at as one. */
export type Lexeme = {
	readonly kind: /** Names, keywords, numbers, addresses: whatever has no space, bracket, quote or sign in it. */
		| 'word'
		/** Operators and brackets. */
		| 'sign'
		| 'string'
		/** `$` and the name of a list. */
		| 'list'
		| 'space'
		/** What looks like a space and is none: tabs, spaces without a break. */
		| 'odd space'
		/** What other languages leave out: there are none here. */
		| 'comment'
		| 'unknown';
	readonly start: number;
	readonly end: number;
	readonly text: string;
	readonly quoted?: Quoted;
};

/** What a stretch of an expression is. `space` is what separates, `unknown` what the language has no word for. */
export type TokenKind =
	| 'field'
	| 'function'
	/** `and`, `or`, `xor`, `not` and their signs. */
	| 'logical'
	/** Comparisons: `eq`, `==`, `in`, `contains`, `strict wildcard`. */
	| 'operator'
	| 'string'
	/** Integers, addresses, networks and ranges of them, bytes. */
	| 'number'
	| 'boolean'
	/** The name of a list: `$blocked`. */
	| 'list'
	| 'punctuation'
	| 'identifier'
	| 'space'
	| 'unknown';

/** A stretch of an expression and what it is; a name that no field or function has is an `identifier`. */
export type Token = Span & {readonly kind: TokenKind};
