import {findField} from '../vocabulary/fields.ts';
import {looksLikeLiteral, readLiteral} from './literals.ts';
import {comparisonOperators, logicalOperators} from './operators.ts';
import type {Correction} from './problem.ts';
import {abbreviate, isLogical, isNegation, joinSpans, type Parser} from './reading.ts';
import {
	mergeRepeatedMistakes,
	readDoubledBraces,
	reportFieldInSet,
	reportSpacedRange,
} from './set-mistakes.ts';
import type {Lexeme} from './token.ts';
import type {LeftSide, Literal, RightSide} from './tree.ts';

/** Reads what follows `in`: a set in braces, or the name of a list. */
export function readSet(parser: Parser, side: LeftSide): RightSide | undefined {
	const {current} = parser;
	if (!current) return undefined;
	if (current.kind === 'list') return readListName(parser, current);
	if (current.kind === 'sign') {
		if (current.text === '{') return readBraces(parser, side, current);
		if (current.text === '(' || current.text === '[') return reportOtherBrackets(parser, current);
	}
	return reportMissingBraces(parser, side, current);
}

function readListName(parser: Parser, list: Lexeme): RightSide | undefined {
	const name = list.text.slice(1);
	parser.index++;
	if (/^[a-z0-9_](?:[a-z0-9_.]*[a-z0-9_])?$/.test(name))
		return {kind: 'list', start: list.start, end: list.end, name};
	const intended = name
		.toLowerCase()
		.replaceAll('-', '_')
		.replace(/^\.+|\.+$/g, '');
	parser.syntaxError(
		list,
		'The name of a list has lower-case letters, digits, _ and dots, and neither begins nor ends with a dot.',
		{
			engine: `invalid list name "${abbreviate(name)}"`,
			correction: /^[a-z0-9_.]+$/.test(intended) ? `$${intended}` : undefined,
		},
	);
	return undefined;
}

/** The end of a set: the index of its closing brace, or of what follows if that is missing. */
type SetEnd = {readonly index: number; readonly closed: boolean};

function findSetEnd({lexemes, index}: Parser): SetEnd {
	let place = index;
	for (; place < lexemes.length; place++) {
		const lexeme = lexemes[place];
		if (!lexeme || (lexeme.kind === 'sign' && '{()'.includes(lexeme.text))) break;
		if (lexeme.kind === 'sign' && lexeme.text === '}') return {index: place, closed: true};
		if (isLogical(lexeme) && isNextCondition(lexemes[place + 1], lexemes[place + 2])) break;
	}
	return {index: place, closed: false};
}

/** True if a condition follows, not a further value. */
const isNextCondition = (first: Lexeme | undefined, second: Lexeme | undefined): boolean =>
	first?.kind === 'word' &&
	(findField(first.text) !== undefined ||
		first.text === 'not' ||
		(second !== undefined && comparisonOperators.has(second.text)));

function readBraces(parser: Parser, side: LeftSide, open: Lexeme): RightSide | undefined {
	parser.index++;
	if (parser.isAt('{')) return readDoubledBraces(parser, side, open, readBraces);
	const ending = findSetEnd(parser);
	const found = parser.problems.length;
	const items: Literal[] = [];
	const separators: Lexeme[] = [];
	let clean = true;
	let before: Lexeme = open;
	let wasCorrect = true;
	for (let current = parser.current; current && parser.index < ending.index; current = parser.current) {
		if (isSeparator(current)) {
			separators.push(current);
			parser.index++;
			continue;
		}
		if (!ending.closed && !isItem(current)) break;
		const isGlued = before !== open && before.end === current.start && before === parser.previous;
		const errors = parser.errorCount;
		const problemCount = parser.problems.length;
		const item = reportSpacedRange(parser, side, current, ending.index)
			? undefined
			: readItem(parser, side, current);
		const isCorrect = parser.errorCount === errors;
		if (isGlued && wasCorrect && isCorrect) warnMissingSpace(parser, current, problemCount);
		wasCorrect = isCorrect;
		if (item) items.push(item);
		else clean = false;
		before = parser.previous ?? current;
	}
	const correction = parser.buildClosing('}');
	mergeRepeatedMistakes(parser, found);
	if (separators.length > 0) reportSeparators(parser, separators);
	if (!ending.closed) {
		parser.syntaxError(open, 'Nothing closes this brace: } is missing behind the last value.', {
			engine: 'expected literal "}"',
			correction,
		});
		return undefined;
	}
	const close = parser.take() ?? open;
	if (clean && items.length === 0 && separators.length === 0)
		parser.warning(joinSpans(open, close), 'This is never true: the set is empty.');
	if (side.type) warnStars(parser, side, items, close);
	return clean ? {kind: 'set', ...joinSpans(open, close), items} : undefined;
}

