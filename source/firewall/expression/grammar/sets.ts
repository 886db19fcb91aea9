import {findField} from '../vocabulary/fields.ts';
import {looksLikeLiteral, readLiteral} from './literals.ts';
import {comparisonOperators, logicalOperators} from './operators.ts';
import {abbreviate, isConnective, isNegation, joinSpans, type Parser} from './parser.ts';
import type {Correction} from './problem.ts';
import {
	mergeRepeatedMistakes,
	readDoubledBraces,
	reportFieldInSet,
	reportSpacedRange,
} from './set-mistakes.ts';
import {reportStarsInSet} from './stars.ts';
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
	const listName = name
		.toLowerCase()
		.replaceAll('-', '_')
		.replace(/^\.+|\.+$/g, '');
	parser.syntaxError(
		list,
		"A list name can only contain lower-case letters, digits, _ and dots, and can't start or end with a dot.",
		{
			engineMessage: `invalid list name "${abbreviate(name)}"`,
			correction: /^[a-z0-9_.]+$/.test(listName) ? `$${listName}` : undefined,
		},
	);
	return undefined;
}

/** The end of a set: the index of its closing brace, or of what follows if that is missing. */
type SetEnd = {readonly index: number; readonly closed: boolean};

function findSetEnd({lexemes, index}: Parser): SetEnd {
	let lexemeIndex = index;
	for (; lexemeIndex < lexemes.length; lexemeIndex++) {
		const lexeme = lexemes[lexemeIndex];
		if (!lexeme || (lexeme.kind === 'sign' && '{()'.includes(lexeme.text))) break;
		if (lexeme.kind === 'sign' && lexeme.text === '}') return {index: lexemeIndex, closed: true};
		if (isConnective(lexeme) && isNextCondition(lexemes[lexemeIndex + 1], lexemes[lexemeIndex + 2])) break;
	}
	return {index: lexemeIndex, closed: false};
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
	const setEnd = findSetEnd(parser);
	const firstProblemIndex = parser.problems.length;
	const items: Literal[] = [];
	const separators: Lexeme[] = [];
	let isClean = true;
	let previousLexeme: Lexeme = open;
	let wasCorrect = true;
	for (let current = parser.current; current && parser.index < setEnd.index; current = parser.current) {
		if (isSeparator(current)) {
			separators.push(current);
			parser.index++;
			continue;
		}
		if (!setEnd.closed && !isItem(current)) break;
		const isGlued =
			previousLexeme !== open && previousLexeme.end === current.start && previousLexeme === parser.previous;
		const previousErrorCount = parser.errorCount;
		const problemCount = parser.problems.length;
		const item = reportSpacedRange(parser, side, current, setEnd.index)
			? undefined
			: readItem(parser, side, current);
		const isCorrect = parser.errorCount === previousErrorCount;
		if (isGlued && wasCorrect && isCorrect) warnMissingSpace(parser, current, problemCount);
		wasCorrect = isCorrect;
		if (item) items.push(item);
		else isClean = false;
		previousLexeme = parser.previous ?? current;
	}
	const correction = parser.buildClosing('}');
	mergeRepeatedMistakes(parser, firstProblemIndex);
	if (separators.length > 0) reportSeparators(parser, separators);
	if (!setEnd.closed) {
		parser.syntaxError(open, 'This brace is not closed: } is missing after the last value.', {
			engineMessage: 'expected literal "}"',
			correction,
		});
		return undefined;
	}
	const close = parser.take() ?? open;
	if (isClean && items.length === 0 && separators.length === 0)
		parser.warning(joinSpans(open, close), 'This is never true: the set is empty.', {code: 'L005'});
	if (side.type) reportStarsInSet(parser, side, items, close);
	return isClean ? {kind: 'set', ...joinSpans(open, close), items} : undefined;
}

const isSeparator = (lexeme: Lexeme): boolean =>
	lexeme.kind === 'sign'
		? lexeme.text === ',' || lexeme.text === ';' || lexeme.text === '|' || logicalOperators.has(lexeme.text)
		: isConnective(lexeme);

const isItem = ({kind, text}: Lexeme): boolean =>
	kind === 'string' || (kind === 'word' && looksLikeLiteral(text));

function warnMissingSpace(parser: Parser, {start, end}: Lexeme, problemIndex: number): void {
	const gap = {start, end: start};
	parser.warning(
		{start, end},
		'A space is missing between two values of this set. The service accepts this, but it is easy to misread.',
		{code: 'L003', correction: {span: gap, text: ' '}},
	);
	const problem = parser.problems.pop();
	if (problem) parser.problems.splice(problemIndex, 0, problem);
}

