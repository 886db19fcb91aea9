import type {Parameter} from '../vocabulary/entries.ts';
import {commonNames} from '../vocabulary/fields.ts';
import type {Phase} from '../vocabulary/phases.ts';
import type {Plan} from '../vocabulary/plan.ts';
import type {ValueType} from '../vocabulary/value-type.ts';
import {type KnownValue, knownHeaders, knownValues} from './known-values.ts';
import {commonCount, fieldOffers, functionOffers, isTaken, type NamePlace} from './names.ts';
import type {Offer} from './offer.ts';
import {comparisonOffers, logicalOffers, notOffer, punctuation, strictOffer} from './operators.ts';
import {type Frame, isOverAll, type Left, type Position, type Situation} from './position.ts';

/** The text around the word being typed. */
type Surroundings = {
	/** The characters before and after it; empty at the ends. */
	readonly before: string;
	readonly next: string;
	readonly isAlone: boolean;
	readonly plan: Plan | undefined;
	readonly phase: Phase;
};

type Call = Frame & {readonly kind: 'call'};

/**
 * Lists everything that is valid in a situation, the most common first, except closing brackets that follow
 * already.
 */
export const offersIn = (situation: Situation, around: Surroundings): readonly Offer[] =>
	allIn(situation, around).filter(({text}) => text !== around.next || !isClosing(text));

const isClosing = (text: string): boolean => [')', ']', '}'].includes(text);

function allIn({position, frames}: Situation, around: Surroundings): readonly Offer[] {
	switch (position.kind) {
		case 'operand':
			return operandOffers(frames, around);
		case 'behind operand':
			return behindOperandOffers(position.left, frames, around);
		case 'behind strict':
			return [strictOffer];
		case 'right side':
			return rightOffers(position, around);
		case 'item':
			return itemOffers(position, around);
		case 'index':
			return indexOffers(position, frames);
		case 'behind comparison':
			return behindComparisonOffers(frames, around);
		case 'lost':
			return [];
	}
}

/** Lists the known values for a string being typed, including their quotes. */
export function stringOffers({position, frames}: Situation): readonly Offer[] {
	switch (position.kind) {
		case 'right side':
			return ['eq', 'ne', '==', '!='].includes(position.operator) ? valuesOf(position.left) : [];
		case 'item':
			return valuesOf(position.left).filter(({text}) => !position.used.includes(text));
		case 'index':
			return nameOffers(position.left);
		case 'operand':
			return literalOffers(parameterOf(callOf(frames)));
		default:
			return [];
	}
}

function operandOffers(frames: readonly Frame[], around: Surroundings): readonly Offer[] {
	const call = callOf(frames);
	const parameter = parameterOf(call);
	if (call && !parameter) return [];
	const isCondition = call?.called !== undefined && isOverAll(call.called);
	const place: NamePlace = {
		plan: around.plan,
		phase: around.phase,
		parameter: isCondition ? undefined : parameter,
		over: isOver(frames),
		next: around.next,
	};
	const fields = isCondition ? fieldOffers(place).filter(isCollection) : fieldOffers(place);
	const first = call ? fields.length : commonCount(place);
	return [
		...(call ? literalOffers(parameter) : []),
		...fields.slice(0, first),
		...(call ? [] : [notOffer]),
		...functionOffers(place).filter(({text}) => !isCondition || !/^(?:any|all)\b/.test(text)),
		...(around.isAlone && !call ? [value('true', 'every request')] : []),
		...fields.slice(first),
	];
}

const isCollection = ({type = ''}: Offer): boolean => type.includes('<');

function behindOperandOffers(left: Left, frames: readonly Frame[], around: Surroundings): readonly Offer[] {
	const call = callOf(frames);
	const {type} = left;
	const ways = type && 'of' in type ? indexingOffers(type, frames, around) : [];
	if (call && !(call.called && isOverAll(call.called)))
		return ways.length > 0 && type && !isTaken(type, parameterOf(call))
			? ways
			: [...ways, ...argumentEnds(call)];
	if (!type) return [];
	if (type.kind === 'Boolean') return behindComparisonOffers(frames, around);
	return [...ways, ...apart(comparisonOffers(type, around.plan), around)];
}

/** Inside `any` and `all`, several conditions need parentheses of their own, so only the end is offered. */
const behindComparisonOffers = (frames: readonly Frame[], around: Surroundings): readonly Offer[] =>
	apart([...closings(frames), ...(callOf(frames) ? [] : logicalOffers)], around);

/** Lists the indexes that access one or each of several values; only directly after them. */
function indexingOffers(type: ValueType, frames: readonly Frame[], {before}: Surroundings): readonly Offer[] {
	if (/^\s?$/.test(before)) return [];
	const each = isOver(frames) ? [value('[*]', 'each of them')] : [];
	if (type.kind === 'Map') return [{...value('[""]', 'those of a name'), cursor: 2}, ...each];
	return [...each, value('[0]', 'the first of them')];
}

