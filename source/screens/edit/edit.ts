import {toFailure} from '../../failure.ts';
import {nameKey} from '../../keyboard/named-keys.ts';
import type {UnsavedEdit} from '../../kv/change/edit-draft.ts';
import {parseLifetime} from '../../kv/change/lifetime-input.ts';
import type {LifetimeChoice, PutProposal} from '../../kv/change/proposal.ts';
import {type Base, digestKey, isSameState, type WholeKey} from '../../kv/change/whole-key.ts';
import {findMetadataProblem, type Problem} from '../../kv/limits.ts';
import type {JobTarget} from '../../state/job-record.ts';
import {createBuffer, createSelectedLine, getBufferText, type TextBuffer} from '../../text/buffer/buffer.ts';
import {detectContent} from '../../text/json/content.ts';
import {parseScalarInput, replaceScalar} from '../../text/json/edit.ts';
import {describeJsonProblem} from '../../text/json/problem.ts';
import type {TreeCursor} from '../../text/json/tree-cursor.ts';
import {type JsonNodeKind, type JsonNodes, parseJsonString} from '../../text/json/tree-nodes.ts';
import {type JsonValue, parseJsonText} from '../../text/json.ts';
import {createTreeEntry, type TreeEntry} from './tree-entry.ts';

/** Maximum bytes of inline edits; larger values need `$EDITOR`. */
export const maxInlineBytes = 64 * 1024;

/** The content of the editor. */
export type EditorEntry =
	/** The whole value, of any number of lines. */
	| {readonly kind: 'text'; readonly buffer: TextBuffer}
	/** One scalar of a JSON value. All bytes around it stay unchanged. */
	| {readonly kind: 'field'; readonly buffer: TextBuffer; readonly nodes: JsonNodes; readonly node: number}
	/** A JSON value whose fields are added, deleted and renamed. */
	| TreeEntry
	/** Content from `$EDITOR` or a draft that cannot be edited inline: too large, or not text. */
	| {readonly kind: 'bytes'; readonly bytes: Uint8Array}
	| {readonly kind: 'metadata'; readonly buffer: TextBuffer}
	| {readonly kind: 'expiry'; readonly buffer: TextBuffer};

/**
 * An unsaved change of a key, from the first keystroke until it is written or discarded. At most one per key.
 */
export type Edit = {
	readonly id: string;
	readonly target: JobTarget;
	/** Title of the namespace. */
	readonly label: string;
	readonly key: string;
	/** The part that is edited: `edit` is the value, `create` a new key. */
	readonly origin: UnsavedEdit['origin'];
	/** What was stored when the change began; undefined for a new key. */
	readonly base: Base | undefined;
	/** The unchanged value, when metadata or expiry are edited. */
	readonly value: Uint8Array;
	readonly metadata: JsonValue;
	readonly lifetime: LifetimeChoice;
	readonly entry: EditorEntry;
	/** The entry before the first keystroke. Undefined for an edit from a draft, which counts as changed. */
	readonly initialEntry: EditorEntry | undefined;
};

/** Returns an id that is unique among edits. */
export const getEditId = ({place, account, namespace}: JobTarget, key: string): string =>
	JSON.stringify([place, account, namespace, key]);

/** A key, its namespace with the service and account, and the namespace's title. */
export type TargetKey = Pick<Edit, 'target' | 'label' | 'key'>;

const createKeyEdit = (
	targetKey: TargetKey,
	origin: Edit['origin'],
	base: WholeKey | undefined,
	entry: EditorEntry,
): Edit => ({
	...targetKey,
	id: getEditId(targetKey.target, targetKey.key),
	origin,
	base,
	value: base?.bytes ?? new Uint8Array(),
	metadata: base?.metadata ?? null,
	lifetime: base ? 'keep' : 'never',
	entry,
	initialEntry: entry,
});

/** Returns why a value cannot be edited inline; undefined if it can. */
export function getNotInlineReason(bytes: Uint8Array): string | undefined {
	if (bytes.length > maxInlineBytes)
		return `it has ${bytes.length} bytes; only up to ${maxInlineBytes} can be edited here: ${nameKey('edit.elsewhere', 'E')} opens it in $EDITOR`;
	return detectContent(bytes).kind === 'binary'
		? `it is not text: ${nameKey('edit.elsewhere', 'E')} opens it in $EDITOR`
		: undefined;
}

const createTextBuffer = (bytes: Uint8Array): TextBuffer => createBuffer(Buffer.from(bytes).toString('utf8'));

