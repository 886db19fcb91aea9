import type {Phase} from './phases.ts';
import type {Plan} from './plan.ts';
import type {ValueType} from './value-type.ts';

/** What is documented about the values of a field. */
export type Domain = {
	/** All possible values, in their exact case. */
	readonly enum?: readonly string[];
	/** `countries`: ISO 3166-1 alpha-2 codes, and `extra`. */
	readonly list?: 'countries';
	readonly extra?: readonly string[];
	/** A pattern that every value matches. */
	readonly regex?: string;
	/** A prefix of every value. */
	readonly prefix?: string;
	/** Texts that no value contains. */
	readonly absent?: readonly string[];
	/** The case of all letters. */
	readonly case?: 'upper' | 'lower';
	/** The smallest and the largest number. */
	readonly int?: readonly [least: number, most: number];
	/** Numbers outside `int` that occur nevertheless. */
	readonly tolerate?: readonly number[];
	/** Common mistakes, each with the intended value. */
	readonly near?: Readonly<Record<string, string>>;
	/** The case of map keys. */
	readonly keys?: 'lower';
	/** True if the documentation leaves the values open, so that none is certainly wrong. */
	readonly unclear?: true;
};

/** A field of the expression language. */
export type Field = {
	readonly name: string;
	/** Undefined if the documentation leaves the type open. */
	readonly type: ValueType | undefined;
	/** A short description: "address of the client". */
	readonly about: string;
	/** The lowest plan that includes it; all plans by default. */
	readonly plan?: Plan;
	/** True if it needs a paid add-on. */
	readonly addOn?: true;
	/** True if only selected customers have it. */
	readonly earlyAccess?: true;
	/** The kind of rules it was made for; all that look at requests by default. */
	readonly scope?: 'response' | 'transform' | 'account rulesets';
	/** Phases that it is documented for. */
	readonly phases?: readonly Phase[];
	/** True if it is invalid in all other phases. */
	readonly exclusive?: true;
	/** The replacement of a deprecated field. */
	readonly replacement?: string;
	/** True if the documentation contradicts itself about it. */
	readonly unclear?: true;
	readonly domain?: Domain;
};

/** A parameter of a function. */
export type Parameter = {
	/** As shown in help: "value", "separator". */
	readonly name: string;
	/** Accepted types; `any` if the other arguments determine it. */
	readonly types: readonly (ValueType | 'any')[];
	/** Types that the documentation leaves open: accepted with a warning. */
	readonly unclearTypes?: readonly ValueType[];
	/** `field`: no literal, but a function call is fine. `literal`: only a literal. Either by default. */
	readonly requiredKind?: 'field' | 'literal';
	/** True if the documentation is unclear about `requiredKind`: a violation is then a warning. */
	readonly lenient?: true;
	readonly optional?: true;
	/** True if it may occur several times; only for the last parameter. */
	readonly repeated?: true;
	/** Bounds of an integer literal. */
	readonly minValue?: number;
	readonly maxValue?: number;
	/** The only valid values of a string literal. */
	readonly oneOf?: readonly string[];
	/** True if a string literal must not be empty. */
	readonly nonEmpty?: true;
	/** The only valid fields. */
	readonly fields?: readonly string[];
};

/** A function of the expression language. */
export type ExpressionFunction = {
	readonly name: string;
	readonly about: string;
	readonly parameters: readonly Parameter[];
	/** Maximum number of arguments if the last parameter is repeated. */
	readonly maxArguments?: number;
	/**
	 * How the argument types depend on each other. `one type`: all have the same type. `one kind`: none is
	 * an array, or all are arrays of one type. `element`: the second has the element type of the first.
	 */
	readonly argumentRelation?: 'one type' | 'one kind' | 'element';
	/** The return type; `first`: the type of the first argument. */
	readonly returns: ValueType | 'first';
	/** The lowest plan that includes it; all plans by default. */
	readonly plan?: Plan;
	/** True if it needs a paid add-on. */
	readonly addOn?: true;
	/** True if an expression can call it only once; or the phases where this applies. */
	readonly oncePerExpression?: true | readonly Phase[];
	/** The phases that can call it; all by default. */
	readonly phases?: readonly Phase[];
};
