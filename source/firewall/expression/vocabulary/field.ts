import type {Field} from './entries.ts';
import type {ValueType} from './value-type.ts';

/** One line of the tables of fields. */
export const field = (
	name: string,
	type: ValueType,
	about: string,
	more: Pick<Field, 'plan' | 'addOn' | 'scope' | 'replacement'> = {},
): Field => ({name, type, about, ...more});

export const pro = {plan: 'pro'} as const;
export const business = {plan: 'business'} as const;
export const enterprise = {plan: 'enterprise'} as const;
export const addOn = {plan: 'enterprise', addOn: true} as const;
export const inResponses = {scope: 'response'} as const;
export const inTransforms = {scope: 'transform'} as const;
export const inAccountRulesets = {scope: 'account rulesets'} as const;
