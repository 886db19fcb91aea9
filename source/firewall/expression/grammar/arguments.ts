import {fieldMeant, isName} from '../checks/suggestions.ts';
import type {ExpressionFunction, Parameter} from '../vocabulary/entries.ts';
import {
	arrayOf,
	boolean,
	bytes,
	integer,
	ip,
	string,
	typeName,
	type ValueType,
} from '../vocabulary/value-type.ts';
import {type ArgumentRead, checkArguments, leastArguments} from './argument-checks.ts';
import {plusBehindArgument} from './joined-texts.ts';
import {looksLikeLiteral, readLiteral} from './literals.ts';
import {behindBrackets} from './name-extent.ts';
import {comparisonOperators, foreignOperators} from './operators.ts';
import {isLogical, isNotLexeme, type Reading, spanOf} from './reading.ts';
import type {Lexeme} from './token.ts';

type Arguments = {
	readonly items: readonly ArgumentRead[];
	readonly end: number;
	/** `sound` without errors; `unknown` if the intention, and so the return type, is unclear. */
	readonly state: 'sound' | 'flawed' | 'unknown';
};

/** Reads `(…)` after the name of a function, and checks the arguments against its parameters. */
export function readArguments(
	reading: Reading,
	name: Lexeme,
	called: ExpressionFunction | undefined,
): Arguments {
	const open = reading.take() ?? name;
	const items: ArgumentRead[] = [];
	const overSeveral = reading.overSeveral;
	reading.calls++;
	let state: 'clean' | 'unsure' | 'ended' | 'misplaced' = 'clean';
	for (let place = 0; reading.current && !reading.isAt(')'); place++) {
		const before = reading.index;
		const errors = reading.errorCount;
		const read = readArgument(reading, called, place);
		if (read) items.push(read);
		else state = 'unsure';
		if (reading.gaveUp) break;
		if (!reading.atBoundary) {
			const went = betweenArguments(reading, {called, open, items, before: errors});
			if (went === 'ended') {
				state = 'ended';
				break;
			}
			state = went;
		}
		if (!reading.isAt(',')) {
			if (reading.index === before) reading.index++;
			continue;
		}
		const comma = reading.take();
		if (comma && reading.isAt(')'))
			reading.unreadable(comma, 'Nothing follows this comma.', {correction: ''});
	}
	reading.calls--;
	reading.overSeveral = overSeveral;
	const end = endOfArguments(reading, open, state === 'ended');
	if (end === undefined || state === 'misplaced')
		return {items, end: reading.previous?.end ?? open.end, state: 'unknown'};
	if (state === 'unsure' || !called) return {items, end, state: 'flawed'};
	const fits = checkArguments(reading, {start: name.start, end}, called, items);
	if (state === 'ended') return {items, end, state: 'unknown'};
	return {items, end, state: fits ? 'sound' : 'flawed'};
}

/** Consumes the closing parenthesis and returns its end; undefined if it is missing. */
function endOfArguments(reading: Reading, open: Lexeme, ended: boolean): number | undefined {
	if (!ended && !reading.isAt(')')) {
		reading.broken = true;
		if (!reading.gaveUp) reading.unclosed.push(open);
		return undefined;
	}
	if (!ended) reading.index++;
	return reading.previous?.end ?? open.end;
}

type Between = {
	readonly called: ExpressionFunction | undefined;
	readonly open: Lexeme;
	readonly items: readonly ArgumentRead[];
	/** The number of errors before the argument. */
	readonly before: number;
};

/**
 * Reports what follows an argument and is neither a comma nor the end. Returns `ended` if the closing
 * parenthesis is missing here.
 */
