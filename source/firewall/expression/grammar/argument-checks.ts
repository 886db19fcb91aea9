import type {ExpressionFunction, Parameter} from '../vocabulary/entries.ts';
import {findFunction} from '../vocabulary/functions.ts';
import {formatType, type ValueType} from '../vocabulary/value-type.ts';
import {abbreviate, joinSpans, type Parser} from './parser.ts';
import type {Correction, Span} from './problem.ts';
import {type Argument, isLiteral} from './tree.ts';

/** A parsed argument; `type` is undefined if an error makes it unknown. */
export type ParsedArgument = {
	readonly argument: Argument;
	readonly type: ValueType | undefined;
	readonly isEach: boolean;
};

/** Counts the required arguments of a function. */
export const countRequiredArguments = ({parameters}: ExpressionFunction): number =>
	parameters.filter(({optional}) => !optional).length;

/**
 * Checks arguments against the parameters of a function. Reports only the first error: after a missing or
 * extra argument, the others are out of place. Returns true if all are valid.
 */
export function checkArguments(
	parser: Parser,
	span: Span,
	calledFunction: ExpressionFunction,
	items: readonly ParsedArgument[],
): boolean {
	if (!checkArgumentCount(parser, span, calledFunction, items)) return false;
	for (const [index, parsedArgument] of items.entries()) {
		const parameter = calledFunction.parameters[index] ?? calledFunction.parameters.at(-1);
		const problemCount = parser.problems.length;
		if (parameter && !checkParameter(parser, calledFunction, parameter, parsedArgument, index)) {
			parser.correctLast(problemCount, buildRearrangement(parser, span, calledFunction, items));
			return false;
		}
	}
	if (calledFunction.oncePerExpression === true && !checkNotNested(parser, calledFunction, items))
		return false;
	return (
		calledFunction.argumentRelation === undefined ||
		checkRelation(parser, calledFunction.name, calledFunction.argumentRelation, items)
	);
}

function checkArgumentCount(
	parser: Parser,
	span: Span,
	calledFunction: ExpressionFunction,
	items: readonly ParsedArgument[],
): boolean {
	const {name, parameters} = calledFunction;
	const minCount = countRequiredArguments(calledFunction);
	const isVariadic = parameters.at(-1)?.repeated === true;
	const maxCount = isVariadic ? (calledFunction.maxArguments ?? Number.POSITIVE_INFINITY) : parameters.length;
	const count = items.length;
	if (count >= minCount && count <= maxCount) return true;
	const [extraArgument, lastArgument] = [items[maxCount], items.at(-1)];
	const names = parameters
		.map(
			({name: one, optional, repeated}) =>
				`${optional ? '[' : ''}${one}${repeated ? ' …' : ''}${optional ? ']' : ''}`,
		)
		.join(', ');
	parser.error(
		count > maxCount && extraArgument && lastArgument
			? joinSpans(extraArgument.argument, lastArgument.argument)
			: span,
		`${name} takes ${maxCount === minCount ? minCount : maxCount === Number.POSITIVE_INFINITY ? `at least ${minCount}` : `${minCount} to ${maxCount}`} ${maxCount === 1 ? 'argument' : 'arguments'}, not ${count}: ${name}(${names}).`,
		{
			engineMessage: 'invalid number of arguments',
			correction: buildRearrangement(parser, span, calledFunction, items),
		},
	);
	return false;
}

/** Checks the kind and type of an argument, and reports the first error. Returns true if it is valid. */
function checkParameter(
	parser: Parser,
	calledFunction: ExpressionFunction,
	parameter: Parameter,
	parsedArgument: ParsedArgument,
	index: number,
): boolean {
	const {argument, type} = parsedArgument;
	if (!type) return true;
	const messageStart = `invalid type of argument #${index + 1}`;
	const positionText = calledFunction.parameters.length > 1 ? ` as argument ${index + 1}` : '';
	const argumentText = abbreviate(parser.slice(argument));
	// The kind that the argument is not.
	const otherKind = isLiteral(argument) ? 'field' : 'literal';
	if (parameter.requiredKind === otherKind && !parameter.lenient) {
		parser.error(
			argument,
			otherKind === 'field'
				? `${calledFunction.name} takes a field or a function${positionText}, not a literal value.`
				: `The ${parameter.name} must be a literal value, not a field or a function.`,
			{
				engineMessage: `${messageStart}: expected ${otherKind}, but got ${otherKind === 'field' ? 'literal' : 'field'}`,
			},
		);
		return false;
	}
	if (parameter.types.some(expected => expected === 'any' || matchesType(type, expected))) {
		if (parameter.requiredKind === otherKind)
			parser.warning(
				argument,
				`It is not documented whether ${calledFunction.name} takes ${otherKind === 'field' ? 'a literal value' : 'a field or a function'}${positionText}.`,
				{code: 'L018'},
			);
		return checkArgumentValue(parser, calledFunction, parameter, argument);
	}
	if (parameter.unclearTypes?.some(expected => matchesType(type, expected))) {
		parser.warning(
			argument,
			`It is not documented whether ${calledFunction.name} takes ${typeWords[type.kind]}.`,
			{code: 'L019'},
		);
		return true;
	}
	const expectedTypesText = parameter.types.map(one => (one === 'any' ? one : formatType(one))).join(' or ');
	const hasAcceptedElements =
		type.kind === 'Array' && parameter.types.some(one => one !== 'any' && matchesType(type.of, one));
	parser.error(
		argument,
		`${calledFunction.name} takes ${formatTypes(parameter.types)}${positionText}: ${argumentText} is of type ${formatType(type)}.${hasAcceptedElements && index === 0 ? ' Use [*] to pass each of its values.' : ''}`,
		{
			engineMessage: `${messageStart}: expected value of type ${expectedTypesText}, but got ${formatType(type)}`,
		},
	);
	return false;
}