/** Lists what ends an argument: a comma if another one may follow, a parenthesis if no more are required. */
function argumentEnds({called, argument}: Call): readonly Offer[] {
	const parameters = called?.parameters ?? [];
	const next = parameters[argument + 1] ?? (parameters.at(-1)?.repeated ? parameters.at(-1) : undefined);
	const isEnough = parameters.slice(argument + 1).every(({optional}) => optional);
	return [
		...(isEnough ? [punctuation(')', `end of ${called?.name ?? 'the call'}`)] : []),
		...(next ? [punctuation(', ', `then: ${next.name}`)] : []),
	];
}

function closings(frames: readonly Frame[]): readonly Offer[] {
	const frame = frames.at(-1);
	if (frame?.kind === 'group') return [punctuation(')', 'end of the group')];
	return frame?.kind === 'call' ? argumentEnds(frame) : [];
}

function rightOffers(
	{left, operator}: Position & {kind: 'right side'},
	around: Surroundings,
): readonly Offer[] {
	const type = left.type?.kind;
	switch (operator) {
		case 'in':
			return [
				{...value('{}', 'one of these, with spaces between them'), cursor: 1},
				...(type === 'Bytes' ? [] : [value('$', 'one of a list of the account, by its name')]),
			];
		case 'matches':
		case '~':
			return [
				{...value('r""', 'a regular expression, backslashes as they are'), cursor: 2},
				{...value('""', 'a regular expression'), cursor: 1},
			];
		case 'eq':
		case 'ne':
		case '==':
		case '!=':
			return [...valuesOf(left), ...textOffers(type), ...computedOffers(left, around)];
		case 'contains':
		case 'wildcard':
		case 'strict wildcard':
			return textOffers(type);
		default:
			return [...(type === 'Integer' ? valuesOf(left) : textOffers(type)), ...computedOffers(left, around)];
	}
}

/** Lists the fields and functions of the type of the left side, to compare with. */
function computedOffers({type, field}: Left, {plan, phase, next}: Surroundings): readonly Offer[] {
	if (!type || 'of' in type || type.kind === 'Boolean') return [];
	const parameter: Parameter = {name: 'right side', types: [type]};
	const place: NamePlace = {plan, phase, parameter, over: false, next};
	const fields = fieldOffers(place).filter(({text}) => text !== field);
	const isCommon = ({text}: Offer) => commonNames.has(text);
	return [...fields.filter(isCommon), ...functionOffers(place), ...fields.filter(offer => !isCommon(offer))];
}

function itemOffers({left, used}: Position & {kind: 'item'}, around: Surroundings): readonly Offer[] {
	const values = valuesOf(left).filter(({text}) => !used.includes(text));
	const end = used.length > 0 ? [punctuation('}', 'end of the list')] : [];
	return [...apart([...values, ...textOffers(left.type?.kind)], around), ...end];
}

function indexOffers({left, index}: Position & {kind: 'index'}, frames: readonly Frame[]): readonly Offer[] {
	if (index !== undefined) return [punctuation(']', 'end of the name')];
	const each = isOver(frames) ? [value('*', 'each of them')] : [];
	if (left.type?.kind === 'Array') return [...each, value('0', 'the first of them')];
	return [...nameOffers(left), {...value('""', 'those of a name'), cursor: 1}, ...each];
}

const nameOffers = ({field}: Left): readonly Offer[] =>
	field === 'http.request.headers' ? knownHeaders.map(known) : [];

const valuesOf = ({field}: Left): readonly Offer[] => knownValues(field).map(known);

const textOffers = (type: ValueType['kind'] | undefined): readonly Offer[] =>
	type === 'String' || type === 'Bytes' ? [{...value('""', 'a text'), cursor: 1}] : [];

/** Lists literals for an argument: one of few texts, or any string. */
function literalOffers(parameter: Parameter | undefined): readonly Offer[] {
	if (!parameter || parameter.only === 'field') return [];
	if (parameter.oneOf) return parameter.oneOf.map(text => value(`"${text}"`, parameter.name));
	return parameter.types.some(type => type !== 'any' && type.kind === 'String') ? textOffers('String') : [];
}

const value = (text: string, about: string): Offer => ({text, kind: 'value', about});
const known = ({text, about}: KnownValue): Offer => value(text, about);

/** Adds a space before words and strings where one is missing. */
const apart = (offers: readonly Offer[], {before}: Surroundings): readonly Offer[] =>
	before === '' || /[\s({]/.test(before)
		? offers
		: offers.map(offer => (/^[\w"]/.test(offer.text) ? moved(offer) : offer));

const moved = ({cursor, ...offer}: Offer): Offer => ({
	...offer,
	text: ` ${offer.text}`,
	...(cursor === undefined ? {} : {cursor: cursor + 1}),
});

const callOf = (frames: readonly Frame[]): Call | undefined => {
	const frame = frames.at(-1);
	return frame?.kind === 'call' ? frame : undefined;
};

/** Returns the parameter of the current argument. */
function parameterOf(call: Call | undefined): Parameter | undefined {
	const parameters = call?.called?.parameters ?? [];
	const last = parameters.at(-1);
	return parameters[call?.argument ?? 0] ?? (last?.repeated ? last : undefined);
}

/** True inside `any` or `all`. */
const isOver = (frames: readonly Frame[]): boolean =>
	frames.some(frame => frame.kind === 'call' && frame.called !== undefined && isOverAll(frame.called));
