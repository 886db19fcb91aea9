import {fieldNamed} from '../vocabulary/fields.ts';
import {behindName, isSign} from './name-extent.ts';
import type {Correction} from './problem.ts';
import {isLogical, type Reading, shown, spanOf, type Typed} from './reading.ts';
import type {Lexeme} from './token.ts';

const engine = 'unknown identifier';

/**
 * Reports a label of API Shield used as a field: `cf.api_gateway.cf-risk-missing-auth`. Returns false if it
 * is none.
 */
export function label(reading: Reading, word: Lexeme): boolean {
	const name = /^(?:cf\.api_gateway\.|cf\.web_asset\.(?:labels\.)?)?(cf-risk-[a-z-]+)$/.exec(word.text)?.[1];
	if (!name || reading.place.allowUnknown) return false;
	const text = `any(cf.web_asset.labels[*] eq "${name}")`;
	reading.error(word, `${shown(name)} is a label, and no field: ${shown(text)}.`, {
		engine,
		correction: endsCondition(reading.current) ? text : undefined,
	});
	return true;
}

/**
 * Reports a list of names that a map does not have: `any(http.request.cookies.names[*] eq "a")`. Returns
 * false if there is none.
 */
export function nameInMap(reading: Reading, word: Lexeme): boolean {
	const map = /^(.+)\.(?:names|keys)$/.exec(word.text.slice(0, 100))?.[1];
	if (
		!map ||
		reading.place.allowUnknown ||
		fieldNamed(map)?.type?.kind !== 'Map' ||
		fieldNamed(`${map}.names`)
	)
		return false;
	const {lexemes, index} = reading;
	const [open, any] = [lexemes[index - 2], lexemes[index - 3]];
	const [left, star, right, operator, value, close] = lexemes.slice(index, index + 6);
	const isEach = isSign(left, '[') && isSign(star, '*') && isSign(right, ']');
	const isEqual = operator?.text === 'eq' || operator?.text === '==';
	const isWhole = isSign(open, '(') && any?.text === 'any' && isEach && isEqual && isSign(close, ')');
	reading.error(
		word,
		`${shown(map)} has no list of its names: has_key(${shown(map)}, "…") looks for one of them.`,
		{
			engine,
			correction:
				isWhole && any && close && value?.kind === 'string' && value.quoted?.closed
					? {span: spanOf(any, close), text: `has_key(${map}, ${value.text})`}
					: undefined,
		},
	);
	return true;
}

/** Converts `exists(http.user_agent)` to this language. The parser is after the name of the function. */
export function presenceOf({lexemes, index, text}: Reading, name: Lexeme): Correction | undefined {
	const [open, field] = [lexemes[index], lexemes[index + 1]];
	if (!open || field?.kind !== 'word') return undefined;
	const behind = behindName(lexemes, index + 1);
	const close = behind === undefined ? undefined : lexemes[behind];
	if (behind === undefined || !isSign(close, ')') || !close || !endsCondition(lexemes[behind + 1]))
		return undefined;
	const type = fieldNamed(field.text)?.type;
	const span = spanOf(name, close);
	const indexes = lexemes.slice(index + 2, behind);
	if (type?.kind === 'Map' && indexes[1]?.kind === 'string')
		return {span, text: `has_key(${field.text}, ${indexes[1].text})`};
	if (indexes.length > 0) return undefined;
	const written = text.slice(field.start, field.end);
	if (type?.kind === 'Boolean') return {span, text: written};
	if (type?.kind === 'Array') return {span, text: `len(${written}) gt 0`};
	return type?.kind === 'String' ? {span, text: `${written} ne ""`} : undefined;
}

const absent: ReadonlySet<string> = new Set(['null', 'nil', 'none', 'undefined', 'missing', 'empty']);

/**
 * Reports a comparison with null (`http.request.headers["x"] is null`, `http.user_agent != null`) and moves
 * past it. Returns false if there is none.
 */
export function comparedWithNothing(reading: Reading, {operand, type}: Typed): boolean {
	const {lexemes, index, current, next} = reading;
	const isWord = current?.text.toLowerCase() === 'is';
	const isNot = isWord && next?.text.toLowerCase() === 'not';
	const at = index + (isNot ? 2 : 1);
	const word = lexemes[at];
	const isEqual = isWord || /^(?:eq|={1,3})$/.test(current?.text ?? '');
	if (!current || (!isEqual && !/^(?:ne|!==?)$/.test(current.text))) return false;
	const lower = word?.kind === 'word' ? word.text.toLowerCase() : '';
	if (!word || !absent.has(lower) || (!isWord && lower === 'empty')) return false;
	if (!endsCondition(lexemes[at + 1]) || operand.kind !== 'field') return false;
	const isAbsent = isEqual && !isNot;
	const [key] = operand.indexes;
	const isElement = fieldNamed(operand.name)?.type?.kind === 'Map' && key?.kind === 'key';
	const name = reading.slice(operand);
	const text = isElement
		? `${isAbsent ? 'not ' : ''}has_key(${operand.name}, ${keyOf(reading.slice(key.key), operand.name)})`
		: type?.kind === 'String'
			? `${name} ${isAbsent ? 'eq' : 'ne'} ""`
			: undefined;
	reading.unreadable(
		spanOf(current, word),
		`No value is ${lower}${text ? `: ${shown(text)}` : '; has_key(…) asks whether a map has a name'}.`,
		{correction: text && {span: spanOf(operand, word), text}},
	);
	reading.index = at + 1;
	return true;
}

/** Names of headers are in lower case. */
const keyOf = (written: string, map: string): string =>
	map.endsWith('.headers') ? written.toLowerCase() : written;

const endsCondition = (behind: Lexeme | undefined): boolean =>
	behind === undefined || isLogical(behind) || isSign(behind, ')');
