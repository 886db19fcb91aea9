import type {Phase} from './phases.ts';
import type {Plan} from './plan.ts';
import type {ValueType} from './value-type.ts';

/** What is known of the values that a field can have. */
export type Domain = {
	/** All the values there are, in the case they have. */
	readonly enum?: readonly string[];
	/** `countries`: the two letters of ISO 3166, and `extra`. */
	readonly list?: 'countries';
	readonly extra?: readonly string[];
	/** What every value matches. */
	readonly regex?: string;
	/** What every value begins with, and what none does. */
	readonly prefix?: string;
	readonly notPrefix?: string;
	/** What is in no value. */
	readonly absent?: readonly string[];
	/** The case that all letters have. */
	readonly case?: 'upper' | 'lower';
	/** The least and the greatest number. */
	readonly int?: readonly [least: number, most: number];
	/** Numbers outside `int` that may be seen all the same. */
	readonly tolerate?: readonly number[];
	/** What people write, and the value they mean by it. */
	readonly near?: Readonly<Record<string, string>>;
	/** The case of the keys of a map. */
	readonly keys?: 'lower';
	/** Whether the documents leave it open: nothing is certain to be wrong then. */
	readonly unclear?: true;
};

/** A field that an expression may look at. */
export type Field = {
	readonly name: string;
	/** `undefined` where the documents leave the type open. */
	readonly type: ValueType | undefined;
	/** What it is, in a few words: "address of the client". */
	readonly about: string;
	/** The least plan that has it; all have it when left out. */
	readonly plan?: Plan;
	/** Whether it needs something bought on top of the plan. */
	readonly addOn?: true;
	/** Whether it is given to a few customers only. */
	readonly earlyAccess?: true;
	/** What rules it was made for, where not for all that look at requests. */
	readonly scope?: 'response' | 'transform' | 'account rulesets';
	/** Where it is documented to be usable. */
	readonly phases?: readonly Phase[];
	/** Whether it can be used in these phases only. */
	readonly exclusive?: true;
	/** The field to use instead of this deprecated one. */
	readonly replacement?: string;
	/** Whether the documents contradict each other about it. */
	readonly unclear?: true;
	readonly domain?: Domain;
};

/** A value that a function takes. */
export type Parameter = {
	/** "value", "separator": as it is called in help. */
	readonly name: string;
	/** What it may be; `any` for what the other arguments decide. */
	readonly types: readonly (ValueType | 'any')[];
	/** Types that the documents leave open: they are taken, with a warning. */
	readonly unclearTypes?: readonly ValueType[];
	/** `field`: never a literal, but what a function returns is fine; `literal`: always one. Either when left out. */
	readonly only?: 'field' | 'literal';
	/** Whether the documents are not clear about `only`: what is against it is a warning then. */
	readonly lenient?: true;
	readonly optional?: true;
	/** Whether it may be given again and again; the last one of a function only. */
	readonly repeated?: true;
	/** Bounds of an integer that is a literal. */
	readonly least?: number;
	readonly most?: number;
	/** The only texts that a literal may be. */
	readonly oneOf?: readonly string[];
	/** Whether a literal text must have something in it. */
	readonly nonEmpty?: true;
	/** The only fields that it may be. */
	readonly fields?: readonly string[];
};

/** A function that an expression may call. */
export type ExpressionFunction = {
	readonly name: string;
	readonly about: string;
	readonly parameters: readonly Parameter[];
	/** How many arguments it takes at most, where the last parameter is repeated. */
	readonly most?: number;
	/**
	 * How the types of its arguments depend on each other. `one type`: all are of one type. `one kind`: all are texts,
	 * or all are lists. `element`: the second is of the type of what the first holds.
	 */
	readonly related?: 'one type' | 'one kind' | 'element';
	/** What it returns; `first`: the type of its first argument. */
	readonly returns: ValueType | 'first';
	/** The least plan that has it; all have it when left out. */
	readonly plan?: Plan;
	/** Whether it needs something bought on top of the plan. */
	readonly addOn?: true;
	/** Where an expression can call it only once: everywhere, or in some phases. */
	readonly once?: true | readonly Phase[];
	/** The phases that alone can call it; all can when left out. */
	readonly phases?: readonly Phase[];
};
