import {isKnownName} from '../checks/suggestions.ts';
import {findField} from '../vocabulary/fields.ts';
import {comparisonOperators, logicalOperators} from './operators.ts';
import type {Parser} from './parser.ts';
import {formatLexemeValue} from './several-values.ts';
import type {Lexeme} from './token.ts';

type BracketedValues = {
	readonly values: readonly string[];
	/** The connective between them; `or` if there is none. */
	readonly connective: 'or' | 'and' | 'mixed';
	readonly close: Lexeme;
	/** The index after the closing bracket. */
	readonly endIndex: number;
};

/**
 * Reads `("a" or "b")` or `{"a" "b"}` at an index; undefined if it contains anything but values.
 * `quotesWords`: quotes bare words, since the values are strings.
 */
export function readBracketedValues(
	parser: Parser,
	index: number,
	quotesWords: boolean,
): BracketedValues | undefined {
	const {lexemes} = parser;
	const closing = lexemes[index]?.text === '(' ? ')' : '}';
	const values: string[] = [];
	const connectives = new Set<string>();
	for (let lexemeIndex = index + 1; ; lexemeIndex++) {
		const lexeme = lexemes[lexemeIndex];
		if (!lexeme) return undefined;
		if (lexeme.kind === 'sign' && lexeme.text === closing)
			return values.length > 0
				? {values, connective: getConnective(connectives), close: lexeme, endIndex: lexemeIndex + 1}
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
				? formatLexemeValue(parser, lexeme, quotesWords)
				: undefined;
		const nextLexeme = lexemes[lexemeIndex + 1];
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
