import {
	type Analysis,
	analyse,
	type Completion,
	type ExpressionContext,
	type ExpressionProblem,
	formatExpression,
	listCompletions,
	maxExpressionLength,
	type Span,
} from '../../firewall/expression/expressions.ts';
import type {Key} from '../../keyboard/key.ts';
import {
	createBuffer,
	editBuffer,
	getBufferText,
	getCursorOffset,
	replaceRange,
	type TextBuffer,
	trimLineEnds,
	withCursor,
} from '../../text/buffer/buffer.ts';
import {getEditCommand} from '../shell/edit-keys.ts';
import {moveByWrappedRows} from './lines.ts';

/** An expression being edited, with its analysis. Immutable. */
export type ExpressionEditing = {
	readonly buffer: TextBuffer;
	readonly analysis: Analysis;
	/** Completions at the cursor, while the user types there. */
	readonly completionMenu: CompletionMenu | undefined;
	/** The service's refusal of exactly this text. */
	readonly refusal?: ExpressionProblem | undefined;
};

/** The completions at the cursor, as a menu. */
export type CompletionMenu = {
	readonly items: readonly Completion[];
	readonly cursor: number;
	/** The text that they replace. */
	readonly span: Span;
	/** True after a move in the menu: tab then takes the selected item, whatever was typed. */
	readonly hasMoved: boolean;
};

/** Where an expression will be used, and the number of columns it is drawn in. */
export type EditingContext = ExpressionContext & {readonly columns: number};

/** Maximum length in UTF-16 code units. Longer input is refused as a whole, to keep typing fast. */
const maxTypedLength = 4 * maxExpressionLength;

/** Creates an editor with a text, the cursor at its end. */
export function createExpressionEditing(text: string, context: ExpressionContext = {}): ExpressionEditing {
	const buffer = createBuffer(text);
	return withCompletions(
		{buffer: withCursor(buffer, text.length), analysis: analyse(text, context)},
		context,
	);
}

export const getTypedExpression = ({analysis}: ExpressionEditing): string => analysis.text;

/** Explains why the text of a key is too long; undefined if it fits. */
export function getOverflowMessage({analysis}: ExpressionEditing, {text}: Key): string | undefined {
	return analysis.text.length + text.length <= maxTypedLength
		? undefined
		: `Not inserted: ${text.length} characters; the editor holds ${maxTypedLength}, an expression ${maxExpressionLength}.`;
}

/**
 * Applies a key; undefined if it has no meaning there. Up and down move in the completions if there are any,
 * otherwise by displayed lines. `alt-enter` inserts a line feed; line feeds at the end of a paste are
 * dropped.
 */
export function typeInExpression(
	editing: ExpressionEditing,
	key: Key,
	context: EditingContext,
): ExpressionEditing | undefined {
	const {buffer, completionMenu} = editing;
	switch (key.name) {
		case 'up':
		case 'down': {
			const direction = key.name === 'up' ? -1 : 1;
			if (completionMenu) return moveCompletionCursor(editing, direction);
			return withMovedCursor(
				editing,
				withCursor(
					buffer,
					moveByWrappedRows(getBufferText(buffer), getCursorOffset(buffer), direction, context.columns),
				),
			);
		}
		case 'ctrl-n':
		case 'ctrl-p': {
			if (completionMenu) return moveCompletionCursor(editing, key.name === 'ctrl-p' ? -1 : 1);
			return withCompletions(editing, context);
		}
		case 'pageup':
		case 'pagedown':
			return moveCompletionCursor(editing, key.name === 'pageup' ? -5 : 5);
		case 'alt-enter':
		case 'ctrl-j':
			return withNewText(editing, editBuffer(buffer, {kind: 'newline'}), context);
	}
	if (getOverflowMessage(editing, key) !== undefined) return editing;
	const command = getEditCommand(key);
	if (!command || command.kind === 'newline') return undefined;
	if (command.kind === 'insert' && key.name !== 'paste' && canStepOverClosing(editing, command.text))
		return withCompletions({...editing, buffer: editBuffer(buffer, {kind: 'right'})}, context);
	if (command.kind === 'insert')
		return withNewText(
			editing,
			editBuffer(buffer, {kind: 'insert', text: trimLineEnds(command.text)}),
			context,
		);
	const nextBuffer = editBuffer(buffer, command);
	return getBufferText(nextBuffer) === editing.analysis.text
		? withMovedCursor(editing, nextBuffer)
		: withNewText(editing, nextBuffer, context);
}

