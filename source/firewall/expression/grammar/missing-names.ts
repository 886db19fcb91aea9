import {fieldNamed} from '../vocabulary/fields.ts';
import type {Lexeme} from './lexer.ts';
import {behindName, isSign} from './name-extent.ts';
import type {Correction} from './problem.ts';
import {isLogical, type Reading, shown, spanOf} from './reading.ts';

const engine = 'unknown identifier';

/** `cf.api_gateway.cf-risk-missing-auth`: a label of API Shield that was taken for a field. Whether it was one. */
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

/** `any(http.request.cookies.names[*] eq "a")`: the map has no list of its names. Whether that was reported. */
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

/** `exists(http.user_agent)` in words of this language; the place is behind the name of the function. */
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

const endsCondition = (behind: Lexeme | undefined): boolean =>
	behind === undefined || isLogical(behind) || isSign(behind, ')');
