import {findField} from '../vocabulary/fields.ts';
import {looksLikeLiteral} from './literals.ts';
import {findNameEnd, isSign} from './name-extent.ts';
import {abbreviate, isConnective, joinSpans, type Parser, type TypedOperand} from './parser.ts';
import type {Correction} from './problem.ts';
import type {Lexeme} from './token.ts';

/** True for a word that may be a field newer than the lists, where a string without quotes is likelier. */
export const mayBeNewField = ({context}: Parser, {kind, text}: Lexeme): boolean =>
	context.allowUnknown === true &&
	kind === 'word' &&
	/^(?:cf|http|ip|raw)\./.test(text) &&
	!looksLikeLiteral(text);

const unknownNameMessage = 'unknown identifier';

/**
 * Reports a label of API Shield used as a field: `cf.api_gateway.cf-risk-missing-auth`. Returns false if it
 * is none.
 */
export function reportLabel(parser: Parser, word: Lexeme): boolean {
	const name = /^(?:cf\.api_gateway\.|cf\.web_asset\.(?:labels\.)?)?(cf-risk-[a-z-]+)$/.exec(word.text)?.[1];
	if (!name || parser.context.allowUnknown) return false;
	const text = `any(cf.web_asset.labels[*] eq "${name}")`;
	parser.error(word, `${abbreviate(name)} is a label, not a field: use ${abbreviate(text)}.`, {
		engineMessage: unknownNameMessage,
		correction: isConditionEnd(parser.current) ? text : undefined,
	});
	return true;
}

/**
 * Reports `.names` or `.keys` after a map that has no such list: `any(http.request.cookies.names[*] eq "a")`.
 * Returns false for any other word.
 */
export function reportMapNames(parser: Parser, word: Lexeme): boolean {
	const map = /^(.+)\.(?:names|keys)$/.exec(word.text.slice(0, 100))?.[1];
	if (
		!map ||
		parser.context.allowUnknown ||
		findField(map)?.type?.kind !== 'Map' ||
		findField(`${map}.names`)
	)
		return false;
	const {lexemes, index} = parser;
	const [open, anyWord] = [lexemes[index - 2], lexemes[index - 3]];
	const [openBracket, star, closeBracket, operator, value, close] = lexemes.slice(index, index + 6);
	const isEach = isSign(openBracket, '[') && isSign(star, '*') && isSign(closeBracket, ']');
	const isEqual = operator?.text === 'eq' || operator?.text === '==';
	const isCompleteAnyCall =
		isSign(open, '(') && anyWord?.text === 'any' && isEach && isEqual && isSign(close, ')');
	parser.error(
		word,
		`${abbreviate(map)} has no list of names: use has_key(${abbreviate(map)}, "…") to check for one.`,
		{
			engineMessage: unknownNameMessage,
			correction:
				isCompleteAnyCall && anyWord && close && value?.kind === 'string' && value.quoted?.closed
					? {span: joinSpans(anyWord, close), text: `has_key(${map}, ${value.text})`}
					: undefined,
		},
	);
	return true;
}

/** Converts `exists(http.user_agent)` to this language. The parser is after the name of the function. */
export function buildPresenceCheck({lexemes, index, text}: Parser, name: Lexeme): Correction | undefined {
	const [open, field] = [lexemes[index], lexemes[index + 1]];
	if (!open || field?.kind !== 'word') return undefined;
	const endIndex = findNameEnd(lexemes, index + 1);
	const close = endIndex === undefined ? undefined : lexemes[endIndex];
	if (endIndex === undefined || !isSign(close, ')') || !close || !isConditionEnd(lexemes[endIndex + 1]))
		return undefined;
	const type = findField(field.text)?.type;
	const span = joinSpans(name, close);
	const indexLexemes = lexemes.slice(index + 2, endIndex);
	if (type?.kind === 'Map' && indexLexemes[1]?.kind === 'string')
		return {span, text: `has_key(${field.text}, ${indexLexemes[1].text})`};
	if (indexLexemes.length > 0) return undefined;
	const fieldText = text.slice(field.start, field.end);
	if (type?.kind === 'Boolean') return {span, text: fieldText};
	if (type?.kind === 'Array') return {span, text: `len(${fieldText}) gt 0`};
	return type?.kind === 'String' ? {span, text: `${fieldText} ne ""`} : undefined;
}

const nullWords: ReadonlySet<string> = new Set(['null', 'nil', 'none', 'undefined', 'missing', 'empty']);

/**
 * Reports a comparison with null (`http.request.headers["x"] is null`, `http.user_agent != null`) and moves
 * past it. Returns false if there is none.
 */
export function reportNullComparison(parser: Parser, {operand, type}: TypedOperand): boolean {
	const {lexemes, index, current, next} = parser;
	const usesIs = current?.text.toLowerCase() === 'is';
	const isNegated = usesIs && next?.text.toLowerCase() === 'not';
	const wordIndex = index + (isNegated ? 2 : 1);
	const nullWord = lexemes[wordIndex];
	const isEqual = usesIs || /^(?:eq|={1,3})$/.test(current?.text ?? '');
	if (!current || (!isEqual && !/^(?:ne|!==?)$/.test(current.text))) return false;
	const lowerText = nullWord?.kind === 'word' ? nullWord.text.toLowerCase() : '';
	if (!nullWord || !nullWords.has(lowerText) || (!usesIs && lowerText === 'empty')) return false;
	if (!isConditionEnd(lexemes[wordIndex + 1]) || operand.kind !== 'field') return false;
	const isAbsent = isEqual && !isNegated;
	const [key] = operand.indexes;
	const isElement = findField(operand.name)?.type?.kind === 'Map' && key?.kind === 'key';
	const name = parser.slice(operand);
	const text = isElement
		? `${isAbsent ? 'not ' : ''}has_key(${operand.name}, ${toMapKey(parser.slice(key.key), operand.name)})`
		: type?.kind === 'String'
			? `${name} ${isAbsent ? 'eq' : 'ne'} ""`
			: undefined;
	parser.syntaxError(
		joinSpans(current, nullWord),
		`There is no ${lowerText} value: use ${text ? abbreviate(text) : 'has_key(…) to check whether a map contains a key'}.`,
		{correction: text && {span: joinSpans(operand, nullWord), text}},
	);
	parser.index = wordIndex + 1;
	return true;
}

/** Names of headers are in lower case. */
const toMapKey = (key: string, map: string): string => (map.endsWith('.headers') ? key.toLowerCase() : key);

const isConditionEnd = (nextLexeme: Lexeme | undefined): boolean =>
	nextLexeme === undefined || isConnective(nextLexeme) || isSign(nextLexeme, ')');
