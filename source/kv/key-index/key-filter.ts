import {createSmartCaseFilter} from '../../text/smart-case.ts';

/** A filter for key names, as typed. */
export type KeyFilter =
	| {readonly kind: 'none'}
	/** Names that contain the text, by smart case; with `isInverse` those that do not. */
	| {readonly kind: 'text'; readonly text: string; readonly isInverse?: true}
	/** Names that start with the prefix, case-sensitive as at the service. */
	| {readonly kind: 'prefix'; readonly prefix: string};

/**
 * Parses a typed filter: `^user:` is the prefix `user:`, and any other text is a text filter; `\^` is a literal
 * `^` at the start. A lone `^` is no filter.
 */
export function parseKeyFilter(typed: string): KeyFilter {
	if (typed === '^') return {kind: 'none'};
	if (typed.startsWith('^')) return {kind: 'prefix', prefix: typed.slice(1)};
	return typed.startsWith('\\^') ? {kind: 'text', text: typed.slice(1)} : parseTextFilter(typed);
}

/**
 * Parses a typed text: `!text` keeps what does not contain the text, and `\!` is a literal `!` at the start. A
 * lone `!` is no filter.
 */
export function parseTextFilter(typed: string): Exclude<KeyFilter, {kind: 'prefix'}> {
	if (typed === '' || typed === '!') return {kind: 'none'};
	if (typed.startsWith('!')) return {kind: 'text', text: typed.slice(1), isInverse: true};
	return {kind: 'text', text: typed.startsWith('\\!') ? typed.slice(1) : typed};
}

/** Says what to do about a filter that matches nothing: one that looks like a regular expression is none. */
export const getNoMatchAdvice = (typed: string): string =>
	/\.[*+]|\\[dswb]|[^\\]\$$|\[.*\]/.test(typed)
		? 'filters are plain text, not regular expressions; esc clears the filter'
		: 'esc clears the filter';

/** Returns the prefix of a typed filter; undefined if it is none or another filter. */
export function getFilterPrefix(typed: string): string | undefined {
	const filter = parseKeyFilter(typed);
	return filter.kind === 'prefix' ? filter.prefix : undefined;
}

/** Creates a predicate for names that match a typed filter. */
export function createKeyNameFilter(typed: string): (name: string) => boolean {
	const filter = parseKeyFilter(typed);
	const isMatch = createSmartCaseFilter(filter.kind === 'text' ? filter.text : '');
	switch (filter.kind) {
		case 'none':
			return () => true;
		case 'text':
			return filter.isInverse ? name => !isMatch(name) : isMatch;
		case 'prefix':
			return name => name.startsWith(filter.prefix);
		default:
			return filter satisfies never;
	}
}
