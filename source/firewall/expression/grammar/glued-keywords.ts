import {isKnownName, trailingKeywords} from '../checks/suggestions.ts';
import {findField} from '../vocabulary/fields.ts';
import type {ValueType} from '../vocabulary/value-type.ts';
import {looksLikeLiteral} from './literals.ts';
import type {Parser} from './parser.ts';
import type {Lexeme} from './token.ts';

/*
 * The engine matches keywords at the start of a word, without looking for its end: `notssl` is `not ssl`.
 * These functions split words in the same places, if the rest is a known name or a literal.
 */

/** Splits `notssl` at the start of a condition. */
export function splitGluedNot(parser: Parser): void {
	const {current} = parser;
	if (current?.kind !== 'word' || !current.text.startsWith('not') || isKnownName(current.text)) return;
	const remainder = current.text.slice(3);
	if (!isKnownName(remainder) && !isNegatedName(remainder)) return;
	parser.warnGlued(current, `not ${remainder}`);
	parser.cut(3);
}

const isNegatedName = (text: string): boolean =>
	/^(?:not)+/.test(text) && isKnownName(text.replace(/^(?:not)+/, ''));

const gluedConnective = /^(and|or|xor)(.+)$/;

/** Splits `andssl` after a condition; `parser.current` is then `and`. Returns false for any other word. */
export function splitGluedConnective(parser: Parser, word: Lexeme): boolean {
	const [, connective, remainder] = word.kind === 'word' ? (gluedConnective.exec(word.text) ?? []) : [];
	if (!connective || !remainder || isKnownName(word.text) || !isConditionStart(remainder)) return false;
	parser.warnGlued(word, `${connective} ${remainder}`);
	parser.cut(connective.length);
	return true;
}

const isConditionStart = (remainder: string): boolean =>
	remainder === 'not' || isKnownName(remainder) || isNegatedName(remainder);

const gluedOperator = /^(eq|ne|lt|le|gt|ge|contains|bitwise_and)(-?[0-9].*|[0-9a-fA-F]*:.*)$/;

/** Splits `eq80` after a field. */
export function splitGluedOperator(parser: Parser, word: Lexeme, type: ValueType | undefined): boolean {
	const [, operator, value] = word.kind === 'word' ? (gluedOperator.exec(word.text) ?? []) : [];
	if (!operator || !value) return false;
	const isText = type?.kind === 'String' || type?.kind === 'Bytes';
	if (isText && !/^[0-9a-fA-F]{2}(?:[:.-][0-9a-fA-F]{2})+$/.test(value)) return false;
	parser.warnGlued(word, `${operator} ${value}`);
	parser.cut(operator.length);
	return true;
}

/** Warns of `eqr"a"`: the operator is at `parser.current`. */
export function warnGluedRawString(parser: Parser, operator: Lexeme): void {
	const {next} = parser;
	if (operator.kind !== 'word' || next?.quoted?.form !== 'raw' || next.start !== operator.end) return;
	parser.warnGlued({start: operator.start, end: next.end}, `${operator.text} ${next.text}`);
}

const gluedValue = /^(.+?)(x?or|and)(.*)$/;

/**
 * Splits `80or`: `o` is not a digit of any number. The `a` of `and` is a hex digit, so the engine rejects
 * `80and`.
 */
export function splitGluedValue(parser: Parser, word: Lexeme, type: ValueType | undefined): void {
	if (type?.kind !== 'Integer' && type?.kind !== 'IP') return;
	const [, value, connective, remainder] = gluedValue.exec(word.text) ?? [];
	if (!value || !connective || remainder === undefined || !looksLikeLiteral(value)) return;
	if ((value === '0' && connective === 'xor') || (remainder !== '' && !isConditionStart(remainder))) return;
	const separatedText = `${value} ${connective}${remainder && ` ${remainder}`}`;
	if (connective === 'and')
		parser.syntaxError(word, `A space is missing: ${separatedText}.`, {correction: separatedText});
	else parser.warnGlued(word, separatedText);
	parser.cut(value.length);
	if (!remainder) return;
	parser.index++;
	parser.cut(connective.length);
	parser.index--;
}

/** Splits `http.hosteq` and `http.host.eq`, which the engine takes for one unknown name. */
export function splitGluedName(parser: Parser, word: Lexeme): void {
	if (isKnownName(word.text)) return;
	for (const operator of trailingKeywords) {
		if (!word.text.endsWith(operator)) continue;
		const nameText = word.text.slice(0, -operator.length);
		const name = findField(nameText) ? nameText : nameText.replace(/[._]$/, '');
		if (!findField(name)) continue;
		parser.syntaxError(word, `A space is missing: ${name} ${operator}.`, {
			engineMessage: 'unknown identifier',
			correction: `${name} ${operator}`,
		});
		parser.cut(name.length, nameText.length - name.length);
		return;
	}
}
