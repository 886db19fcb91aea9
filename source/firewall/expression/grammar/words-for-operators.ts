import {isSign} from './name-extent.ts';
import {functionsTakenForOperators} from './operators.ts';
import {abbreviate, isNegation, joinSpans, type Parser, type TypedOperand} from './parser.ts';
import {formatLexemeValue, isValueLexeme, joinConditions} from './several-values.ts';
import type {Lexeme} from './token.ts';
import {readBracketedValues} from './values-in-brackets.ts';

/**
 * Reports a function used as an operator (`http.host ends_with ".org"`, `http.host not starts with "a"`) and
 * skips the condition. Returns false if there is none.
 */
export function reportFunctionAsOperator(parser: Parser, left: TypedOperand, current: Lexeme): boolean {
	const {lexemes, index} = parser;
	// The number of lexemes: `not`, `does not`, or none.
	const negationLength = isNegation(current)
		? 1
		: /^do(?:es)?$/i.test(current.text) && parser.next?.text === 'not'
			? 2
			: 0;
	const operatorWord = lexemes[index + negationLength];
	const functionWord = operatorWord && findFunctionWord(operatorWord, lexemes[index + negationLength + 1]);
	if (!operatorWord || !functionWord) return false;
	const name = parser.slice(left.operand);
	const valueIndex = index + negationLength + functionWord.length;
	const firstLexeme = lexemes[valueIndex];
	const brackets =
		firstLexeme && '({'.includes(firstLexeme.text)
			? readBracketedValues(parser, valueIndex, true)
			: undefined;
	const singleValue =
		firstLexeme && !brackets ? readSingleValue(parser, firstLexeme, lexemes[valueIndex + 1]) : undefined;
	const values = brackets?.values ?? (singleValue === undefined ? undefined : [singleValue]);
	const lastLexeme = brackets ? brackets.close : firstLexeme;
	const negationText = negationLength > 0 ? 'not ' : '';
	const isMixed = brackets?.connective === 'mixed';
	parser.syntaxError(
		operatorWord,
		`${functionWord.name} is a function: use ${functionWord.name}(${abbreviate(name)}, "…").`,
		{
			engineMessage: 'expected ComparisonOp',
			correction:
				values && values.length > 0 && values.length * name.length < 4096 && lastLexeme && !isMixed
					? {
							span: joinSpans(left.operand, lastLexeme),
							text:
								negationText +
								joinConditions(
									values,
									brackets?.connective === 'and' ? 'and' : 'or',
									value => `${functionWord.name}(${name}, ${value})`,
								),
						}
					: undefined,
		},
	);
	parser.index = Math.max(index + 1, brackets ? brackets.endIndex : valueIndex);
	parser.skipToNextCondition();
	return true;
}

/** Finds `starts_with` or `startswith` in one word, or `starts with` in two. */
function findFunctionWord(
	word: Lexeme,
	nextLexeme: Lexeme | undefined,
): {name: string; length: number} | undefined {
	if (word.kind !== 'word') return undefined;
	const lowerText = word.text.toLowerCase();
	const name = functionsTakenForOperators.get(lowerText);
	if (name) return {name, length: 1};
	if (nextLexeme?.text.toLowerCase() !== 'with') return undefined;
	if (/^(?:start|begin)s?$/.test(lowerText)) return {name: 'starts_with', length: 2};
	return /^ends?$/.test(lowerText) ? {name: 'ends_with', length: 2} : undefined;
}

/** Reads one value; undefined for an unquoted word glued to the next lexeme, whose end is uncertain. */
function readSingleValue(parser: Parser, value: Lexeme, nextLexeme: Lexeme | undefined): string | undefined {
	if (value.kind !== 'string' && (value.kind !== 'word' || nextLexeme?.start === value.end)) return undefined;
	return formatLexemeValue(parser, value, true);
}

/** Reports `cf.edge.server_port between 80 and 90` and moves past it. Returns false if there is none. */
export function reportBetween(parser: Parser, left: TypedOperand, current: Lexeme): boolean {
	if (current.text.toLowerCase() !== 'between') return false;
	const {lexemes, index, next: firstLexeme} = parser;
	const andLexeme = lexemes[index + 2];
	const lastLexeme = lexemes[index + 3];
	if (
		!isValueLexeme(firstLexeme) ||
		!isValueLexeme(lastLexeme) ||
		!(andLexeme?.text.toLowerCase() === 'and' || isSign(andLexeme, '&&') || isSign(andLexeme, ','))
	)
		return false;
	const hasRanges = left.type?.kind === 'Integer' || left.type?.kind === 'IP';
	parser.syntaxError(
		current,
		hasRanges
			? `"between" is not an operator: use a range in a set: in {${abbreviate(firstLexeme.text)}..${abbreviate(lastLexeme.text)}}.`
			: '"between" is not an operator: compare each end with ge and le.',
		{
			engineMessage: 'expected ComparisonOp',
			correction: hasRanges
				? {span: joinSpans(current, lastLexeme), text: `in {${firstLexeme.text}..${lastLexeme.text}}`}
				: undefined,
		},
	);
	parser.index += 4;
	return true;
}
