import {readConditions} from './conditions.ts';
import type {Lexeme} from './lexer.ts';
import {looksLikeLiteral, readLiteral} from './literals.ts';
import {readOperand} from './operands.ts';
import {comparisonOperators} from './operators.ts';
import type {Span} from './problem.ts';
import {isLogical, isNotLexeme, type Reading, shown, spanOf} from './reading.ts';
import type {Argument, Literal} from './tree.ts';
import {arrayOf, boolean, bytes, integer, ip, string, typeName, type ValueType} from './value-type.ts';
import type {ExpressionFunction, Parameter} from './vocabulary.ts';

type ArgumentRead = {
	readonly argument: Argument;
	readonly span: Span;
	readonly type: ValueType | undefined;
	readonly each: boolean;
};
type Arguments = {readonly items: readonly ArgumentRead[]; readonly end: number; readonly closed: boolean};

/** Reads `(…)` behind the name of a function, and checks what stands in it against what the function takes. */
export function readArguments(
	reading: Reading,
	name: Lexeme,
	called: ExpressionFunction | undefined,
): Arguments {
	const open = reading.take() ?? name;
	const items: ArgumentRead[] = [];
	const overSeveral = reading.overSeveral;
	reading.calls++;
	let clean = true;
	for (let place = 0; reading.current && !reading.isAt(')'); place++) {
		const before = reading.index;
		const errors = reading.errorCount;
		const read = readArgument(reading, called, place);
		if (read) items.push(read);
		else clean = false;
		if (reading.gaveUp) break;
		if (!reading.atBoundary) betweenArguments(reading, errors === reading.errorCount);
		if (!reading.isAt(',')) {
			if (reading.index === before) reading.index++;
			continue;
		}
		const comma = reading.take();
		if (comma && reading.isAt(')'))
			reading.unreadable({
				span: comma,
				sentence: 'Nothing follows this comma.',
				engine: 'unrecognised input',
				correction: {span: comma, text: ''},
			});
	}
	reading.calls--;
	reading.overSeveral = overSeveral;
	const closed = reading.isAt(')');
	if (closed) reading.index++;
	else {
		reading.broken = true;
		if (!reading.gaveUp) reading.unclosed.push(open);
		clean = false;
	}
	const end = reading.previous?.end ?? open.end;
	if (called && clean) checkCount(reading, {start: name.start, end}, called, items);
	return {items, end, closed};
}

/** Something stands behind an argument that is neither a comma nor the end. */
function betweenArguments(reading: Reading, quiet: boolean): void {
	const {current, previous} = reading;
	if (!current) return;
	reading.broken = true;
	if (quiet) {
		const begins = current.kind === 'word' || current.kind === 'string';
		const at = {start: previous?.end ?? current.start, end: previous?.end ?? current.start};
		const isOperator = comparisonOperators.has(current.text) || isLogical(current);
		reading.error({
			span: current,
			sentence: isOperator
				? 'This function takes values, not a comparison.'
				: 'A comma stands between the arguments of a function.',
			engine: 'expected literal ","',
			correction: begins && !isOperator ? {span: at, text: ','} : undefined,
		});
		if (begins && !isOperator) return;
	}
	while (reading.current && !reading.atBoundary) {
		reading.index++;
		reading.skip();
	}
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
		reading.error({
			span: read.span,
			sentence: '[*] can be used in the first argument of a function only.',
			engine: 'invalid use of map each access operator',
		});
	else if (parameter && read.type) checkArgument(reading, parameter, read, place);
	return read;
}

const wantsConditions = ({types}: Parameter): boolean =>
	types.length === 1 &&
	types[0] !== undefined &&
	types[0] !== 'any' &&
	typeName(types[0]) === 'Array<Boolean>';

function parameterAt({parameters}: ExpressionFunction, place: number): Parameter | undefined {
	const last = parameters.at(-1);
	return parameters[place] ?? (last?.repeated ? last : undefined);
}

/** The conditions of `any` and `all`. */
function readSeveral(reading: Reading, start: Lexeme): ArgumentRead | undefined {
	const grouped = start.text === '(' || isNotLexeme(start);
	const errors = reading.errorCount;
	const {expression, gives} = readConditions(reading);
	if (!expression) return undefined;
	const span: Span = {start: expression.start, end: expression.end};
	if (expression.kind === 'logical' && !grouped)
		reading.unreadable({
			span,
			sentence: 'Several conditions within any or all stand in parentheses of their own.',
			engine: 'expected literal ")"',
			correction: {span, text: `(${reading.slice(span)})`},
		});
	else if (gives === 'one' && reading.errorCount === errors)
		reading.error({
			span,
			sentence:
				'any and all look at several values: [*] takes each of them, as in http.request.headers.names[*].',
			engine: 'invalid type of argument #1: expected value of type Array<Boolean>, but got Boolean',
		});
	const type = gives === 'each' ? arrayOf(boolean) : undefined;
	return {argument: {kind: 'expression', ...span, expression}, span, type, each: false};
}