/** Reports wrong separators once per set, with one correction. */
function reportSeparators(parser: Parser, separators: readonly Lexeme[]): void {
	const [firstSeparator, lastSeparator] = [separators[0], separators.at(-1)];
	if (!firstSeparator || !lastSeparator) return;
	let text = '';
	let end = firstSeparator.start;
	for (const {start, end: separatorEnd} of separators) {
		text += parser.text.slice(end, start);
		end = separatorEnd;
		if (parser.text.charAt(end) === ' ') end++;
		text += ' ';
	}
	parser.syntaxError(
		firstSeparator,
		`Separate set values with spaces, not ${firstSeparator.text === ',' ? 'commas' : firstSeparator.text}.`,
		{correction: {span: {start: firstSeparator.start, end}, text}},
	);
}

function readItem(parser: Parser, side: LeftSide, current: Lexeme): Literal | undefined {
	const {type} = side;
	const isText = type?.kind === 'String' || type?.kind === 'Bytes';
	if (isText && current.kind === 'word' && /^-?[0-9]+\.\.-?[0-9]+$/.test(current.text)) {
		parser.syntaxError(current, 'Ranges only work for numbers and addresses, not for strings.', {
			engineMessage: 'expected " or r',
		});
		parser.index++;
		return undefined;
	}
	if (reportFieldInSet(parser, side, current)) return undefined;
	const parsedLiteral = readLiteral(parser, type);
	if (parsedLiteral) {
		const {literal} = parsedLiteral;
		if (literal === undefined && !type) parser.broken = true;
		return literal;
	}
	parser.syntaxError(
		current,
		current.kind === 'list'
			? 'Write a list without braces: in $name.'
			: 'A set can only contain values, separated by spaces.',
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

/** Reports a set in other brackets: `in ("a", "b")`, `in ["a", "b"]`. */
function reportOtherBrackets(parser: Parser, open: Lexeme): undefined {
	const closing = open.text === '(' ? ')' : ']';
	let lexemeIndex = parser.index + 1;
	const items: string[] = [];
	for (let lexeme = parser.lexemes[lexemeIndex]; lexeme; lexeme = parser.lexemes[++lexemeIndex]) {
		if (lexeme.kind === 'sign' && (lexeme.text === closing || '([{'.includes(lexeme.text))) break;
		if (!isSeparator(lexeme)) items.push(lexeme.text);
	}
	const close = parser.lexemes[lexemeIndex];
	const isClosed = close?.kind === 'sign' && close.text === closing;
	parser.syntaxError(open, 'Write a set in braces, with spaces between the values: in {…}.', {
		engineMessage: 'expected literal "{"',
		correction:
			isClosed && items.length > 0 ? {span: joinSpans(open, close), text: `{${items.join(' ')}}`} : undefined,
	});
	if (isClosed) parser.index = lexemeIndex + 1;
	else {
		parser.skipUnreadable();
	}
	return undefined;
}

/** True after a `not` or a connective, where an `or` between values would be ambiguous. */
function followsNotOrConnective({lexemes, index}: Parser, {left}: LeftSide): boolean {
	let lexemeIndex = index - 1;
	while (lexemeIndex > 0 && (lexemes[lexemeIndex]?.start ?? 0) > left.start) lexemeIndex--;
	const lexemeBefore = lexemes[lexemeIndex - 1];
	return lexemeBefore !== undefined && (isNegation(lexemeBefore) || isConnective(lexemeBefore));
}

/** True if a further value follows a comma, or an `or` that no condition follows. */
function separatesValues({next, lexemes, index}: Parser, {text}: Lexeme): boolean {
	if (!next || !isItem(next) || findField(next.text)) return false;
	const nextLexeme = lexemes[index + 2];
	return (
		text === ',' ||
		(logicalOperators.get(text) === 'or' && !(nextLexeme && comparisonOperators.has(nextLexeme.text)))
	);
}

/** Reports a set without braces: `in "a" "b"`. */
function reportMissingBraces(parser: Parser, side: LeftSide, firstLexeme: Lexeme): undefined {
	if (reportFieldInSet(parser, side, firstLexeme)) return undefined;
	const isText = side.type?.kind === 'String';
	const items: string[] = [];
	const connectives: Lexeme[] = [];
	let end = firstLexeme.end;
	for (let current = parser.current; current; current = parser.current) {
		const hasSeparator = items.length > 0 && separatesValues(parser, current);
		if (!hasSeparator) {
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
	const isSure = items.length > 0 && !(connectives.length > 0 && followsNotOrConnective(parser, side));
	parser.syntaxError({start: firstLexeme.start, end}, 'Write a set in braces: in {…}.', {
		engineMessage: 'expected literal "{"',
		correction: isSure ? `{${values.join(' ')}}` : undefined,
	});
	if (items.length === 0) {
		if (firstLexeme.kind === 'string') readLiteral(parser, undefined);
		else parser.skipUnreadable();
	}
	return undefined;
}
