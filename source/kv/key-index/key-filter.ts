import {createSmartCaseFilter} from '../../text/smart-case.ts';

/** A filter for key names, as typed. */
export type KeyFilter =
	| {readonly kind: 'none'}
	/** Names that contain the text, by smart case. */
	| {readonly kind: 'text'; readonly text: string}
	/** Names that start with the prefix, case-sensitive as at the service. */
	| {readonly kind: 'prefix'; readonly prefix: string};

/**
 * Parses a typed filter: `^user:` is the prefix `user:`, any other text is a text, and `\^` is a literal `^` at
 * the start. A lone `^` is no filter.
 */
export function parseKeyFilter(typed: string): KeyFilter {
	if (typed === '' || typed === '^') return {kind: 'none'};
	if (typed.startsWith('^')) return {kind: 'prefix', prefix: typed.slice(1)};
	return {kind: 'text', text: typed.startsWith('\\^') ? typed.slice(1) : typed};
}

/** Returns the prefix of a typed filter; undefined if it is none or another filter. */
export function getFilterPrefix(typed: string): string | undefined {
	const filter = parseKeyFilter(typed);
	return filter.kind === 'prefix' ? filter.prefix : undefined;
}

/** Creates a predicate for names that match a typed filter. */
export function createKeyNameFilter(typed: string): (name: string) => boolean {
	const filter = parseKeyFilter(typed);
	switch (filter.kind) {
		case 'none':
			return () => true;
		case 'text':
			return createSmartCaseFilter(filter.text);
		case 'prefix':
			return name => name.startsWith(filter.prefix);
		default:
			return filter satisfies never;
	}
}
