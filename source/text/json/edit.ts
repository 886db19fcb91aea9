import {sortInSteps} from '../sorting.ts';
import {runSteps, type Steps, YieldBudget} from '../steps.ts';
import {isJson} from './content.ts';
import type {JsonNodeKind, JsonNodes} from './tree-nodes.ts';

/** Replaces the text from `start` to `end` by `text`. */
export type TextEdit = {readonly start: number; readonly end: number; readonly text: string};

/** A member to add to a container: a property, or an element if it has no name. */
export type NewMember = {readonly name?: string; readonly source: string};

/** Entered text as JSON, or a sentence that says why it is not. */
type EnteredScalar = {readonly source: string} | {readonly problem: string};

/** Applies edits, which must not overlap. An insertion goes before what is removed at the same place. */
export function* applyEdits(text: string, edits: readonly TextEdit[]): Steps<string> {
	const inOrder = yield* sortInSteps(edits, (one, other) => one.start - other.start || one.end - other.end);
	const budget = new YieldBudget();
	const parts: string[] = [];
	let pieces: string[] = [];
	let at = 0;
	for (const edit of inOrder) {
		pieces.push(text.slice(at, edit.start), edit.text);
		at = edit.end;
		if (!budget.isStep()) continue;
		parts.push(pieces.join(''));
		pieces = [];
		yield;
	}
	return `${parts.join('')}${pieces.join('')}${text.slice(at)}`;
}

/** Replaces one value; every other character stays unchanged. */
export function replaceScalar(nodes: JsonNodes, node: number, source: string): string {
	return runSteps(applyEdits(nodes.text, [{start: nodes.start(node), end: nodes.end(node), text: source}]));
}

/**
 * Builds the edits that remove members from a container and add others at its end, including commas and white
 * space. They change nothing inside the remaining members.
 */
export function* buildMemberEdits(
	nodes: JsonNodes,
	container: number,
	removed: ReadonlySet<number>,
	added: readonly NewMember[],
	budget: YieldBudget = new YieldBudget(),
): Steps<TextEdit[]> {
	const edits: TextEdit[] = [];
	let kept = -1;
	let last = -1;
	/** The first of the removed members since the last kept one. */
	let gap = -1;
	for (let child = container + 1; child < nodes.after(container); child = nodes.after(child)) {
		if (removed.has(child)) {
			if (gap < 0) gap = child;
		} else {
			if (gap >= 0) edits.push(buildGapEdit(nodes, kept, gap, last, child));
			gap = -1;
			kept = child;
		}
		last = child;
		if (budget.isStep()) yield;
	}
	if (kept < 0) return [buildContentEdit(nodes, container, last, added)];
	if (gap >= 0) edits.push({start: nodes.end(kept), end: nodes.end(last), text: ''});
	const start = nodes.end(kept);
	const space = getSpaceBefore(nodes.text, nodes.memberStart(last));
	const text = added.map(member => `,${space}${formatMember(nodes, container, member)}`).join('');
	if (text) edits.push({start, end: start, text});
	return edits;
}

/** Removes the members from `gap` to `last`, between the kept one before and `next`, the kept one behind. */
function buildGapEdit(nodes: JsonNodes, kept: number, gap: number, last: number, next: number): TextEdit {
	if (kept < 0) return {start: nodes.memberStart(gap), end: nodes.memberStart(next), text: ''};
	return {start: nodes.end(kept), end: nodes.end(last), text: ''};
}

/** Replaces everything between the brackets if no member is kept; `last` is -1 if the container is empty. */
function buildContentEdit(
	nodes: JsonNodes,
	container: number,
	last: number,
	added: readonly NewMember[],
): TextEdit {
	const start = nodes.start(container) + 1;
	const end = nodes.end(container) - 1;
	const members = added.map(member => formatMember(nodes, container, member));
	if (last < 0 || members.length === 0) return {start, end, text: members.join(',')};
	const space = getSpaceBefore(nodes.text, nodes.memberStart(last));
	return {start, end, text: `${space}${members.join(`,${space}`)}${nodes.text.slice(nodes.end(last), end)}`};
}

function formatMember(nodes: JsonNodes, container: number, {name, source}: NewMember): string {
	return name === undefined ? source : `${JSON.stringify(name)}${copyColon(nodes, container)}${source}`;
}

/**
 * Returns the colon with the white space of the object's first property, or else of the property that holds
 * the object.
 */
function copyColon(nodes: JsonNodes, object: number): string {
	const example = nodes.children(object) > 0 ? object + 1 : object;
	return nodes.nameStart(example) < 0 ? ':' : nodes.text.slice(nodes.nameEnd(example), nodes.start(example));
}

function getSpaceBefore(text: string, end: number): string {
	let start = end;
	while (start > 0 && ' \t\r\n'.includes(text.charAt(start - 1))) start--;
	return text.slice(start, end);
}

/**
 * Parses what was typed for a field. A string field takes a JSON string literal as is, and anything else as
 * the string's text. Any other field requires JSON of any kind.
 */
export function parseScalarInput(entered: string, oldKind: JsonNodeKind): EnteredScalar {
	if (!entered.isWellFormed())
		return {problem: 'The text holds half of a surrogate pair, which cannot be stored as UTF-8.'};
	const source = entered.trim();
	if (oldKind === 'string')
		return {source: source.startsWith('"') && isJson(source) ? source : JSON.stringify(entered)};
	if (isJson(source)) return {source};
	if (source === '') return {problem: 'Nothing was entered. Type "" for an empty text, null for no value.'};
	return {problem: `This is not JSON. A text is written in double quotes: ${quoteShort(source)}.`};
}

/** Formats a JSON string, shortened for a sentence. */
const quoteShort = (text: string): string =>
	JSON.stringify(text.length <= 40 ? text : `${Array.from(text.slice(0, 40)).slice(0, -1).join('')}…`);
