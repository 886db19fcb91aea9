import type {ValueType} from '../vocabulary/value-type.ts';
import type {Span} from './problem.ts';

/** The left side and the operator, which determine what is valid on the right. */
export type LeftSide = {
	readonly left: Operand;
	/** The type of the left value; undefined if unknown, so that the right side cannot be checked. */
	readonly type: ValueType | undefined;
	/** True if it stands for each of several values: `[*]`. */
	readonly isEach: boolean;
	readonly operator: ComparisonOperator;
	readonly operatorSpan: Span;
};

/** A parsed expression. Every node has its span in the text. */
export type Expression =
	| (Span & {
			readonly kind: 'logical';
			readonly operator: LogicalOperator;
			/** At least two: `a and b and c` is one node. */
			readonly operands: readonly Expression[];
	  })
	| (Span & {readonly kind: 'not'; readonly operand: Expression})
	| (Span & {readonly kind: 'group'; readonly inner: Expression})
	| (Span & {
			readonly kind: 'comparison';
			readonly left: Operand;
			readonly operator: ComparisonOperator;
			readonly operatorSpan: Span;
			readonly right: RightSide;
	  })
	/** A Boolean value without a comparison: `ssl`, `starts_with(…)`, `any(…)`, `true`. */
	| (Span & {readonly kind: 'bare'; readonly operand: Operand});

export type LogicalOperator = 'and' | 'or' | 'xor';

export type ComparisonOperator =
	| 'eq'
	| 'ne'
	| 'lt'
	| 'le'
	| 'gt'
	| 'ge'
	| 'contains'
	| 'matches'
	| 'wildcard'
	| 'strict wildcard'
	| 'in'
	| 'bitwise_and';

/** A value to the left of an operator, or an argument of a function. */
export type Operand =
	| (Span & {readonly kind: 'field'; readonly name: string; readonly indexes: readonly Index[]})
	| (Span & {
			readonly kind: 'call';
			readonly name: string;
			readonly nameSpan: Span;
			readonly arguments: readonly Argument[];
			readonly indexes: readonly Index[];
	  })
	| Literal;

/** `any` and `all` take a whole expression over arrays; other functions take values. */
export type Argument = Operand | (Span & {readonly kind: 'expression'; readonly expression: Expression});

export type Index = Span &
	(
		| {readonly kind: 'position'; readonly position: number}
		| {readonly kind: 'key'; readonly key: Literal}
		| {readonly kind: 'each'}
	);

export type Literal =
	| (Span & {
			readonly kind: 'string';
			/**
			 * The characters that it stands for. `\xHH` and `\OOO` are bytes, as characters of the same
			 * number.
			 */
			readonly value: string;
			/** `"…"`, or `r"…"` with a number of `#`. */
			readonly form: 'quoted' | {readonly raw: number};
	  })
	| (Span & {readonly kind: 'integer'; readonly value: bigint; readonly form: 'decimal' | 'hex' | 'octal'})
	| (Span & {readonly kind: 'boolean'; readonly value: boolean})
	| (Span & {readonly kind: 'address'; readonly text: string; readonly version: 4 | 6})
	| (Span & {readonly kind: 'network'; readonly text: string; readonly version: 4 | 6; readonly bits: number})
	| (Span & {readonly kind: 'range'; readonly first: Literal; readonly last: Literal})
	/** Hex bytes: `0a:1b:2c`. */
	| (Span & {readonly kind: 'bytes'; readonly value: readonly number[]});

export type RightSide =
	/** A literal; for `eq ne lt le gt ge` also a field or a function. */
	| Operand
	| (Span & {readonly kind: 'set'; readonly items: readonly Literal[]})
	| (Span & {readonly kind: 'list'; readonly name: string});

export const isLiteral = (node: RightSide | Argument): node is Literal =>
	node.kind !== 'field' &&
	node.kind !== 'call' &&
	node.kind !== 'set' &&
	node.kind !== 'list' &&
	node.kind !== 'expression';
