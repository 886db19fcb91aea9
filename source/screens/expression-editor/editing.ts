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

/** An expression being edited, with its analysis. Immutable. */
export type ExpressionEditing = {
	readonly buffer: TextBuffer;
	readonly analysis: Analysis;
	/** Completions at the cursor, while the user types there. */
	readonly completion: Completions | undefined;
	/** The service's refusal of exactly this text. */
	readonly refusal?: Problem | undefined;
};

export type Completions = {
	readonly items: readonly Completion[];
	readonly cursor: number;
	/** The text that they replace. */
	readonly span: Span;
	/** True after a move in the menu: tab then takes the selected item, whatever was typed. */
	readonly moved: boolean;
};

/** Where an expression will be used, and the columns in which it is drawn. */
export type EditingPlace = Place & {readonly columns: number};

/** Maximum length in UTF-16 code units. Longer input is refused as a whole, to keep typing fast. */
const mostTyped = 4 * expressionLength;

/** Creates an editor with a text, the cursor at its end. */
export function editingOf(text: string, place: Place = {}): ExpressionEditing {
	const buffer = bufferOf(text);
	return completing({buffer: withCursor(buffer, text.length), analysis: analyse(text, place)}, place);
}

export const expressionOf = ({analysis}: ExpressionEditing): string => analysis.text;

/** Explains why the text of a key is too long; undefined if it fits. */
export function tooMuch({analysis}: ExpressionEditing, {text}: Key): string | undefined {
	return analysis.text.length + text.length <= mostTyped
		? undefined
		: `Not taken in: ${text.length} characters; an expression has at most ${expressionLength}.`;
}

/**
 * Applies a key; undefined if it has no meaning there. Up and down move in the completions if there are any,
 * otherwise by displayed lines. `alt-enter` inserts a line feed; line feeds at the end of a paste are
 * dropped.
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
 * True if the typed closing character already follows the cursor, and everything is closed: the cursor then
 * steps over it.
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

/** What tab accepts: a completion, or the correction of a problem. */
type Offer =
	| {readonly kind: 'completion'; readonly completion: Completion; readonly span: Span}
	| {readonly kind: 'correction'; readonly problem: Problem};

/**
 * Finds what tab accepts: the selected completion, if a word is incomplete or the user moved in the menu;
 * else the correction at the cursor or nearest to it; else the completion, if the text continues at the
 * cursor. Offers nothing inside a correct text.
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

/** Adds missing spaces around an operator or a logical word, the cursor after them. */
function apart(item: Completion, {start, end}: Span, text: string): Completion {
	if ((item.kind !== 'operator' && item.kind !== 'logical') || !wordOperator.test(item.text)) return item;
	const before = /^$|[\s([{,!]/.test(text.charAt(start - 1)) || item.text.startsWith(' ') ? '' : ' ';
	const isApart = /\s/.test(text.charAt(end));
	const wanted = `${before}${item.text}${isApart ? '' : ' '}`;
	return {...item, text: wanted, cursor: wanted.length + (isApart ? 1 : 0)};
}

/** True if text is missing at the cursor: at the end, or after an error. */
function isToGoOn(editing: ExpressionEditing): boolean {
	const {text} = editing.analysis;
	const cursor = cursorOf(editing.buffer);
	if (text.slice(cursor).trim() === '') return true;
	return problemsOf(editing).some(
		({severity, span}) =>
			severity === 'error' && span.start <= cursor && text.slice(span.end, cursor).trim() === '',
	);
}

/** Applies what tab accepts. */
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

/** Moves the cursor of the menu, within its items. */
export function moveInCompletions(editing: ExpressionEditing, by: number): ExpressionEditing {
	const {completion} = editing;
	if (!completion) return editing;
	const cursor = Math.max(0, Math.min(completion.items.length - 1, completion.cursor + by));
	return {...editing, completion: {...completion, cursor, moved: true}};
}

/** Rewrites the expression in its one-line canonical form; undefined if it does not parse. */
export function formatted(editing: ExpressionEditing, place: Place): ExpressionEditing | undefined {
	const {text} = editing.analysis;
	const form = format(text);
	if (form === undefined) return undefined;
	return form === text ? editing : written(editing, {start: 0, end: text.length}, form, form.length, place);
}

/** Moves the cursor to the next problem, or from the last to the first. */
export function toNextProblem(editing: ExpressionEditing): ExpressionEditing {
	const cursor = cursorOf(editing.buffer);
	const all = problemsOf(editing);
	const next = all.find(({span}) => span.start > cursor) ?? all[0];
	return next ? moved(editing, withCursor(editing.buffer, next.span.start)) : editing;
}

/** Adds the service's refusal, shown under its characters until the next change. */
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

/** Lists errors and warnings by position. */
export function problemsOf({analysis, refusal}: ExpressionEditing): readonly Problem[] {
	const {errors, warnings} = analysis;
	if (warnings.length === 0 && !refusal) return errors;
	return [...(refusal ? [refusal] : []), ...errors, ...warnings].toSorted(
		(one, other) => one.span.start - other.span.start,
	);
}

/** Finds the problem at the cursor, or the nearest one; at the same distance, errors come first. */
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
 * True if a problem only means that the text is incomplete, with the cursor at its end: something is missing,
 * not closed, or continues with a completion.
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

/** Replaces the text, analyses it, and offers completions. */
function changed(editing: ExpressionEditing, buffer: TextBuffer, place: Place): ExpressionEditing {
	const text = textOf(buffer);
	if (text === editing.analysis.text) return moved(editing, buffer);
	return completing({buffer, analysis: analyse(text, place)}, place);
}

/** Replaces the buffer with another cursor, and hides the completions. */
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
