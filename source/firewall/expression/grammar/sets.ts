import {fieldNamed} from '../vocabulary/fields.ts';
import {looksLikeLiteral, readLiteral} from './literals.ts';
import {comparisonOperators, logicalOperators} from './operators.ts';
import type {Correction} from './problem.ts';
import {isLogical, isNotLexeme, type Reading, shown, spanOf} from './reading.ts';
import {doubledBraces, fieldInSet, oneHabit, rangeApart} from './set-mistakes.ts';
import type {Lexeme} from './token.ts';
import type {LeftSide, Literal, RightSide} from './tree.ts';

/** Reads what follows `in`: a set in braces, or the name of a list. */
export function readSet(reading: Reading, side: LeftSide): RightSide | undefined {
	const {current} = reading;
	if (!current) return undefined;
	if (current.kind === 'list') return readList(reading, current);
	if (current.kind === 'sign') {
		if (current.text === '{') return readBraces(reading, side, current);
		if (current.text === '(' || current.text === '[') return otherBrackets(reading, current);
	}
	return withoutBraces(reading, side, current);
}

function readList(reading: Reading, list: Lexeme): RightSide | undefined {
	const name = list.text.slice(1);
	reading.index++;
	if (/^[a-z0-9_](?:[a-z0-9_.]*[a-z0-9_])?$/.test(name))
		return {kind: 'list', start: list.start, end: list.end, name};
	const meant = name
		.toLowerCase()
		.replaceAll('-', '_')
		.replace(/^\.+|\.+$/g, '');
	reading.unreadable(
		list,
		'The name of a list has lower-case letters, digits, _ and dots, and neither begins nor ends with a dot.',
		{
			engine: `invalid list name "${shown(name)}"`,
			correction: /^[a-z0-9_.]+$/.test(meant) ? `$${meant}` : undefined,
		},
	);
	return undefined;
}

/** The end of a set: the index of its closing brace, or of what follows if that is missing. */
type Ending = {readonly index: number; readonly closed: boolean};

function endingOf({lexemes, index}: Reading): Ending {
	let place = index;
	for (; place < lexemes.length; place++) {
		const lexeme = lexemes[place];
		if (!lexeme || (lexeme.kind === 'sign' && '{()'.includes(lexeme.text))) break;
		if (lexeme.kind === 'sign' && lexeme.text === '}') return {index: place, closed: true};
		if (isLogical(lexeme) && beginsNext(lexemes[place + 1], lexemes[place + 2])) break;
	}
	return {index: place, closed: false};
}

/** True if a condition follows, not a further value. */
const beginsNext = (first: Lexeme | undefined, second: Lexeme | undefined): boolean =>
	first?.kind === 'word' &&
	(fieldNamed(first.text) !== undefined ||
		first.text === 'not' ||
		(second !== undefined && comparisonOperators.has(second.text)));

function readBraces(reading: Reading, side: LeftSide, open: Lexeme): RightSide | undefined {
	reading.index++;
	if (reading.isAt('{')) return doubledBraces(reading, side, open, readBraces);
	const ending = endingOf(reading);
	const found = reading.found.length;
	const items: Literal[] = [];
	const separators: Lexeme[] = [];
	let clean = true;
	let before: Lexeme = open;
	let wellWritten = true;
	for (let current = reading.current; current && reading.index < ending.index; current = reading.current) {
		if (isSeparator(current)) {
			separators.push(current);
			reading.index++;
			continue;
		}
		if (!ending.closed && !isItem(current)) break;
		const isGlued = before !== open && before.end === current.start && before === reading.previous;
		const errors = reading.errorCount;
		const told = reading.found.length;
		const item = rangeApart(reading, side, current, ending.index)
			? undefined
			: readItem(reading, side, current);
		const isWell = reading.errorCount === errors;
		if (isGlued && wellWritten && isWell) noSpace(reading, current, told);
		wellWritten = isWell;
		if (item) items.push(item);
		else clean = false;
		before = reading.previous ?? current;
	}
	const correction = reading.closing('}');
	oneHabit(reading, found);
	if (separators.length > 0) wrongSeparators(reading, separators);
	if (!ending.closed) {
		reading.unreadable(open, 'Nothing closes this brace: } is missing behind the last value.', {
			engine: 'expected literal "}"',
			correction,
		});
		return undefined;
	}
	const close = reading.take() ?? open;
	if (clean && items.length === 0 && separators.length === 0)
		reading.warning(spanOf(open, close), 'This is never true: the set is empty.');
	if (side.type) starWarnings(reading, side, items, close);
	return clean ? {kind: 'set', ...spanOf(open, close), items} : undefined;
}

