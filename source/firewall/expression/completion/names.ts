import type {ExpressionFunction, Field, Parameter} from '../vocabulary/entries.ts';
import {commonFields, fields} from '../vocabulary/fields.ts';
import {functions} from '../vocabulary/functions.ts';
import type {Phase} from '../vocabulary/phases.ts';
import {hasRequiredPlan, type Plan, planNames} from '../vocabulary/plan.ts';
import {
	formatType,
	getInnermostType,
	isSameType,
	stringType,
	type ValueType,
} from '../vocabulary/value-type.ts';
import {getVerdict} from '../vocabulary/verdict.ts';
import type {Offer} from './offer.ts';

/** Where names are offered: which values are valid there, and what follows the cursor. */
export type NameContext = {
	readonly plan: Plan | undefined;
	readonly phase: Phase;
	/** The parameter to fill; undefined at the start of a comparison. */
	readonly parameter: Parameter | undefined;
	/** True inside `any` and `all`, where it may be each of several values. */
	readonly inAnyOrAll: boolean;
	/** The character right after the name, such as `(` or `[`; empty at the end. */
	readonly nextCharacter: string;
};

const commonFieldSet = new Set(commonFields);
/** All fields except deprecated ones, the most common first. */
const offeredFields = [
	...commonFields,
	...fields.filter(field => !commonFieldSet.has(field) && !field.replacement),
];

type UsableNames = {readonly fields: readonly Field[]; readonly functions: readonly ExpressionFunction[]};
const usableNamesByPhase = new Map<Phase, UsableNames>();

/** Returns the names whose use in the phase is documented. */
function listUsableNames(phase: Phase): UsableNames {
	const cached = usableNamesByPhase.get(phase);
	if (cached) return cached;
	const isAllowed = (entry: Field | ExpressionFunction) => getVerdict(entry, phase).kind === 'allowed';
	const usableNames = {fields: offeredFields.filter(isAllowed), functions: functions.filter(isAllowed)};
	usableNamesByPhase.set(phase, usableNames);
	return usableNames;
}

export const listFieldOffers = (context: NameContext): readonly Offer[] =>
	listUsableNames(context.phase)
		.fields.filter(field => fitsContext(field.type, context))
		.map(field => createFieldOffer(field, context));

export const listFunctionOffers = (context: NameContext): readonly Offer[] =>
	listUsableNames(context.phase)
		.functions.filter(({returns}) => fitsContext(returns === 'first' ? stringType : returns, context))
		.map(entry => createFunctionOffer(entry, context));

/** Counts the common fields that can be used in a phase. */
export const countCommonFields = ({phase}: NameContext): number =>
	listUsableNames(phase).fields.filter(field => commonFieldSet.has(field)).length;

function createFieldOffer(field: Field, context: NameContext): Offer {
	const {text, cursor} = context.nextCharacter === '[' ? {text: field.name} : getAccessText(field, context);
	const offer = {
		text,
		kind: 'field',
		...(field.type && {type: formatType(field.type)}),
		...describeWithPlan(field, context.plan),
	} as const;
	return cursor === undefined ? offer : {...offer, cursor};
}

/** Returns a field with the index that accesses one or each of its values, if it holds several. */
function getAccessText({name, type}: Field, context: NameContext): {text: string; cursor?: number} {
	const {parameter} = context;
	const fitsUnindexed =
		type &&
		acceptsType(type, parameter) &&
		!(context.inAnyOrAll && parameter && takesSingleValues(parameter));
	if (!type || !('of' in type) || fitsUnindexed) return {text: name};
	if (type.kind === 'Map') return {text: `${name}[""]`, cursor: name.length + 2};
	return {text: `${name}[${context.inAnyOrAll ? '*' : '0'}]`};
}

function createFunctionOffer(entry: ExpressionFunction, {plan, nextCharacter}: NameContext): Offer {
	const offer = {
		text: nextCharacter === '(' ? entry.name : `${entry.name}()`,
		kind: 'function',
		...(entry.returns === 'first' ? {} : {type: formatType(entry.returns)}),
		...describeWithPlan(entry, plan),
	} as const;
	return nextCharacter === '(' ? offer : {...offer, cursor: entry.name.length + 1};
}

/** Returns a description, with the required plan if the zone lacks it. */
function describeWithPlan(
	{about, plan: requiredPlan, addOn}: {readonly about: string; readonly plan?: Plan; readonly addOn?: true},
	plan: Plan | undefined,
): Pick<Offer, 'about' | 'last'> {
	if (!plan || !requiredPlan) return {about};
	if (!hasRequiredPlan(plan, requiredPlan))
		return {
			about: `${about}; needs ${addOn ? 'an add-on for ' : ''}the ${planNames[requiredPlan]} plan`,
			last: true,
		};
	return addOn ? {about: `${about}; needs an add-on`} : {about};
}

function fitsContext(type: ValueType | undefined, {parameter}: NameContext): boolean {
	if (!parameter || !type) return true;
	if (parameter.requiredKind === 'literal') return false;
	return acceptsType(type, parameter) || acceptsType(getInnermostType(type), parameter);
}

/** True if a parameter accepts a value of the type without an index. */
export const acceptsType = (type: ValueType, parameter: Parameter | undefined): boolean =>
	parameter?.types.some(acceptedType => acceptedType === 'any' || isSameType(acceptedType, type)) ?? false;

/** True if a parameter accepts single values, as in `len` but not in `join`. */
const takesSingleValues = ({types}: Parameter): boolean =>
	types.some(type => type === 'any' || !('of' in type));
