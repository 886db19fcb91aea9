import {checkWildcard, isGlobLike, isRegexLike} from '../checks/wildcard.ts';
import {checkRegex} from '../regex/check.ts';
import type {PatternFinding} from '../regex/finding.ts';
import {typeName, type ValueType} from '../vocabulary/value-type.ts';
import {readNetwork, readRange} from './addresses.ts';
import {beginsComputed, readComputed} from './computed.ts';
import {cutValue} from './glued-keywords.ts';
import {readLiteral} from './literals.ts';
import {behindBrackets} from './name-extent.ts';
import {comparisonOperators} from './operators.ts';
import type {Span} from './problem.ts';
import {isLogical, isNotLexeme, type Reading, shown, spanOf} from './reading.ts';
import {readSet} from './sets.ts';
import {severalAs, severalSentence} from './several-values.ts';
import type {StringValue} from './strings.ts';
import type {Lexeme} from './token.ts';
import type {ComparisonOperator, LeftSide, Literal, RightSide} from './tree.ts';
import {valuesInBrackets} from './values-in-brackets.ts';

/** Reads what follows an operator, and reports its first mistake. */
export function readRightSide(reading: Reading, side: LeftSide): RightSide | undefined {
	const {current} = reading;
	if (!current || isEnd(reading, current)) {
		reading.unreadable(reading.here, `A value is missing behind ${reading.slice(side.operatorSpan)}.`, {
			engine: side.operator === 'in' ? 'expected literal "{"' : 'unrecognised input',
		});
		return undefined;
	}
	if (side.operator === 'in') return readSet(reading, side);
	if (current.kind === 'list') return shouldBeIn(reading, side, current);
	if (current.kind === 'sign' && current.text === '{') {
		const {start} = current;
		const errors = reading.errorCount;
		const set = readSet(reading, {...side, operator: 'in'});
		if (reading.errorCount === errors || set)
			setWithout(reading, side, {start, end: reading.previous?.end ?? start + 1}, set);
		return undefined;
	}
	if (current.kind === 'sign' && current.text === '(') return inParentheses(reading, side, current);
	cutValue(reading, current, side.type);
	return readSingle(reading, side, reading.current ?? current);
}

const isEnd = (reading: Reading, current: Lexeme): boolean =>
	reading.atBoundary ||
	(isLogical(current) && !'&|^'.includes(current.text)) ||
	(isNotLexeme(current) && current.kind === 'word') ||
	(current.kind === 'sign' && '}],'.includes(current.text));

function readSingle(reading: Reading, side: LeftSide, current: Lexeme): RightSide | undefined {
	if (beginsComputed(reading, current)) return readComputed(reading, side, current);
	const values = current.kind === 'word' ? severalValues(current.text, side.type) : undefined;
	if (values) {
		several(reading, side, current, values);
		reading.index++;
		return undefined;
	}
	const read = readLiteral(reading, side.type);
	if (!read) return noValue(reading, side, current);
	const {literal, string} = read;
	if (!literal) return undefined;
	if (string && literal.kind === 'string') checkText(reading, side, literal, string);
	else if (needsPattern(side.operator) && literal.kind === 'bytes')
		reading.error(literal, 'A pattern is written in double quotes.', {engine: 'expected " or r'});
	return literal;
}

/** Operators that compare `*` literally, although people use it as a wildcard. */
const takesStars: ReadonlySet<ComparisonOperator> = new Set(['eq', 'ne', 'contains']);

const needsPattern = (operator: ComparisonOperator): boolean =>
	operator === 'matches' || operator === 'wildcard' || operator === 'strict wildcard';

/** Reports a missing literal after the operator. */
function noValue(reading: Reading, side: LeftSide, current: Lexeme): undefined {
	if (!side.type) {
		reading.broken = true;
		const isOperator = comparisonOperators.has(current.text);
		if (!isOperator) reading.index++;
		if (isOperator || current.kind !== 'word') reading.stepOver();
		return undefined;
	}
	reading.unreadable(current, `A value of type ${typeName(side.type)} is expected here.`, {
		engine: side.type.kind === 'Integer' ? 'expected digit' : 'unrecognised input',
	});
	reading.pass();
	return undefined;
}