function readValue(
	reading: Reading,
	start: Lexeme,
	parameter: Parameter | undefined,
): ArgumentRead | undefined {
	if (start.kind === 'sign' && start.text === ',') {
		reading.unreadable({
			span: start,
			sentence: 'A value is missing before this comma.',
			engine: 'unrecognised input',
		});
		return undefined;
	}
	if (start.kind === 'string' || (start.kind === 'word' && looksLikeLiteral(start.text))) {
		const type = start.kind === 'string' ? string : literalType(start.text, parameter);
		const literal = readLiteral(reading, type)?.literal;
		if (!literal) return undefined;
		return {argument: literal, span: start, type: literal.kind === 'bytes' ? bytes : type, each: false};
	}
	if (
		start.kind === 'word' &&
		!isLogical(start) &&
		!isNotLexeme(start) &&
		!comparisonOperators.has(start.text)
	) {
		const typed = readOperand(reading);
		if (!typed) return undefined;
		const span: Span = {start: typed.operand.start, end: typed.operand.end};
		return {argument: typed.operand, span, type: typed.type, each: typed.each};
	}
	reading.unreadable({
		span: start,
		sentence: 'A field, a function or a literal value is needed here.',
		engine: 'unrecognised input',
	});
	reading.index++;
	return undefined;
}

/** What an unquoted literal is; where it could be several, what is needed. */
function literalType(text: string, parameter: Parameter | undefined): ValueType {
	if (/^-?[0-9]+$|^0x/.test(text)) return integer;
	const wanted = parameter?.types.find(
		type => type !== 'any' && (type.kind === 'Bytes' || type.kind === 'IP'),
	);
	if (wanted && wanted !== 'any') return wanted;
	if (/^[0-9a-fA-F]{2}(?:[:-][0-9a-fA-F]{2})+$/.test(text)) return bytes;
	return /[.:]/.test(text) ? ip : integer;
}

function checkCount(
	reading: Reading,
	span: Span,
	{name, parameters}: ExpressionFunction,
	items: readonly ArgumentRead[],
): void {
	const least = parameters.filter(({optional}) => !optional).length;
	const most = parameters.at(-1)?.repeated ? Number.POSITIVE_INFINITY : parameters.length;
	const count = items.length;
	if (count >= least && count <= most) return;
	const [extra, last] = [items[parameters.length], items.at(-1)];
	const names = parameters
		.map(
			({name: one, optional, repeated}) =>
				`${optional ? '[' : ''}${one}${repeated ? ' …' : ''}${optional ? ']' : ''}`,
		)
		.join(', ');
	reading.error({
		span: count > most && extra && last ? spanOf(extra.span, last.span) : span,
		sentence: `${name} takes ${most === least ? least : most === Number.POSITIVE_INFINITY ? `at least ${least}` : `${least} to ${most}`} ${most === 1 ? 'argument' : 'arguments'}, not ${count}: ${name}(${names}).`,
		engine: 'invalid number of arguments',
	});
}

const isLiteral = (argument: Argument): argument is Literal =>
	argument.kind !== 'field' && argument.kind !== 'call' && argument.kind !== 'expression';

function checkArgument(reading: Reading, parameter: Parameter, read: ArgumentRead, place: number): void {
	const {argument, span, type} = read;
	const number = `invalid type of argument #${place + 1}`;
	if (isLiteral(argument) && parameter.only === 'field')
		reading.error({
			span,
			sentence: `The ${parameter.name} is a field or a function of one here, not ${shown(reading.slice(span))} as it stands.`,
			engine: `${number}: expected field, but got literal`,
		});
	else if (!isLiteral(argument) && parameter.only === 'literal')
		reading.error({
			span,
			sentence: `The ${parameter.name} is written out here: no field or function can stand for it.`,
			engine: `${number}: expected literal, but got field`,
		});
	else if (type && !parameter.types.some(wanted => wanted === 'any' || fitsType(type, wanted))) {
		const wanted = parameter.types.map(one => (one === 'any' ? one : typeName(one))).join(' or ');
		const array =
			type.kind === 'Array' && parameter.types.some(one => one !== 'any' && fitsType(type.of, one));
		reading.error({
			span,
			sentence: `The ${parameter.name} is of type ${wanted}: this is ${typeName(type)}.${array && place === 0 ? ' [*] takes each value of it.' : ''}`,
			engine: `${number}: expected value of type ${wanted}, but got ${typeName(type)}`,
		});
	} else checkValue(reading, parameter, argument, span);
}

const fitsType = (type: ValueType, wanted: ValueType): boolean =>
	typeName(type).replaceAll('Bytes', 'String') === typeName(wanted).replaceAll('Bytes', 'String');

/** Bounds and choices of a literal. */
function checkValue(reading: Reading, parameter: Parameter, argument: Argument, span: Span): void {
	const {least, most, oneOf, name} = parameter;
	if (argument.kind === 'range' || argument.kind === 'network')
		reading.error({
			span,
			sentence: `The ${name} is one value, not several.`,
			engine: 'unrecognised input',
		});
	else if (argument.kind === 'integer') {
		const low = least !== undefined && argument.value < BigInt(least);
		const high = most !== undefined && argument.value > BigInt(most);
		if (low || high)
			reading.error({
				span: {...span},
				sentence: `The ${name} goes from ${least} to ${most}: this is ${argument.value}.`,
				engine: `invalid value for argument: expected ${least} to ${most}`,
				correction: {span, text: String(low ? least : most)},
			});
	} else if (argument.kind === 'string' && oneOf && !oneOf.includes(argument.value)) {
		const choices = oneOf.map(one => `"${one}"`);
		reading.error({
			span,
			sentence: `The ${name} is ${choices.join(' or ')}.`,
			engine: `invalid value for argument: expected ${choices.join(' or ')}`,
			correction: choices[0] ? {span, text: choices[0]} : undefined,
		});
	}
}
