import type {ExpressionFunction, Field, Parameter} from '../vocabulary/entries.ts';
import {commonFields, fields} from '../vocabulary/fields.ts';
import {functions} from '../vocabulary/functions.ts';
import type {Phase} from '../vocabulary/phases.ts';
import {type Plan, planHas, planNames} from '../vocabulary/plan.ts';
import {innermost, sameType, string, typeName, type ValueType} from '../vocabulary/value-type.ts';
import {verdictOn} from '../vocabulary/verdict.ts';
import type {Offer} from './offer.ts';

/** Where names are offered: which values are valid there, and what follows the cursor. */
export type NamePlace = {
	readonly plan: Plan | undefined;
	readonly phase: Phase;
	/** The parameter to fill; undefined at the start of a comparison. */
	readonly parameter: Parameter | undefined;
	/** True inside `any` and `all`, where it may be each of several values. */
	readonly over: boolean;
	/** The character right after the name: `(`, `[`. */
	readonly next: string;
};

const common = new Set(commonFields);
/** All fields except deprecated ones, the most common first. */
const offered = [...commonFields, ...fields.filter(field => !common.has(field) && !field.replacement)];

type Usable = {readonly fields: readonly Field[]; readonly functions: readonly ExpressionFunction[]};
const usable = new Map<Phase, Usable>();

/** Returns the names whose use in the phase is documented. */
function usableIn(phase: Phase): Usable {
	const before = usable.get(phase);
	if (before) return before;
	const isAllowed = (one: Field | ExpressionFunction) => verdictOn(one, phase).kind === 'allowed';
	const found = {fields: offered.filter(isAllowed), functions: functions.filter(isAllowed)};
	usable.set(phase, found);
	return found;
}

export const fieldOffers = (place: NamePlace): readonly Offer[] =>
	usableIn(place.phase)
		.fields.filter(field => fits(field.type, place))
		.map(field => fieldOffer(field, place));

export const functionOffers = (place: NamePlace): readonly Offer[] =>
	usableIn(place.phase)
		.functions.filter(({returns}) => fits(returns === 'first' ? string : returns, place))
		.map(one => functionOffer(one, place));

/** Counts the common fields that can be used in a phase. */
export const commonCount = ({phase}: NamePlace): number =>
	usableIn(phase).fields.filter(field => common.has(field)).length;

function fieldOffer(field: Field, place: NamePlace): Offer {
	const {text, cursor} = place.next === '[' ? {text: field.name} : reaching(field, place);
	const offer = {
		text,
		kind: 'field',
		...(field.type && {type: typeName(field.type)}),
		...planned(field, place.plan),
	} as const;
	return cursor === undefined ? offer : {...offer, cursor};
}

/** Returns a field with the index that accesses one or each of its values, if it holds several. */
function reaching({name, type}: Field, place: NamePlace): {text: string; cursor?: number} {
	const {parameter} = place;
	const isWhole = type && isTaken(type, parameter) && !(place.over && parameter && takesPlain(parameter));
	if (!type || !('of' in type) || isWhole) return {text: name};
	if (type.kind === 'Map') return {text: `${name}[""]`, cursor: name.length + 2};
	return {text: `${name}[${place.over ? '*' : '0'}]`};
}

function functionOffer(one: ExpressionFunction, {plan, next}: NamePlace): Offer {
	const offer = {
		text: next === '(' ? one.name : `${one.name}()`,
		kind: 'function',
		...(one.returns === 'first' ? {} : {type: typeName(one.returns)}),
		...planned(one, plan),
	} as const;
	return next === '(' ? offer : {...offer, cursor: one.name.length + 1};
}

/** Returns a description, with the required plan if the zone lacks it. */
function planned(
	{about, plan: needed, addOn}: {readonly about: string; readonly plan?: Plan; readonly addOn?: true},
	plan: Plan | undefined,
): Pick<Offer, 'about' | 'last'> {
	if (!plan || !needed) return {about};
	if (!planHas(plan, needed))
		return {
			about: `${about}; needs ${addOn ? 'an add-on of ' : ''}the ${planNames[needed]} plan`,
			last: true,
		};
	return addOn ? {about: `${about}; needs an add-on`} : {about};
}

function fits(type: ValueType | undefined, {parameter}: NamePlace): boolean {
	if (!parameter || !type) return true;
	if (parameter.only === 'literal') return false;
	return isTaken(type, parameter) || isTaken(innermost(type), parameter);
}

/** True if a parameter accepts a value of the type without an index. */
export const isTaken = (type: ValueType, parameter: Parameter | undefined): boolean =>
	parameter?.types.some(taken => taken === 'any' || sameType(taken, type)) ?? false;

/** True if a parameter accepts single values, as in `len` but not in `join`. */
const takesPlain = ({types}: Parameter): boolean => types.some(type => type === 'any' || !('of' in type));