/**
 * True if the typed closing character already follows the cursor, and everything is closed: the cursor then
 * steps over it.
 */
function canStepOverClosing(
	{buffer, analysis: {text, tokens}}: ExpressionEditing,
	typedText: string,
): boolean {
	const cursor = getCursorOffset(buffer);
	if (typedText.length !== 1 || text.charAt(cursor) !== typedText) return false;
	if (typedText === '"') {
		const stringToken = tokens.find(
			({kind, start, end}) => kind === 'string' && start < cursor && end === cursor + 1,
		);
		return (
			stringToken !== undefined && closedStringPattern.test(text.slice(stringToken.start, stringToken.end))
		);
	}
	return (
		')]}'.includes(typedText) &&
		tokens.some(({kind, start}) => kind === 'punctuation' && start === cursor) &&
		areBalanced(tokens.filter(({kind}) => kind === 'punctuation').map(({start}) => text.charAt(start)))
	);
}

const closedStringPattern = /^(?:"(?:[^"\\]|\\.)*"|r"[^"]*")$/s;

function areBalanced(brackets: readonly string[]): boolean {
	const openBrackets: string[] = [];
	for (const bracket of brackets) {
		const bracketIndex = '([{'.indexOf(bracket);
		if (bracketIndex >= 0) openBrackets.push(')]}'.charAt(bracketIndex));
		else if (')]}'.includes(bracket) && openBrackets.pop() !== bracket) return false;
	}
	return openBrackets.length === 0;
}

/** What tab accepts: a completion, or the correction of a problem. */
type TabOffer =
	| {readonly kind: 'completion'; readonly completion: Completion; readonly span: Span}
	| {readonly kind: 'correction'; readonly problem: ExpressionProblem};

/**
 * Finds what tab accepts: the selected completion, if a word is incomplete or the user moved in the menu;
 * else the correction at the cursor or nearest to it; else the completion, if the text continues at the
 * cursor; else the space after a complete field. Offers nothing inside a correct text.
 */
export function findTabOffer(editing: ExpressionEditing): TabOffer | undefined {
	const {completionMenu, analysis} = editing;
	const item = completionMenu?.items[completionMenu.cursor];
	const completionOffer: TabOffer | undefined =
		completionMenu && item
			? {
					kind: 'completion',
					completion: addSpaces(item, completionMenu.span, analysis.text),
					span: completionMenu.span,
				}
			: undefined;
	const typedWord = completionMenu
		? analysis.text.slice(completionMenu.span.start, completionMenu.span.end)
		: '';
	const isComplete = typedWord === item?.text;
	if (completionOffer && !isComplete && (completionMenu?.hasMoved || typedWord !== ''))
		return completionOffer;
	const problem = findNearestProblem(editing, ({correction}) => correction !== undefined);
	const continuesText =
		completionOffer && completionOffer.completion.text !== typedWord && canContinue(editing);
	if (problem && !(continuesText && isUnfinished(editing, problem))) return {kind: 'correction', problem};
	if (continuesText) return completionOffer;
	const isFieldTyped = isComplete && item?.kind === 'field' && canContinue(editing);
	return isFieldTyped && completionOffer
		? {...completionOffer, completion: {...item, text: `${item.text} `}}
		: undefined;
}

const wordOperator = /^ ?\w/;

