import {bodyRows} from '../../components/layout.ts';
import {linesOf} from '../../components/paragraphs.ts';
import type {Marks} from '../../components/theme.ts';
import {unixSeconds} from '../../kv/limits.ts';
import {columnsOf, drawable} from '../../text/columns.ts';
import {cutEnd} from '../../text/cut.ts';
import {counted} from '../../text/figures.ts';
import {pieces} from '../../text/pieces.ts';
import {clip} from '../../text/wrap.ts';
import type {Viewport} from '../shell/navigation-slice.ts';
import {choicesOf, obstacle, questionOf, type ReviewChoice} from './choices.ts';
import type {Sizes} from './difference.ts';
import {type Layout, layoutFor} from './difference-rows.ts';
import {consequences} from './finding.ts';
import {headingOf, type Tone} from './heading.ts';
import type {Review} from './state.ts';

/** The parts of the review from top to bottom, in lines that fit. */
type ReviewParts = {
	readonly tone: Tone;
	readonly heading: readonly string[];
	readonly notes: readonly string[];
	/** The difference line by line; without one, `instead` describes it. */
	readonly layout: Layout | undefined;
	readonly instead: readonly string[];
	readonly sideBySide: boolean;
	/** Rows for the difference, and its maximum scroll. */
	readonly room: number;
	readonly last: number;
	readonly facts: readonly string[];
	readonly choices: readonly ReviewChoice[];
	readonly gap: 0 | 1;
};

/** Minimum columns to show both sides beside each other. */
const wide = 80;
/** Minimum rows for blank lines and wrapped sentences. */
const roomy = 20;

/**
 * Lays out the review; the difference gets the rows that the other parts leave. `now` in milliseconds since
 * the epoch.
 */
export function reviewParts(
	review: Review,
	{columns, rows, isSpoken = false}: Viewport,
	now: number,
	marks: Pick<Marks, 'warning' | 'failed'>,
): ReviewParts {
	const {finding, proposal, request} = review;
	const isRoomy = rows >= roomy;
	const width = columns - 6;
	const sentences = (texts: readonly (string | undefined)[], most: number): readonly string[] =>
		isRoomy
			? clip(linesOf(texts, width, 2), most)
			: texts.filter(Boolean).map(text => cutEnd(drawable(text ?? ''), width));
	const {tone, text} = headingOf(review);
	const stored = finding?.checked.stored;
	const sideBySide = columns >= wide && !isSpoken && stored !== undefined && proposal.mine !== undefined;
	const layout =
		finding?.difference.kind === 'lines' && !request ? layoutFor(finding.difference, sideBySide) : undefined;
	const choices = choicesOf(review, unixSeconds(now));
	const facts =
		finding && !request ? factLines(consequences(proposal, stored, unixSeconds(now)), width, isRoomy) : [];
	const heading = sentences([text], 4);
	const notes = sentences(notesOf(review, now, marks), 6);
	const instead = layout ? [] : insteadOf(review, width);
	const gap = isRoomy ? 1 : 0;
	const others =
		heading.length +
		notes.length +
		facts.length +
		Math.max(1, choices.length) +
		gap * 3 +
		(sideBySide && layout ? 1 : 0);
	const count = layout?.count ?? instead.length;
	const room = Math.max(1, Math.min(count, bodyRows(rows) - others));
	const last = Math.max(0, count - room);
	return {
		tone,
		heading,
		notes,
		layout,
		instead,
		sideBySide: sideBySide && layout !== undefined,
		room,
		last,
		facts,
		choices,
		gap,
	};
}

function notesOf(
	review: Review,
	now: number,
	marks: Pick<Marks, 'warning' | 'failed'>,
): readonly (string | undefined)[] {
	const {finding, notes, phase} = review;
	if (phase === 'failed') return [review.failure?.details.why, review.failure?.next];
	if (!finding || phase !== 'asking') return notes;
	const problem = obstacle(review, unixSeconds(now));
	const foreign = finding.checked.type === 'changed' || finding.checked.type === 'appeared';
	return [
		problem && `${problem.what} ${problem.why}`,
		...finding.alarms.map(alarm => `${marks.warning} ${alarm}`),
		questionOf(review, unixSeconds(now))?.why,
		finding.merge?.type === 'impossible' && foreign ? finding.merge.why : undefined,
		foreign && finding.difference.kind === 'lines' && review.proposal.base && 'bytes' in review.proposal.base
			? `${marks.warning} marks what others changed, ${marks.failed} what both did.`
			: undefined,
		...notes,
	];
}

/** Builds the lines shown when there is no line-by-line difference. */
function insteadOf({finding, request, proposal}: Review, width: number): readonly string[] {
	if (request) return request.flatMap(line => pieces(line, width));
	const difference = finding?.difference;
	switch (difference?.kind) {
		case 'none':
			return [
				proposal.kind === 'put' && proposal.origin !== 'undo' && proposal.lifetime !== 'keep'
					? 'The value and the metadata stay as they are.'
					: 'The value stays as it is.',
			];
		case 'sizes':
			return [
				difference.first && `when it was opened   ${sizesText(difference.first)}`,
				difference.stored
					? `stored now           ${sizesText(difference.stored)}`
					: 'stored now           nothing',
				difference.mine && `yours                ${sizesText(difference.mine)}`,
			].flatMap(line => (line ? [cutEnd(line, width)] : []));
		default:
			return [];
	}
}

const sizesText = ({bytes, digest}: Sizes): string => `${counted(bytes, 'byte')}, SHA-256 ${digest}…`;

/** Joins the facts in one line if they fit or space is short. */
function factLines(facts: readonly string[], width: number, isRoomy: boolean): readonly string[] {
	const shown = facts.map(fact => drawable(fact));
	const together = shown.join(' · ');
	if (columnsOf(together) <= width || !isRoomy) return facts.length > 0 ? [cutEnd(together, width)] : [];
	return shown.map(fact => cutEnd(fact, width));
}
