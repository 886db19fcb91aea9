import {isPlain} from './columns.ts';
import {graphemesOf} from './graphemes.ts';

type FuzzyMatch<Candidate> = {
	readonly candidate: Candidate;
	/** Where the matching graphemes start, in code units, ascending: for highlighting. */
	readonly positions: readonly number[];
	/** Higher is better. */
	readonly score: number;
};

/** Text split into graphemes for comparison. */
type Units = {
	readonly folded: readonly string[];
	/** Where each starts in the text, in code units. */
	readonly places: readonly number[];
	readonly startsWord: readonly boolean[];
};

const hit = 16;
/** Bonus for a grapheme at the start of the text, of a word, or directly behind the previous match. */
const atStart = 4;
const atWordStart = 10;
const inRun = 12;
/** Penalty for each grapheme skipped between two matches; before the first match up to a limit. */
const skipped = 1;
const mostSkippedBefore = 6;

/**
 * Finds candidates whose text contains the graphemes of the query in order, best first: matches at word
 * starts and in runs, then shorter texts, then the given order. Ignores case, accents, and white space in the
 * query. An empty query matches all, in the given order.
 */
export function fuzzy<Candidate>(
	query: string,
	candidates: readonly Candidate[],
	textOf: (candidate: Candidate) => string,
): FuzzyMatch<Candidate>[] {
	const wanted = unitsOf(query.replace(/\s/g, '')).folded;
	if (wanted.length === 0) return candidates.map(candidate => ({candidate, positions: [], score: 0}));
	const matches: (FuzzyMatch<Candidate> & {readonly units: number})[] = [];
	for (const candidate of candidates) {
		const text = textOf(candidate);
		if (isPlain(text) && !holds(text.toLowerCase(), wanted)) continue;
		const units = unitsOf(text);
		const match = bestMatch(units, wanted);
		if (match) matches.push({candidate, ...match, units: units.places.length});
	}
	return matches
		.sort((left, right) => right.score - left.score || left.units - right.units)
		.map(({candidate, positions, score}) => ({candidate, positions, score}));
}

function unitsOf(text: string): Units {
	if (isPlain(text)) return plainUnitsOf(text);
	const folded: string[] = [];
	const places: number[] = [];
	const startsWord: boolean[] = [];
	let before: Kind = 'other';
	for (const {segment, index} of graphemesOf(text)) {
		const kind = kindOf(segment);
		folded.push(foldedGrapheme(segment));
		places.push(index);
		startsWord.push(isWordStart(before, kind));
		before = kind;
	}
	return {folded, places, startsWord};
}

function plainUnitsOf(text: string): Units {
	const folded = text.toLowerCase().split('');
	const startsWord: boolean[] = [];
	let before: Kind = 'other';
	for (let place = 0; place < text.length; place++) {
		const kind = plainKindOf(text.charCodeAt(place));
		startsWord.push(isWordStart(before, kind));
		before = kind;
	}
	return {folded, places: Array.from(folded.keys()), startsWord};
}

type Kind = 'capital' | 'letter' | 'other';

function plainKindOf(unit: number): Kind {
	if (unit >= 0x41 && unit <= 0x5a) return 'capital';
	return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39) ? 'letter' : 'other';
}

function kindOf(grapheme: string): Kind {
	if (/^\p{Lu}/u.test(grapheme)) return 'capital';
	return /^[\p{L}\p{N}]/u.test(grapheme) ? 'letter' : 'other';
}

const isWordStart = (before: Kind, kind: Kind): boolean =>
	kind === 'capital' ? before !== 'capital' : kind === 'letter' && before === 'other';

/** Removes case and accents. */
function foldedGrapheme(grapheme: string): string {
	if (isPlain(grapheme)) return grapheme.toLowerCase();
	const bare = grapheme.normalize('NFD').replace(/[\u0300-\u036f]/g, '');
	return (bare === '' ? grapheme : bare).toLowerCase();
}

function holds(text: string, wanted: readonly string[]): boolean {
	let from = 0;
	for (const grapheme of wanted) {
		const place = text.indexOf(grapheme, from);
		if (place === -1) return false;
		from = place + 1;
	}
	return true;
}

const never = Number.NEGATIVE_INFINITY;

/** Finds the best alignment of the query in the units, by dynamic programming: one row per query grapheme. */
function bestMatch(
	units: Units,
	wanted: readonly string[],
): {positions: readonly number[]; score: number} | undefined {
	/** For each query grapheme from the second: by unit it matches, the unit of the previous match. */
	const origins: Int32Array[] = [];
	let scores = firstScores(units, wanted[0] ?? '');
	for (let row = 1; row < wanted.length; row++) {
		const {next, origin} = nextScores(units, wanted[row] ?? '', scores);
		origins.push(origin);
		scores = next;
	}
	const score = scores.reduce((best, other) => Math.max(best, other), never);
	if (score === never) return;
	let unit = scores.indexOf(score);
	const positions = [units.places[unit] ?? 0];
	for (const origin of origins.toReversed()) {
		unit = origin[unit] ?? 0;
		positions.push(units.places[unit] ?? 0);
	}
	return {positions: positions.reverse(), score};
}

function firstScores({folded, startsWord}: Units, grapheme: string): Float64Array {
	const scores = new Float64Array(folded.length).fill(never);
	for (let unit = folded.indexOf(grapheme); unit !== -1; unit = folded.indexOf(grapheme, unit + 1))
		scores[unit] =
			hit +
			(startsWord[unit] ? atWordStart : 0) +
			(unit === 0 ? atStart : 0) -
			Math.min(unit, mostSkippedBefore) * skipped;
	return scores;
}

/** Computes the scores of the next grapheme from those of the previous one. */
function nextScores(
	{folded, startsWord}: Units,
	grapheme: string,
	scores: Float64Array,
): {next: Float64Array; origin: Int32Array} {
	const next = new Float64Array(folded.length).fill(never);
	const origin = new Int32Array(folded.length);
	let apart = never;
	let apartFrom = 0;
	for (let unit = 1; unit < folded.length; unit++) {
		const before = scores[unit - 1] ?? never;
		if (folded[unit] === grapheme) {
			const adjacent = before + inRun;
			next[unit] = Math.max(apart, adjacent) + hit + (startsWord[unit] ? atWordStart : 0);
			origin[unit] = adjacent >= apart ? unit - 1 : apartFrom;
		}
		if (before > apart) {
			apart = before;
			apartFrom = unit - 1;
		}
		apart -= skipped;
	}
	return {next, origin};
}
