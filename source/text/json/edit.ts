import {sortInSteps} from '../sorting.ts';
import {runSteps, type Steps, YieldBudget} from '../steps.ts';
import {isJson} from './content.ts';
import {describeJsonProblem} from './problem.ts';
import type {JsonNodeKind, JsonNodes} from './tree-nodes.ts';

/** Replaces the text from `start` to `end` by `text`. */
export type TextEdit = {readonly start: number; readonly end: number; readonly text: string};

/** A member to add to a container: a property, or an element if it has no name. */
export type NewMember = {readonly name?: string; readonly source: string};

/** Entered text as JSON, or a sentence that says why it is not. */
type EnteredScalar = {readonly source: string} | {readonly problem: string};

/**
 * Applies edits, which must not overlap. If an insertion and a removal start at the same position, the
 * insertion comes first.
 */
export function* applyEdits(text: string, edits: readonly TextEdit[]): Steps<string> {
	const sortedEdits = yield* sortInSteps(
		edits,
		(left, right) => left.start - right.start || left.end - right.end,
	);
	const budget = new YieldBudget();
	const parts: string[] = [];
	let pieces: string[] = [];
	let position = 0;
	for (const edit of sortedEdits) {
		pieces.push(text.slice(position, edit.start), edit.text);
		position = edit.end;
		if (!budget.shouldYield()) continue;
		parts.push(pieces.join(''));
		pieces = [];
		yield;
	}
	return `${parts.join('')}${pieces.join('')}${text.slice(position)}`;
}

/** Replaces one value; every other character stays unchanged. */
export function replaceScalar(nodes: JsonNodes, node: number, source: string): string {
	return runSteps(applyEdits(nodes.text, [{start: nodes.start(node), end: nodes.end(node), text: source}]));
}

/** Removes a member from its container, with its comma; the other members stay as written. */
export const removeMember = (nodes: JsonNodes, node: number): string =>
	applyMemberEdits(nodes, nodes.parent(node), new Set([node]), []);

/** Adds a member at the end of a container, spaced like the others. */
export const addMember = (nodes: JsonNodes, container: number, member: NewMember): string =>
	applyMemberEdits(nodes, container, new Set(), [member]);

const applyMemberEdits = (
	nodes: JsonNodes,
	container: number,
	removedNodes: ReadonlySet<number>,
	addedMembers: readonly NewMember[],
): string =>
	runSteps(applyEdits(nodes.text, runSteps(buildMemberEdits(nodes, container, removedNodes, addedMembers))));

/** Renames a property; every other character stays unchanged. */
export function renameMember(nodes: JsonNodes, node: number, name: string): string {
	const nameEdit = {start: nodes.nameStart(node), end: nodes.nameEnd(node), text: JSON.stringify(name)};
	return runSteps(applyEdits(nodes.text, [nameEdit]));
}

/**
 * Builds the edits that remove members from a container and add others at its end, including commas and white
 * space. They change nothing inside the remaining members.
 */
export function* buildMemberEdits(
	nodes: JsonNodes,
	container: number,
	removedNodes: ReadonlySet<number>,
	addedMembers: readonly NewMember[],
	budget: YieldBudget = new YieldBudget(),
): Steps<TextEdit[]> {
	const edits: TextEdit[] = [];
	let lastKept = -1;
	let lastMember = -1;
	/** The first member that is removed after the last kept one; -1 if none is. */
	let firstRemoved = -1;
	for (let child = container + 1; child < nodes.nodeAfter(container); child = nodes.nodeAfter(child)) {
		if (removedNodes.has(child)) {
			if (firstRemoved < 0) firstRemoved = child;
		} else {
			if (firstRemoved >= 0) edits.push(buildGapEdit(nodes, lastKept, firstRemoved, lastMember, child));
			firstRemoved = -1;
			lastKept = child;
		}
		lastMember = child;
		if (budget.shouldYield()) yield;
	}
	if (lastKept < 0) return [buildContentEdit(nodes, container, lastMember, addedMembers)];
	if (firstRemoved >= 0) edits.push({start: nodes.end(lastKept), end: nodes.end(lastMember), text: ''});
	const start = nodes.end(lastKept);
	const leadingSpace = getSpaceBefore(nodes.text, nodes.memberStart(lastMember));
	const text = addedMembers
		.map(member => `,${leadingSpace}${formatMember(nodes, container, member)}`)
		.join('');
	if (text) edits.push({start, end: start, text});
	return edits;
}

