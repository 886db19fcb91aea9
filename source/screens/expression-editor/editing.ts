import {
	type Analysis,
	analyse,
	type Completion,
	completionsAt,
	expressionLength,
	format,
	type Place,
	type Problem,
	type Span,
} from '../../firewall/expression/expressions.ts';
import type {Key} from '../../keyboard/key.ts';
import {
	bufferOf,
	cursorOf,
	edit,
	replaceStretch,
	type TextBuffer,
	textOf,
	withCursor,
} from '../../text/buffer/buffer.ts';
import {editCommandOf} from '../shell/edit-keys.ts';
import {rowStep} from './lines.ts';

/** An expression that is being typed, and all that is known of it. Never changed in place. */
export type ExpressionEditing = {
	readonly buffer: TextBuffer;
	readonly analysis: Analysis;
	/** What could stand where the cursor is, while somebody types there. */
	readonly completion: Completions | undefined;
	/** What the service itself said of this very text, when it refused it. */
	readonly refusal?: Problem | undefined;
};

export type Completions = {
	readonly items: readonly Completion[];
	readonly cursor: number;
	/** What they replace. */
	readonly span: Span;
	/** Whether somebody moved in them: then tab takes the one under the cursor, whatever was typed. */
	readonly moved: boolean;
};

/** Where an expression will be used, and how wide the lines are that it is drawn in. */
export type EditingPlace = Place & {readonly columns: number};

/** Longer texts than this nobody means: they are refused whole, so that typing stays quick. */
const mostTyped = 4 * expressionLength;

/** Begins with a text, the cursor behind it. */
export function editingOf(text: string, place: Place = {}): ExpressionEditing {
	const buffer = bufferOf(text);
	return completing({buffer: withCursor(buffer, text.length), analysis: analyse(text, place)}, place);
}

/** The text as it is now. */
export const expressionOf = ({analysis}: ExpressionEditing): string => analysis.text;

/** Why a key cannot be taken in; `undefined` where it can. */
export function tooMuch({analysis}: ExpressionEditing, {text}: Key): string | undefined {
	return analysis.text.length + text.length <= mostTyped
		? undefined
		: `Not taken in: ${text.length} characters; an expression has at most ${expressionLength}.`;
}

/**
 * A key in an expression; `undefined` if it means nothing there. Up and down move in the completions while there are
 * some, and by the lines that are drawn else. `alt-enter` is a line feed; what ends a paste is none.
 */
export function typeInExpression(
	editing: ExpressionEditing,
	key: Key,
	place: EditingPlace,
): ExpressionEditing | undefined {
	const {buffer, completion} = editing;
	switch (key.name) {
		case 'up':
		case 'down': {
			const by = key.name === 'up' ? -1 : 1;
			if (completion) return moveInCompletions(editing, by);
			return moved(editing, withCursor(buffer, rowStep(textOf(buffer), cursorOf(buffer), by, place.columns)));
		}
		case 'ctrl-n':
		case 'ctrl-p': {
			if (completion) return moveInCompletions(editing, key.name === 'ctrl-p' ? -1 : 1);
			return completing(editing, place);
		}
		case 'pageup':
		case 'pagedown':
			return moveInCompletions(editing, key.name === 'pageup' ? -5 : 5);
		case 'alt-enter':
		case 'ctrl-j':
			return changed(editing, edit(buffer, {kind: 'newline'}), place);
	}
	if (tooMuch(editing, key) !== undefined) return editing;
	const command = editCommandOf(key);
	if (!command || command.kind === 'newline') return undefined;
	if (command.kind === 'insert' && key.name !== 'paste' && closesAlready(editing, command.text))
		return completing({...editing, buffer: edit(buffer, {kind: 'right'})}, place);
	if (command.kind === 'insert')
		return changed(editing, edit(buffer, {kind: 'insert', text: withoutLastEnds(command.text)}), place);
	const next = edit(buffer, command);
	return textOf(next) === editing.analysis.text ? moved(editing, next) : changed(editing, next, place);
}

/**
 * Whether what is typed stands right behind the cursor already, where a completion put it, and nothing is missing
 * that it could close: then it is stepped over.
 */
