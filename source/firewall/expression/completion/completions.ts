import type {Place} from '../analysis.ts';
import type {Span} from '../grammar/problem.ts';
import {expressionLength} from '../vocabulary/limits.ts';
import {usualPhase} from '../vocabulary/phases.ts';
import type {Completion, Offer} from './offer.ts';
import {offersIn, stringOffers} from './offers.ts';
import {situationBehind} from './position.ts';
import {ranked} from './ranking.ts';
import {type Part, partsBefore} from './scan.ts';

export type {Completion} from './offer.ts';

const most = 50;
/** Maximum length of a text with completions, in UTF-16 units; the analysis has the same limit. */
const longestRead = 16 * expressionLength;
/** Maximum length of the word or value after the cursor; no name is longer. */
const longestRest = 100;

/**
 * Lists up to 50 completions at an offset of an expression, the most likely first. Scans only the text before
 * it, which need not be complete or valid. Each item replaces the span, which covers the word being typed.
 * Omits what rules of a zone cannot use; what the plan lacks comes last. Deterministic, never throws.
 */
export function completionsAt(
	text: string,
	offset: number,
	place: Place = {},
): {span: Span; items: readonly Completion[]} {
	const cursor = Math.max(0, Math.min(text.length, Math.trunc(offset) || 0));
	if (text.length > longestRead) return {span: {start: cursor, end: cursor}, items: []};
	const parts = partsBefore(text, cursor);
	const last = parts.at(-1);
	if (last?.kind === 'open string') return inString(text, cursor, parts, last);
	const word = last?.kind === 'word' ? last : undefined;
	const start = word?.start ?? cursor;
	const end = word ? wordEnd(text, cursor) : cursor;
	const offers = offersIn(situationBehind(word ? parts.slice(0, -1) : parts), {
		before: text.charAt(start - 1),
		next: text.charAt(end),
		isAlone: text.slice(0, start).trim() === '' && text.slice(end).trim() === '',
		plan: place.plan,
		phase: place.phase ?? usualPhase,
	});
	return {span: {start, end}, items: items(word?.text ?? '', offers)};
}

const wordEnd = (text: string, cursor: number): number =>
	cursor + (/^[\w.]*/.exec(text.slice(cursor, cursor + longestRest))?.[0].length ?? 0);

/** Completes a string; the span includes its closing quote if it follows directly. */
function inString(
	text: string,
	cursor: number,
	parts: readonly Part[],
	string: Part,
): {span: Span; items: readonly Completion[]} {
	const rest = /^[\w.-]*"?/.exec(text.slice(cursor, cursor + longestRest))?.[0] ?? '';
	const span = {start: string.start, end: cursor + rest.length};
	if (!string.text.startsWith('"')) return {span, items: []};
	const offers = stringOffers(situationBehind(parts.slice(0, -1)));
	return {span, items: items(string.text, offers)};
}

const items = (query: string, offers: readonly Offer[]): readonly Completion[] =>
	ranked(query, offers)
		.slice(0, most)
		.map(({last: _, ...completion}) => completion);