function betweenArguments(
	reading: Reading,
	{called, open, items, before}: Between,
): 'ended' | 'unsure' | 'misplaced' {
	const {current, previous} = reading;
	if (!current || !previous) return 'unsure';
	reading.broken = true;
	const at = {start: previous.end, end: previous.end};
	if (reading.errorCount > before) passArgument(reading);
	else if (plusBehindArgument(reading, current, items.at(-1), called?.name === 'concat'))
		passArgument(reading);
	else if (isOperator(current)) {
		const isWhole = called !== undefined && items.length >= leastArguments(called);
		if (isWhole && lacksClosing(reading)) {
			reading.error(open, 'Nothing closes this parenthesis.', {
				engine: 'expected literal ")"',
				correction: {span: at, text: ')'},
			});
			return 'ended';
		}
		passArgument(reading);
		const {current: close, next} = reading;
		const isLast = isWhole && close?.text === ')' && (!next || next.text === ')' || isLogical(next));
		const rest = isLast ? reading.slice({start: current.start, end: close.start}).trimEnd() : '';
		reading.error(
			current,
			isLogical(current)
				? 'This function takes values, not conditions.'
				: 'This function takes values, not a comparison.',
			{
				engine: 'expected literal ","',
				correction: isLast ? {span: {start: at.start, end: close.end}, text: `) ${rest}`} : undefined,
			},
		);
		return 'misplaced';
	} else {
		const begins = current.kind === 'word' || current.kind === 'string';
		const isSemicolon = current.text === ';';
		reading.error(current, 'Separate the arguments of a function with commas.', {
			engine: 'expected literal ","',
			correction: isSemicolon ? ',' : begins ? {span: at, text: ','} : undefined,
		});
		if (isSemicolon) reading.index++;
		else if (!begins) passArgument(reading);
	}
	return 'unsure';
}

/** True if a comparison or another condition continues here, even in a notation of another language. */
function isOperator(lexeme: Lexeme): boolean {
	const lower = lexeme.text.toLowerCase();
	return isLogical(lexeme) || comparisonOperators.has(lower) || foreignOperators.has(lower);
}

function passArgument(reading: Reading): void {
	while (reading.current && !reading.atBoundary) {
		reading.pass();
	}
}

const lacking = new WeakMap<Reading, boolean>();

/** True if the text has more opening than closing parentheses. */
function lacksClosing(reading: Reading): boolean {
	const known = lacking.get(reading);
	if (known !== undefined) return known;
	let open = 0;
	for (const {kind, text} of reading.lexemes)
		if (kind === 'sign') open += text === '(' ? 1 : text === ')' ? -1 : 0;
	lacking.set(reading, open > 0);
	return open > 0;
}

function readArgument(
	reading: Reading,
	called: ExpressionFunction | undefined,
	place: number,
): ArgumentRead | undefined {
	const parameter = called && parameterAt(called, place);
	const start = reading.current;
	if (!start) return undefined;
	reading.overSeveral = parameter !== undefined && wantsConditions(parameter);
	const read = reading.overSeveral ? readSeveral(reading, start) : readValue(reading, start, parameter);
	reading.overSeveral = false;
	if (!read) return undefined;
	if (read.each && place > 0)
		reading.error(read.argument, '[*] can be used in the first argument of a function only.', {
			engine: 'invalid use of map each access operator',
		});
	return read.each && place > 0 ? {...read, type: undefined} : read;
}

const wantsConditions = ({types}: Parameter): boolean =>
	types.length === 1 &&
	types[0] !== undefined &&
	types[0] !== 'any' &&
	typeName(types[0]) === 'Array<Boolean>';

function parameterAt({parameters}: ExpressionFunction, place: number): Parameter | undefined {
	const last = parameters.at(-1);
	return parameters[place] ?? (last && (last.repeated || wantsConditions(last)) ? last : undefined);
}

/** The start of the engine's message about conditions that cannot be joined. */
const mixed = 'expected value of type ';

