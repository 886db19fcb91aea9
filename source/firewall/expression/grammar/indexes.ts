import {formatType, type ValueType} from '../vocabulary/value-type.ts';
import {looksLikeInteger, readInteger} from './integers.ts';
import {readString, warnOctal} from './literals.ts';
import {abbreviate, joinSpans, type Parser, type TypedOperand} from './parser.ts';
import type {Span} from './problem.ts';
import type {Lexeme} from './token.ts';
import type {Index} from './tree.ts';

/** Reads the indexes after a name or a call. */
export function readIndexes(parser: Parser, base: TypedOperand): TypedOperand {
	if (base.operand.kind !== 'field' && base.operand.kind !== 'call') return base;
	const indexes: Index[] = [];
	let {type, isEach} = base;
	let end = base.operand.end;
	let invalidIndex: {readonly baseSpan: Span; readonly index: Index; readonly type: ValueType} | undefined;
	while (parser.isAt('[')) {
		const open = parser.current;
		if (!open) break;
		if (open.start > end) {
			const span = {start: end, end: open.start};
			parser.syntaxError(span, 'Remove the space between the name and its index.', {
				engineMessage: 'expected ComparisonOp',
				correction: '',
			});
		}
		parser.index++;
		const parsedIndex = readIndex(parser, open);
		end = parser.previous?.end ?? end;
		if (!parsedIndex) {
			type = undefined;
			continue;
		}
		if (type && !acceptsIndex(type, parsedIndex)) {
			invalidIndex = {baseSpan: {start: base.operand.start, end: open.start}, index: parsedIndex, type};
			type = undefined;
		}
		if (type?.kind === 'Map' && parsedIndex.kind === 'key') warnUpperCaseKey(parser, base, parsedIndex);
		indexes.push(parsedIndex);
		if (parsedIndex.kind === 'each') isEach = true;
		type = type && 'of' in type ? type.of : undefined;
	}
	if (invalidIndex) reportInvalidIndex(parser, invalidIndex, end);
	return {operand: {...base.operand, indexes, end}, type, isEach};
}

const acceptsIndex = (type: ValueType, index: Index): boolean =>
	(type.kind === 'Array' && index.kind !== 'key') || (type.kind === 'Map' && index.kind !== 'position');

/**
 * Reports an index that the type does not have. `end` is the end of the last index, since a single value has
 * none.
 */
function reportInvalidIndex(
	parser: Parser,
	{baseSpan, index, type}: {readonly baseSpan: Span; readonly index: Index; readonly type: ValueType},
	end: number,
): void {
	const name = abbreviate(parser.slice(baseSpan));
	const indexAdvice =
		type.kind === 'Map'
			? 'is indexed by name: use ["name"], or [*] for all values'
			: type.kind === 'Array'
				? 'is indexed by position: use [0], or [*] for all values'
				: 'is a single value and has no index';
	parser.error(index, `${name} ${indexAdvice} (${formatType(type)}).`, {
		engineMessage: `cannot access index ${abbreviate(parser.slice(index).slice(1, -1))} for type ${formatType(type)}`,
		correction: 'of' in type ? undefined : {span: {start: index.start, end}, text: ''},
	});
}

/** Warns of capitals in names of headers, which are in lower case here whatever the client sends. */
function warnUpperCaseKey(parser: Parser, base: TypedOperand, index: Index): void {
	if (index.kind !== 'key' || index.key.kind !== 'string') return;
	if (base.operand.kind !== 'field' || base.operand.name !== 'http.request.headers') return;
	const {value, start, end} = index.key;
	if (value === value.toLowerCase()) return;
	parser.warning(
		{start, end},
		'Header names are lower case in http.request.headers: this one never matches.',
		{code: 'L046', correction: /^[A-Za-z0-9-]+$/.test(value) ? `"${value.toLowerCase()}"` : undefined},
	);
}

/** Reads the index after `[`, and the `]`. */
function readIndex(parser: Parser, open: Lexeme): Index | undefined {
	const {current} = parser;
	let index: Index | undefined;
	if (current?.kind === 'sign' && current.text === '*') {
		index = {kind: 'each', start: open.start, end: current.end};
		parser.index++;
	} else if (current?.kind === 'string') {
		index = readKeyIndex(parser, current, open);
		parser.index++;
	} else if (current?.kind === 'word') {
		index = readPositionIndex(parser, current, open);
		parser.index++;
	} else {
		parser.syntaxError(
			current && current.text !== ']' ? current : open,
			'Brackets take a position such as [0], a quoted name such as ["name"], or * for all.',
			{engineMessage: 'expected digit'},
		);
		if (current?.text !== ']') return undefined;
	}
	const closing = parser.current;
	if (closing?.kind === 'sign' && closing.text === ']') {
		parser.index++;
		return index && {...index, end: closing.end};
	}
	parser.syntaxError(open, 'This bracket is not closed: ] is missing.', {
		engineMessage: 'expected literal "]"',
		correction: parser.buildClosing(']'),
	});
	return undefined;
}

function readKeyIndex(parser: Parser, keyLexeme: Lexeme, open: Lexeme): Index | undefined {
	const {literal} = readString(parser, keyLexeme);
	if (literal?.kind !== 'string') return undefined;
	if (literal.form !== 'quoted') {
		parser.syntaxError(
			keyLexeme,
			"A name in brackets needs plain double quotes: raw strings aren't allowed here.",
			{engineMessage: 'expected digit', correction: `"${literal.value.replace(/[\\"]/g, '\\$&')}"`},
		);
		return undefined;
	}
	return {kind: 'key', key: literal, start: open.start, end: keyLexeme.end};
}

const lastPosition = 0xffff_ffffn;

function readPositionIndex(parser: Parser, word: Lexeme, open: Lexeme): Index | undefined {
	const integer = readInteger(word.text);
	if (integer.ok && integer.value >= 0n && integer.value <= lastPosition) {
		if (integer.form === 'octal') warnOctal(parser, word, word.text, integer.value);
		return {kind: 'position', position: Number(integer.value), ...joinSpans(open, word)};
	}
	const isNumber = integer.ok || looksLikeInteger(word.text);
	parser.syntaxError(
		word,
		isNumber
			? `A position must be a number from 0 to ${lastPosition}.`
			: 'A name in brackets needs double quotes.',
		{
			engineMessage: isNumber
				? 'invalid digit found in string while parsing with radix 10'
				: 'expected digit',
			correction: isNumber ? undefined : `"${word.text}"`,
		},
	);
	return undefined;
}
