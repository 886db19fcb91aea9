import type {Analysis} from './analysis.ts';
import {checkHiddenCharacters} from './checks/hidden-characters.ts';
import type {ExpressionContext} from './context.ts';
import {reportComment} from './grammar/comments.ts';
import {readConditions} from './grammar/conditions.ts';
import {peekConnective} from './grammar/connectives.ts';
import {cutLexemes, readLexemes, toTokens} from './grammar/lexer.ts';
import {readLoneValue} from './grammar/lone-value.ts';
import {readOperand} from './grammar/operands.ts';
import {joinSpans, Parser} from './grammar/parser.ts';
import {addPositions, findByteOffset} from './grammar/positions.ts';
import type {Lexeme} from './grammar/token.ts';
import type {Expression} from './grammar/tree.ts';
import {checkMeaning} from './meaning/meaning.ts';
import {measureExpression} from './size.ts';
import {addStyleHints} from './style/hints.ts';
import {maxExpressionLength} from './vocabulary/limits.ts';
import {isValuePhase} from './vocabulary/phases.ts';

/** Maximum length that is parsed, in UTF-16 units. A longer text is only measured and split into tokens. */
const maxReadLength = 16 * maxExpressionLength;

/** Analyses an expression locally: tokens, tree, errors and warnings with corrections. Never throws. */
export function analyse(text: string, context: ExpressionContext = {}): Analysis {
	const lexemes = readLexemes(text, maxReadLength);
	const significantLexemes = lexemes.filter(
		({kind}) => kind !== 'space' && kind !== 'odd space' && kind !== 'comment',
	);
	const parser = new Parser(text, significantLexemes, context, {readOperand, readConditions});
	let tree: Expression | undefined;
	checkLength(parser);
	if (text.length <= maxReadLength) {
		for (const lexeme of lexemes) checkLexeme(parser, lexeme);
		if (significantLexemes.length === 0) reportEmpty(parser);
		else {
			tree = isValuePhase(parser.phase) ? readLoneValue(parser) : readWholeExpression(parser);
			reportUnclosedBrackets(parser);
		}
	} else parser.broken = true;
	if (tree && !parser.broken && parser.errorCount === 0) {
		checkMeaning(parser, tree);
		addStyleHints(parser, tree);
	}
	const {errors, warnings} = addPositions(text, parser.problems);
	const {warnings: hints} = addPositions(text, parser.hints);
	return {
		text,
		tokens: toTokens(cutLexemes(lexemes, parser.cutOffsets)),
		tree: parser.broken ? undefined : tree,
		errors,
		warnings,
		hints,
		fields: [...parser.fields],
		functions: [...parser.functions],
	};
}

/** Checks lexemes outside the grammar: unusual spaces, comments, and hidden characters in strings. */
function checkLexeme(parser: Parser, lexeme: Lexeme): void {
	if (lexeme.kind === 'odd space') reportOddSpace(parser, lexeme);
	else if (lexeme.kind === 'comment') reportComment(parser, lexeme);
	else if (lexeme.kind === 'string') checkHiddenCharacters(parser, lexeme);
}

function readWholeExpression(parser: Parser): Expression | undefined {
	if (parser.isAt(')') && parser.current) reportStrayBrackets(parser, parser.current);
	if (!parser.current) return undefined;
	const {expression, resultKind} = readConditions(parser);
	if (resultKind === 'each') parser.broken = true;
	while (parser.current) {
		reportStrayBrackets(parser, parser.current);
		const joint = peekConnective(parser);
		if (!joint) continue;
		parser.index += joint.length;
		readConditions(parser);
	}
	return expression;
}

/** Reports closing parentheses without an opening one. */
function reportStrayBrackets(parser: Parser, firstBracket: Lexeme): void {
	let lastBracket = firstBracket;
	for (; parser.current?.text === ')'; parser.index++) lastBracket = parser.current;
	// Always advances, so that the loop of the caller ends.
	if (parser.current === firstBracket) parser.index++;
	const span = joinSpans(firstBracket, lastBracket);
	parser.syntaxError(span, 'This closing parenthesis has no opening one.', {correction: ''});
}

/** Reports parentheses still open at the end as one error, at the outermost. */
function reportUnclosedBrackets(parser: Parser): void {
	const openBrackets = parser.unclosedBrackets.toSorted((one, other) => one.start - other.start);
	const [outermost] = openBrackets;
	if (!outermost) return;
	parser.syntaxError(
		outermost,
		openBrackets.length > 1
			? `${openBrackets.length} parentheses are not closed; this is the first.`
			: 'This parenthesis is not closed.',
		{
			engineMessage: 'expected literal ")"',
			correction: parser.buildClosing(')'.repeat(openBrackets.length), parser.lexemes.at(-1)),
		},
	);
}

/** Reports tabs and other characters that look like spaces: the service accepts none of them. */
function reportOddSpace(parser: Parser, {start, end, text}: Lexeme): void {
	const span = {start, end};
	parser.syntaxError(
		span,
		text.includes('\t')
			? 'Tabs are not allowed: use spaces or line breaks.'
			: 'This character looks like a space but is not one: use a plain space.',
		{correction: ' '},
	);
}

function reportEmpty(parser: Parser): void {
	if (/\S/.test(parser.text)) return;
	parser.syntaxError(
		{start: parser.text.length, end: parser.text.length},
		'The expression is empty. Use true to match all traffic.',
		{engineMessage: 'expected identifier character'},
	);
}

function checkLength(parser: Parser): void {
	const {text, context} = parser;
	// A UTF-16 unit has at most 3 bytes in UTF-8.
	if (text.length <= maxExpressionLength / 3) return;
	const {characters, bytes, verdict} = measureExpression(text);
	if (verdict === 'fits') return;
	const countsBytes = verdict === 'unclear' || context.isMigrated === true;
	const start = countsBytes
		? findByteOffset(text, maxExpressionLength, 'down')
		: findCharacterOffset(text, maxExpressionLength);
	const span = {start, end: text.length};
	const otherSize =
		characters === bytes ? '' : ` (${countsBytes ? `${characters} characters` : `${bytes} bytes`})`;
	if (context.isMigrated)
		parser.error(
			span,
			`The expression has ${bytes} bytes${otherSize}: the migration limit is ${maxExpressionLength} bytes.`,
			{code: 'E006'},
		);
	else if (verdict === 'too long')
		parser.error(
			span,
			`The expression has ${characters} characters${otherSize}: the limit is ${maxExpressionLength}.`,
			{code: 'E006'},
		);
	else
		parser.warning(
			span,
			`The expression has ${bytes} bytes${otherSize}. The limit is ${maxExpressionLength}; it is not documented whether it counts characters or bytes.`,
			{code: 'L010'},
		);
}

/** Returns the offset after the given number of characters (code points). */
function findCharacterOffset(text: string, characters: number): number {
	let offset = 0;
	for (let count = 0; count < characters && offset < text.length; count++)
		offset += (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
	return offset;
}
