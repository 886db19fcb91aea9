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

/** Reads `("a" or "b")` or `{"a" "b"}` at an index; undefined if it contains anything but values. */
export function readBracketedValues(
	parser: Parser,
	index: number,
	isText: boolean,
): BracketedValues | undefined {
	const {lexemes} = parser;
	const closing = lexemes[index]?.text === '(' ? ')' : '}';
	const values: string[] = [];
	const connectives = new Set<string>();
	for (let place = index + 1; ; place++) {
		const one = lexemes[place];
		if (!one) return undefined;
		if (one.kind === 'sign' && one.text === closing)
			return values.length > 0
				? {values, connective: getConnective(connectives), close: one, end: place + 1}
				: undefined;
		const connective = logicalOperators.get(one.text.toLowerCase());
		if (connective || one.text === ',' || one.text === '|') {
			connectives.add(connective ?? 'or');
			continue;
		}
		if (
			one.kind === 'word' &&
			(isKnownName(one.text) || findField(one.text) || comparisonOperators.has(one.text))
		)
			return undefined;
		const text =
			one.kind === 'string' || one.kind === 'word' ? formatLexemeValue(parser, one, isText) : undefined;
		const following = lexemes[place + 1];
		const isGlued =
			one.kind === 'word' &&
			following?.start === one.end &&
			following.text !== closing &&
			following.text !== ',';
		if (text === undefined || isGlued || values.length > 200) return undefined;
		values.push(text);
	}
}

function getConnective(connectives: ReadonlySet<string>): 'or' | 'and' | 'mixed' {
	if (connectives.size > 1 || connectives.has('xor')) return 'mixed';
	return connectives.has('and') ? 'and' : 'or';
}
