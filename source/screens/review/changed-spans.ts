import {findBorderFrom, segmentGraphemes} from '../../text/graphemes.ts';
import {matchLines} from '../../text/line-matching.ts';
import {Numbering} from '../../text/numbering.ts';
import {runSteps} from '../../text/steps.ts';

/** A part of a line, in code units. */
export type ChangedSpan = {readonly from: number; readonly to: number};

type SpansOfBoth = {readonly before: readonly ChangedSpan[]; readonly after: readonly ChangedSpan[]};

/** Minimum code units of equal text between two changes; a shorter one counts as changed with them. */
const minEqualLength = 24;

/** Maximum code units compared word by word; in a longer change only the common start and end are found. */
const maxComparedLength = 5000;

/**
 * Returns the changed spans of each line, in whole graphemes: what is left without the common start and end,
 * split where long texts between two changes are equal. Both lines have as many spans.
 */
export function findChangedSpans(before: string, after: string): SpansOfBoth {
	const {before: beforeSpan, after: afterSpan} = findOuterSpans(before, after);
	if (
		Math.min(beforeSpan.to - beforeSpan.from, afterSpan.to - afterSpan.from) < minEqualLength ||
		Math.max(beforeSpan.to, afterSpan.to) - beforeSpan.from > maxComparedLength
	)
		return {before: [beforeSpan], after: [afterSpan]};
	const spans: {before: ChangedSpan[]; after: ChangedSpan[]} = {before: [], after: []};
	let [beforeFrom, afterFrom] = [beforeSpan.from, afterSpan.from];
	for (const run of findEqualRuns(before, beforeSpan, after, afterSpan)) {
		spans.before.push({from: beforeFrom, to: run.before});
		spans.after.push({from: afterFrom, to: run.after});
		beforeFrom = run.before + run.length;
		afterFrom = run.after + run.length;
	}
	spans.before.push({from: beforeFrom, to: beforeSpan.to});
	spans.after.push({from: afterFrom, to: afterSpan.to});
	return spans;
}

/** Equal text: where it starts in both lines, and its code units. */
type EqualRun = {readonly before: number; readonly after: number; readonly length: number};

/** Finds long texts, of whole words, that both spans have in the same order. */
function findEqualRuns(
	before: string,
	beforeSpan: ChangedSpan,
	after: string,
	afterSpan: ChangedSpan,
): readonly EqualRun[] {
	const numbering = new Numbering();
	const beforeWords = splitWords(before, beforeSpan);
	const afterWords = splitWords(after, afterSpan);
	const number = (words: readonly string[]) => ({
		numbers: words.map(word => numbering.assignNumber(word)),
		texts: numbering.texts,
	});
	const [beforeNumbers, afterNumbers] = [number(beforeWords), number(afterWords)];
	const matches = runSteps(matchLines(beforeNumbers, afterNumbers));
	const afterStarts = listStarts(afterWords, afterSpan.from);
	const runs: {before: number; after: number; length: number}[] = [];
	let position = beforeSpan.from;
	for (const [index, word] of beforeWords.entries()) {
		const match = matches[index] ?? -1;
		const start = afterStarts[match];
		const run = runs.at(-1);
		if (start !== undefined) {
			if (run && run.before + run.length === position && run.after + run.length === start)
				run.length += word.length;
			else runs.push({before: position, after: start, length: word.length});
		}
		position += word.length;
	}
	return runs.filter(({length}) => length >= minEqualLength);
}

/** Splits a span into words and the graphemes between them. */
function splitWords(text: string, {from, to}: ChangedSpan): readonly string[] {
	const words: string[] = [];
	let isInWord = false;
	for (const {segment} of segmentGraphemes(text.slice(from, to))) {
		const isOfWord = /^[\w\u0080-\uffff]/.test(segment);
		if (isOfWord && isInWord) words.push(`${words.pop() ?? ''}${segment}`);
		else words.push(segment);
		isInWord = isOfWord;
	}
	return words;
}

function listStarts(words: readonly string[], from: number): readonly number[] {
	let start = from;
	return words.map(word => {
		start += word.length;
		return start - word.length;
	});
}

/** Returns the span of each line between the common start and end. */
function findOuterSpans(
	before: string,
	after: string,
): {readonly before: ChangedSpan; readonly after: ChangedSpan} {
	const minLength = Math.min(before.length, after.length);
	let prefixLength = 0;
	while (prefixLength < minLength && before[prefixLength] === after[prefixLength]) prefixLength++;
	let suffixLength = 0;
	while (
		suffixLength < minLength - prefixLength &&
		before[before.length - 1 - suffixLength] === after[after.length - 1 - suffixLength]
	)
		suffixLength++;
	const from = Math.min(findGraphemeStart(before, prefixLength), findGraphemeStart(after, prefixLength));
	const createSpan = (text: string): ChangedSpan => ({
		from,
		to: Math.max(from, findBorderFrom(text, text.length - suffixLength)),
	});
	return {before: createSpan(before), after: createSpan(after)};
}

/** Returns the last grapheme boundary at or before an offset. */
function findGraphemeStart(text: string, offset: number): number {
	for (let index = offset; index > 0; index--) if (findBorderFrom(text, index) === index) return index;
	return 0;
}
