import {getBodyRows} from '../../components/layout.ts';
import {wrapParagraphs} from '../../components/paragraphs.ts';
import type {Marks} from '../../components/theme.ts';
import {toEpochSeconds} from '../../kv/limits.ts';
import {measureColumns, toDrawable} from '../../text/columns.ts';
import {cutEnd} from '../../text/cut.ts';
import {formatQuantity} from '../../text/figures.ts';
import {splitIntoPieces} from '../../text/verbatim-pieces.ts';
import {clipLines} from '../../text/wrap.ts';
import type {Viewport} from '../shell/navigation-slice.ts';
import {getExpiryQuestion, getReviewProblem, listReviewChoices, type ReviewChoice} from './choices.ts';
import type {ValueDigest} from './difference.ts';
import {type DifferenceLayout, getDifferenceLayout} from './difference-rows.ts';
import {listConsequences} from './finding.ts';
import {buildReviewHeading, type Tone} from './heading.ts';
import type {Review} from './state.ts';

/** The parts of the review from top to bottom, in lines that fit. */
type ReviewParts = {
	readonly tone: Tone;
	/** In a low terminal: heading, notes and facts in full, which scroll with the difference. */
	readonly scrolledLines: readonly string[];
	readonly heading: readonly string[];
	readonly notes: readonly string[];
	/** The difference line by line. If undefined, `placeholderLines` describe the difference. */
	readonly layout: DifferenceLayout | undefined;
	readonly placeholderLines: readonly string[];
	readonly sideBySide: boolean;
	/** Rows for what scrolls, and the maximum number of rows to scroll it (`lastTop`). */
	readonly visibleRows: number;
	readonly lastTop: number;
	readonly facts: readonly string[];
	readonly choices: readonly ReviewChoice[];
	/** Choices visible at once; the others appear as the cursor moves. */
	readonly visibleChoices: number;
	readonly gap: 0 | 1;
};

/** Minimum columns to show both versions side by side. */
const minSideBySideColumns = 80;
/** Minimum rows for blank lines and wrapped sentences. */
const minRoomyRows = 20;
/** Minimum rows at which only the difference scrolls. */
const minFixedRows = 15;
/** Choices visible at once in a low terminal. */
const maxLowChoices = 3;

/**
 * Lays out the review. The difference gets the rows that the other parts leave. `now` in milliseconds since
 * the epoch.
 */
export function buildReviewParts(
	review: Review,
	{columns, rows, isSpoken = false}: Viewport,
	now: number,
	marks: Pick<Marks, 'warning' | 'failed'>,
): ReviewParts {
	const {finding, proposal, request} = review;
	const isRoomy = rows >= minRoomyRows;
	const width = columns - 6;
	const fitSentences = (texts: readonly (string | undefined)[], maxLines: number): readonly string[] =>
		isRoomy
			? clipLines(wrapParagraphs(texts, width, 2), maxLines)
			: texts.filter(Boolean).map(text => cutEnd(toDrawable(text ?? ''), width));
	const {tone, text} = buildReviewHeading(review);
	const stored = finding?.check.stored;
	const sideBySide =
		columns >= minSideBySideColumns && !isSpoken && stored !== undefined && proposal.mine !== undefined;
	const layout =
		finding?.difference.kind === 'lines' && !request
			? getDifferenceLayout(finding.difference, sideBySide)
			: undefined;
	const choices = listReviewChoices(review, toEpochSeconds(now));
	const facts =
		finding && !request
			? buildFactLines(listConsequences(proposal, stored, toEpochSeconds(now)), width, isRoomy)
			: [];
	const heading = fitSentences([text], 4);
	const notes = fitSentences(listReviewNotes(review, now, marks), 6);
	const visibleChoices = rows < minFixedRows ? Math.min(maxLowChoices, choices.length) : choices.length;
	const placeholderLines = layout ? [] : buildPlaceholderLines(review, width);
	const gap = isRoomy ? 1 : 0;
	const isScrolledWhole = rows < minFixedRows;
	const scrolledLines = isScrolledWhole
		? [
				...wrapParagraphs([text, ...listReviewNotes(review, now, marks)], width, 2),
				...(finding && !request
					? wrapParagraphs([listConsequences(proposal, stored, toEpochSeconds(now)).join(' · ')], width, 2)
					: []),
			]
		: [];
	const fixedRows = isScrolledWhole ? 0 : heading.length + notes.length + facts.length + gap * 3;
	const otherRows = fixedRows + Math.max(1, visibleChoices) + (sideBySide && layout ? 1 : 0);
	const totalRows = scrolledLines.length + (layout?.rowCount ?? placeholderLines.length);
	const visibleRows = Math.max(1, Math.min(totalRows, getBodyRows(rows) - otherRows));
	const lastTop = Math.max(0, totalRows - visibleRows);
	return {
		tone,
		scrolledLines,
		heading: isScrolledWhole ? [] : heading,
		notes: isScrolledWhole ? [] : notes,
		layout,
		placeholderLines,
		sideBySide: sideBySide && layout !== undefined,
		visibleRows,
		lastTop,
		facts: isScrolledWhole ? [] : facts,
		choices,
		visibleChoices,
		gap,
	};
}

