import {isSign} from './name-extent.ts';
import {functionsTakenForOperators} from './operators.ts';
import {abbreviate, isNegation, joinSpans, type Parser, type TypedOperand} from './reading.ts';
import {formatLexemeValue, isValueLexeme, joinConditions} from './several-values.ts';
import type {Lexeme} from './token.ts';
import {readBracketedValues} from './values-in-brackets.ts';

/** Reports a function used as an operator: `http.host ends_with ".org"`, `http.host not starts with "a"`. */
export function reportFunctionAsOperator(parser: Parser, left: TypedOperand, current: Lexeme): boolean {
	const {lexemes, index} = parser;
	const negation = isNegation(current)
		? 1
		: /^do(?:es)?$/i.test(current.text) && parser.next?.text === 'not'
			? 2
			: 0;
	const word = lexemes[index + negation];
	const called = word && findFunctionWord(word, lexemes[index + negation + 1]);
	if (!word || !called) return false;
	const name = parser.slice(left.operand);
	const from = index + negation + called.length;
	const first = lexemes[from];
	const brackets = first && '({'.includes(first.text) ? readBracketedValues(parser, from, true) : undefined;
	const single = first && !brackets ? readSingleValue(parser, first, lexemes[from + 1]) : undefined;
	const values = brackets?.values ?? (single === undefined ? undefined : [single]);
	const last = brackets ? brackets.close : first;
	const not = negation > 0 ? 'not ' : '';
	const isMixed = brackets?.connective === 'mixed';
	parser.syntaxError(word, `${called.name} is a function: ${called.name}(${abbreviate(name)}, "…").`, {
		engine: 'expected ComparisonOp',
		correction:
			values && values.length > 0 && values.length * name.length < 4096 && last && !isMixed
				? {
						span: joinSpans(left.operand, last),
						text:
							not +
							joinConditions(
								values,
								brackets?.connective === 'and' ? 'and' : 'or',
								value => `${called.name}(${name}, ${value})`,
							),
					}
				: undefined,
	});
	parser.index = Math.max(index + 1, brackets ? brackets.end : from);
	parser.skipToBoundary();
	return true;
}

/** Finds `starts_with` or `startswith` in one word, or `starts with` in two. */
function findFunctionWord(
	word: Lexeme,
	next: Lexeme | undefined,
): {name: string; length: number} | undefined {
	if (word.kind !== 'word') return undefined;
	const lower = word.text.toLowerCase();
	const name = functionsTakenForOperators.get(lower);
	if (name) return {name, length: 1};
	if (next?.text.toLowerCase() !== 'with') return undefined;
	if (/^(?:start|begin)s?$/.test(lower)) return {name: 'starts_with', length: 2};
	return /^ends?$/.test(lower) ? {name: 'ends_with', length: 2} : undefined;
}

/** Reads one value; undefined for an unquoted word glued to the next lexeme, whose end is uncertain. */
function readSingleValue(parser: Parser, value: Lexeme, following: Lexeme | undefined): string | undefined {
	if (value.kind !== 'string' && (value.kind !== 'word' || following?.start === value.end)) return undefined;
	return formatLexemeValue(parser, value, true);
}

/** Reports `cf.edge.server_port between 80 and 90`. */
export function reportBetween(parser: Parser, left: TypedOperand, current: Lexeme): boolean {
	if (current.text.toLowerCase() !== 'between') return false;
	const {lexemes, index, next: first} = parser;
	const and = lexemes[index + 2];
	const last = lexemes[index + 3];
	if (
		!isValueLexeme(first) ||
		!isValueLexeme(last) ||
		!(and?.text.toLowerCase() === 'and' || isSign(and, '&&') || isSign(and, ','))
	)
		return false;
	const hasRanges = left.type?.kind === 'Integer' || left.type?.kind === 'IP';
	parser.syntaxError(
		current,
		hasRanges
			? `between is not an operator: a range is written in a set, as in {${abbreviate(first.text)}..${abbreviate(last.text)}}.`
			: 'between is not an operator: ge and le compare with each end.',
		{
			engine: 'expected ComparisonOp',
			correction: hasRanges
				? {span: joinSpans(current, last), text: `in {${first.text}..${last.text}}`}
				: undefined,
		},
	);
	parser.index += 4;
	return true;
}
