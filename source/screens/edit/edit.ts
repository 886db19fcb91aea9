import type {UnsavedEdit} from '../../kv/change/edit-draft.ts';
import {parseLifetime} from '../../kv/change/lifetime-input.ts';
import type {LifetimeChoice, PutProposal} from '../../kv/change/proposal.ts';
import {type Base, isSame, keyDigestOf, type WholeKey} from '../../kv/change/whole-key.ts';
import {metadataProblem, type Problem} from '../../kv/limits.ts';
import type {JobTarget} from '../../state/job-record.ts';
import {bufferOf, type TextBuffer, textOf} from '../../text/buffer/buffer.ts';
import {contentOf} from '../../text/json/content.ts';
import {parseScalarInput, replaceScalar} from '../../text/json/edit.ts';
import {type JsonKind, type JsonNodes, stringOf} from '../../text/json/tree-nodes.ts';
import {type JsonValue, parseJsonText} from '../../text/json.ts';

/** Maximum bytes of inline edits; larger values need `$EDITOR`. */
export const largestInline = 64 * 1024;

/** The content of the editor. */
export type Entry =
	/** The whole value, of any number of lines. */
	| {readonly form: 'text'; readonly buffer: TextBuffer}
	/** One scalar of a JSON value; all bytes around it stay. */
	| {readonly form: 'field'; readonly buffer: TextBuffer; readonly nodes: JsonNodes; readonly node: number}
	/** Content from `$EDITOR` or a draft that cannot be edited inline: too large, or not text. */
	| {readonly form: 'bytes'; readonly bytes: Uint8Array}
	| {readonly form: 'metadata'; readonly buffer: TextBuffer}
	| {readonly form: 'expiry'; readonly buffer: TextBuffer};

/**
 * An unsaved change of a key, from the first keystroke until it is written or discarded. At most one per key.
 */
export type Edit = {
	readonly id: string;
	readonly target: JobTarget;
	/** Title of the namespace. */
	readonly label: string;
	readonly key: string;
	readonly origin: UnsavedEdit['origin'];
	/** What was stored when the change began; undefined for a new key. */
	readonly base: Base | undefined;
	/** The unchanged value, when metadata or expiry are edited. */
	readonly value: Uint8Array;
	readonly metadata: JsonValue;
	readonly lifetime: LifetimeChoice;
	readonly entry: Entry;
	/** The entry before the first keystroke; undefined for an edit from a draft, which counts as changed. */
	readonly untouched: Entry | undefined;
};

/** Returns an id that is unique among edits. */
export const editId = ({place, account, namespace}: JobTarget, key: string): string =>
	JSON.stringify([place, account, namespace, key]);

/** A key of a namespace, and the namespace's title. */
export type KeyPlace = Pick<Edit, 'target' | 'label' | 'key'>;

const editOfKey = (
	place: KeyPlace,
	origin: Edit['origin'],
	base: WholeKey | undefined,
	entry: Entry,
): Edit => ({
	...place,
	id: editId(place.target, place.key),
	origin,
	base,
	value: base?.bytes ?? new Uint8Array(),
	metadata: base?.metadata ?? null,
	lifetime: base ? 'keep' : 'never',
	entry,
	untouched: entry,
});

/** Returns why a value cannot be edited inline; undefined if it can. */
export function whyNotInline(bytes: Uint8Array): string | undefined {
	if (bytes.length > largestInline)
		return `it has ${bytes.length} bytes, and only up to ${largestInline} can be edited here: E edits it in $EDITOR`;
	return contentOf(bytes).kind === 'binary' ? 'it is not text: E edits it in $EDITOR' : undefined;
}

const textBuffer = (bytes: Uint8Array): TextBuffer => bufferOf(Buffer.from(bytes).toString('utf8'));

/** Creates the entry of a whole value, as text if that is possible. */
export const valueEntry = (bytes: Uint8Array): Entry =>
	whyNotInline(bytes) === undefined ? {form: 'text', buffer: textBuffer(bytes)} : {form: 'bytes', bytes};

export const editOfValue = (place: KeyPlace, base: WholeKey): Edit =>
	editOfKey(place, 'edit', base, valueEntry(base.bytes));

export const editOfNewKey = (place: KeyPlace): Edit =>
	editOfKey(place, 'create', undefined, valueEntry(new Uint8Array()));

export function editOfField(place: KeyPlace, base: WholeKey, nodes: JsonNodes, node: number): Edit {
	const text = enterable(nodes.source(node), nodes.kind(node));
	return editOfKey(place, 'edit', base, {
		form: 'field',
		buffer: bufferOf(text, {singleLine: true}),
		nodes,
		node,
	});
}

/**
 * Returns a scalar as the user edits it: the text of a string if `parseScalarInput` turns it back into the
 * same source, else the source.
 */
function enterable(source: string, kind: JsonKind): string {
	const text = kind === 'string' ? stringOf(source) : source;
	const read = /\p{Cc}/u.test(text) ? undefined : parseScalarInput(text, kind);
	return read && 'source' in read && read.source === source ? text : source;
}

export function editOfMetadata(place: KeyPlace, base: WholeKey): Edit {
	const text = base.metadata === null ? '' : JSON.stringify(base.metadata, undefined, 2);
	return editOfKey(place, 'metadata', base, {form: 'metadata', buffer: bufferOf(text)});
}

export const editOfExpiry = (place: KeyPlace, base: WholeKey): Edit =>
	editOfKey(place, 'expiry', base, {form: 'expiry', buffer: bufferOf('', {singleLine: true})});

