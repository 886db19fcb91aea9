import {readClass} from './classes.ts';
import {readEscape} from './escapes.ts';
import {type PatternFinding, patternError} from './finding.ts';
import {readGroupStart} from './groups.ts';
import {characterAt, type Flags, type Reader, skipSpace} from './reader.ts';
import {readRepetition} from './repetition.ts';

/** What is open around the place: the whole pattern, or a group in it. */
type Frame = {
	readonly start: number;
	/** Flags that hold again behind it. */
	readonly outside: Flags;
	/** How many steps it comes to when repetitions are written out. */
	steps: number;
	/** The same of its last part; `undefined` where nothing is to be repeated. */
	last: number | undefined;
};

/** Depth at which the engine returns up. */
const deepest = 250;
/** Steps that are more than 10 MB when compiled, whatever they are: one takes 24 bytes. */
const mostSteps = 420_000;

/**
 * What is wrong with a regular expression of `matches`, by Rust's syntax on bytes, with Unicode off
: the first error only, as the engine tells it, and warnings for dots that are probably
 * meant as dots. Never throws; takes time linear in the pattern.
 */
export function checkRegex(pattern: string): readonly PatternFinding[] {
	const reader: Reader = {pattern, place: 0, flags: {unicode: false, spaced: false}};
	const frames: Frame[] = [{start: 0, outside: reader.flags, steps: 0, last: undefined}];
	const names = new Set<string>();
	const dots: number[] = [];
	/** Behind the last part, where that is a letter or digit that matches itself. */
	let behindLetter = -1;
	let error: PatternFinding | undefined;
	while (!error) {
		skipSpace(reader);
		const {place} = reader;
		if (place >= pattern.length) break;
		if (place === behindLetter && /^\.\w/.test(pattern.slice(place, place + 2))) dots.push(place);
		error = readPart(reader, frames, names);
		if (/\w/.test(pattern.charAt(place))) behindLetter = reader.place;
	}
	const open = frames.at(-1);
	if (!error && open && frames.length > 1)
		error = patternError(open.start, open.start + 1, 'unclosed group', 'This parenthesis is never closed.');
	const warnings = dots.map(dotOfName);
	return error ? [...warnings, error] : warnings;
}

/** Reads one part at the place into the innermost frame. */
function readPart(reader: Reader, frames: Frame[], names: Set<string>): PatternFinding | undefined {
	const frame = frames.at(-1);
	if (!frame) return;
	switch (reader.pattern.charAt(reader.place)) {
		case '(':
			return openGroup(reader, frames, names);
		case ')':
			return closeGroup(reader, frames);
		case '|':
			reader.place++;
			frame.last = undefined;
			return;
		case '[':
			addPart(frame, 1);
			return readClass(reader);
		case '*':
		case '+':
		case '?':
		case '{':
			return repeat(reader, frame);
		case '\\': {
			addPart(frame, 1);
			const outcome = readEscape(reader);
			return outcome.ok ? undefined : outcome.error;
		}
		default:
			reader.place += characterAt(reader).length;
			addPart(frame, 1);
			return;
	}
}

function openGroup(reader: Reader, frames: Frame[], names: Set<string>): PatternFinding | undefined {
	const start = reader.place;
	const outside = reader.flags;
	const group = readGroupStart(reader, names);
	if (group.kind === 'error') return group.error;
	reader.flags = group.flags;
	if (group.kind === 'flags') {
		const frame = frames.at(-1);
		if (frame) frame.last = undefined;
		return;
	}
	frames.push({start, outside, steps: 0, last: undefined});
	if (frames.length > deepest)
		return patternError(
			start,
			start + 1,
			`exceeded the maximum nesting depth: ${deepest}`,
			`Groups may be nested ${deepest} deep at most.`,
		);
	return;
}

function closeGroup(reader: Reader, frames: Frame[]): PatternFinding | undefined {
	const start = reader.place;
	reader.place++;
	const [outer, group] = frames.slice(-2);
	if (!outer || !group)
		return patternError(
			start,
			start + 1,
			'unopened group',
			'No parenthesis is open here. Escape it if it is meant itself.',
			'\\)',
		);
	frames.pop();
	reader.flags = group.outside;
	addPart(outer, group.steps);
	return;
}

function repeat(reader: Reader, frame: Frame): PatternFinding | undefined {
	const start = reader.place;
	const sign = reader.pattern.charAt(start);
	if (frame.last === undefined)
		return patternError(
			start,
			start + 1,
			'repetition operator missing expression',
			`There is nothing to repeat before this ${sign}. Escape it if it is meant itself.`,
			`\\${sign}`,
		);
	const repetition = readRepetition(reader);
	if (!repetition.ok) return repetition.error;
	const repeated = frame.last * repetition.times;
	frame.steps += repeated - frame.last;
	frame.last = repeated;
	if (frame.steps <= mostSteps) return;
	return patternError(
		start,
		reader.place,
		'Compiled regex exceeds size limit of 10485760 bytes.',
		'With these repetitions the expression is too large for the engine, which takes 10 MB compiled.',
	);
}

function addPart(frame: Frame, steps: number): void {
	frame.steps += steps;
	frame.last = steps;
}

/** A dot between letters or digits, as in `example.com`. */
function dotOfName(start: number): PatternFinding {
	const span = {start, end: start + 1};
	return {
		severity: 'warning',
		span,
		sentence: 'A dot matches any character. Escape it if a dot is meant.',
		correction: {span, text: '\\.'},
	};
}
