import {readClass} from './classes.ts';
import {readEscape} from './escapes.ts';
import type {PatternFinding} from './finding.ts';
import {readGroupStart} from './groups.ts';
import {type Flags, PatternReader, PatternRefused} from './reader.ts';
import {readRepetition} from './repetition.ts';

/** An open level: the whole pattern, or a group. */
type Frame = {
	readonly start: number;
	/** The flags to restore after it. */
	readonly outerFlags: Flags;
	/** The number of steps with all repetitions expanded. */
	steps: number;
	/** The steps of the last part; undefined if nothing can be repeated. */
	lastSteps: number | undefined;
};

/** Maximum nesting depth of the engine. */
const maxDepth = 250;
/** The number of steps above which a compiled pattern certainly exceeds 10 MB: one takes 24 bytes. */
const maxSteps = 420_000;

/**
 * Checks a regular expression of `matches`, in Rust's syntax on bytes with Unicode off: returns the first
 * error, as the engine does, and warnings for unescaped dots in names. Never throws; linear in the length of
 * the pattern.
 */
export function checkRegex(pattern: string): readonly PatternFinding[] {
	const dotWarnings: PatternFinding[] = [];
	try {
		readPattern(new PatternReader(pattern), position => dotWarnings.push(createDotWarning(position)));
		return dotWarnings;
	} catch (error) {
		if (error instanceof PatternRefused) return [...dotWarnings, error.finding];
		throw error;
	}
}

/** Reads a whole pattern; calls `onDot` with the position of each dot between letters or digits. */
function readPattern(reader: PatternReader, onDot: (position: number) => void): void {
	const root: Frame = {start: 0, outerFlags: reader.flags, steps: 0, lastSteps: undefined};
	const frames = [root];
	const names = new Set<string>();
	/** The position after the last literal letter or digit; -1 before the first one. */
	let afterLetter = -1;
	for (;;) {
		reader.skipSpace();
		const {position, pattern} = reader;
		if (reader.isAtEnd) break;
		if (position === afterLetter && /^\.\w/.test(pattern.slice(position, position + 2))) onDot(position);
		readPatternPart(reader, frames, names);
		if (/\w/.test(pattern.charAt(position))) afterLetter = reader.position;
	}
	const innermostGroup = frames.at(-1);
	if (!innermostGroup || innermostGroup === root) return;
	reader.position = innermostGroup.start + 1;
	reader.refuse(innermostGroup.start, 'unclosed group', 'This parenthesis is not closed.');
}

/** Reads the next part into the innermost frame. */
function readPatternPart(reader: PatternReader, frames: Frame[], names: Set<string>): void {
	const frame = frames.at(-1);
	if (!frame) return;
	switch (reader.unit) {
		case '(':
			openGroup(reader, frame, frames, names);
			return;
		case ')':
			closeGroup(reader, frames);
			return;
		case '|':
			reader.position++;
			frame.lastSteps = undefined;
			return;
		case '*':
		case '+':
		case '?':
		case '{':
			applyRepetition(reader, frame);
			return;
		case '[':
			readClass(reader);
			break;
		case '\\':
			readEscape(reader);
			break;
		default:
			reader.take();
	}
	addPart(frame, 1);
}

function openGroup(reader: PatternReader, frame: Frame, frames: Frame[], names: Set<string>): void {
	const start = reader.position;
	const outerFlags = reader.flags;
	const {kind, flags} = readGroupStart(reader, names);
	reader.flags = flags;
	if (kind === 'flags') {
		frame.lastSteps = undefined;
		return;
	}
	if (frames.push({start, outerFlags, steps: 0, lastSteps: undefined}) <= maxDepth) return;
	reader.position = start + 1;
	reader.refuse(
		start,
		`exceeded the maximum nesting depth: ${maxDepth}`,
		`Groups can be nested at most ${maxDepth} levels deep.`,
	);
}

function closeGroup(reader: PatternReader, frames: Frame[]): void {
	const start = reader.position++;
	const [parent, group] = frames.slice(-2);
	if (!parent || !group)
		reader.refuse(
			start,
			'unopened group',
			'This closing parenthesis has no opening one. Escape it to match it literally.',
			'\\)',
		);
	frames.pop();
	reader.flags = group.outerFlags;
	addPart(parent, group.steps);
}

function applyRepetition(reader: PatternReader, frame: Frame): void {
	const {position: start, unit: repetitionSign} = reader;
	if (frame.lastSteps === undefined) {
		reader.position++;
		reader.refuse(
			start,
			'repetition operator missing expression',
			`There is nothing to repeat before this ${repetitionSign}. Escape it to match it literally.`,
			`\\${repetitionSign}`,
		);
	}
	const repeatedSteps = frame.lastSteps * readRepetition(reader);
	frame.steps += repeatedSteps - frame.lastSteps;
	frame.lastSteps = repeatedSteps;
	if (frame.steps > maxSteps)
		reader.refuse(
			start,
			'Compiled regex exceeds size limit of 10485760 bytes.',
			'These repetitions make the expression too large for the engine (limit: 10 MB compiled).',
		);
}

function addPart(frame: Frame, steps: number): void {
	frame.steps += steps;
	frame.lastSteps = steps;
}

/** Warns of a dot between letters or digits, as in `example.com`. */
function createDotWarning(start: number): PatternFinding {
	const span = {start, end: start + 1};
	return {
		severity: 'warning',
		span,
		sentence: 'A dot matches any character. Escape it to match a literal dot.',
		correction: {span, text: '\\.'},
	};
}