function listReviewNotes(
	review: Review,
	now: number,
	marks: Pick<Marks, 'warning' | 'failed'>,
): readonly (string | undefined)[] {
	const {finding, notes, phase} = review;
	if (phase === 'failed') return [review.failure?.details.why, review.failure?.next];
	if (!finding || phase !== 'asking') return notes;
	const problem = getReviewProblem(review, toEpochSeconds(now));
	const isChangedByOthers = finding.check.type === 'changed' || finding.check.type === 'appeared';
	return [
		problem && `${problem.what} ${problem.why}`,
		...finding.warnings.map(warning => `${marks.warning} ${warning}`),
		getExpiryQuestion(review, toEpochSeconds(now))?.why,
		finding.mergeOffer?.type === 'impossible' && isChangedByOthers ? finding.mergeOffer.why : undefined,
		...(finding.mergeOffer?.type === 'possible' && !review.overwrites ? finding.mergeOffer.summary : []),
		isChangedByOthers &&
		finding.difference.kind === 'lines' &&
		review.proposal.base &&
		'bytes' in review.proposal.base
			? `${marks.warning} marks what others changed, ${marks.failed} what both changed.`
			: undefined,
		...notes,
	];
}

/** Builds the lines shown when there is no line-by-line difference. */
function buildPlaceholderLines({finding, request, proposal}: Review, width: number): readonly string[] {
	if (request) return request.flatMap(line => splitIntoPieces(line, width));
	const difference = finding?.difference;
	switch (difference?.kind) {
		case 'none':
			return [
				proposal.kind === 'put' && proposal.origin !== 'undo' && proposal.lifetime !== 'keep'
					? 'The value and metadata are unchanged.'
					: 'The value is unchanged.',
			];
		case 'sizes':
			return [
				difference.base && `when opened          ${formatSizes(difference.base)}`,
				difference.stored
					? `stored now           ${formatSizes(difference.stored)}`
					: 'stored now           nothing',
				difference.mine && `yours                ${formatSizes(difference.mine)}`,
			].flatMap(line => (line ? [cutEnd(line, width)] : []));
		default:
			return [];
	}
}

const formatSizes = ({bytes, digest}: ValueDigest): string =>
	`${formatQuantity(bytes, 'byte')}, SHA-256 ${digest}…`;

/** Maximum rows of a fact, such as metadata. */
const maxFactRows = 2;

/** Builds the lines of the facts, wrapped: together if they fit in a line or rows are few, else each its own. */
function buildFactLines(facts: readonly string[], width: number, isRoomy: boolean): readonly string[] {
	const drawnFacts = facts.map(fact => toDrawable(fact));
	const joinedFacts = drawnFacts.join(' · ');
	const texts = measureColumns(joinedFacts) <= width || !isRoomy ? [joinedFacts] : drawnFacts;
	return texts
		.filter(text => text !== '')
		.flatMap(text => wrapParagraphs([cutEnd(text, maxFactRows * width)], width, 2));
}
