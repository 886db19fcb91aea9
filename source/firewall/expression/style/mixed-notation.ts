import type {Parser} from '../grammar/parser.ts';
import type {Lexeme} from '../grammar/token.ts';

/** Operators with two notations. */
const words: Readonly<Record<string, string>> = {
	'&&': 'and',
	'||': 'or',
	'^^': 'xor',
	'!': 'not',
	'==': 'eq',
	'!=': 'ne',
	'<': 'lt',
	'<=': 'le',
	'>': 'gt',
	'>=': 'ge',
	'~': 'matches',
};
const wordOperators: ReadonlySet<string> = new Set(Object.values(words));

/** Adds a hint to an expression with both notations of operators: `and` and `==`. */
export function addNotationHint(parser: Parser): void {
	const signs = parser.lexemes.filter(({kind, text}) => kind === 'sign' && Object.hasOwn(words, text));
	const word = parser.lexemes.find(({kind, text}) => kind === 'word' && wordOperators.has(text));
	const [firstSign, lastSign] = [signs[0], signs.at(-1)];
	if (!firstSign || !lastSign || !word) return;
	parser.hint(firstSign, `Operators are written as words (${word.text}) and as signs (${firstSign.text}).`, {
		code: 'L121',
		correction: {span: {start: firstSign.start, end: lastSign.end}, text: writeWords(parser, signs)},
	});
}

function writeWords(parser: Parser, signs: readonly Lexeme[]): string {
	let result = '';
	let offset = signs[0]?.start ?? 0;
	for (const {start, end, text} of signs) {
		result += parser.text.slice(offset, start);
		const before = result === '' ? parser.text.charAt(start - 1) : result;
		result += `${/[^\s(]$/.test(before) ? ' ' : ''}${words[text]}${/\s/.test(parser.text.charAt(end)) ? '' : ' '}`;
		offset = end;
	}
	return result;
}