function closesAlready({buffer, analysis: {text, tokens}}: ExpressionEditing, typed: string): boolean {
	const cursor = cursorOf(buffer);
	if (typed.length !== 1 || text.charAt(cursor) !== typed) return false;
	if (typed === '"') {
		const string = tokens.find(
			({kind, start, end}) => kind === 'string' && start < cursor && end === cursor + 1,
		);
		return string !== undefined && closedString.test(text.slice(string.start, string.end));
	}
	return (
		')]}'.includes(typed) &&
		tokens.some(({kind, start}) => kind === 'punctuation' && start === cursor) &&
		areBalanced(tokens.filter(({kind}) => kind === 'punctuation').map(({start}) => text.charAt(start)))
	);
}

const closedString = /^(?:"(?:[^"\\]|\\.)*"|r"[^"]*")$/s;

function areBalanced(brackets: readonly string[]): boolean {
	const open: string[] = [];
	for (const bracket of brackets) {
		const at = '([{'.indexOf(bracket);
		if (at >= 0) open.push(')]}'.charAt(at));
		else if (')]}'.includes(bracket) && open.pop() !== bracket) return false;
	}
	return open.length === 0;
}

/** What tab takes: a completion, or the correction of a problem. */
type Offer =
	| {readonly kind: 'completion'; readonly completion: Completion; readonly span: Span}
	| {readonly kind: 'correction'; readonly problem: Problem};

/**
 * The completion under the menu's cursor if a word is being typed that is not yet it, or if somebody moved to it;
 * else the correction of the problem at the cursor or nearest to it; else the completion all the same, where the text
 * continues: at its end, or where something is missing. In a correct text nothing is inserted.
 */
export function offerOf(editing: ExpressionEditing): Offer | undefined {
	const {completion, analysis} = editing;
	const item = completion?.items[completion.cursor];
	const chosen: Offer | undefined =
		completion && item
			? {kind: 'completion', completion: apart(item, completion.span, analysis.text), span: completion.span}
			: undefined;
	const written = completion ? analysis.text.slice(completion.span.start, completion.span.end) : '';
	const isWhole = written === item?.text;
	if (chosen && !isWhole && (completion?.moved || written !== '')) return chosen;
	const problem = nearestProblem(editing, ({correction}) => correction !== undefined);
	const goesOn = chosen && chosen.completion.text !== written && isToGoOn(editing);
	if (problem && !(goesOn && isUnfinished(editing, problem))) return {kind: 'correction', problem};
	return goesOn ? chosen : undefined;
}

const wordOperator = /^ ?\w/;