const isSeparator = (lexeme: Lexeme): boolean =>
	lexeme.kind === 'sign'
		? lexeme.text === ',' || lexeme.text === ';' || lexeme.text === '|' || logicalOperators.has(lexeme.text)
		: isLogical(lexeme);

const isItem = ({kind, text}: Lexeme): boolean =>
	kind === 'string' || (kind === 'word' && looksLikeLiteral(text));

function warnMissingSpace(parser: Parser, {start, end}: Lexeme, place: number): void {
	const at = {start, end: start};
	parser.warning(
		{start, end},
		'A space is missing between the values of this set. The service finds them, but whoever reads this may not.',
		{correction: {span: at, text: ' '}},
	);
	const problem = parser.problems.pop();
	if (problem) parser.problems.splice(place, 0, problem);
}

/** Reports wrong separators once per set, with one correction. */
function reportSeparators(parser: Parser, separators: readonly Lexeme[]): void {
	const [first, last] = [separators[0], separators.at(-1)];
	if (!first || !last) return;
	let text = '';
	let end = first.start;
	for (const {start, end: separatorEnd} of separators) {
		text += parser.text.slice(end, start);
		end = separatorEnd;
		if (parser.text.charAt(end) === ' ') end++;
		text += ' ';
	}
	parser.syntaxError(
		first,
		`Separate set values with spaces, not ${first.text === ',' ? 'commas' : first.text}.`,
		{correction: {span: {start: first.start, end}, text}},
	);
}

function readItem(parser: Parser, side: LeftSide, current: Lexeme): Literal | undefined {
	const {type} = side;
	const text = type?.kind === 'String' || type?.kind === 'Bytes';
	if (text && current.kind === 'word' && /^-?[0-9]+\.\.-?[0-9]+$/.test(current.text)) {
		parser.syntaxError(current, 'Texts have no ranges.', {engine: 'expected " or r'});
		parser.index++;
		return undefined;
	}
	if (reportFieldInSet(parser, side, current)) return undefined;
	const read = readLiteral(parser, type);
	if (read) {
		const {literal} = read;
		if (literal === undefined && !type) parser.broken = true;
		return literal;
	}
	parser.syntaxError(
		current,
		current.kind === 'list'
			? 'Write a list without braces: in $name.'
			: 'A set holds only values, with spaces between them.',
		{correction: current.kind === 'list' ? buildListCorrection(parser, current) : undefined},
	);
	parser.index++;
	return undefined;
}

/** Corrects `{$list}`. */
function buildListCorrection({lexemes, index}: Parser, {text}: Lexeme): Correction | undefined {
	const [open, close] = [lexemes[index - 1], lexemes[index + 1]];
	return open?.text === '{' && close?.text === '}' ? {span: joinSpans(open, close), text} : undefined;
}