function checkText(
	reading: Reading,
	side: LeftSide,
	literal: Literal & {kind: 'string'},
	string: StringValue,
): void {
	if (side.operator === 'matches') checkPattern(reading, side, literal, string);
	else if (needsPattern(side.operator)) report(reading, literal, string, checkWildcard(string.value));
	else if (
		side.type &&
		takesStars.has(side.operator) &&
		string.value.includes('*') &&
		!isRegexLike(string.value)
	)
		starWarning(reading, side, literal);
}

/** Checks a regular expression, or a wildcard pattern in its place: `*.php`, `/a/*`. */
function checkPattern(
	reading: Reading,
	side: LeftSide,
	literal: Literal & {kind: 'string'},
	string: StringValue,
): void {
	const findings = checkRegex(string.value);
	const wildcard = {
		span: {start: side.operatorSpan.start, end: literal.end},
		text: `wildcard ${reading.slice(literal)}`,
	};
	const [first] = findings;
	if (!isGlobLike(string.value)) report(reading, literal, string, findings);
	else if (first)
		reading.error(
			spanIn(string, first.span),
			'This is not a regular expression: wildcard takes * as any text.',
			{
				engine: first.engine,
				correction: wildcard,
			},
		);
	else
		reading.hint(
			literal,
			'In a regular expression * repeats the character before it: wildcard takes it as any text.',
		);
}

/** Reports the findings of a pattern at their positions in the text. */
function report(
	reading: Reading,
	literal: Literal & {kind: 'string'},
	string: StringValue,
	findings: readonly PatternFinding[],
): void {
	for (const {severity, span, sentence, engine, correction} of findings)
		reading[severity](spanIn(string, span), sentence, {
			engine,
			correction: correction && {
				span: spanIn(string, correction.span),
				text: written(correction.text, literal, reading),
			},
		});
}

const spanIn = (string: StringValue, {start, end}: Span): Span => ({
	start: string.offsetOf(start),
	end: string.offsetOf(end),
});

/** Escapes a part of a pattern for a string of the same form. */
function written(text: string, {form}: Literal & {kind: 'string'}, reading: Reading): string {
	if (form !== 'quoted') return text;
	const inRegex = reading.previous?.quoted?.form === 'regex';
	return inRegex ? text.replaceAll('"', '\\"') : text.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
}

function starWarning(reading: Reading, side: LeftSide, literal: Literal & {kind: 'string'}): void {
	const canBePattern = !literal.value.includes('\\') && !literal.value.includes('**');
	const written = reading.slice(literal);
	const pattern =
		side.operator === 'contains' ? written.replace(/"([\s\S]*)"/, '"*$1*"').replaceAll(/\*+/g, '*') : written;
	reading.warning(literal, '* is a character like any other here. With wildcard it matches any text.', {
		correction: canBePattern
			? side.operator === 'ne'
				? {
						span: {start: side.left.start, end: literal.end},
						text: `not ${reading.slice(side.left)} wildcard ${pattern}`,
					}
				: {span: {start: side.operatorSpan.start, end: literal.end}, text: `wildcard ${pattern}`}
			: undefined,
	});
}

type SeveralValues = {readonly kind: 'range' | 'network'; readonly written: string};

/** Parses a network or a range, with the correction if it is invalid. */
function severalValues(text: string, type: ValueType | undefined): SeveralValues | undefined {
	if (type?.kind === 'IP') {
		const isRange = text.includes('..');
		if (!isRange && !text.includes('/')) return undefined;
		const read = isRange ? readRange(text) : readNetwork(text);
		const written = read.ok ? text : read.correction;
		return written === undefined ? undefined : {kind: isRange ? 'range' : 'network', written};
	}
	const bounds = type?.kind === 'Integer' ? /^(-?[0-9]+)\.\.(-?[0-9]+)$/.exec(text) : null;
	if (!bounds?.[1] || !bounds[2] || text.length > 40) return undefined;
	const inOrder =
		BigInt(bounds[1].replace(/^-/, '')) <= BigInt(bounds[2].replace(/^-/, '')) || text.startsWith('-');
	return {kind: 'range', written: inOrder ? text : `${bounds[2]}..${bounds[1]}`};
}

