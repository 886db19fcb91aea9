import type {Span} from './problem.ts';

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
