import type {Plan} from '../../../service/plan.ts';
import type {ValueType} from './value-type.ts';

/** A field that an expression may look at. */
export type Field = {
	readonly name: string;
	readonly type: ValueType;
	/** What it is, in a few words: "address of the client". */
	readonly about: string;
	/** The least plan that has it; all have it when left out. */
	readonly plan?: Plan;
	/** Whether it needs something bought on top of the plan. */
	readonly addOn?: true;
	/** Where alone it can be used; firewall and custom rules of a zone look at requests, and have none of these. */
	readonly scope?: 'response' | 'transform' | 'account rulesets';
	/** The field to use instead of this deprecated one. */
	readonly replacement?: string;
};

/** A value that a function takes. */
export type Parameter = {
	/** "value", "separator": as it is called in help. */
	readonly name: string;
	/** What it may be; `any` for what the other arguments decide. */
	readonly types: readonly (ValueType | 'any')[];
	/** `field`: never a literal; `literal`: always one. Either when left out. */
	readonly only?: 'field' | 'literal';
	readonly optional?: true;
	/** Whether it may be given again and again; the last one of a function only. */
	readonly repeated?: true;
	/** Bounds of an integer that is a literal. */
	readonly least?: number;
	readonly most?: number;
	/** The only texts that a literal may be. */
	readonly oneOf?: readonly string[];
};

/** A function that an expression may call. */
export type ExpressionFunction = {
	readonly name: string;
	readonly about: string;
	readonly parameters: readonly Parameter[];
	/** What it returns; `first`: the type of its first argument. */
	readonly returns: ValueType | 'first';
	/** The least plan that has it; all have it when left out. */
	readonly plan?: Plan;
	/** Why it cannot be used in firewall and custom rules, as "only in rewrite and redirect rules". */
	readonly elsewhere?: string;
};