const isSeparator = (lexeme: Lexeme): boolean =>
	lexeme.kind === 'sign'
		? lexeme.text === ',' || lexeme.text === ';' || lexeme.text === '|' || logicalOperators.has(lexeme.text)
		: isLogical(lexeme);

const isItem = ({kind, text}: Lexeme): boolean =>
	kind === 'string' || (kind === 'word' && looksLikeLiteral(text));

function noSpace(reading: Reading, {start, end}: Lexeme, place: number): void {
	const at = {start, end: start};
	reading.warning(
		{start, end},
		'A space is missing between the values of this set. The service finds them, but whoever reads this may not.',
		{correction: {span: at, text: ' '}},
	);
	const told = reading.found.pop();
	if (told) reading.found.splice(place, 0, told);
}

/** Reports wrong separators once per set, with one correction. */
function wrongSeparators(reading: Reading, separators: readonly Lexeme[]): void {
	const [first, last] = [separators[0], separators.at(-1)];
	if (!first || !last) return;
	let text = '';
	let end = first.start;
	for (const {start, end: behind} of separators) {
		text += reading.text.slice(end, start);
		end = behind;
		if (reading.text.charAt(end) === ' ') end++;
		text += ' ';
	}
	reading.unreadable(
		first,
		`Separate set values with spaces, not ${first.text === ',' ? 'commas' : first.text}.`,
		{correction: {span: {start: first.start, end}, text}},
	);
}

function readItem(reading: Reading, side: LeftSide, current: Lexeme): Literal | undefined {
	const {type} = side;
	const text = type?.kind === 'String' || type?.kind === 'Bytes';
	if (text && current.kind === 'word' && /^-?[0-9]+\.\.-?[0-9]+$/.test(current.text)) {
		reading.unreadable(current, 'Texts have no ranges.', {engine: 'expected " or r'});
		reading.index++;
		return undefined;
	}
	if (fieldInSet(reading, side, current)) return undefined;
	const read = readLiteral(reading, type);
	if (read) {
		const {literal} = read;
		if (literal === undefined && !type) reading.broken = true;
		return literal;
	}
	reading.unreadable(
		current,
		current.kind === 'list'
			? 'Write a list without braces: in $name.'
			: 'A set holds only values, with spaces between them.',
		{correction: current.kind === 'list' ? listAlone(reading, current) : undefined},
	);
	reading.index++;
	return undefined;
}

/** Corrects `{$list}`. */
function listAlone({lexemes, index}: Reading, {text}: Lexeme): Correction | undefined {
	const [open, close] = [lexemes[index - 1], lexemes[index + 1]];
	return open?.text === '{' && close?.text === '}' ? {span: spanOf(open, close), text} : undefined;
}