/** Warns of `*` in a set, where it has no special meaning: such values need their own comparison. */
function warnStars(parser: Parser, side: LeftSide, items: readonly Literal[], close: Lexeme): void {
	const hasStar = (item: Literal) => item.kind === 'string' && item.value.includes('*');
	const isPattern = (item: Literal) => item.kind === 'string' && !/\\|\*\*/.test(item.value);
	const starred = items.filter(hasStar);
	if (starred.length === 0) return;
	const left = parser.slice(side.left);
	const each = items.map(item => `${left} ${hasStar(item) ? 'wildcard' : 'eq'} ${parser.slice(item)}`);
	const text = each.length > 1 ? `(${each.join(' or ')})` : each.join('');
	const span = {start: side.left.start, end: close.end};
	const correction = starred.every(isPattern) ? {span, text} : undefined;
	for (const item of starred)
		parser.warning(item, '* is a character like any other in a set. With wildcard it matches any text.', {
			correction,
		});
}

/** Reports a set in other brackets: `in ("a", "b")`, `in ["a", "b"]`. */
function reportOtherBrackets(parser: Parser, open: Lexeme): undefined {
	const closing = open.text === '(' ? ')' : ']';
	let place = parser.index + 1;
	const items: string[] = [];
	for (let one = parser.lexemes[place]; one; one = parser.lexemes[++place]) {
		if (one.kind === 'sign' && (one.text === closing || '([{'.includes(one.text))) break;
		if (!isSeparator(one)) items.push(one.text);
	}
	const close = parser.lexemes[place];
	const closed = close?.kind === 'sign' && close.text === closing;
	parser.syntaxError(open, 'A set is written in braces: in {…}, with spaces between its values.', {
		engine: 'expected literal "{"',
		correction:
			closed && items.length > 0 ? {span: joinSpans(open, close), text: `{${items.join(' ')}}`} : undefined,
	});
	if (closed) parser.index = place + 1;
	else {
		parser.skipUnreadable();
	}
	return undefined;
}

/** True after a `not` or a connective, where an `or` between values would be ambiguous. */
function isNegated({lexemes, index}: Parser, {left}: LeftSide): boolean {
	let place = index - 1;
	while (place > 0 && (lexemes[place]?.start ?? 0) > left.start) place--;
	const before = lexemes[place - 1];
	return before !== undefined && (isNegation(before) || isLogical(before));
}

/** True if a further value follows a comma, or an `or` that no condition follows. */
function isSeparated({next, lexemes, index}: Parser, {text}: Lexeme): boolean {
	if (!next || !isItem(next) || findField(next.text)) return false;
	const following = lexemes[index + 2];
	return (
		text === ',' ||
		(logicalOperators.get(text) === 'or' && !(following && comparisonOperators.has(following.text)))
	);
}

/** Reports a set without braces: `in "a" "b"`. */
function reportMissingBraces(parser: Parser, side: LeftSide, first: Lexeme): undefined {
	if (reportFieldInSet(parser, side, first)) return undefined;
	const isText = side.type?.kind === 'String';
	const items: string[] = [];
	const connectives: Lexeme[] = [];
	let end = first.end;
	for (let current = parser.current; current; current = parser.current) {
		const separated = items.length > 0 && isSeparated(parser, current);
		if (!separated) {
			if (!isItem(current) && items.length > 0) break;
			if (current.kind !== 'string' && current.kind !== 'word') break;
			if (current.kind === 'string' && (current.quoted?.form === 'foreign' || !current.quoted?.closed)) break;
			if (current.kind === 'word' && !isText && !isItem(current)) break;
			items.push(current.text);
		} else if (current.text !== ',') connectives.push(current);
		end = current.end;
		parser.index++;
	}
	const values = items.map(item => (isText && !/^(?:"|r#*")/.test(item) ? `"${item}"` : item));
	const isSure = items.length > 0 && !(connectives.length > 0 && isNegated(parser, side));
	parser.syntaxError({start: first.start, end}, 'A set is written in braces: in {…}.', {
		engine: 'expected literal "{"',
		correction: isSure ? `{${values.join(' ')}}` : undefined,
	});
	if (items.length === 0) {
		if (first.kind === 'string') readLiteral(parser, undefined);
		else parser.skipUnreadable();
	}
	return undefined;
}
