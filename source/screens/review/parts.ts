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
	readonly heading: readonly string[];
	readonly notes: readonly string[];
	/** The difference line by line. If undefined, `placeholderLines` describe the difference. */
	readonly layout: DifferenceLayout | undefined;
	readonly placeholderLines: readonly string[];
	readonly sideBySide: boolean;
	/** Rows for the difference, and the maximum number of rows to scroll it (`lastTop`). */
	readonly visibleRows: number;
	readonly lastTop: number;
	readonly facts: readonly string[];
	readonly choices: readonly ReviewChoice[];
	readonly gap: 0 | 1;
};

/** Minimum columns to show both versions side by side. */
const minSideBySideColumns = 80;
/** Minimum rows for blank lines and wrapped sentences. */
const minRoomyRows = 20;

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
	const placeholderLines = layout ? [] : buildPlaceholderLines(review, width);
	const gap = isRoomy ? 1 : 0;
	const otherRows =
		heading.length +
		notes.length +
		facts.length +
		Math.max(1, choices.length) +
		gap * 3 +
		(sideBySide && layout ? 1 : 0);
	const totalRows = layout?.rowCount ?? placeholderLines.length;
	const visibleRows = Math.max(1, Math.min(totalRows, getBodyRows(rows) - otherRows));
	const lastTop = Math.max(0, totalRows - visibleRows);
	return {
		tone,
		heading,
		notes,
		layout,
		placeholderLines,
		sideBySide: sideBySide && layout !== undefined,
		visibleRows,
		lastTop,
		facts,
		choices,
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

/** Builds the lines of the facts: one line if they fit or rows are few, else one per fact. */
function buildFactLines(facts: readonly string[], width: number, isRoomy: boolean): readonly string[] {
	const drawnFacts = facts.map(fact => toDrawable(fact));
	const joinedFacts = drawnFacts.join(' · ');
	if (measureColumns(joinedFacts) <= width || !isRoomy)
		return facts.length > 0 ? [cutEnd(joinedFacts, width)] : [];
	return drawnFacts.map(fact => cutEnd(fact, width));
}
