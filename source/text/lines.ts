import type {Numbering} from './numbering.ts';
import {Pace, type Steps} from './steps.ts';

/** The lines of a text: each is the number that its text has, so that comparing two lines is comparing two numbers. */
export type Lines = {readonly numbers: readonly number[]; readonly texts: Numbering};

/** The lines of a text as they stand in it, without their ends. */
export function* splitLines(text: string, texts: Numbering): Steps<Lines> {
	const numbers: number[] = [];
	const pace = new Pace();
	let start = 0;
	for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
		numbers.push(texts.of(text.slice(start, end)));
		start = end + 1;
		if (pace.isStep()) yield;
	}
	numbers.push(texts.of(text.slice(start)));
	return {numbers, texts};
}

/** Whether two texts have the same lines. Both are numbered by the same table. */
export function* areSameLines(one: Lines, other: Lines): Steps<boolean> {
	if (one.numbers.length !== other.numbers.length) return false;
	const pace = new Pace(50_000);
	for (const [at, number] of one.numbers.entries()) {
		if (number !== other.numbers[at]) return false;
		if (pace.isStep()) yield;
	}
	return true;
}