/**
 * Removes the members from `firstRemoved` to `lastRemoved`, which stand between `lastKept` and `nextKept`.
 */
function buildGapEdit(
	nodes: JsonNodes,
	lastKept: number,
	firstRemoved: number,
	lastRemoved: number,
	nextKept: number,
): TextEdit {
	if (lastKept < 0)
		return {start: nodes.memberStart(firstRemoved), end: nodes.memberStart(nextKept), text: ''};
	return {start: nodes.end(lastKept), end: nodes.end(lastRemoved), text: ''};
}

/**
 * Replaces everything between the brackets if no member is kept; `lastMember` is -1 if the container is
 * empty.
 */
function buildContentEdit(
	nodes: JsonNodes,
	container: number,
	lastMember: number,
	addedMembers: readonly NewMember[],
): TextEdit {
	const start = nodes.start(container) + 1;
	const end = nodes.end(container) - 1;
	const members = addedMembers.map(member => formatMember(nodes, container, member));
	if (lastMember < 0 || members.length === 0) return {start, end, text: members.join(',')};
	const leadingSpace = getSpaceBefore(nodes.text, nodes.memberStart(lastMember));
	return {
		start,
		end,
		text: `${leadingSpace}${members.join(`,${leadingSpace}`)}${nodes.text.slice(nodes.end(lastMember), end)}`,
	};
}

function formatMember(nodes: JsonNodes, container: number, {name, source}: NewMember): string {
	return name === undefined ? source : `${JSON.stringify(name)}${copyColon(nodes, container)}${source}`;
}

/**
 * Returns the colon with the white space of the object's first property, or else of the property that holds
 * the object.
 */
function copyColon(nodes: JsonNodes, object: number): string {
	const modelNode = nodes.childCount(object) > 0 ? object + 1 : object;
	return nodes.nameStart(modelNode) < 0
		? ':'
		: nodes.text.slice(nodes.nameEnd(modelNode), nodes.start(modelNode));
}

function getSpaceBefore(text: string, end: number): string {
	let start = end;
	while (start > 0 && ' \t\r\n'.includes(text.charAt(start - 1))) start--;
	return text.slice(start, end);
}

/**
 * Parses what was typed for a field. A string field takes a JSON string literal as is, and anything else as
 * the string's text. Any other field requires valid JSON, of any kind.
 */
export function parseScalarInput(input: string, oldKind: JsonNodeKind): EnteredScalar {
	if (!input.isWellFormed())
		return {problem: 'The text contains half of a surrogate pair, which cannot be stored as UTF-8.'};
	const source = input.trim();
	if (oldKind === 'string')
		return {source: source.startsWith('"') && isJson(source) ? source : JSON.stringify(input)};
	if (isJson(source)) return {source};
	if (source === '') return {problem: 'Nothing was entered. Type "" for an empty string, null for no value.'};
	if (/^[[{"]/.test(source)) return {problem: `This is not JSON: ${describeJsonProblem(source)}.`};
	const isNumberLike = /^[-+.]?\d[-+.,_\d]*$/.test(source);
	return {
		problem: isNumberLike
			? `${quoteShort(source).slice(1, -1)} is not a JSON number.`
			: `This is not JSON: a string needs double quotes, as in ${quoteShort(source)}.`,
	};
}

/** Formats a JSON string, shortened for a sentence. */
const quoteShort = (text: string): string =>
	JSON.stringify(text.length <= 40 ? text : `${Array.from(text.slice(0, 40)).slice(0, -1).join('')}…`);