/** Warns of `*` in a set, where it has no special meaning: such values need their own comparison. */
function starWarnings(reading: Reading, side: LeftSide, items: readonly Literal[], close: Lexeme): void {
	const hasStar = (item: Literal) => item.kind === 'string' && item.value.includes('*');
	const isPattern = (item: Literal) => item.kind === 'string' && !/\\|\*\*/.test(item.value);
	const starred = items.filter(hasStar);
	if (starred.length === 0) return;
	const left = reading.slice(side.left);
	const each = items.map(item => `${left} ${hasStar(item) ? 'wildcard' : 'eq'} ${reading.slice(item)}`);
	const text = each.length > 1 ? `(${each.join(' or ')})` : each.join('');
	const span = {start: side.left.start, end: close.end};
	const correction = starred.every(isPattern) ? {span, text} : undefined;
	for (const item of starred)
		reading.warning(item, '* is a character like any other in a set. With wildcard it matches any text.', {
			correction,
		});
}

/** Reports a set in other brackets: `in ("a", "b")`, `in ["a", "b"]`. */
function otherBrackets(reading: Reading, open: Lexeme): undefined {
	const closing = open.text === '(' ? ')' : ']';
	let place = reading.index + 1;
	const items: string[] = [];
	for (let one = reading.lexemes[place]; one; one = reading.lexemes[++place]) {
		if (one.kind === 'sign' && (one.text === closing || '([{'.includes(one.text))) break;
		if (!isSeparator(one)) items.push(one.text);
	}
	const close = reading.lexemes[place];
	const closed = close?.kind === 'sign' && close.text === closing;
	reading.unreadable(open, 'A set is written in braces: in {…}, with spaces between its values.', {
		engine: 'expected literal "{"',
		correction:
			closed && items.length > 0 ? {span: spanOf(open, close), text: `{${items.join(' ')}}`} : undefined,
	});
	if (closed) reading.index = place + 1;
	else {
		reading.pass();
	}
	return undefined;
}

/** True after a `not` or a connective, where an `or` between values would be ambiguous. */
function isNegated({lexemes, index}: Reading, {left}: LeftSide): boolean {
	let place = index - 1;
	while (place > 0 && (lexemes[place]?.start ?? 0) > left.start) place--;
	const before = lexemes[place - 1];
	return before !== undefined && (isNotLexeme(before) || isLogical(before));
}

/** True if a further value follows a comma, or an `or` that no condition follows. */
function isSeparated({next, lexemes, index}: Reading, {text}: Lexeme): boolean {
	if (!next || !isItem(next) || fieldNamed(next.text)) return false;
	const behind = lexemes[index + 2];
	return (
		text === ',' || (logicalOperators.get(text) === 'or' && !(behind && comparisonOperators.has(behind.text)))
	);
}

/** Reports a set without braces: `in "a" "b"`. */
function withoutBraces(reading: Reading, side: LeftSide, first: Lexeme): undefined {
	if (fieldInSet(reading, side, first)) return undefined;
	const isText = side.type?.kind === 'String';
	const items: string[] = [];
	const joints: Lexeme[] = [];
	let end = first.end;
	for (let current = reading.current; current; current = reading.current) {
		const separated = items.length > 0 && isSeparated(reading, current);
		if (!separated) {
			if (!isItem(current) && items.length > 0) break;
			if (current.kind !== 'string' && current.kind !== 'word') break;
			if (current.kind === 'string' && (current.quoted?.form === 'foreign' || !current.quoted?.closed)) break;
			if (current.kind === 'word' && !isText && !isItem(current)) break;
			items.push(current.text);
		} else if (current.text !== ',') joints.push(current);
		end = current.end;
		reading.index++;
	}
	const values = items.map(item => (isText && !/^(?:"|r#*")/.test(item) ? `"${item}"` : item));
	const isSure = items.length > 0 && !(joints.length > 0 && isNegated(reading, side));
	reading.unreadable({start: first.start, end}, 'A set is written in braces: in {…}.', {
		engine: 'expected literal "{"',
		correction: isSure ? `{${values.join(' ')}}` : undefined,
	});
	if (items.length === 0) {
		if (first.kind === 'string') readLiteral(reading, undefined);
		else reading.pass();
	}
	return undefined;
}
