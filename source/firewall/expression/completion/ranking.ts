import {findFuzzyMatches} from '../../../text/fuzzy.ts';
import type {Offer} from './offer.ts';

/** Maximum length of a fuzzy match, as a multiple of the length of the query. */
const maxLengthRatio = 4;

/**
 * Ranks the offers that match a query: those that start with it, then those with a part that starts with it,
 * then those that contain it; fuzzy matches only if there is no other. Keeps the given order among equals,
 * and ignores quotes that were not typed.
 */
export function rankOffers(query: string, offers: readonly Offer[]): readonly Offer[] {
	const folded = query.toLowerCase();
	const tiers: [Offer[], Offer[], Offer[], Offer[], Offer[]] = [[], [], [], [], []];
	for (const offer of offers) {
		const tier = folded === '' ? 1 : findTier(folded, offer);
		if (tier === undefined) continue;
		tiers[offer.last ? 4 : tier].push(offer);
	}
	const found = tiers.flat();
	if (found.length > 0) return found;
	const near = findFuzzyMatches(query, offers, ({text}) => text)
		.map(({candidate}) => candidate)
		.filter(({text}) => text.length <= maxLengthRatio * query.length);
	return [...near.filter(({last}) => !last), ...near.filter(({last}) => last)];
}

/** Removes brackets, which are not part of what is typed. */
const stripBrackets = (text: string): string => text.replace(/(?<=\w)[[(].*$/s, '');

function findTier(query: string, {text, about, kind}: Offer): 0 | 1 | 2 | 3 | undefined {
	const whole = text.toLowerCase();
	const name = stripBrackets(whole);
	const bare = query.startsWith('"') ? name : name.replace(/^"/, '');
	if (bare === query || name === query) return 0;
	if (bare.startsWith(query)) return 1;
	if (kind === 'value' && about.toLowerCase().startsWith(query.replace(/^"/, ''))) return 2;
	if (hasPartStarting(bare, query)) return 2;
	return query.length > 1 && bare.includes(query) ? 3 : undefined;
}

function hasPartStarting(text: string, query: string): boolean {
	for (let place = text.indexOf(query); place >= 0; place = text.indexOf(query, place + 1))
		if (place === 0 || /[._\s"]/.test(text.charAt(place - 1))) return true;
	return false;
}
