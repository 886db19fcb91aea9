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
import {findBracketEnd} from './name-extent.ts';
import {comparisonOperators, foreignOperators} from './operators.ts';
import {isLogical, isNegation, joinSpans, type Parser} from './reading.ts';
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
	for (let position = 0; parser.current && !parser.isAt(')'); position++) {
		const indexBefore = parser.index;
		const errors = parser.errorCount;
		const read = readArgument(parser, calledFunction, position);
		if (read) items.push(read);
		else state = 'unsure';
		if (parser.gaveUp) break;
		if (!parser.isAtBoundary) {
			const outcome = reportUnexpectedAfterArgument(parser, {
				calledFunction,
				open,
				items,
				errorCountBefore: errors,
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
function readArgumentsEnd(parser: Parser, open: Lexeme, hasEnded: boolean): number | undefined {
	if (!hasEnded && !parser.isAt(')')) {
		parser.broken = true;
		if (!parser.gaveUp) parser.unclosedBrackets.push(open);
		return undefined;
	}
	if (!hasEnded) parser.index++;
	return parser.previous?.end ?? open.end;
}

type AfterArgument = {
	readonly calledFunction: ExpressionFunction | undefined;
	readonly open: Lexeme;
	readonly items: readonly ParsedArgument[];
	/** The number of errors before the argument. */
	readonly errorCountBefore: number;
};

/**
 * Reports what follows an argument and is neither a comma nor the end. Returns `ended` if the closing
 * parenthesis is missing here, `misplaced` if it is a comparison or a connective, else `unsure`.
 */
function reportUnexpectedAfterArgument(
	parser: Parser,
	{calledFunction, open, items, errorCountBefore}: AfterArgument,
): 'ended' | 'unsure' | 'misplaced' {
	const {current, previous} = parser;
	if (!current || !previous) return 'unsure';
	parser.broken = true;
	const gap = {start: previous.end, end: previous.end};
	if (parser.errorCount > errorCountBefore) skipArgument(parser);
	else if (reportPlusAfterArgument(parser, current, items.at(-1), calledFunction?.name === 'concat'))
		skipArgument(parser);
	else if (isOperatorLike(current)) {
		const hasAllArguments =
			calledFunction !== undefined && items.length >= countRequiredArguments(calledFunction);
		if (hasAllArguments && isClosingMissing(parser)) {
			parser.error(open, 'This parenthesis is not closed.', {
				engine: 'expected literal ")"',
				correction: {span: gap, text: ')'},
			});
			return 'ended';
		}
		skipArgument(parser);
		const {current: close, next} = parser;
		const isLast = hasAllArguments && close?.text === ')' && (!next || next.text === ')' || isLogical(next));
		const trailingText = isLast ? parser.slice({start: current.start, end: close.start}).trimEnd() : '';
		parser.error(
			current,
			isLogical(current)
				? 'This function takes values, not conditions.'
				: 'This function takes values, not comparisons.',
			{
				engine: 'expected literal ","',
				correction: isLast
					? {span: {start: gap.start, end: close.end}, text: `) ${trailingText}`}
					: undefined,
			},
		);
		return 'misplaced';
	} else {
		const begins = current.kind === 'word' || current.kind === 'string';
		const isSemicolon = current.text === ';';
		parser.error(current, 'Separate the arguments of a function with commas.', {
			engine: 'expected literal ","',
			correction: isSemicolon ? ',' : begins ? {span: gap, text: ','} : undefined,
		});
		if (isSemicolon) parser.index++;
		else if (!begins) skipArgument(parser);
	}
	return 'unsure';
}

/** True if a comparison or another condition continues here, even in a notation of another language. */
function isOperatorLike(lexeme: Lexeme): boolean {
	const lowerText = lexeme.text.toLowerCase();
	return isLogical(lexeme) || comparisonOperators.has(lowerText) || foreignOperators.has(lowerText);
}

function skipArgument(parser: Parser): void {
	while (parser.current && !parser.isAtBoundary) {
		parser.skipUnreadable();
	}
}

const missingClosing = new WeakMap<Parser, boolean>();

/** True if the text has more opening than closing parentheses. */
function isClosingMissing(parser: Parser): boolean {
	const cached = missingClosing.get(parser);
	if (cached !== undefined) return cached;
	let open = 0;
	for (const {kind, text} of parser.lexemes)
		if (kind === 'sign') open += text === '(' ? 1 : text === ')' ? -1 : 0;
	missingClosing.set(parser, open > 0);
	return open > 0;
}

function readArgument(
	parser: Parser,
	calledFunction: ExpressionFunction | undefined,
	position: number,
): ParsedArgument | undefined {
	const parameter = calledFunction && getParameter(calledFunction, position);
	const start = parser.current;
	if (!start) return undefined;
	parser.inAnyOrAll = parameter !== undefined && takesConditions(parameter);
	const read = parser.inAnyOrAll
		? readConditionArgument(parser, start)
		: readValueArgument(parser, start, parameter);
	parser.inAnyOrAll = false;
	if (!read) return undefined;
	if (read.isEach && position > 0)
		parser.error(read.argument, '[*] can only be used in the first argument of a function.', {
			engine: 'invalid use of map each access operator',
		});
	return read.isEach && position > 0 ? {...read, type: undefined} : read;
}

const takesConditions = ({types}: Parameter): boolean =>
	types.length === 1 &&
	types[0] !== undefined &&
	types[0] !== 'any' &&
	formatType(types[0]) === 'Array<Boolean>';

function getParameter({parameters}: ExpressionFunction, position: number): Parameter | undefined {
	const lastParameter = parameters.at(-1);
	return (
		parameters[position] ??
		(lastParameter && (lastParameter.repeated || takesConditions(lastParameter)) ? lastParameter : undefined)
	);
}

/** The start of the engine's message about conditions that cannot be joined. */
const mixedConditionsPrefix = 'expected value of type ';

/** Reads the conditions of `any` and `all`. */
function readConditionArgument(parser: Parser, start: Lexeme): ParsedArgument | undefined {
	const isGrouped = start.text === '(' || isNegation(start);
	const errors = parser.errorCount;
	const problemCount = parser.problems.length;
	const {expression, returns} = parser.grammar.readConditions(parser);
	if (!expression) return undefined;
	const isMixed = parser.problems
		.slice(problemCount)
		.some(({engine}) => engine?.startsWith(mixedConditionsPrefix));
	if (expression.kind === 'logical' && !isGrouped && !isMixed)
		parser.syntaxError(
			expression,
			'Inside any(…) or all(…), put multiple conditions in their own parentheses.',
			{
				engine: 'expected literal ")"',
				correction: `(${parser.slice(expression)})`,
			},
		);
	else if (returns === 'one' && parser.errorCount === errors)
		parser.error(
			expression,
			'any(…) and all(…) check multiple values: use [*] for each of them, as in http.request.headers.names[*].',
			{engine: 'invalid type of argument #1: expected value of type Array<Boolean>, but got Boolean'},
		);
	const type = returns === 'each' ? toArrayType(booleanType) : undefined;
	const {start: conditionStart, end} = expression;
	return {argument: {kind: 'expression', start: conditionStart, end, expression}, type, isEach: false};
}

function readValueArgument(
	parser: Parser,
	start: Lexeme,
	parameter: Parameter | undefined,
): ParsedArgument | undefined {
	if (start.kind === 'sign' && start.text === ',') {
		parser.syntaxError(start, 'A value is missing before this comma.');
		return undefined;
	}
	if (start.kind === 'string' || (start.kind === 'word' && looksLikeLiteral(start.text))) {
		const type = start.kind === 'string' ? stringType : getLiteralType(start.text, parameter);
		const literal = readLiteral(parser, type)?.literal;
		if (!literal) return undefined;
		return {argument: literal, type: literal.kind === 'bytes' ? bytesType : type, isEach: false};
	}
	if (isTextWithoutQuotes(parser, start, parameter)) {
		readLiteral(parser, stringType);
		return undefined;
	}
	if (
		start.kind === 'word' &&
		!isLogical(start) &&
		!isNegation(start) &&
		!comparisonOperators.has(start.text)
	) {
		const typedOperand = parser.grammar.readOperand(parser);
		if (!typedOperand) return undefined;
		return {argument: typedOperand.operand, type: typedOperand.type, isEach: typedOperand.isEach};
	}
	const endIndex = start.text === '(' ? findBracketEnd(parser.lexemes, parser.index) : undefined;
	const close = endIndex === undefined ? undefined : parser.lexemes[endIndex - 1];
	const innerText = close && parser.slice({start: start.end, end: close.start});
	parser.syntaxError(start, 'Expected a field, a function or a literal value.', {
		correction:
			start.text !== '('
				? undefined
				: isClosingMissing(parser)
					? ''
					: close && innerText?.trim()
						? {span: joinSpans(start, close), text: innerText}
						: undefined,
	});
	parser.index++;
	return undefined;
}

/** True for a word that must be a string without its quotes. */
function isTextWithoutQuotes(parser: Parser, start: Lexeme, parameter: Parameter | undefined): boolean {
	if (!parameter || parameter.only === 'field') return false;
	const kinds = parameter.types.map(type => (type === 'any' ? 'String' : type.kind));
	if (!kinds.includes('String') || kinds.includes('Array')) return false;
	if (start.kind === 'unknown' || start.text === '*') return true;
	if (start.kind !== 'word' || parser.next?.text === '(' || parser.next?.text === '[') return false;
	if (isKnownName(start.text) || isLogical(start) || isNegation(start) || comparisonOperators.has(start.text))
		return false;
	return !/[a-z0-9_]\.[a-z]/.test(start.text) || parser.suggest(start.text, suggestField) === undefined;
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