/** Reports a network or a range after an operator such as `==`: these are sets, and need `in`. */
function several(reading: Reading, side: LeftSide, word: Lexeme, {kind, written}: SeveralValues): void {
	const set = `in {${written}}`;
	reading.unreadable(word, `A ${kind} holds many values: it is written as a set, as ${shown(set)}.`, {
		engine:
			kind === 'network'
				? "couldn't parse address in network: invalid IP address syntax"
				: 'unrecognised input',
		correction: inSet(reading, side, set, word.end),
	});
}

/** Builds the comparison with `in`; undefined if the operator is neither `eq` nor `ne`. */
function inSet(reading: Reading, side: LeftSide, set: string, end: number) {
	switch (side.operator) {
		case 'eq':
			return {span: {start: side.operatorSpan.start, end}, text: set};
		case 'ne':
			return {span: {start: side.left.start, end}, text: `not ${reading.slice(side.left)} ${set}`};
		default:
			return undefined;
	}
}

function setWithout(reading: Reading, side: LeftSide, span: Span, set: RightSide | undefined): void {
	const text = reading.slice(side.operatorSpan);
	const written = comparisonOperators.has(text) ? text : side.operator;
	const compared = {left: side.left, operator: side.operatorSpan, operatorText: side.operator};
	const isEquality = side.operator === 'eq' || side.operator === 'ne';
	const items = set?.kind === 'set' ? set.items.map(item => reading.slice(item)) : [];
	reading.unreadable(
		side.operatorSpan,
		isEquality
			? `Values in braces are compared with in, not with ${written}.`
			: `${written} takes one value, not a set: use a separate comparison for each further one.`,
		{
			engine: side.type?.kind === 'Integer' ? 'expected digit' : 'unrecognised input',
			correction: isEquality
				? inSet(reading, side, `in ${reading.slice(span)}`, span.end)
				: severalAs(reading, compared, items, span.end),
		},
	);
}

/** Reports `http.host eq ("a" or "b")`: values cannot be joined like conditions. */
function inParentheses(reading: Reading, side: LeftSide, open: Lexeme): undefined {
	const isText = side.type?.kind === 'String' || side.type?.kind === 'Bytes';
	const read = valuesInBrackets(reading, reading.index, isText);
	const compared = {left: side.left, operator: side.operatorSpan, operatorText: side.operator};
	const engine =
		side.type?.kind === 'Integer' ? 'expected digit' : isText ? 'expected " or r' : 'unrecognised input';
	if (!read) {
		reading.unreadable(open, 'A value follows the operator, without parentheses.', {engine});
		reading.index = behindBrackets(reading.lexemes, reading.index) ?? reading.index + 1;
		if (!reading.atBoundary) reading.stepOver();
		return undefined;
	}
	const {values, joint, close, end} = read;
	const [single] = values;
	reading.unreadable(
		open,
		values.length === 1
			? 'Write a value without parentheses.'
			: side.operator === 'eq' || side.operator === 'ne'
				? 'Several values are written as a set: in {…}.'
				: severalSentence(side.operator),
		{
			engine,
			correction:
				values.length === 1 && single !== undefined
					? {span: spanOf(open, close), text: single}
					: joint === 'mixed'
						? undefined
						: severalAs(reading, compared, values, close.end, joint),
		},
	);
	reading.index = end;
	return undefined;
}

function shouldBeIn(reading: Reading, side: LeftSide, list: Lexeme): undefined {
	reading.unreadable(list, `A list is compared with in: in ${list.text}.`, {
		correction: inSet(reading, side, `in ${list.text}`, list.end),
	});
	reading.index++;
	return undefined;
}
