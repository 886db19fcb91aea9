import {isKnownName, suggestField} from '../checks/suggestions.ts';
import type {ExpressionFunction, Parameter} from '../vocabulary/entries.ts';
import {
	booleanType,
	bytesType,
	formatType,
	integerType,
	ipType,
	stringType,
	toArrayType,
	type ValueType,
} from '../vocabulary/value-type.ts';
import {checkArguments, countRequiredArguments, type ParsedArgument} from './argument-checks.ts';
import {reportPlusAfterArgument} from './joined-texts.ts';
import {looksLikeLiteral, readLiteral} from './literals.ts';
import {mayBeNewField} from './missing-names.ts';
import {findBracketEnd} from './name-extent.ts';
import {comparisonOperators, foreignOperators} from './operators.ts';
import {isConnective, isNegation, joinSpans, type Parser} from './parser.ts';
import type {Lexeme} from './token.ts';

type ParsedArguments = {
	readonly items: readonly ParsedArgument[];
	readonly end: number;
	/**
	 * `sound`: valid. `flawed`: with errors in the arguments only. `unknown`: the intention, and so the
	 * return type, is unclear.
	 */
	readonly state: 'sound' | 'flawed' | 'unknown';
};

/** Reads `(…)` after the name of a function, and checks the arguments against its parameters. */
export function readArguments(
	parser: Parser,
	name: Lexeme,
	calledFunction: ExpressionFunction | undefined,
): ParsedArguments {
	const open = parser.take() ?? name;
	const items: ParsedArgument[] = [];
	const wasInAnyOrAll = parser.inAnyOrAll;
	parser.callDepth++;
	// `unsure`: an argument was not understood. `ended`: the closing parenthesis is missing. `misplaced`: a
	// comparison or connective in place of a value.
	let state: 'clean' | 'unsure' | 'ended' | 'misplaced' = 'clean';
	for (let argumentIndex = 0; parser.current && !parser.isAt(')'); argumentIndex++) {
		const indexBefore = parser.index;
		const previousErrorCount = parser.errorCount;
		const parsedArgument = readArgument(parser, calledFunction, argumentIndex);
		if (parsedArgument) items.push(parsedArgument);
		else state = 'unsure';
		if (parser.gaveUp) break;
		if (!parser.isAtBoundary) {
			const outcome = reportUnexpectedAfterArgument(parser, {
				calledFunction,
				open,
				items,
				previousErrorCount,
			});
			if (outcome === 'ended') {
				state = 'ended';
				break;
			}
			state = outcome;
		}
		if (!parser.isAt(',')) {
			if (parser.index === indexBefore) parser.index++;
			continue;
		}
		const comma = parser.take();
		if (comma && parser.isAt(')'))
			parser.syntaxError(comma, 'An argument is missing after this comma.', {correction: ''});
	}
	parser.callDepth--;
	parser.inAnyOrAll = wasInAnyOrAll;
	const end = readArgumentsEnd(parser, open, state === 'ended');
	if (end === undefined || state === 'misplaced')
		return {items, end: parser.previous?.end ?? open.end, state: 'unknown'};
	if (state === 'unsure' || !calledFunction) return {items, end, state: 'flawed'};
	const isValid = checkArguments(parser, {start: name.start, end}, calledFunction, items);
	if (state === 'ended') return {items, end, state: 'unknown'};
	return {items, end, state: isValid ? 'sound' : 'flawed'};
}

/** Consumes the closing parenthesis and returns its end; undefined if it is missing. */
function readArgumentsEnd(parser: Parser, open: Lexeme, lacksClosing: boolean): number | undefined {
	if (!lacksClosing && !parser.isAt(')')) {
		parser.broken = true;
		if (!parser.gaveUp) parser.unclosedBrackets.push(open);
		return undefined;
	}
	if (!lacksClosing) parser.index++;
	return parser.previous?.end ?? open.end;
}

type AfterArgument = {
	readonly calledFunction: ExpressionFunction | undefined;
	readonly open: Lexeme;
	readonly items: readonly ParsedArgument[];
	/** The number of errors before the argument. */
	readonly previousErrorCount: number;
};

/**
 * Reports what follows an argument and is neither a comma nor the end. Returns `ended` if the closing
 * parenthesis is missing here, `misplaced` if it is a comparison or a connective, else `unsure`.
 */
