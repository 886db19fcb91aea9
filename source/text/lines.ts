import type {Numbering} from './numbering.ts';
import {type Steps, YieldBudget} from './steps.ts';

/**
 * The lines of a text, as numbers that equal lines share. `texts` maps numbers to lines; all compared texts
 * share it.
 */
export type NumberedLines = {readonly numbers: readonly number[]; readonly texts: readonly string[]};

/** A line with its number from 1. Not yet safe for a terminal. */
export type NumberedLine = {readonly number: number; readonly text: string};

/** Marks a missing final line feed where that is a difference. Contains a line feed, so no line equals it. */
export const noFinalLineFeed = '\\ No newline at end of value\n';

export const getNumberedLine = ({numbers, texts}: NumberedLines, number: number): NumberedLine => ({
	number,
	text: texts[numbers[number - 1] ?? -1] ?? '',
});

/** Splits a text into lines without their ends. */
export function* splitLines(text: string, numbering: Numbering): Steps<NumberedLines> {
	const numbers: number[] = [];
	const budget = new YieldBudget();
	let start = 0;
	for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
		numbers.push(numbering.assignNumber(text.slice(start, end)));
		start = end + 1;
		if (budget.shouldYield()) yield;
	}
	numbers.push(numbering.assignNumber(text.slice(start)));
	return {numbers, texts: numbering.texts};
}

/** True if two texts, numbered together, have the same lines. */
export function* haveSameLines(left: NumberedLines, right: NumberedLines): Steps<boolean> {
	if (left.numbers.length !== right.numbers.length) return false;
	const budget = new YieldBudget(50_000);
	for (const [index, number] of left.numbers.entries()) {
		if (number !== right.numbers[index]) return false;
		if (budget.shouldYield()) yield;
	}
	return true;
}