const typeWords: Readonly<Record<ValueType['kind'], string>> = {
	String: 'a string',
	Bytes: 'a string',
	Integer: 'a number',
	Boolean: 'a Boolean',
	IP: 'an address',
	Array: 'an array',
	Map: 'a map',
};

/** Formats types for a sentence: "a string, an array or a map". */
function formatTypes(types: Parameter['types']): string {
	const typeNames = [...new Set(types.map(type => (type === 'any' ? 'any value' : typeWords[type.kind])))];
	const lastName = typeNames.pop() ?? '';
	return typeNames.length > 0 ? `${typeNames.join(', ')} or ${lastName}` : lastName;
}

/** Checks that the types of the arguments fit each other, and reports the first that does not. */
function checkRelation(
	parser: Parser,
	name: string,
	relation: Relation,
	items: readonly ParsedArgument[],
): boolean {
	const expected =
		relation === 'element' ? getElementType(items[0]?.type) : items.find(({type}) => type)?.type;
	if (!expected) return true;
	const index = items.findIndex(
		({type}, itemIndex) =>
			type && (relation !== 'element' || itemIndex > 0) && !isRelated(relation, type, expected),
	);
	const mismatchedArgument = items[index];
	if (!mismatchedArgument?.type) return true;
	parser.error(mismatchedArgument.argument, describeRelation(name, relation, expected), {
		engineMessage: `invalid type of argument #${index + 1}: expected value of type ${formatType(expected)}, but got ${formatType(mismatchedArgument.type)}`,
	});
	return false;
}

type Relation = NonNullable<ExpressionFunction['argumentRelation']>;

const isRelated = (relation: Relation, type: ValueType, expected: ValueType): boolean =>
	relation === 'one kind' && expected.kind !== 'Array' ? type.kind !== 'Array' : matchesType(type, expected);

function describeRelation(name: string, relation: Relation, expected: ValueType): string {
	switch (relation) {
		case 'one kind':
			return `${name} joins strings, or arrays of one type, but not a string and an array.`;
		case 'one type':
			return `All arguments of ${name} must have the same type: this must be ${typeWords[expected.kind]} (${formatType(expected)}).`;
		case 'element':
			return `${name} looks for a value in the first argument: this must be ${typeWords[expected.kind]} (${formatType(expected)}).`;
		default:
			return relation satisfies never;
	}
}

const getElementType = (type: ValueType | undefined): ValueType | undefined =>
	type && 'of' in type ? type.of : undefined;

const matchesType = (type: ValueType, expected: ValueType): boolean =>
	type === expected ||
	formatType(type).replaceAll('Bytes', 'String') === formatType(expected).replaceAll('Bytes', 'String');

/** Checks that no argument calls another function that is allowed only once. */
function checkNotNested(
	parser: Parser,
	{name}: ExpressionFunction,
	items: readonly ParsedArgument[],
): boolean {
	const innerCall = items
		.flatMap(({argument}) => collectCalls(argument))
		.find(call => call.name !== name && findFunction(call.name)?.oncePerExpression === true);
	if (!innerCall) return true;
	parser.error(innerCall, `${innerCall.name} can't be called inside ${name}.`);
	return false;
}

/** Collects the calls in an argument, including itself. */
const collectCalls = (argument: Argument): (Argument & {kind: 'call'})[] =>
	argument.kind === 'call' ? [argument, ...argument.arguments.flatMap(collectCalls)] : [];

/**
 * Checks the bounds and valid values of an argument. Returns false if it is a field that the function
 * rejects.
 */
