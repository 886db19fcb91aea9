import {findFuzzyMatches} from '../../../text/fuzzy.ts';
import type {Offer} from './offer.ts';

/** Maximum length of a fuzzy match, as a multiple of the length of the query. */
const maxLengthRatio = 4;

/**
 * Ranks the offers that match a query: those that equal it, then those that start with it, then those with a
 * part or a description that starts with it, then those that contain it; fuzzy matches only if there is no
 * other. Offers with `last` come after all others. Keeps the given order among equals. Ignores quotes that
 * were not typed.
 */
export function rankOffers(query: string, offers: readonly Offer[]): readonly Offer[] {
	const lowerQuery = query.toLowerCase();
	const tiers: [Offer[], Offer[], Offer[], Offer[], Offer[]] = [[], [], [], [], []];
	for (const offer of offers) {
		const tier = lowerQuery === '' ? 1 : findTier(lowerQuery, offer);
		if (tier === undefined) continue;
		tiers[offer.last ? 4 : tier].push(offer);
	}
	const matches = tiers.flat();
	if (matches.length > 0) return matches;
	const fuzzyMatches = findFuzzyMatches(query, offers, ({text}) => text)
		.map(({candidate}) => candidate)
		.filter(({text}) => text.length <= maxLengthRatio * query.length);
	return [...fuzzyMatches.filter(({last}) => !last), ...fuzzyMatches.filter(({last}) => last)];
}

/** Removes brackets, which are not part of what is typed. */
const stripBrackets = (text: string): string => text.replace(/(?<=\w)[[(].*$/s, '');

/** Finds the tier of a match, 0 for the best; undefined if there is no match. */
function findTier(query: string, {text, about, kind}: Offer): 0 | 1 | 2 | 3 | undefined {
	const lowerText = text.toLowerCase();
	const name = stripBrackets(lowerText);
	const unquotedName = query.startsWith('"') ? name : name.replace(/^"/, '');
	if (unquotedName === query || name === query) return 0;
	if (unquotedName.startsWith(query)) return 1;
	if (kind === 'value' && about.toLowerCase().startsWith(query.replace(/^"/, ''))) return 2;
	if (hasPartStarting(unquotedName, query)) return 2;
	// Nobody types the middle of `true`.
	return query.length > 1 && text !== 'true' && unquotedName.includes(query) ? 3 : undefined;
}

function hasPartStarting(text: string, query: string): boolean {
	for (let index = text.indexOf(query); index >= 0; index = text.indexOf(query, index + 1))
		if (index === 0 || /[._\s"]/.test(text.charAt(index - 1))) return true;
	return false;
}
