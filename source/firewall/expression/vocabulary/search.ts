import type {ExpressionFunction, Field} from './entries.ts';
import {fields, listsDate} from './fields.ts';
import {functions} from './functions.ts';
import type {Phase} from './phases.ts';
import {verdictOn} from './verdict.ts';

/** Search results. */
type Vocabulary = {
	/** The date of the lists. */
	readonly date: string;
	readonly fields: readonly Field[];
	readonly functions: readonly ExpressionFunction[];
};

/**
 * Searches the fields and functions that can be used in a phase for those whose name or description contains
 * every word of `text`.
 */
export function vocabularyWith(text: string, phase?: Phase): Vocabulary {
	const words = text.toLowerCase().split(/\s+/).filter(Boolean);
	const isMeant = (one: Field | ExpressionFunction) =>
		words.every(word => `${one.name} ${one.about}`.toLowerCase().includes(word.replace(/(?<=..)s$/, ''))) &&
		(phase === undefined || verdictOn(one, phase).kind !== 'error');
	return {date: listsDate, fields: fields.filter(isMeant), functions: functions.filter(isMeant)};
}
