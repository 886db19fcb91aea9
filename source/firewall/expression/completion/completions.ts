import type {ExpressionContext} from '../context.ts';
import type {Span} from '../grammar/problem.ts';
import {maxExpressionLength} from '../vocabulary/limits.ts';
import {defaultPhase} from '../vocabulary/phases.ts';
import type {Completion, Offer} from './offer.ts';
import {listOffers, listStringOffers} from './offers.ts';
import {readSituation} from './position.ts';
import {rankOffers} from './ranking.ts';
import {type Part, scanParts} from './scan.ts';

export type {Completion} from './offer.ts';

const maxItems = 50;
/** Maximum length of a text with completions, in UTF-16 units; the analysis has the same limit. */
const maxReadLength = 16 * maxExpressionLength;
/** Maximum length of the word or value after the cursor; no name is longer. */
const maxRestLength = 100;

/**
 * Lists up to 50 completions at an offset of an expression, the most likely first. Scans only the text before
 * it, which need not be complete or valid. An item replaces `span`, which covers what is being typed.
 * Omits what rules of a zone cannot use; what the plan lacks comes last. Deterministic, never throws.
 */
export function listCompletions(
	text: string,
	offset: number,
	context: ExpressionContext = {},
): {span: Span; items: readonly Completion[]} {
	const cursor = Math.max(0, Math.min(text.length, Math.trunc(offset) || 0));
	if (text.length > maxReadLength) return {span: {start: cursor, end: cursor}, items: []};
	const parts = scanParts(text, cursor);
	const lastPart = parts.at(-1);
	if (lastPart?.kind === 'open string') return completeString(text, cursor, parts, lastPart);
	const currentWord = lastPart?.kind === 'word' ? lastPart : undefined;
	const start = currentWord?.start ?? cursor;
	const end = currentWord ? findWordEnd(text, cursor) : cursor;
	const offers = listOffers(readSituation(currentWord ? parts.slice(0, -1) : parts), {
		previousCharacter: text.charAt(start - 1),
		nextCharacter: text.charAt(end),
		isAlone: text.slice(0, start).trim() === '' && text.slice(end).trim() === '',
		plan: context.plan,
		phase: context.phase ?? defaultPhase,
		lists: context.lists,
		word: currentWord?.text ?? '',
	});
	return {span: {start, end}, items: rankItems(currentWord?.text ?? '', offers)};
}

const findWordEnd = (text: string, cursor: number): number =>
	cursor + (/^[\w.]*/.exec(text.slice(cursor, cursor + maxRestLength))?.[0].length ?? 0);

/** Completes a string; the span includes its closing quote if it follows directly. */
function completeString(
	text: string,
	cursor: number,
	parts: readonly Part[],
	string: Part,
): {span: Span; items: readonly Completion[]} {
	const textAfterCursor = /^[\w.-]*"?/.exec(text.slice(cursor, cursor + maxRestLength))?.[0] ?? '';
	const span = {start: string.start, end: cursor + textAfterCursor.length};
	if (!string.text.startsWith('"')) return {span, items: []};
	const offers = listStringOffers(readSituation(parts.slice(0, -1)));
	return {span, items: rankItems(string.text, offers)};
}

const rankItems = (query: string, offers: readonly Offer[]): readonly Completion[] =>
	rankOffers(query, offers)
		.slice(0, maxItems)
		.map(({last: _, ...completion}) => completion);