/** Creates the entry of a whole value, as text if that is possible. */
export const createValueEntry = (bytes: Uint8Array): EditorEntry =>
	getNotInlineReason(bytes) === undefined
		? {kind: 'text', buffer: createTextBuffer(bytes)}
		: {kind: 'bytes', bytes};

export const createValueEdit = (targetKey: TargetKey, base: WholeKey): Edit =>
	createKeyEdit(targetKey, 'edit', base, createValueEntry(base.bytes));

export const createNewKeyEdit = (targetKey: TargetKey): Edit =>
	createKeyEdit(targetKey, 'create', undefined, createValueEntry(new Uint8Array()));

export function createFieldEdit(targetKey: TargetKey, base: WholeKey, nodes: JsonNodes, node: number): Edit {
	const text = toEditableScalar(nodes.source(node), nodes.kind(node));
	return createKeyEdit(targetKey, 'edit', base, {
		kind: 'field',
		buffer: createSelectedLine(text),
		nodes,
		node,
	});
}

/** Creates an edit of the structure of a value; the cursor stays on its row. */
export const createTreeEdit = (targetKey: TargetKey, base: WholeKey, position: TreeCursor): Edit =>
	createKeyEdit(targetKey, 'edit', base, createTreeEntry(position));

/**
 * Returns the text that the user edits for a scalar: the content of a string if `parseScalarInput` turns
 * it back into the same source, else the source.
 */
export function toEditableScalar(source: string, kind: JsonNodeKind): string {
	const text = kind === 'string' ? parseJsonString(source) : source;
	const parsed = /\p{Cc}/u.test(text) ? undefined : parseScalarInput(text, kind);
	return parsed && 'source' in parsed && parsed.source === source ? text : source;
}

export function createMetadataEdit(targetKey: TargetKey, base: WholeKey): Edit {
	const text = base.metadata === null ? '' : JSON.stringify(base.metadata, undefined, 2);
	return createKeyEdit(targetKey, 'metadata', base, {kind: 'metadata', buffer: createBuffer(text)});
}

export const createExpiryEdit = (targetKey: TargetKey, base: WholeKey): Edit =>
	createKeyEdit(targetKey, 'expiry', base, {kind: 'expiry', buffer: createBuffer('', {singleLine: true})});

/** Returns the text buffer; undefined for `bytes` and `tree`. */
export const getEntryBuffer = (entry: EditorEntry): TextBuffer | undefined =>
	'buffer' in entry ? entry.buffer : undefined;

export const withBuffer = (entry: EditorEntry, buffer: TextBuffer): EditorEntry =>
	'buffer' in entry ? {...entry, buffer} : entry;

export const withText = (entry: EditorEntry, text: string): EditorEntry =>
	'buffer' in entry ? withBuffer(entry, createBuffer(text, {singleLine: entry.buffer.singleLine})) : entry;

/**
 * Returns the bytes that the entry represents: a value, or the text of metadata or expiry. Invalid JSON in a
 * field becomes a string.
 */
export function encodeEntry(entry: EditorEntry): Uint8Array {
	switch (entry.kind) {
		case 'bytes':
			return entry.bytes;
		case 'tree':
			return Buffer.from(entry.tree.nodes.text);
		case 'field': {
			const typedText = getBufferText(entry.buffer);
			const parsed = parseScalarInput(typedText, entry.nodes.kind(entry.node));
			const source = 'source' in parsed ? parsed.source : JSON.stringify(typedText);
			return Buffer.from(replaceScalar(entry.nodes, entry.node, source));
		}
		default:
			return Buffer.from(getBufferText(entry.buffer));
	}
}

/** True if discarding the edit would lose input. */
export function isEditChanged({entry, initialEntry, origin}: Edit): boolean {
	if (initialEntry === undefined || entry.kind !== initialEntry.kind) return true;
	if (entry.kind === 'tree' && initialEntry.kind === 'tree')
		return entry.tree.nodes.text !== initialEntry.tree.nodes.text;
	if (!('buffer' in entry && 'buffer' in initialEntry))
		return Buffer.compare(encodeEntry(entry), encodeEntry(initialEntry)) !== 0;
	// A new key with an empty value can be written, but discarding it loses nothing.
	const isSame =
		entry.buffer.lines === initialEntry.buffer.lines ||
		getBufferText(entry.buffer) === getBufferText(initialEntry.buffer);
	return !isSame && !(origin === 'create' && getBufferText(entry.buffer) === '');
}

