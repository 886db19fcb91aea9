import type {ExpressionFunction, Field} from './entries.ts';
import {fields, listsDate} from './fields.ts';
import {functions} from './functions.ts';
import type {Phase} from './phases.ts';
import {verdictOn} from './verdict.ts';

/** What was found in the lists. */
type Vocabulary = {
	/** The day of the lists. */
	readonly date: string;
	readonly fields: readonly Field[];
	readonly functions: readonly ExpressionFunction[];
};

/** The fields and functions that have each word of a text in their name or description, and can be used in a phase. */
export function vocabularyWith(text: string, phase?: Phase): Vocabulary {
	const words = text.toLowerCase().split(/\s+/).filter(Boolean);
	const isMeant = (one: Field | ExpressionFunction) =>
		words.every(word => `${one.name} ${one.about}`.toLowerCase().includes(word.replace(/(?<=..)s$/, ''))) &&
		(phase === undefined || verdictOn(one, phase).kind !== 'error');
	return {date: listsDate, fields: fields.filter(isMeant), functions: functions.filter(isMeant)};
}
