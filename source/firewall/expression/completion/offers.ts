import type {KnownList} from '../context.ts';
import {getFittingListKind} from '../meaning/lists.ts';
import type {Parameter} from '../vocabulary/entries.ts';
import {commonFieldNames} from '../vocabulary/fields.ts';
import type {Phase} from '../vocabulary/phases.ts';
import type {Plan} from '../vocabulary/plan.ts';
import type {ValueType} from '../vocabulary/value-type.ts';
import {type KnownValue, knownHeaders, listKnownValues} from './known-values.ts';
import {
	acceptsType,
	countCommonFields,
	listFieldOffers,
	listFunctionOffers,
	type NameContext,
} from './names.ts';
import type {Offer} from './offer.ts';
import {
	createPunctuationOffer,
	listOperatorOffers,
	logicalOffers,
	notOffer,
	strictOffer,
} from './operators.ts';
import {isAnyOrAll, type LeftOperand, type OpenBracket, type Position, type Situation} from './position.ts';

/** The text around the word being typed. */
type Surroundings = {
	/** The characters before and after it; empty at the ends. */
	readonly previousCharacter: string;
	readonly nextCharacter: string;
	/** True if the expression contains nothing else. */
	readonly isAlone: boolean;
	readonly plan: Plan | undefined;
	readonly phase: Phase;
	readonly lists: readonly KnownList[] | undefined;
	/** The word being typed; empty if none is. */
	readonly word: string;
};

type Call = OpenBracket & {readonly kind: 'call'};

/**
 * Lists everything that is valid in a situation, the most common first, except closing brackets that follow
 * already.
 */
export const listOffers = (situation: Situation, surroundings: Surroundings): readonly Offer[] =>
	listAllOffers(situation, surroundings).filter(
		({text}) => text !== surroundings.nextCharacter || !isClosing(text),
	);

const isClosing = (text: string): boolean => [')', ']', '}'].includes(text);

function listAllOffers({position, openBrackets}: Situation, surroundings: Surroundings): readonly Offer[] {
	switch (position.kind) {
		case 'operand':
			return listOperandOffers(openBrackets, surroundings);
		case 'behind operand':
			return listOffersAfterOperand(position.left, openBrackets, surroundings);
		case 'behind strict':
			return [strictOffer];
		case 'right side':
			return listRightSideOffers(position, surroundings);
		case 'item':
			return listItemOffers(position, surroundings);
		case 'index':
			return listIndexOffers(position, openBrackets);
		case 'behind comparison':
			return listOffersAfterComparison(openBrackets, surroundings);
		case 'lost':
			return [];
	}
}

/** Lists the known values for a string being typed, including their quotes. */
export function listStringOffers({position, openBrackets}: Situation): readonly Offer[] {
	switch (position.kind) {
		case 'right side':
			return ['eq', 'ne', '==', '!='].includes(position.operator) ? listValueOffers(position.left) : [];
		case 'item':
			return listValueOffers(position.left).filter(({text}) => !position.usedValues.includes(text));
		case 'index':
			return listKeyOffers(position.left);
		case 'operand':
			return listLiteralOffers(getCurrentParameter(getCurrentCall(openBrackets)));
		default:
			return [];
	}
}

function listOperandOffers(
	openBrackets: readonly OpenBracket[],
	surroundings: Surroundings,
): readonly Offer[] {
	const call = getCurrentCall(openBrackets);
	const parameter = getCurrentParameter(call);
	if (call && !parameter) return [];
	const isCondition = call?.calledFunction !== undefined && isAnyOrAll(call.calledFunction);
	const context: NameContext = {
		plan: surroundings.plan,
		phase: surroundings.phase,
		parameter: isCondition ? undefined : parameter,
		inAnyOrAll: isInAnyOrAll(openBrackets),
		nextCharacter: surroundings.nextCharacter,
	};
	const fields = isCondition ? listFieldOffers(context).filter(isCollection) : listFieldOffers(context);
	const commonCount = call ? fields.length : countCommonFields(context);
	return [
		...(call ? listLiteralOffers(parameter) : listCountryOffers(surroundings.word)),
		...fields.slice(0, commonCount),
		...(call ? [] : [notOffer]),
		...listFunctionOffers(context).filter(({text}) => !isCondition || !/^(?:any|all)\b/.test(text)),
		...(surroundings.isAlone && !call ? [createValueOffer('true', 'every request')] : []),
		...fields.slice(commonCount),
	];
}