function checkArgumentValue(
	parser: Parser,
	calledFunction: ExpressionFunction,
	parameter: Parameter,
	argument: Argument,
): boolean {
	const {minValue, maxValue, oneOf, name, fields, nonEmpty} = parameter;
	if (fields && !(argument.kind === 'field' && fields.includes(argument.name))) {
		parser.error(argument, `${calledFunction.name} only takes ${fields.join(' or ')} here.`, {
			engineMessage: 'invalid value for argument',
		});
		return false;
	}
	if (argument.kind === 'range' || argument.kind === 'network')
		parser.error(argument, `The ${name} must be a single value.`, {engineMessage: 'unrecognised input'});
	else if (argument.kind === 'integer') {
		const isTooLow = minValue !== undefined && argument.value < BigInt(minValue);
		const isTooHigh = maxValue !== undefined && argument.value > BigInt(maxValue);
		if (isTooLow || isTooHigh)
			parser.error(argument, `The ${name} must be from ${minValue} to ${maxValue}, not ${argument.value}.`, {
				engineMessage: `invalid value for argument: expected ${minValue} to ${maxValue}`,
				correction: String(isTooLow ? minValue : maxValue),
			});
	} else if (argument.kind === 'string' && nonEmpty && argument.value === '')
		parser.error(argument, `The ${name} must not be empty.`, {engineMessage: 'invalid value for argument'});
	else if (argument.kind === 'string' && oneOf && !oneOf.includes(argument.value)) {
		const choices = oneOf.map(one => `"${one}"`);
		const letters = sortLetters(argument.value);
		const correctText = oneOf.find(one => sortLetters(one) === letters);
		parser.error(argument, `The ${name} must be ${choices.join(' or ')}.`, {
			engineMessage: `invalid value for argument: expected ${choices.join(' or ')}`,
			correction: correctText === undefined ? undefined : `"${correctText}"`,
		});
	}
	return true;
}

/** Returns the letters of a short text in lower case and sorted. */
const sortLetters = (text: string): string => [...text.slice(0, 20).toLowerCase()].toSorted().join('');

/** The time of the request, which a signature is compared with. */
const clockField = 'http.request.timestamp.sec';

/** Corrects arguments of the right kinds in the wrong order, or without the clock. */
function buildRearrangement(
	parser: Parser,
	span: Span,
	{name, parameters}: ExpressionFunction,
	items: readonly ParsedArgument[],
): Correction | undefined {
	const lastItem = items.at(-1);
	const [firstItem, secondItem] = items;
	if (!firstItem || !secondItem || !lastItem) return undefined;
	const buildCall = (texts: readonly string[]): Correction => {
		const callStart = parser.slice({start: span.start, end: firstItem.argument.start});
		return {span, text: `${callStart}${texts.join(', ')})`};
	};
	const texts = items.map(({argument}) => parser.slice(argument));
	// The missing limit is required; any from 1 to 128 is valid.
	if (name === 'split' && items.length === 2) return buildCall([...texts, '64']);
	if (name === 'is_timed_hmac_valid_v0') {
		const orderedTexts = orderSignatureArguments(parser, items);
		return orderedTexts && buildCall(orderedTexts);
	}
	const isSwapped =
		parameters.length === 2 &&
		items.length === 2 &&
		isLiteral(firstItem.argument) &&
		!isLiteral(secondItem.argument);
	return isSwapped && (parameters[0]?.requiredKind === 'field' || name === 'has_key' || name === 'has_value')
		? buildCall([...texts].reverse())
		: undefined;
}

/** Orders the arguments of a signature check (key, message, lifetime, clock) if each can be identified. */
function orderSignatureArguments(
	parser: Parser,
	items: readonly ParsedArgument[],
): readonly string[] | undefined {
	const signatureItems = items.slice(0, 4);
	const selectArguments = (kind: string, wantsLiteral: boolean) =>
		signatureItems.filter(item => item.type?.kind === kind && isLiteral(item.argument) === wantsLiteral);
	const [keys, messages, lifetimes, clocks] = [
		selectArguments('String', true),
		selectArguments('String', false),
		selectArguments('Integer', true),
		selectArguments('Integer', false),
	] as const;
	const isUnambiguous =
		keys.length === 1 && messages.length === 1 && lifetimes.length === 1 && clocks.length <= 1;
	if (!isUnambiguous || items.length < 3) return undefined;
	const sliceArguments = (selection: readonly ParsedArgument[]) =>
		selection.map(({argument}) => parser.slice(argument));
	return [
		...sliceArguments([...keys, ...messages, ...lifetimes]),
		...(clocks.length > 0 ? sliceArguments(clocks) : [clockField]),
		...sliceArguments(items.slice(keys.length + messages.length + lifetimes.length + clocks.length)),
	];
}