/** An operator or a logical word with the spaces around it that are not there yet, the cursor behind them. */
function apart(item: Completion, {start, end}: Span, text: string): Completion {
	if ((item.kind !== 'operator' && item.kind !== 'logical') || !wordOperator.test(item.text)) return item;
	const before = /^$|[\s([{,!]/.test(text.charAt(start - 1)) || item.text.startsWith(' ') ? '' : ' ';
	const isApart = /\s/.test(text.charAt(end));
	const wanted = `${before}${item.text}${isApart ? '' : ' '}`;
	return {...item, text: wanted, cursor: wanted.length + (isApart ? 1 : 0)};
}

/** Whether something is to be written at the cursor: at the end of the text, or where a problem ends before it. */
function isToGoOn(editing: ExpressionEditing): boolean {
	const {text} = editing.analysis;
	const cursor = cursorOf(editing.buffer);
	if (text.slice(cursor).trim() === '') return true;
	return problemsOf(editing).some(
		({severity, span}) =>
			severity === 'error' && span.start <= cursor && text.slice(span.end, cursor).trim() === '',
	);
}

/** The expression with what tab takes. */
export function takeOffered(editing: ExpressionEditing, place: Place): ExpressionEditing {
	const offer = offerOf(editing);
	switch (offer?.kind) {
		case 'completion': {
			const {text, cursor = text.length} = offer.completion;
			return written(editing, offer.span, text, cursor, place);
		}
		case 'correction': {
			const {correction} = offer.problem;
			return correction
				? written(editing, correction.span, correction.text, correction.text.length, place)
				: editing;
		}
		default:
			return editing;
	}
}

/** Moves the menu's cursor, within its items. */
export function moveInCompletions(editing: ExpressionEditing, by: number): ExpressionEditing {
	const {completion} = editing;
	if (!completion) return editing;
	const cursor = Math.max(0, Math.min(completion.items.length - 1, completion.cursor + by));
	return {...editing, completion: {...completion, cursor, moved: true}};
}

/** The expression in its one-line canonical form; `undefined` while it does not parse. */
export function formatted(editing: ExpressionEditing, place: Place): ExpressionEditing | undefined {
	const {text} = editing.analysis;
	const form = format(text);
	if (form === undefined) return undefined;
	return form === text ? editing : written(editing, {start: 0, end: text.length}, form, form.length, place);
}

/** The cursor at the next problem behind it, or at the first one again. */
export function toNextProblem(editing: ExpressionEditing): ExpressionEditing {
	const cursor = cursorOf(editing.buffer);
	const all = problemsOf(editing);
	const next = all.find(({span}) => span.start > cursor) ?? all[0];
	return next ? moved(editing, withCursor(editing.buffer, next.span.start)) : editing;
}

/** What the service said of this text, shown under its characters until the next change. */
export const refusedBy = (
	editing: ExpressionEditing,
	{span, sentence}: {span: Span; sentence: string},
): ExpressionEditing => {
	const before = [...editing.analysis.text.slice(0, span.start)];
	const line = before.filter(character => character === '\n').length + 1;
	const refusal: Problem = {
		severity: 'error',
		span,
		line,
		column: before.length - before.lastIndexOf('\n'),
		sentence: `the service refused it: ${sentence}`,
	};
	return {...moved(editing, withCursor(editing.buffer, span.start)), refusal};
};

/** Errors and warnings by their place. */
export function problemsOf({analysis, refusal}: ExpressionEditing): readonly Problem[] {
	const {errors, warnings} = analysis;
	if (warnings.length === 0 && !refusal) return errors;
	return [...(refusal ? [refusal] : []), ...errors, ...warnings].toSorted(
		(one, other) => one.span.start - other.span.start,
	);
}

/** The problem that the cursor is on, else the nearest one; errors before warnings of the same distance. */
export function nearestProblem(
	editing: ExpressionEditing,
	wanted: (problem: Problem) => boolean = () => true,
): Problem | undefined {
	const cursor = cursorOf(editing.buffer);
	let nearest: Problem | undefined;
	let least = Number.POSITIVE_INFINITY;
	for (const problem of problemsOf(editing)) {
		if (!wanted(problem)) continue;
		const {start, end} = problem.span;
		const apart = cursor < start ? start - cursor : Math.max(0, cursor - end);
		const distance = apart * 2 + (problem.severity === 'error' ? 0 : 1);
		if (distance < least) {
			nearest = problem;
			least = distance;
		}
	}
	return nearest;
}

/**
 * Whether a problem is only that the text is not written to its end yet: nothing to be alarmed about while the cursor
 * is there. Something is missing at the end, or is not closed before it, or continues with what is offered.
 */
export function isUnfinished({buffer, analysis, completion}: ExpressionEditing, problem: Problem): boolean {
	if (problem.severity === 'warning') return false;
	const cursor = cursorOf(buffer);
	const end = analysis.text.trimEnd().length;
	if (cursor < end) return false;
	const word = completion?.span;
	if (word && word.end > word.start && word.end >= end && problem.span.start >= word.start) return true;
	if (problem.span.start >= end) return true;
	const {correction} = problem;
	if (correction) return correction.span.start >= end && correction.text !== '';
	return problem.span.end >= end && completion !== undefined;
}

function withoutLastEnds(text: string): string {
	let end = text.length;
	while (text.length > 1 && (text[end - 1] === '\n' || text[end - 1] === '\r')) end--;
	return text.slice(0, end);
}

function written(
	editing: ExpressionEditing,
	{start, end}: Span,
	text: string,
	cursor: number,
	place: Place,
): ExpressionEditing {
	const buffer = replaceStretch(editing.buffer, start, end, text);
	return changed(editing, withCursor(buffer, start + cursor), place);
}

/** The text is another one: it is analysed again, and completions are offered. */
function changed(editing: ExpressionEditing, buffer: TextBuffer, place: Place): ExpressionEditing {
	const text = textOf(buffer);
	if (text === editing.analysis.text) return moved(editing, buffer);
	return completing({buffer, analysis: analyse(text, place)}, place);
}

/** Only the cursor is elsewhere: nobody types there yet, so that nothing is offered. */
const moved = ({analysis, refusal}: ExpressionEditing, buffer: TextBuffer): ExpressionEditing => ({
	buffer,
	analysis,
	completion: undefined,
	refusal,
});

function completing(
	{buffer, analysis, refusal}: Omit<ExpressionEditing, 'completion'>,
	place: Place,
): ExpressionEditing {
	const {span, items} = completionsAt(analysis.text, cursorOf(buffer), place);
	const completion = items.length === 0 ? undefined : {items, cursor: 0, span, moved: false};
	return {buffer, analysis, completion, refusal};
}
