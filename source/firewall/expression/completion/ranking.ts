import {fuzzy} from '../../../text/fuzzy.ts';
import type {Offer} from './offer.ts';

/** A text so many times longer than what was typed was hardly meant by it, when only its letters are there. */
const mostLonger = 4;

/**
 * The offers that a half-typed word may mean: those that begin with it, then those with a part that begins with it,
 * then those that hold it; only when there is none, those that hold its letters in order. Among equals the order
 * given. Quotes that were not typed make no difference.
 */
export function ranked(query: string, offers: readonly Offer[]): readonly Offer[] {
	const folded = query.toLowerCase();
	const tiers: [Offer[], Offer[], Offer[], Offer[], Offer[]] = [[], [], [], [], []];
	for (const offer of offers) {
		const tier = folded === '' ? 1 : tierOf(folded, offer);
		if (tier === undefined) continue;
		tiers[offer.last ? 4 : tier].push(offer);
	}
	const found = tiers.flat();
	if (found.length > 0) return found;
	const near = fuzzy(query, offers, ({text}) => text)
		.map(({candidate}) => candidate)
		.filter(({text}) => text.length <= mostLonger * query.length);
	return [...near.filter(({last}) => !last), ...near.filter(({last}) => last)];
}

/** Texts up to their brackets: what is typed of them. */
const typed = (text: string): string => text.replace(/(?<=\w)[[(].*$/s, '');

function tierOf(query: string, {text, about, kind}: Offer): 0 | 1 | 2 | 3 | undefined {
	const whole = text.toLowerCase();
	const name = typed(whole);
	const bare = query.startsWith('"') ? name : name.replace(/^"/, '');
	if (bare === query || name === query) return 0;
	if (bare.startsWith(query)) return 1;
	if (kind === 'value' && about.toLowerCase().startsWith(query.replace(/^"/, ''))) return 2;
	if (holdsPart(bare, query)) return 2;
	return query.length > 1 && bare.includes(query) ? 3 : undefined;
}

function holdsPart(text: string, query: string): boolean {
	for (let place = text.indexOf(query); place >= 0; place = text.indexOf(query, place + 1))
		if (place === 0 || /[._\s"]/.test(text.charAt(place - 1))) return true;
	return false;
}