/** Reads the conditions of `any` and `all`. */
function readSeveral(reading: Reading, start: Lexeme): ArgumentRead | undefined {
	const grouped = start.text === '(' || isNotLexeme(start);
	const errors = reading.errorCount;
	const before = reading.found.length;
	const {expression, returns} = reading.grammar.readConditions(reading);
	if (!expression) return undefined;
	const isMixed = reading.found.slice(before).some(({engine}) => engine?.startsWith(mixed));
	if (expression.kind === 'logical' && !grouped && !isMixed)
		reading.unreadable(expression, 'Several conditions within any or all need parentheses of their own.', {
			engine: 'expected literal ")"',
			correction: `(${reading.slice(expression)})`,
		});
	else if (returns === 'one' && reading.errorCount === errors)
		reading.error(
			expression,
			'any and all look at several values: [*] takes each of them, as in http.request.headers.names[*].',
			{engine: 'invalid type of argument #1: expected value of type Array<Boolean>, but got Boolean'},
		);
	const type = returns === 'each' ? arrayOf(boolean) : undefined;
	const {start: first, end} = expression;
	return {argument: {kind: 'expression', start: first, end, expression}, type, each: false};
}

function readValue(
	reading: Reading,
	start: Lexeme,
	parameter: Parameter | undefined,
): ArgumentRead | undefined {
	if (start.kind === 'sign' && start.text === ',') {
		reading.unreadable(start, 'A value is missing before this comma.');
		return undefined;
	}
	if (start.kind === 'string' || (start.kind === 'word' && looksLikeLiteral(start.text))) {
		const type = start.kind === 'string' ? string : literalType(start.text, parameter);
		const literal = readLiteral(reading, type)?.literal;
		if (!literal) return undefined;
		return {argument: literal, type: literal.kind === 'bytes' ? bytes : type, each: false};
	}
	if (isTextWithoutQuotes(reading, start, parameter)) {
		readLiteral(reading, string);
		return undefined;
	}
	if (
		start.kind === 'word' &&
		!isLogical(start) &&
		!isNotLexeme(start) &&
		!comparisonOperators.has(start.text)
	) {
		const typed = reading.grammar.readOperand(reading);
		if (!typed) return undefined;
		return {argument: typed.operand, type: typed.type, each: typed.each};
	}
	const behind = start.text === '(' ? behindBrackets(reading.lexemes, reading.index) : undefined;
	const close = behind === undefined ? undefined : reading.lexemes[behind - 1];
	const inner = close && reading.slice({start: start.end, end: close.start});
	reading.unreadable(start, 'A field, a function or a literal value is needed here.', {
		correction:
			start.text !== '('
				? undefined
				: lacksClosing(reading)
					? ''
					: close && inner?.trim()
						? {span: spanOf(start, close), text: inner}
						: undefined,
	});
	reading.index++;
	return undefined;
}

/** True for a word that must be a string without its quotes. */
function isTextWithoutQuotes(reading: Reading, start: Lexeme, parameter: Parameter | undefined): boolean {
	if (!parameter || parameter.only === 'field') return false;
	const kinds = parameter.types.map(type => (type === 'any' ? 'String' : type.kind));
	if (!kinds.includes('String') || kinds.includes('Array')) return false;
	if (start.kind === 'unknown' || start.text === '*') return true;
	if (start.kind !== 'word' || reading.next?.text === '(' || reading.next?.text === '[') return false;
	if (isName(start.text) || isLogical(start) || isNotLexeme(start) || comparisonOperators.has(start.text))
		return false;
	return !/[a-z0-9_]\.[a-z]/.test(start.text) || reading.suggest(start.text, fieldMeant) === undefined;
}

/** Returns the type of an unquoted literal; if it could be several, the type of the parameter. */
function literalType(text: string, parameter: Parameter | undefined): ValueType {
	if (/^-?[0-9]+$|^0x/.test(text)) return integer;
	const wanted = parameter?.types.find(
		type => type !== 'any' && (type.kind === 'Bytes' || type.kind === 'IP'),
	);
	if (wanted && wanted !== 'any') return wanted;
	if (/^[0-9a-fA-F]{2}(?:[:-][0-9a-fA-F]{2})+$/.test(text)) return bytes;
	return /[.:]/.test(text) ? ip : integer;
}
