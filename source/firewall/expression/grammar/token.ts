import type {Span} from './problem.ts';
import type {Quoted} from './quotes.ts';

/** The smallest part of a text that the parser handles. */
export type Lexeme = {
	readonly kind: /** Names, keywords, numbers and addresses, without space, bracket, quote or sign. */
		| 'word'
		/** Operators and brackets. */
		| 'sign'
		| 'string'
		/** `$` and the name of a list. */
		| 'list'
		| 'space'
		/** White space that the service does not accept inside an expression: tabs, no-break spaces. */
		| 'odd space'
		/** Comments of other languages, which are invalid here. */
		| 'comment'
		| 'unknown';
	readonly start: number;
	readonly end: number;
	readonly text: string;
	readonly quoted?: Quoted;
};

/** The kind of a part of an expression. `space` separates, `unknown` is invalid. */
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

/** A part of an expression with its kind; an unknown name is an `identifier`. */
export type Token = Span & {readonly kind: TokenKind};