function reportUnexpectedAfterArgument(
	parser: Parser,
	{calledFunction, open, items, previousErrorCount}: AfterArgument,
): 'ended' | 'unsure' | 'misplaced' {
	const {current, previous} = parser;
	if (!current || !previous) return 'unsure';
	parser.broken = true;
	const gap = {start: previous.end, end: previous.end};
	if (parser.errorCount > previousErrorCount) skipArgument(parser);
	else if (reportPlusAfterArgument(parser, current, items.at(-1), calledFunction?.name === 'concat'))
		skipArgument(parser);
	else if (isOperatorLike(current)) {
		const hasAllArguments =
			calledFunction !== undefined && items.length >= countRequiredArguments(calledFunction);
		if (hasAllArguments && isClosingMissing(parser)) {
			parser.error(open, 'This parenthesis is not closed.', {
				engineMessage: 'expected literal ")"',
				correction: {span: gap, text: ')'},
			});
			return 'ended';
		}
		skipArgument(parser);
		const {current: close, next} = parser;
		const isLast =
			hasAllArguments && close?.text === ')' && (!next || next.text === ')' || isConnective(next));
		const trailingText = isLast ? parser.slice({start: current.start, end: close.start}).trimEnd() : '';
		parser.error(
			current,
			isConnective(current)
				? 'This function takes values, not conditions.'
				: 'This function takes values, not comparisons.',
			{
				engineMessage: 'expected literal ","',
				correction: isLast
					? {span: {start: gap.start, end: close.end}, text: `) ${trailingText}`}
					: undefined,
			},
		);
		return 'misplaced';
	} else {
		const startsValue = current.kind === 'word' || current.kind === 'string';
		const isSemicolon = current.text === ';';
		parser.error(current, 'Separate the arguments of a function with commas.', {
			engineMessage: 'expected literal ","',
			correction: isSemicolon ? ',' : startsValue ? {span: gap, text: ','} : undefined,
		});
		if (isSemicolon) parser.index++;
		else if (!startsValue) skipArgument(parser);
	}
	return 'unsure';
}

/** True if a comparison or another condition continues here, even in a notation of another language. */
function isOperatorLike(lexeme: Lexeme): boolean {
	const lowerText = lexeme.text.toLowerCase();
	return isConnective(lexeme) || comparisonOperators.has(lowerText) || foreignOperators.has(lowerText);
}

function skipArgument(parser: Parser): void {
	while (parser.current && !parser.isAtBoundary) {
		parser.skipUnreadable();
	}
}

const missingClosingCache = new WeakMap<Parser, boolean>();

/** True if the text has more opening than closing parentheses. */
function isClosingMissing(parser: Parser): boolean {
	const cached = missingClosingCache.get(parser);
	if (cached !== undefined) return cached;
	let openCount = 0;
	for (const {kind, text} of parser.lexemes)
		if (kind === 'sign') openCount += text === '(' ? 1 : text === ')' ? -1 : 0;
	missingClosingCache.set(parser, openCount > 0);
	return openCount > 0;
}

function readArgument(
	parser: Parser,
	calledFunction: ExpressionFunction | undefined,
	argumentIndex: number,
): ParsedArgument | undefined {
	const parameter = calledFunction && getParameter(calledFunction, argumentIndex);
	const firstLexeme = parser.current;
	if (!firstLexeme) return undefined;
	parser.inAnyOrAll = parameter !== undefined && takesConditions(parameter);
	const parsedArgument = parser.inAnyOrAll
		? readConditionArgument(parser, firstLexeme)
		: readValueArgument(parser, firstLexeme, parameter);
	parser.inAnyOrAll = false;
	if (!parsedArgument) return undefined;
	if (parsedArgument.isEach && argumentIndex > 0)
		parser.error(parsedArgument.argument, '[*] can only be used in the first argument of a function.', {
			engineMessage: 'invalid use of map each access operator',
		});
	return parsedArgument.isEach && argumentIndex > 0 ? {...parsedArgument, type: undefined} : parsedArgument;
}

const takesConditions = ({types}: Parameter): boolean =>
	types.length === 1 &&
	types[0] !== undefined &&
	types[0] !== 'any' &&
	formatType(types[0]) === 'Array<Boolean>';

function getParameter({parameters}: ExpressionFunction, argumentIndex: number): Parameter | undefined {
	const lastParameter = parameters.at(-1);
	return (
		parameters[argumentIndex] ??
		(lastParameter && (lastParameter.repeated || takesConditions(lastParameter)) ? lastParameter : undefined)
	);
}

/** The start of the engine's message about conditions that cannot be joined. */
const mixedConditionsPrefix = 'expected value of type ';

