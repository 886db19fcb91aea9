import {isName, keywordsBehind} from '../checks/suggestions.ts';
import {fieldNamed} from '../vocabulary/fields.ts';
import type {ValueType} from '../vocabulary/value-type.ts';
import {looksLikeLiteral} from './literals.ts';
import type {Reading} from './reading.ts';
import type {Lexeme} from './token.ts';

/*
 * The engine matches keywords at the start of a word, without looking for its end: `notssl` is `not ssl`.
 * These functions cut words in the same places, if the rest is a known name or a literal.
 */

/** Cuts `notssl` at the start of a condition. */
export function cutNot(reading: Reading): void {
	const {current} = reading;
	if (current?.kind !== 'word' || !current.text.startsWith('not') || isName(current.text)) return;
	const rest = current.text.slice(3);
	if (!isName(rest) && !negatesName(rest)) return;
	reading.glued(current, `not ${rest}`);
	reading.cut(3);
}

const negatesName = (text: string): boolean =>
	/^(?:not)+/.test(text) && isName(text.replace(/^(?:not)+/, ''));

const joints = /^(and|or|xor)(.+)$/;

/** Cuts `andssl` after a condition. */
export function cutJoint(reading: Reading, word: Lexeme): boolean {
	const [, joint, rest] = word.kind === 'word' ? (joints.exec(word.text) ?? []) : [];
	if (!joint || !rest || isName(word.text) || !continues(rest)) return false;
	reading.glued(word, `${joint} ${rest}`);
	reading.cut(joint.length);
	return true;
}

const continues = (rest: string): boolean => rest === 'not' || isName(rest) || negatesName(rest);

const operators = /^(eq|ne|lt|le|gt|ge|contains|bitwise_and)(-?[0-9].*|[0-9a-fA-F]*:.*)$/;

/** Cuts `eq80` after a field. */
export function cutOperator(reading: Reading, word: Lexeme, type: ValueType | undefined): boolean {
	const [, operator, value] = word.kind === 'word' ? (operators.exec(word.text) ?? []) : [];
	if (!operator || !value) return false;
	const isText = type?.kind === 'String' || type?.kind === 'Bytes';
	if (isText && !/^[0-9a-fA-F]{2}(?:[:.-][0-9a-fA-F]{2})+$/.test(value)) return false;
	reading.glued(word, `${operator} ${value}`);
	reading.cut(operator.length);
	return true;
}

const values = /^(.+?)(x?or|and)(.*)$/;

/**
 * Cuts `80or`: `o` is not a digit of any number. The `a` of `and` is a hex digit, so the engine rejects
 * `80and`.
 */
export function cutValue(reading: Reading, word: Lexeme, type: ValueType | undefined): void {
	if (type?.kind !== 'Integer' && type?.kind !== 'IP') return;
	const [, value, joint, rest] = values.exec(word.text) ?? [];
	if (!value || !joint || rest === undefined || !looksLikeLiteral(value)) return;
	if ((value === '0' && joint === 'xor') || (rest !== '' && !continues(rest))) return;
	const apart = `${value} ${joint}${rest && ` ${rest}`}`;
	if (joint === 'and') reading.unreadable(word, `A space is missing: ${apart}.`, {correction: apart});
	else reading.glued(word, apart);
	reading.cut(value.length);
	if (!rest) return;
	reading.index++;
	reading.cut(joint.length);
	reading.index--;
}

/** Cuts `http.hosteq` and `http.host.eq`, which the engine takes for one unknown name. */
export function cutName(reading: Reading, word: Lexeme): void {
	if (isName(word.text)) return;
	for (const operator of keywordsBehind) {
		if (!word.text.endsWith(operator)) continue;
		const before = word.text.slice(0, -operator.length);
		const name = fieldNamed(before) ? before : before.replace(/[._]$/, '');
		if (!fieldNamed(name)) continue;
		reading.unreadable(word, `A space is missing: ${name} ${operator}.`, {
			engine: 'unknown identifier',
			correction: `${name} ${operator}`,
		});
		reading.cut(name.length, before.length - name.length);
		return;
	}
}