/** Returns the text buffer; undefined for `bytes`. */
export const bufferIn = (entry: Entry): TextBuffer | undefined =>
	entry.form === 'bytes' ? undefined : entry.buffer;

export const withBuffer = (entry: Entry, buffer: TextBuffer): Entry =>
	entry.form === 'bytes' ? entry : {...entry, buffer};

export const withText = (entry: Entry, text: string): Entry =>
	entry.form === 'bytes' ? entry : withBuffer(entry, bufferOf(text, {singleLine: entry.buffer.singleLine}));

/**
 * Returns the bytes that the entry represents: a value, or the text of metadata or expiry. Invalid JSON in a
 * field becomes a string.
 */
export function entryBytes(entry: Entry): Uint8Array {
	switch (entry.form) {
		case 'bytes':
			return entry.bytes;
		case 'field': {
			const typed = textOf(entry.buffer);
			const read = parseScalarInput(typed, entry.nodes.kind(entry.node));
			const source = 'source' in read ? read.source : JSON.stringify(typed);
			return Buffer.from(replaceScalar(entry.nodes, entry.node, source));
		}
		default:
			return Buffer.from(textOf(entry.buffer));
	}
}

/** True if discarding the edit would lose input. */
export function isChanged({entry, untouched, origin}: Edit): boolean {
	if (untouched === undefined || entry.form !== untouched.form) return true;
	if (entry.form === 'bytes' || untouched.form === 'bytes')
		return Buffer.compare(entryBytes(entry), entryBytes(untouched)) !== 0;
	// A new key with an empty value can be written, but is no loss.
	const isSame =
		entry.buffer.lines === untouched.buffer.lines || textOf(entry.buffer) === textOf(untouched.buffer);
	return !isSame && !(origin === 'create' && textOf(entry.buffer) === '');
}

/** Builds the proposal to write, or returns what is wrong with the input. `now` in UNIX seconds. */
export function proposalOf(
	edit: Edit,
	now: number,
): {readonly proposal: PutProposal} | {readonly problem: Problem} {
	const {key, base, origin, value, metadata, lifetime, entry} = edit;
	const common = {kind: 'put', key, base, origin} as const;
	switch (entry.form) {
		case 'metadata': {
			const typed = readMetadata(textOf(entry.buffer));
			if ('problem' in typed) return typed;
			return {proposal: {...common, mine: {bytes: value, metadata: typed.metadata}, lifetime}};
		}
		case 'expiry': {
			const typed = parseLifetime(textOf(entry.buffer), now);
			if ('problem' in typed) return typed;
			return {proposal: {...common, mine: {bytes: value, metadata}, lifetime: typed.lifetime}};
		}
		case 'field': {
			const typed = parseScalarInput(textOf(entry.buffer), entry.nodes.kind(entry.node));
			if ('problem' in typed) return {problem: {what: 'The field is not valid JSON.', why: typed.problem}};
			return {proposal: {...common, mine: {bytes: entryBytes(entry), metadata}, lifetime}};
		}
		case 'text':
		case 'bytes':
			return {proposal: {...common, mine: {bytes: entryBytes(entry), metadata}, lifetime}};
		default:
			return entry satisfies never;
	}
}

/** Parses typed metadata; empty input means none. */
export function readMetadata(typed: string): {readonly metadata: JsonValue} | {readonly problem: Problem} {
	if (typed.trim() === '') return {metadata: null};
	let metadata: JsonValue;
	try {
		metadata = parseJsonText(typed);
	} catch (error) {
		const why = error instanceof Error ? error.message : String(error);
		return {
			problem: {
				what: 'The metadata is not valid JSON.',
				why: `${why.replace(/\.$/, '')}. Leave empty to remove the metadata.`,
			},
		};
	}
	const problem = metadataProblem(metadata);
	return problem ? {problem} : {metadata};
}

export const unsavedEditOf = ({
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
	base: base && 'bytes' in base ? keyDigestOf(base) : base,
	content: entryBytes(entry),
	metadata,
	lifetime,
});

/**
 * Continues a draft on top of what is stored now. The draft of a value tells whether that is still its base.
 * If only metadata or expiry were edited, the value is the stored one; undefined if the key is gone.
 */
export function editFromDraft(draft: UnsavedEdit, stored: WholeKey | undefined): Edit | undefined {
	const {target, label, key, origin, base, content, metadata, lifetime} = draft;
	const common = {target, label, key, id: editId(target, key), origin, lifetime, untouched: undefined};
	if (origin === 'edit' || origin === 'create') {
		const whole = base && stored && isSame(base, stored) ? stored : base;
		return {...common, base: whole, value: content, metadata, entry: valueEntry(content)};
	}
	if (!stored) return undefined;
	const text = Buffer.from(content).toString('utf8');
	const entry: Entry =
		origin === 'metadata'
			? {form: 'metadata', buffer: bufferOf(text)}
			: {form: 'expiry', buffer: bufferOf(text, {singleLine: true})};
	const {expiration} = base ?? {};
	const began: WholeKey = {
		bytes: stored.bytes,
		metadata: base?.metadata ?? null,
		...(expiration !== undefined && {expiration}),
	};
	return {...common, base: began, value: stored.bytes, metadata, entry};
}

/** Returns a value that changes, by identity, with every change of the content but not with cursor moves. */
export const typedIn = ({entry}: Pick<Edit, 'entry'>): unknown => bufferIn(entry)?.lines ?? entry;

/** True if at most the cursor differs. */
export const isSameContent = (one: Entry, other: Entry): boolean =>
	one === other || (one.form === other.form && typedIn({entry: one}) === typedIn({entry: other}));
