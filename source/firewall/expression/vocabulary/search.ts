import type {ExpressionFunction, Field} from './entries.ts';
import {fields, vocabularyDate} from './fields.ts';
import {functions} from './functions.ts';
import type {Phase} from './phases.ts';
import {getVerdict} from './verdict.ts';

/** The fields and functions that match a search. */
type VocabularyMatches = {
	/** The date of the lists. */
	readonly date: string;
	readonly fields: readonly Field[];
	readonly functions: readonly ExpressionFunction[];
};

/**
 * Searches the fields and functions that can be used in a phase for those whose name or description contains
 * every word of `text`.
 */
export function searchVocabulary(text: string, phase?: Phase): VocabularyMatches {
	const words = text.toLowerCase().split(/\s+/).filter(Boolean);
	const matchesSearch = (entry: Field | ExpressionFunction) =>
		words.every(word =>
			// Ignores a plural s.
			`${entry.name} ${entry.about}`.toLowerCase().includes(word.replace(/(?<=..)s$/, '')),
		) &&
		(phase === undefined || getVerdict(entry, phase).kind !== 'error');
	return {
		date: vocabularyDate,
		fields: fields.filter(matchesSearch),
		functions: functions.filter(matchesSearch),
	};
}