/** Builds the proposal to write, or returns what is wrong with the input. `now` in UNIX seconds. */
export function buildPutProposal(
	edit: Edit,
	now: number,
): {readonly proposal: PutProposal} | {readonly problem: Problem} {
	const {key, base, origin, value, metadata, lifetime, entry} = edit;
	const common = {kind: 'put', key, base, origin} as const;
	switch (entry.kind) {
		case 'metadata': {
			const parsed = parseMetadataText(getBufferText(entry.buffer));
			if ('problem' in parsed) return parsed;
			return {proposal: {...common, mine: {bytes: value, metadata: parsed.metadata}, lifetime}};
		}
		case 'expiry': {
			const parsed = parseLifetime(getBufferText(entry.buffer), now);
			if ('problem' in parsed) return parsed;
			return {proposal: {...common, mine: {bytes: value, metadata}, lifetime: parsed.lifetime}};
		}
		case 'field': {
			const parsed = parseScalarInput(getBufferText(entry.buffer), entry.nodes.kind(entry.node));
			if ('problem' in parsed) return {problem: {what: parsed.problem, why: 'Nothing was sent.'}};
			return {proposal: {...common, mine: {bytes: encodeEntry(entry), metadata}, lifetime}};
		}
		case 'text':
		case 'tree':
		case 'bytes':
			return {proposal: {...common, mine: {bytes: encodeEntry(entry), metadata}, lifetime}};
		default:
			return entry satisfies never;
	}
}

/** Parses typed metadata; empty input means none. */
export function parseMetadataText(
	typedText: string,
): {readonly metadata: JsonValue} | {readonly problem: Problem} {
	if (typedText.trim() === '') return {metadata: null};
	let metadata: JsonValue;
	try {
		metadata = parseJsonText(typedText);
	} catch (error) {
		const jsonProblem = describeJsonProblem(typedText);
		return {
			problem: {
				what: 'The metadata is not valid JSON.',
				why: jsonProblem ? `At ${jsonProblem}.` : toFailure(error).message,
			},
		};
	}
	const problem = findMetadataProblem(metadata);
	return problem ? {problem} : {metadata};
}

export const toUnsavedEdit = ({
	target,
	label,
	key,
	origin,
	base,
	metadata,
	lifetime,
	entry,
}: Edit): UnsavedEdit => ({
	target,
	label,
	key,
	origin,
	base: base && 'bytes' in base ? digestKey(base) : base,
	content: encodeEntry(entry),
	metadata,
	lifetime,
});

/**
 * Continues a draft, based on what is stored now. The draft of a value keeps its own base if the stored
 * version differs. The draft of metadata or an expiry takes the stored value; returns undefined if the key is
 * gone.
 */
export function createEditFromDraft(draft: UnsavedEdit, stored: WholeKey | undefined): Edit | undefined {
	const {target, label, key, origin, base, content, metadata, lifetime} = draft;
	const common = {target, label, key, id: getEditId(target, key), origin, lifetime, initialEntry: undefined};
	if (origin === 'edit' || origin === 'create') {
		const draftBase = base && stored && isSameState(base, stored) ? stored : base;
		return {...common, base: draftBase, value: content, metadata, entry: createValueEntry(content)};
	}
	if (!stored) return undefined;
	const text = Buffer.from(content).toString('utf8');
	const entry: EditorEntry =
		origin === 'metadata'
			? {kind: 'metadata', buffer: createBuffer(text)}
			: {kind: 'expiry', buffer: createBuffer(text, {singleLine: true})};
	const {expiration} = base ?? {};
	const baseKey: WholeKey = {
		bytes: stored.bytes,
		metadata: base?.metadata ?? null,
		...(expiration !== undefined && {expiration}),
	};
	return {...common, base: baseKey, value: stored.bytes, metadata, entry};
}

/** Returns an object whose identity changes with the content, but not with cursor moves. */
export const getContentIdentity = ({entry}: Pick<Edit, 'entry'>): unknown =>
	entry.kind === 'tree' ? entry.tree.nodes : (getEntryBuffer(entry)?.lines ?? entry);

/** True if both entries have the same content; their cursors may differ. */
export const hasSameContent = (one: EditorEntry, other: EditorEntry): boolean =>
	one === other ||
	(one.kind === other.kind && getContentIdentity({entry: one}) === getContentIdentity({entry: other}));