/** Lists the condition that a country code in capitals, `RU`, probably stands for. */
const listCountryOffers = (word: string): readonly Offer[] =>
	/^[A-Z]{2}$/.test(word)
		? listKnownValues('ip.src.country')
				.filter(({text}) => text === `"${word}"`)
				.map(({text, about}) => createValueOffer(`ip.src.country eq ${text}`, about))
		: [];

const isCollection = ({type = ''}: Offer): boolean => type.includes('<');

function listOffersAfterOperand(
	left: LeftOperand,
	openBrackets: readonly OpenBracket[],
	surroundings: Surroundings,
): readonly Offer[] {
	const call = getCurrentCall(openBrackets);
	const {type} = left;
	const accessOffers = type && 'of' in type ? listIndexingOffers(type, openBrackets, surroundings) : [];
	if (call && !(call.calledFunction && isAnyOrAll(call.calledFunction)))
		return accessOffers.length > 0 && type && !acceptsType(type, getCurrentParameter(call))
			? accessOffers
			: [...accessOffers, ...listArgumentEnds(call)];
	if (!type) return [];
	if (type.kind === 'Boolean') return listOffersAfterComparison(openBrackets, surroundings);
	return [...accessOffers, ...separateOffers(listOperatorOffers(type, surroundings.plan), surroundings)];
}

/** Inside `any` and `all`, several conditions need parentheses of their own, so only the end is offered. */
const listOffersAfterComparison = (
	openBrackets: readonly OpenBracket[],
	surroundings: Surroundings,
): readonly Offer[] =>
	separateOffers(
		[...listClosings(openBrackets), ...(getCurrentCall(openBrackets) ? [] : logicalOffers)],
		surroundings,
	);

/** Lists the indexes that access one or each of several values; only directly after them. */
function listIndexingOffers(
	type: ValueType,
	openBrackets: readonly OpenBracket[],
	{previousCharacter}: Surroundings,
): readonly Offer[] {
	if (/^\s?$/.test(previousCharacter)) return [];
	const eachOffers = isInAnyOrAll(openBrackets) ? [createValueOffer('[*]', 'each value')] : [];
	if (type.kind === 'Map')
		return [{...createValueOffer('[""]', 'values of one key'), cursor: 2}, ...eachOffers];
	return [...eachOffers, createValueOffer('[0]', 'the first value')];
}

/** Lists what ends an argument: a comma if another one may follow, a parenthesis if no more are required. */
function listArgumentEnds({calledFunction, argumentIndex}: Call): readonly Offer[] {
	const parameters = calledFunction?.parameters ?? [];
	const nextParameter =
		parameters[argumentIndex + 1] ?? (parameters.at(-1)?.repeated ? parameters.at(-1) : undefined);
	const hasRequiredArguments = parameters.slice(argumentIndex + 1).every(({optional}) => optional);
	return [
		...(hasRequiredArguments
			? [createPunctuationOffer(')', `end of ${calledFunction?.name ?? 'the call'}`)]
			: []),
		...(nextParameter ? [createPunctuationOffer(', ', `then: ${nextParameter.name}`)] : []),
	];
}

function listClosings(openBrackets: readonly OpenBracket[]): readonly Offer[] {
	const bracket = openBrackets.at(-1);
	if (bracket?.kind === 'group') return [createPunctuationOffer(')', 'end of the group')];
	return bracket?.kind === 'call' ? listArgumentEnds(bracket) : [];
}

function listRightSideOffers(
	{left, operator}: Position & {kind: 'right side'},
	surroundings: Surroundings,
): readonly Offer[] {
	const type = left.type?.kind;
	switch (operator) {
		case 'in':
			return [
				{...createValueOffer('{}', 'one of these, separated by spaces'), cursor: 1},
				...(type === 'Bytes' ? [] : listAccountListOffers(left, surroundings)),
			];
		case 'matches':
		case '~':
			return [
				{...createValueOffer('r""', 'a regular expression, backslashes not escaped'), cursor: 2},
				{...createValueOffer('""', 'a regular expression'), cursor: 1},
			];
		case 'eq':
		case 'ne':
		case '==':
		case '!=':
			return [...listValueOffers(left), ...listTextOffers(type), ...listComputedOffers(left, surroundings)];
		case 'contains':
		case 'wildcard':
		case 'strict wildcard':
			return listTextOffers(type);
		default:
			return [
				...(type === 'Integer' ? listValueOffers(left) : listTextOffers(type)),
				...listComputedOffers(left, surroundings),
			];
	}
}

/** Lists the lists of the account that fit the left side; only the beginning of a name if none is known. */
function listAccountListOffers({field, type}: LeftOperand, {lists = []}: Surroundings): readonly Offer[] {
	const kind = getFittingListKind(field, type?.kind === 'IP');
	const fittingLists = lists.filter(list => list.kind === kind);
	if (fittingLists.length === 0) return [createValueOffer('$', 'in an account list, by name')];
	return fittingLists.map(({name, description}) =>
		createValueOffer(`$${name}`, description || 'a list of the account'),
	);
}

