import {isKnownName} from '../checks/suggestions.ts';
import {findField} from '../vocabulary/fields.ts';
import {comparisonOperators, logicalOperators} from './operators.ts';
import type {Parser} from './reading.ts';
import {formatLexemeValue} from './several-values.ts';
import type {Lexeme} from './token.ts';

type BracketedValues = {
	readonly values: readonly string[];
	/** The connective between them; `or` if there is none. */
	readonly connective: 'or' | 'and' | 'mixed';
	readonly close: Lexeme;
	/** The index after the closing bracket. */
	readonly end: number;
};

/**
 * Reads `("a" or "b")` or `{"a" "b"}` at an index; undefined if it contains anything but values.
 * `quotesWords`: quotes bare words, since the values are strings.
 */
export function readBracketedValues(
	parser: Parser,
	index: number,
	isText: boolean,
): BracketedValues | undefined {
	const {lexemes} = parser;
	const closing = lexemes[index]?.text === '(' ? ')' : '}';
	const values: string[] = [];
	const connectives = new Set<string>();
	for (let position = index + 1; ; position++) {
		const lexeme = lexemes[position];
		if (!lexeme) return undefined;
		if (lexeme.kind === 'sign' && lexeme.text === closing)
			return values.length > 0
				? {values, connective: getConnective(connectives), close: lexeme, end: position + 1}
				: undefined;
		const connective = logicalOperators.get(lexeme.text.toLowerCase());
		if (connective || lexeme.text === ',' || lexeme.text === '|') {
			connectives.add(connective ?? 'or');
			continue;
		}
		if (
			lexeme.kind === 'word' &&
			(isKnownName(lexeme.text) || findField(lexeme.text) || comparisonOperators.has(lexeme.text))
		)
			return undefined;
		const text =
			lexeme.kind === 'string' || lexeme.kind === 'word'
				? formatLexemeValue(parser, lexeme, isText)
				: undefined;
		const nextLexeme = lexemes[position + 1];
		const isGlued =
			lexeme.kind === 'word' &&
			nextLexeme?.start === lexeme.end &&
			nextLexeme.text !== closing &&
			nextLexeme.text !== ',';
		if (text === undefined || isGlued || values.length > 200) return undefined;
		values.push(text);
	}
}

function getConnective(connectives: ReadonlySet<string>): 'or' | 'and' | 'mixed' {
	if (connectives.size > 1 || connectives.has('xor')) return 'mixed';
	return connectives.has('and') ? 'and' : 'or';
}
