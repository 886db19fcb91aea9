import type {ExpressionFunction, Field} from '../vocabulary/entries.ts';
import {formatPlanAvailability, listEntryFacts} from '../vocabulary/entry-facts.ts';
import {findField} from '../vocabulary/fields.ts';
import {findFunction} from '../vocabulary/functions.ts';
import type {Completion} from './offer.ts';

/** Describes a completion on one line: for a field or function, with its plans, values and phases. */
export function describeCompletion({text, kind, about}: Completion): string {
	const entry = findEntry(kind, /^[\w.]+/.exec(text.trimStart())?.[0] ?? '');
	if (!entry) return about;
	return [
		`${entry.name}: ${entry.about}`,
		capitalize(formatPlanAvailability(entry)),
		...listEntryFacts(entry),
	].join('. ');
}

function findEntry(kind: Completion['kind'], name: string): Field | ExpressionFunction | undefined {
	if (kind === 'field') return findField(name);
	return kind === 'function' ? findFunction(name) : undefined;
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
