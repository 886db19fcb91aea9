import type {Analysis, Place} from './analysis.ts';
import {hiddenCharacters} from './checks/hidden-characters.ts';
import {comment} from './grammar/comments.ts';
import {readConditions} from './grammar/conditions.ts';
import {logicalBetween} from './grammar/joints.ts';
import {cutLexemes, lexemesOf, tokensOf} from './grammar/lexer.ts';
import {readValue} from './grammar/lone-value.ts';
import {readOperand} from './grammar/operands.ts';
import {offsetOfByte, withPlaces} from './grammar/positions.ts';
import {Reading, spanOf} from './grammar/reading.ts';
import type {Lexeme} from './grammar/token.ts';
import type {Expression} from './grammar/tree.ts';
import {checkMeaning} from './meaning/meaning.ts';
import {sizeOf} from './size.ts';
import {expressionLength} from './vocabulary/limits.ts';
import {isValue} from './vocabulary/phases.ts';

/** Maximum length that is parsed, in UTF-16 units. A longer text is only measured and split into tokens. */
const longestRead = 16 * expressionLength;

/** Analyses an expression locally: tokens, tree, errors and warnings with corrections. Never throws. */
export function analyse(text: string, place: Place = {}): Analysis {
	const lexemes = lexemesOf(text, longestRead);
	const parts = lexemes.filter(({kind}) => kind !== 'space' && kind !== 'odd space' && kind !== 'comment');
	const reading = new Reading(text, parts, place, {readOperand, readConditions});
	let tree: Expression | undefined;
	tooLong(reading);
	if (text.length <= longestRead) {
		for (const lexeme of lexemes) besideParts(reading, lexeme);
		if (parts.length === 0) empty(reading);
		else {
			tree = isValue(reading.phase) ? readValue(reading) : readAll(reading);
			unclosed(reading);
		}
	} else reading.broken = true;
	if (tree && !reading.broken && reading.errorCount === 0) checkMeaning(reading, tree);
	const {errors, warnings} = withPlaces(text, reading.found);
	const {warnings: hints} = withPlaces(text, reading.hinted);
	return {
		text,
		tokens: tokensOf(cutLexemes(lexemes, reading.cuts)),
		tree: reading.broken ? undefined : tree,
		errors,
		warnings,
		hints,
		fields: [...reading.fields],
		functions: [...reading.functions],
	};
}

/** Checks lexemes outside the grammar: unusual spaces, comments, and hidden characters in strings. */
function besideParts(reading: Reading, lexeme: Lexeme): void {
	if (lexeme.kind === 'odd space') oddSpace(reading, lexeme);
	else if (lexeme.kind === 'comment') comment(reading, lexeme);
	else if (lexeme.kind === 'string') hiddenCharacters(reading, lexeme);
}

function readAll(reading: Reading): Expression | undefined {
	if (reading.isAt(')') && reading.current) strayBrackets(reading, reading.current);
	if (!reading.current) return undefined;
	const {expression, returns} = readConditions(reading);
	if (returns === 'each') reading.broken = true;
	while (reading.current) {
		strayBrackets(reading, reading.current);
		const joint = logicalBetween(reading);
		if (!joint) continue;
		reading.index += joint.length;
		readConditions(reading);
	}
	return expression;
}

/** Reports closing parentheses without an opening one. */
function strayBrackets(reading: Reading, first: Lexeme): void {
	let last = first;
	for (; reading.current?.text === ')'; reading.index++) last = reading.current;
	if (reading.current === first) reading.index++;
	const span = spanOf(first, last);
	reading.unreadable(span, 'Nothing opened what is closed here.', {correction: ''});
}

/** Reports parentheses still open at the end as one error, at the outermost. */
function unclosed(reading: Reading): void {
	const open = reading.unclosed.toSorted((one, other) => one.start - other.start);
	const [first] = open;
	if (!first) return;
	reading.unreadable(
		first,
		open.length > 1
			? `Nothing closes ${open.length} parentheses, of which this is the first.`
			: 'Nothing closes this parenthesis.',
		{
			engine: 'expected literal ")"',
			correction: reading.closing(')'.repeat(open.length), reading.lexemes.at(-1)),
		},
	);
}

/** Reports tabs and other characters that look like spaces: the service accepts none of them. */
function oddSpace(reading: Reading, {start, end, text}: Lexeme): void {
	const span = {start, end};
	reading.unreadable(
		span,
		text.includes('\t')
			? 'A tab is not allowed: spaces and line breaks separate.'
			: 'This looks like a space, but is another character: a plain one is needed.',
		{correction: ' '},
	);
}

function empty(reading: Reading): void {
	if (/\S/.test(reading.text)) return;
	reading.unreadable(
		{start: reading.text.length, end: reading.text.length},
		'The expression is empty. true matches all traffic.',
		{engine: 'expected identifier character'},
	);
}

function tooLong(reading: Reading): void {
	const {text, place} = reading;
	if (text.length <= expressionLength / 3) return;
	const {characters, bytes, verdict} = sizeOf(text);
	if (verdict === 'fits') return;
	const inBytes = verdict === 'unclear' || place.isMigrated === true;
	const start = inBytes
		? offsetOfByte(text, expressionLength, 'down')
		: offsetOfCharacter(text, expressionLength);
	const span = {start, end: text.length};
	const both = characters === bytes ? '' : ` (${inBytes ? `${characters} characters` : `${bytes} bytes`})`;
	if (place.isMigrated)
		reading.error(span, `The expression has ${bytes} bytes${both}: ${expressionLength} can be migrated.`);
	else if (verdict === 'too long')
		reading.error(
			span,
			`The expression has ${characters} characters${both}: the limit is ${expressionLength}.`,
		);
	else
		reading.warning(
			span,
			`The expression has ${bytes} bytes${both}. The limit is ${expressionLength}, and whether it counts characters or bytes is not documented.`,
		);
}

/** Returns the offset after the given number of characters (code points). */
function offsetOfCharacter(text: string, characters: number): number {
	let offset = 0;
	for (let count = 0; count < characters && offset < text.length; count++)
		offset += (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
	return offset;
}
