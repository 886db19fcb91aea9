import {isSign} from './name-extent.ts';
import {functionsTakenForOperators} from './operators.ts';
import {isNotLexeme, type Reading, shown, spanOf, type Typed} from './reading.ts';
import {eachJoined, isValue, valueText} from './several-values.ts';
import type {Lexeme} from './token.ts';
import {valuesInBrackets} from './values-in-brackets.ts';

/** Reports a function used as an operator: `http.host ends_with ".org"`, `http.host not starts with "a"`. */
export function functionAsOperator(reading: Reading, left: Typed, current: Lexeme): boolean {
	const {lexemes, index} = reading;
	const negation = isNotLexeme(current)
		? 1
		: /^do(?:es)?$/i.test(current.text) && reading.next?.text === 'not'
			? 2
			: 0;
	const word = lexemes[index + negation];
	const called = word && functionTaken(word, lexemes[index + negation + 1]);
	if (!word || !called) return false;
	const name = reading.slice(left.operand);
	const from = index + negation + called.length;
	const first = lexemes[from];
	const brackets = first && '({'.includes(first.text) ? valuesInBrackets(reading, from, true) : undefined;
	const single = first && !brackets ? singleValue(reading, first, lexemes[from + 1]) : undefined;
	const values = brackets?.values ?? (single === undefined ? undefined : [single]);
	const last = brackets ? brackets.close : first;
	const not = negation > 0 ? 'not ' : '';
	const isMixed = brackets?.joint === 'mixed';
	reading.unreadable(word, `${called.name} is a function: ${called.name}(${shown(name)}, "…").`, {
		engine: 'expected ComparisonOp',
		correction:
			values && values.length > 0 && values.length * name.length < 4096 && last && !isMixed
				? {
						span: spanOf(left.operand, last),
						text:
							not +
							eachJoined(
								values,
								brackets?.joint === 'and' ? 'and' : 'or',
								value => `${called.name}(${name}, ${value})`,
							),
					}
				: undefined,
	});
	reading.index = Math.max(index + 1, brackets ? brackets.end : from);
	reading.stepOver();
	return true;
}

/** Finds `starts_with` or `startswith` in one word, or `starts with` in two. */
function functionTaken(word: Lexeme, next: Lexeme | undefined): {name: string; length: number} | undefined {
	if (word.kind !== 'word') return undefined;
	const lower = word.text.toLowerCase();
	const name = functionsTakenForOperators.get(lower);
	if (name) return {name, length: 1};
	if (next?.text.toLowerCase() !== 'with') return undefined;
	if (/^(?:start|begin)s?$/.test(lower)) return {name: 'starts_with', length: 2};
	return /^ends?$/.test(lower) ? {name: 'ends_with', length: 2} : undefined;
}

/** Reads one value; undefined for an unquoted word glued to the next lexeme, whose end is uncertain. */
function singleValue(reading: Reading, value: Lexeme, behind: Lexeme | undefined): string | undefined {
	if (value.kind !== 'string' && (value.kind !== 'word' || behind?.start === value.end)) return undefined;
	return valueText(reading, value, true);
}

/** Reports `cf.edge.server_port between 80 and 90`. */
export function between(reading: Reading, left: Typed, current: Lexeme): boolean {
	if (current.text.toLowerCase() !== 'between') return false;
	const {lexemes, index, next: first} = reading;
	const and = lexemes[index + 2];
	const last = lexemes[index + 3];
	if (
		!isValue(first) ||
		!isValue(last) ||
		!(and?.text.toLowerCase() === 'and' || isSign(and, '&&') || isSign(and, ','))
	)
		return false;
	const hasRanges = left.type?.kind === 'Integer' || left.type?.kind === 'IP';
	reading.unreadable(
		current,
		hasRanges
			? `between is not an operator: a range is written in a set, as in {${shown(first.text)}..${shown(last.text)}}.`
			: 'between is not an operator: ge and le compare with each end.',
		{
			engine: 'expected ComparisonOp',
			correction: hasRanges
				? {span: spanOf(current, last), text: `in {${first.text}..${last.text}}`}
				: undefined,
		},
	);
	reading.index += 4;
	return true;
}