/** Adds missing spaces around an operator or a logical word, the cursor after them. */
function addSpaces(item: Completion, {start, end}: Span, text: string): Completion {
	if ((item.kind !== 'operator' && item.kind !== 'logical') || !wordOperator.test(item.text)) return item;
	const leadingSpace = /^$|[\s([{,!]/.test(text.charAt(start - 1)) || item.text.startsWith(' ') ? '' : ' ';
	const hasSpaceAfter = /\s/.test(text.charAt(end));
	const spacedText = `${leadingSpace}${item.text}${hasSpaceAfter ? '' : ' '}`;
	return {...item, text: spacedText, cursor: spacedText.length + (hasSpaceAfter ? 1 : 0)};
}

/** True if text is missing at the cursor: at the end, or after an error. */
function canContinue(editing: ExpressionEditing): boolean {
	const {text} = editing.analysis;
	const cursor = getCursorOffset(editing.buffer);
	if (text.slice(cursor).trim() === '') return true;
	return listProblems(editing).some(
		({severity, span}) =>
			severity === 'error' && span.start <= cursor && text.slice(span.end, cursor).trim() === '',
	);
}

/** Applies what tab accepts. */
export function takeTabOffer(editing: ExpressionEditing, context: ExpressionContext): ExpressionEditing {
	const offer = findTabOffer(editing);
	switch (offer?.kind) {
		case 'completion': {
			const {text, cursor = text.length} = offer.completion;
			return replaceSpan(editing, offer.span, text, cursor, context);
		}
		case 'correction': {
			const {correction} = offer.problem;
			if (!correction) return editing;
			const {text, span} = correction;
			const corrected = replaceSpan(editing, span, text, text.length, context);
			// Inside a correct text there is nothing to complete, and a menu would offer it.
			return findTabOffer(corrected) ? corrected : {...corrected, completionMenu: undefined};
		}
		default:
			return editing;
	}
}

/** Moves the cursor of the menu, within its items. */
export function moveCompletionCursor(editing: ExpressionEditing, distance: number): ExpressionEditing {
	const {completionMenu} = editing;
	if (!completionMenu) return editing;
	const cursor = Math.max(0, Math.min(completionMenu.items.length - 1, completionMenu.cursor + distance));
	return {...editing, completionMenu: {...completionMenu, cursor, hasMoved: true}};
}

/** Rewrites the expression in its one-line canonical form; undefined if it does not parse. */
export function formatEditing(
	editing: ExpressionEditing,
	context: ExpressionContext,
): ExpressionEditing | undefined {
	const {text} = editing.analysis;
	const formattedText = formatExpression(text);
	if (formattedText === undefined) return undefined;
	return formattedText === text
		? editing
		: replaceSpan(editing, {start: 0, end: text.length}, formattedText, formattedText.length, context);
}

/** Moves the cursor to the next problem, or from the last to the first. */
export function toNextProblem(editing: ExpressionEditing): ExpressionEditing {
	const cursor = getCursorOffset(editing.buffer);
	const problems = listProblems(editing);
	const nextProblem = problems.find(({span}) => span.start > cursor) ?? problems[0];
	return nextProblem ? withMovedCursor(editing, withCursor(editing.buffer, nextProblem.span.start)) : editing;
}

/** Adds the service's refusal, shown under its characters until the next change. */
export const withServiceRefusal = (
	editing: ExpressionEditing,
	{span, sentence}: {span: Span; sentence: string},
): ExpressionEditing => {
	const charactersBefore = [...editing.analysis.text.slice(0, span.start)];
	const line = charactersBefore.filter(character => character === '\n').length + 1;
	const refusal: ExpressionProblem = {
		severity: 'error',
		span,
		line,
		column: charactersBefore.length - charactersBefore.lastIndexOf('\n'),
		sentence: `rejected by the service: ${sentence}`,
	};
	return {...withMovedCursor(editing, withCursor(editing.buffer, span.start)), refusal};
};

/** Lists errors and warnings by position. */
export function listProblems({analysis, refusal}: ExpressionEditing): readonly ExpressionProblem[] {
	const {errors, warnings} = analysis;
	if (warnings.length === 0 && !refusal) return errors;
	return [...(refusal ? [refusal] : []), ...errors, ...warnings].toSorted(
		(one, other) => one.span.start - other.span.start,
	);
}

/** Finds the problem at the cursor, or the nearest one; at the same distance, errors come first. */
export function findNearestProblem(
	editing: ExpressionEditing,
	isCandidate: (problem: ExpressionProblem) => boolean = () => true,
): ExpressionProblem | undefined {
	const cursor = getCursorOffset(editing.buffer);
	let nearestProblem: ExpressionProblem | undefined;
	let minDistance = Number.POSITIVE_INFINITY;
	for (const problem of listProblems(editing)) {
		if (!isCandidate(problem)) continue;
		const {start, end} = problem.span;
		const gap = cursor < start ? start - cursor : Math.max(0, cursor - end);
		const distance = gap * 2 + (problem.severity === 'error' ? 0 : 1);
		if (distance < minDistance) {
			nearestProblem = problem;
			minDistance = distance;
		}
	}
	return nearestProblem;
}

/** Finds the problem to show: the one that tab corrects, else the nearest. */
export function findShownProblem(editing: ExpressionEditing): ExpressionProblem | undefined {
	const offer = findTabOffer(editing);
	return offer?.kind === 'correction' ? offer.problem : findNearestProblem(editing);
}

/**
 * True if a problem only means that the text is incomplete, with the cursor at its end: something is missing,
 * not closed, or continues with a completion.
 */
export function isUnfinished(
	{buffer, analysis, completionMenu}: ExpressionEditing,
	problem: ExpressionProblem,
): boolean {
	if (problem.severity === 'warning') return false;
	const cursor = getCursorOffset(buffer);
	const end = analysis.text.trimEnd().length;
	if (cursor < end) return false;
	const word = completionMenu?.span;
	if (word && word.end > word.start && word.end >= end && problem.span.start >= word.start) return true;
	if (problem.span.start >= end) return true;
	const {correction} = problem;
	if (correction) return correction.span.start >= end && correction.text !== '';
	return problem.span.end >= end && completionMenu !== undefined;
}

function replaceSpan(
	editing: ExpressionEditing,
	{start, end}: Span,
	text: string,
	cursor: number,
	context: ExpressionContext,
): ExpressionEditing {
	const buffer = replaceRange(editing.buffer, start, end, text);
	return withNewText(editing, withCursor(buffer, start + cursor), context);
}

/** Replaces the text, analyses it, and offers completions. */
function withNewText(
	editing: ExpressionEditing,
	buffer: TextBuffer,
	context: ExpressionContext,
): ExpressionEditing {
	const text = getBufferText(buffer);
	if (text === editing.analysis.text) return withMovedCursor(editing, buffer);
	return withCompletions({buffer, analysis: analyse(text, context)}, context);
}

/** Analyses the same text in another context, and offers completions again if there are any to replace. */
export const reanalyse = (
	{buffer, refusal}: ExpressionEditing,
	context: ExpressionContext,
): ExpressionEditing =>
	withCompletions({buffer, analysis: analyse(getBufferText(buffer), context), refusal}, context);

/** Replaces the buffer with another cursor, and hides the completions. */
const withMovedCursor = ({analysis, refusal}: ExpressionEditing, buffer: TextBuffer): ExpressionEditing => ({
	buffer,
	analysis,
	completionMenu: undefined,
	refusal,
});

function withCompletions(
	{buffer, analysis, refusal}: Omit<ExpressionEditing, 'completionMenu'>,
	context: ExpressionContext,
): ExpressionEditing {
	const {span, items} = listCompletions(analysis.text, getCursorOffset(buffer), context);
	const completionMenu = items.length === 0 ? undefined : {items, cursor: 0, span, hasMoved: false};
	return {buffer, analysis, completionMenu, refusal};
}
