import type {ExpressionFunction, Field} from '../vocabulary/entries.ts';
import {fieldNamed} from '../vocabulary/fields.ts';
import {functionNamed} from '../vocabulary/functions.ts';
import {factsOf, planWords} from '../vocabulary/in-words.ts';
import type {Completion} from './offer.ts';

/** Describes a completion on one line: for a field or function, with its plans, values and phases. */
export function noteOf({text, kind, about}: Completion): string {
	const entry = entryOf(kind, /^[\w.]+/.exec(text.trimStart())?.[0] ?? '');
	if (!entry) return about;
	return [`${entry.name}: ${entry.about}`, sentence(planWords(entry)), ...factsOf(entry)].join('. ');
}

function entryOf(kind: Completion['kind'], name: string): Field | ExpressionFunction | undefined {
	if (kind === 'field') return fieldNamed(name);
	return kind === 'function' ? functionNamed(name) : undefined;
}

const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
