import {isPlainAscii} from './columns.ts';
import {segmentGraphemes} from './graphemes.ts';

type FuzzyMatch<Candidate> = {
	readonly candidate: Candidate;
	/** Where the matching graphemes start, in code units, ascending: for highlighting. */
	readonly positions: readonly number[];
	/** Higher is better. */
	readonly score: number;
};

/** Text split into graphemes for comparison. */
type Units = {
	readonly foldedGraphemes: readonly string[];
	/** The start of each grapheme in the text, in code units. */
	readonly offsets: readonly number[];
	readonly wordStarts: readonly boolean[];
};

const hitScore = 16;
/** Bonus for a grapheme at the start of the text, of a word, or directly after the previous match. */
const startBonus = 4;
const wordStartBonus = 10;
const runBonus = 12;
/** Penalty for each grapheme skipped between two matches; before the first match up to a limit. */
const skipPenalty = 1;
const maxLeadingSkips = 6;

/**
 * Finds candidates whose text contains the graphemes of the query in order, best first: matches at word
 * starts and in runs, then shorter texts, then the given order. Ignores case, accents, and white space in the
 * query. An empty query matches all, in the given order.
 */
export function findFuzzyMatches<Candidate>(
	query: string,
	candidates: readonly Candidate[],
	getText: (candidate: Candidate) => string,
): FuzzyMatch<Candidate>[] {
	const queryGraphemes = splitUnits(query.replace(/\s/g, '')).foldedGraphemes;
	if (queryGraphemes.length === 0) return candidates.map(candidate => ({candidate, positions: [], score: 0}));
	const matches: (FuzzyMatch<Candidate> & {readonly unitCount: number})[] = [];
	for (const candidate of candidates) {
		const text = getText(candidate);
		if (isPlainAscii(text) && !containsInOrder(text.toLowerCase(), queryGraphemes)) continue;
		const units = splitUnits(text);
		const match = findBestMatch(units, queryGraphemes);
		if (match) matches.push({candidate, ...match, unitCount: units.offsets.length});
	}
	return matches
		.sort((left, right) => right.score - left.score || left.unitCount - right.unitCount)
		.map(({candidate, positions, score}) => ({candidate, positions, score}));
}

function splitUnits(text: string): Units {
	if (isPlainAscii(text)) return splitPlainUnits(text);
	const foldedGraphemes: string[] = [];
	const offsets: number[] = [];
	const wordStarts: boolean[] = [];
	let previousKind: GraphemeKind = 'other';
	for (const {segment, index} of segmentGraphemes(text)) {
		const kind = getGraphemeKind(segment);
		foldedGraphemes.push(foldGrapheme(segment));
		offsets.push(index);
		wordStarts.push(isWordStart(previousKind, kind));
		previousKind = kind;
	}
	return {foldedGraphemes, offsets, wordStarts};
}

function splitPlainUnits(text: string): Units {
	const foldedGraphemes = text.toLowerCase().split('');
	const wordStarts: boolean[] = [];
	let previousKind: GraphemeKind = 'other';
	for (let index = 0; index < text.length; index++) {
		const kind = getPlainKind(text.charCodeAt(index));
		wordStarts.push(isWordStart(previousKind, kind));
		previousKind = kind;
	}
	return {foldedGraphemes, offsets: Array.from(foldedGraphemes.keys()), wordStarts};
}

type GraphemeKind = 'capital' | 'letter' | 'other';

function getPlainKind(unit: number): GraphemeKind {
	if (unit >= 0x41 && unit <= 0x5a) return 'capital';
	return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39) ? 'letter' : 'other';
}

function getGraphemeKind(grapheme: string): GraphemeKind {
	if (/^\p{Lu}/u.test(grapheme)) return 'capital';
	return /^[\p{L}\p{N}]/u.test(grapheme) ? 'letter' : 'other';
}

const isWordStart = (previousKind: GraphemeKind, kind: GraphemeKind): boolean =>
	kind === 'capital' ? previousKind !== 'capital' : kind === 'letter' && previousKind === 'other';

/** Removes case and accents. */
function foldGrapheme(grapheme: string): string {
	if (isPlainAscii(grapheme)) return grapheme.toLowerCase();
	const unaccented = grapheme.normalize('NFD').replace(/[\u0300-\u036f]/g, '');
	return (unaccented === '' ? grapheme : unaccented).toLowerCase();
}

function containsInOrder(text: string, queryGraphemes: readonly string[]): boolean {
	let from = 0;
	for (const grapheme of queryGraphemes) {
		const index = text.indexOf(grapheme, from);
		if (index === -1) return false;
		from = index + 1;
	}
	return true;
}

const noScore = Number.NEGATIVE_INFINITY;

/** Finds the best alignment of the query in the units, by dynamic programming: one row per query grapheme. */
function findBestMatch(
	units: Units,
	queryGraphemes: readonly string[],
): {positions: readonly number[]; score: number} | undefined {
	/**
	 * One array per query grapheme from the second on: the best previous match for each unit that it matches.
	 */
	const origins: Int32Array[] = [];
	let scores = scoreFirst(units, queryGraphemes[0] ?? '');
	for (let row = 1; row < queryGraphemes.length; row++) {
		const {next, origin} = scoreNext(units, queryGraphemes[row] ?? '', scores);
		origins.push(origin);
		scores = next;
	}
	const score = scores.reduce((best, unitScore) => Math.max(best, unitScore), noScore);
	if (score === noScore) return;
	let unit = scores.indexOf(score);
	const positions = [units.offsets[unit] ?? 0];
	for (const origin of origins.toReversed()) {
		unit = origin[unit] ?? 0;
		positions.push(units.offsets[unit] ?? 0);
	}
	return {positions: positions.reverse(), score};
}

function scoreFirst({foldedGraphemes, wordStarts}: Units, grapheme: string): Float64Array {
	const scores = new Float64Array(foldedGraphemes.length).fill(noScore);
	for (
		let unit = foldedGraphemes.indexOf(grapheme);
		unit !== -1;
		unit = foldedGraphemes.indexOf(grapheme, unit + 1)
	)
		scores[unit] =
			hitScore +
			(wordStarts[unit] ? wordStartBonus : 0) +
			(unit === 0 ? startBonus : 0) -
			Math.min(unit, maxLeadingSkips) * skipPenalty;
	return scores;
}

/** Computes the scores of the next grapheme from those of the previous one. */
function scoreNext(
	{foldedGraphemes, wordStarts}: Units,
	grapheme: string,
	scores: Float64Array,
): {next: Float64Array; origin: Int32Array} {
	const next = new Float64Array(foldedGraphemes.length).fill(noScore);
	const origin = new Int32Array(foldedGraphemes.length);
	let skipScore = noScore;
	let skipOrigin = 0;
	for (let unit = 1; unit < foldedGraphemes.length; unit++) {
		const previousScore = scores[unit - 1] ?? noScore;
		if (foldedGraphemes[unit] === grapheme) {
			const adjacent = previousScore + runBonus;
			next[unit] = Math.max(skipScore, adjacent) + hitScore + (wordStarts[unit] ? wordStartBonus : 0);
			origin[unit] = adjacent >= skipScore ? unit - 1 : skipOrigin;
		}
		if (previousScore > skipScore) {
			skipScore = previousScore;
			skipOrigin = unit - 1;
		}
		skipScore -= skipPenalty;
	}
	return {next, origin};
}