/** Reads the conditions of `any` and `all`. */
function readConditionArgument(parser: Parser, firstLexeme: Lexeme): ParsedArgument | undefined {
	const isGrouped = firstLexeme.text === '(' || isNegation(firstLexeme);
	const previousErrorCount = parser.errorCount;
	const problemCount = parser.problems.length;
	const {expression, resultKind} = parser.parsingFunctions.readConditions(parser);
	if (!expression) return undefined;
	const isMixed = parser.problems
		.slice(problemCount)
		.some(({engineMessage}) => engineMessage?.startsWith(mixedConditionsPrefix));
	if (expression.kind === 'logical' && !isGrouped && !isMixed)
		parser.syntaxError(
			expression,
			'Inside any(…) or all(…), put multiple conditions in their own parentheses.',
			{
				engineMessage: 'expected literal ")"',
				correction: `(${parser.slice(expression)})`,
			},
		);
	else if (resultKind === 'one' && parser.errorCount === previousErrorCount)
		parser.error(
			expression,
			'any(…) and all(…) check multiple values: use [*] for each of them, as in http.request.headers.names[*].',
			{engineMessage: 'invalid type of argument #1: expected value of type Array<Boolean>, but got Boolean'},
		);
	const type = resultKind === 'each' ? toArrayType(booleanType) : undefined;
	const {start: conditionStart, end} = expression;
	return {argument: {kind: 'expression', start: conditionStart, end, expression}, type, isEach: false};
}

function readValueArgument(
	parser: Parser,
	firstLexeme: Lexeme,
	parameter: Parameter | undefined,
): ParsedArgument | undefined {
	if (firstLexeme.kind === 'sign' && firstLexeme.text === ',') {
		parser.syntaxError(firstLexeme, 'A value is missing before this comma.');
		return undefined;
	}
	if (firstLexeme.kind === 'string' || (firstLexeme.kind === 'word' && looksLikeLiteral(firstLexeme.text))) {
		const type = firstLexeme.kind === 'string' ? stringType : getLiteralType(firstLexeme.text, parameter);
		const literal = readLiteral(parser, type)?.literal;
		if (!literal) return undefined;
		return {argument: literal, type: literal.kind === 'bytes' ? bytesType : type, isEach: false};
	}
	if (isTextWithoutQuotes(parser, firstLexeme, parameter)) {
		readLiteral(parser, stringType);
		return undefined;
	}
	if (
		firstLexeme.kind === 'word' &&
		!isConnective(firstLexeme) &&
		!isNegation(firstLexeme) &&
		!comparisonOperators.has(firstLexeme.text)
	) {
		const typedOperand = parser.parsingFunctions.readOperand(parser);
		if (!typedOperand) return undefined;
		return {argument: typedOperand.operand, type: typedOperand.type, isEach: typedOperand.isEach};
	}
	const endIndex = firstLexeme.text === '(' ? findBracketEnd(parser.lexemes, parser.index) : undefined;
	const close = endIndex === undefined ? undefined : parser.lexemes[endIndex - 1];
	const innerText = close && parser.slice({start: firstLexeme.end, end: close.start});
	parser.syntaxError(firstLexeme, 'Expected a field, a function or a literal value.', {
		correction:
			firstLexeme.text !== '('
				? undefined
				: isClosingMissing(parser)
					? ''
					: close && innerText?.trim()
						? {span: joinSpans(firstLexeme, close), text: innerText}
						: undefined,
	});
	parser.index++;
	return undefined;
}

/** True for a word that must be a string without its quotes. */
function isTextWithoutQuotes(parser: Parser, firstLexeme: Lexeme, parameter: Parameter | undefined): boolean {
	if (!parameter || parameter.requiredKind === 'field') return false;
	const kinds = parameter.types.map(type => (type === 'any' ? 'String' : type.kind));
	if (!kinds.includes('String') || kinds.includes('Array')) return false;
	if (firstLexeme.kind === 'unknown' || firstLexeme.text === '*') return true;
	if (firstLexeme.kind !== 'word' || parser.next?.text === '(' || parser.next?.text === '[') return false;
	if (
		isKnownName(firstLexeme.text) ||
		mayBeNewField(parser, firstLexeme) ||
		isConnective(firstLexeme) ||
		isNegation(firstLexeme) ||
		comparisonOperators.has(firstLexeme.text)
	)
		return false;
	return (
		!/[a-z0-9_]\.[a-z]/.test(firstLexeme.text) || parser.suggest(firstLexeme.text, suggestField) === undefined
	);
}

/** Returns the type of an unquoted literal; if it could be several, the type of the parameter. */
function getLiteralType(text: string, parameter: Parameter | undefined): ValueType {
	if (/^-?[0-9]+$|^0x/.test(text)) return integerType;
	const expectedType = parameter?.types.find(
		type => type !== 'any' && (type.kind === 'Bytes' || type.kind === 'IP'),
	);
	if (expectedType && expectedType !== 'any') return expectedType;
	if (/^[0-9a-fA-F]{2}(?:[:-][0-9a-fA-F]{2})+$/.test(text)) return bytesType;
	return /[.:]/.test(text) ? ipType : integerType;
}