/** Lists the fields and functions of the type of the left side, to compare with. */
function listComputedOffers(
	{type, field}: LeftOperand,
	{plan, phase, nextCharacter}: Surroundings,
): readonly Offer[] {
	if (!type || 'of' in type || type.kind === 'Boolean') return [];
	const parameter: Parameter = {name: 'right side', types: [type]};
	const context: NameContext = {plan, phase, parameter, inAnyOrAll: false, nextCharacter};
	const fields = listFieldOffers(context).filter(({text}) => text !== field);
	const isCommon = ({text}: Offer) => commonFieldNames.has(text);
	return [
		...fields.filter(isCommon),
		...listFunctionOffers(context),
		...fields.filter(offer => !isCommon(offer)),
	];
}

function listItemOffers(
	{left, usedValues}: Position & {kind: 'item'},
	surroundings: Surroundings,
): readonly Offer[] {
	const values = listValueOffers(left).filter(({text}) => !usedValues.includes(text));
	const endOffers = usedValues.length > 0 ? [createPunctuationOffer('}', 'end of the set')] : [];
	return [...separateOffers([...values, ...listTextOffers(left.type?.kind)], surroundings), ...endOffers];
}

function listIndexOffers(
	{left, indexText}: Position & {kind: 'index'},
	openBrackets: readonly OpenBracket[],
): readonly Offer[] {
	if (indexText !== undefined) return [createPunctuationOffer(']', 'end of the index')];
	const eachOffers = isInAnyOrAll(openBrackets) ? [createValueOffer('*', 'each value')] : [];
	if (left.type?.kind === 'Array') return [...eachOffers, createValueOffer('0', 'the first value')];
	return [...listKeyOffers(left), {...createValueOffer('""', 'values of one key'), cursor: 1}, ...eachOffers];
}

const listKeyOffers = ({field}: LeftOperand): readonly Offer[] =>
	field === 'http.request.headers' ? knownHeaders.map(toValueOffer) : [];

const listValueOffers = ({field}: LeftOperand): readonly Offer[] => listKnownValues(field).map(toValueOffer);

const listTextOffers = (type: ValueType['kind'] | undefined): readonly Offer[] =>
	type === 'String' || type === 'Bytes' ? [{...createValueOffer('""', 'a string'), cursor: 1}] : [];

/** Lists literals for an argument: one of few texts, or any string. */
function listLiteralOffers(parameter: Parameter | undefined): readonly Offer[] {
	if (!parameter || parameter.requiredKind === 'field') return [];
	if (parameter.oneOf) return parameter.oneOf.map(text => createValueOffer(`"${text}"`, parameter.name));
	return parameter.types.some(type => type !== 'any' && type.kind === 'String')
		? listTextOffers('String')
		: [];
}

const createValueOffer = (text: string, about: string): Offer => ({text, kind: 'value', about});
const toValueOffer = ({text, about}: KnownValue): Offer => createValueOffer(text, about);

/** Adds a space before words and strings where one is missing. */
const separateOffers = (offers: readonly Offer[], {previousCharacter}: Surroundings): readonly Offer[] =>
	previousCharacter === '' || /[\s({]/.test(previousCharacter)
		? offers
		: offers.map(offer => (/^[\w"]/.test(offer.text) ? prefixSpace(offer) : offer));

const prefixSpace = ({cursor, ...offer}: Offer): Offer => ({
	...offer,
	text: ` ${offer.text}`,
	...(cursor === undefined ? {} : {cursor: cursor + 1}),
});

const getCurrentCall = (openBrackets: readonly OpenBracket[]): Call | undefined => {
	const bracket = openBrackets.at(-1);
	return bracket?.kind === 'call' ? bracket : undefined;
};

/** Returns the parameter of the current argument. */
function getCurrentParameter(call: Call | undefined): Parameter | undefined {
	const parameters = call?.calledFunction?.parameters ?? [];
	const lastParameter = parameters.at(-1);
	return parameters[call?.argumentIndex ?? 0] ?? (lastParameter?.repeated ? lastParameter : undefined);
}

/** True inside `any` or `all`. */
const isInAnyOrAll = (openBrackets: readonly OpenBracket[]): boolean =>
	openBrackets.some(
		bracket =>
			bracket.kind === 'call' && bracket.calledFunction !== undefined && isAnyOrAll(bracket.calledFunction),
	);
