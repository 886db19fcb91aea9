import {createHash} from 'node:crypto';
import {existsSync, lstatSync, readdirSync, readFileSync, renameSync} from 'node:fs';
import {basename, join} from 'node:path';
import {number, string} from 'valibot';
import {Failure} from '../failure.ts';
import {isJsonObject, type JsonObject, parseJsonText} from '../text/json.ts';
import {jsonObject, parseOrUndefined, pickFields} from '../text/schema.ts';
import {createFileFailure, type Environment, getErrorCode, removeIfPresent} from './directory.ts';
import {
	listDraftFolders,
	removeExpiredDrafts,
	writeDraftFile,
	writeDraftFileIfWanted,
} from './draft-folders.ts';
import {
	getHolderState,
	getThisProcess,
	type Holder,
	isSameHolder,
	processMark,
	readHolder,
} from './holder.ts';
import {isSameTarget, type JobTarget, jobTarget} from './job-record.ts';

/** Form of a draft, and the version of its fields. */
export type DraftFormat = {readonly kind: string; readonly version: number};

/** Unsaved input of a form as plain data. Contains no credential. */
export type NewDraft = {
	readonly form: DraftFormat;
	/** Target; a draft for a simulated place is never offered for a real one. */
	readonly target: JobTarget;
	/** Display name of the namespace or zone. */
	readonly label: string;
	/** Edited object: the key, or which rule. */
	readonly key: string;
	/** Separates drafts of the same kind and key; empty if there is only one. */
	readonly instance: string;
	/** All input of the form. Bytes are stored as `base64`. */
	readonly fields: JsonObject;
};

export type Draft = NewDraft & {
	readonly id: string;
	readonly path: string;
	/** Milliseconds since the epoch. */
	readonly saved: number;
	/** True if another process is still working on it: it is then neither offered nor removed. */
	readonly isHeld: boolean;
};

/** Form of a key's value, metadata or expiry: one draft per key. */
export const keyForm: DraftFormat = {kind: 'key', version: 1};

export const getDraftBytes = ({fields}: Pick<NewDraft, 'fields'>): Uint8Array =>
	Buffer.from(typeof fields.base64 === 'string' ? fields.base64 : '', 'base64');

export const withDraftBytes = <Any extends NewDraft>(draft: Any, bytes: Uint8Array): Any => ({
	...draft,
	fields: {...draft.fields, base64: toBase64(bytes)},
});

export const toBase64 = (bytes: Uint8Array): string =>
	Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');

/** A file among the drafts. Any file expires 7 days after its last write. */
export type ListedDraft =
	| {readonly type: 'draft'; readonly draft: Draft}
	/** Bytes that `saveDraftBytes` wrote, without a form or target. */
	| {readonly type: 'bytes'; readonly path: string; readonly saved: number}
	/** Not a draft, or unreadable. */
	| {readonly type: 'damaged'; readonly path: string; readonly why: string; readonly failure: Failure};

/**
 * Saves unsaved bytes in a file that only its owner can read, and returns its path. Uses a temporary folder
 * without a state directory. Also removes expired drafts.
 */
export function saveDraftBytes(
	content: Uint8Array,
	environment: Environment,
	now: number = Date.now(),
): string {
	const name = `${new Date(now).toISOString().replaceAll(':', '')}-${process.pid}`;
	const {path} = writeDraftFile(environment, name, content);
	// Cleanup failures are reported by the next `listDrafts`; the path must not be lost.
	for (const folder of listDraftFolders(environment)) removeExpiredDrafts(folder, now);
	return path;
}

/** File names of `saveDraftBytes`. */
const bytesNamePattern = /^[-+]?\d+-\d\d-\d\dT\d{6}\.\d{3}Z-\d+$/;

/**
 * Location of a draft. `isListed` is false if `listDrafts` does not look there, so the person needs the path.
 */
type SavedDraft = {readonly id: string; readonly path: string; readonly isListed: boolean};

/**
 * Saves an open form for the next start: one draft per process, form, place, key and instance; the last one
 * wins. Synchronous and on disk on return, so that a signal handler can call it. Falls back to a temporary
 * folder. Fails with `file_failed` if no place works.
 */
export function saveDraft(environment: Environment, draft: NewDraft, now: number = Date.now()): SavedDraft {
	const id = getDraftId(draft);
	return {id, ...writeDraftFile(environment, `${id}.json`, formatDraftFile(draft, now))};
}

/**
 * Like `saveDraft`, asynchronously. Replaces the draft only if `isWanted` still holds once all is on disk;
 * otherwise returns undefined.
 */
export async function saveDraftLater(
	environment: Environment,
	draft: NewDraft,
	now: number,
	isWanted: () => boolean,
): Promise<SavedDraft | undefined> {
	const id = getDraftId(draft);
	const savedFile = await writeDraftFileIfWanted(
		environment,
		`${id}.json`,
		formatDraftFile(draft, now),
		isWanted,
	);
	return savedFile && {id, ...savedFile};
}

/** Returns the id of this process's draft. */
export const getDraftId = (draft: NewDraft): string => `${getSubjectId(draft)}-${processMark}`;

export const formatDraftFile = (
	{form, target, label, key, instance, fields}: NewDraft,
	now: number,
): string =>
	JSON.stringify({version, saved: now, holder: getThisProcess(), form, target, label, key, instance, fields});

/** Format of the file; version 1 only had a key form, in `edit` and `base64`. */
const version = 2;

/** True if a saved draft still exists and is from this process. */
export const doesOwnDraftExist = ({id, path}: {readonly id: string; readonly path: string}): boolean =>
	id.endsWith(`-${processMark}`) && existsSync(path);

const idPattern = /^[0-9a-f]{32}-[0-9a-f]{12}$/;

/** A draft of a process that cannot be checked from here counts as held for this many milliseconds. */
const maxUncheckedHoldMs = 60 * 60 * 1000;

/** True if another process holds it. */
function isHeldByOther(holder: Holder | undefined, savedAt: number): boolean {
	if (!holder) return false;
	const thisProcess = getThisProcess();
	if (isSameHolder(holder, thisProcess)) return false;
	const holderState = getHolderState(holder, thisProcess);
	return (
		holderState === 'lives' || (holderState === 'out of sight' && Date.now() - savedAt < maxUncheckedHoldMs)
	);
}

/** Returns an id that is equal for equal forms of the same object. */
function getSubjectId({
	form,
	target,
	key,
	instance,
}: Pick<NewDraft, 'form' | 'target' | 'key' | 'instance'>): string {
	const {place, world, account, namespace, zone} = target;
	// Earlier versions wrote only the place, as for the default world.
	const placeName = world === undefined ? place : `${place}:${world}`;
	const parts = [placeName, account ?? null, namespace ?? null, zone ?? null, key];
	return createHash('sha256')
		.update(JSON.stringify(form.kind === keyForm.kind ? parts : [form.kind, ...parts, instance]))
		.digest('hex')
		.slice(0, 32);
}

/**
 * Lists all drafts, newest first, unreadable ones last; removes expired ones. Never fails: problems are
 * entries of the list.
 */
export function listDrafts(environment: Environment, now: number = Date.now()): ListedDraft[] {
	const entries: ListedDraft[] = [];
	for (const folder of listDraftFolders(environment)) {
		const {names, failures} = removeExpiredDrafts(folder, now);
		for (const name of names) {
			// Temporary files of drafts being saved, folders for editors, and unreadable drafts are no
			// entries.
			if (name.endsWith('.new') || name.endsWith(editorFolderSuffix) || name.endsWith(unreadableSuffix))
				continue;
			const entry = readListedDraft(folder, name);
			if (entry) entries.push(entry);
		}
		for (const failure of failures)
			entries.push({type: 'damaged', path: folder, why: failure.message, failure});
	}
	entries.sort((one, other) => getTime(other) - getTime(one));
	// An older draft kept in another place is superseded.
	const seenIds = new Set<string>();
	return entries.filter(one => {
		if (one.type !== 'draft') return true;
		const isLatest = !seenIds.has(one.draft.id);
		seenIds.add(one.draft.id);
		return isLatest;
	});
}

function getTime(entry: ListedDraft): number {
	switch (entry.type) {
		case 'draft':
			return entry.draft.saved;
		case 'bytes':
			return entry.saved;
		case 'damaged':
			return 0;
	}
}

/** Suffix of folders for `$EDITOR` (editor-folders.ts). */
export const editorFolderSuffix = '.editor';

/** Suffix of unreadable drafts. */
const unreadableSuffix = '.unreadable';

/**
 * Moves an unreadable draft aside, so that it is reported only once, and returns the failure to report. It
 * expires after 7 days like others. Ignores files that are not drafts, and drafts held by another process:
 * returns undefined.
 */
export function setDraftAside({
	path,
	why,
}: {
	readonly path: string;
	readonly why: string;
}): Failure | undefined {
	const name = basename(path);
	if (!name.endsWith('.json') || !idPattern.test(name.slice(0, -'.json'.length)) || isHeldFile(path))
		return undefined;
	const asidePath = `${path}${unreadableSuffix}`;
	try {
		renameSync(path, asidePath);
	} catch (cause) {
		return createFileFailure(`The draft ${path} cannot be read or moved out of the way.`, cause);
	}
	return new Failure('input_malformed', 'A draft cannot be read.', {
		why,
		left: `It is kept as ${asidePath} for 7 days.`,
		next: 'Check the file if something is missing.',
	});
}

/** True if a draft of any version names another process that works on it. */
function isHeldFile(path: string): boolean {
	try {
		const json: unknown = parseJsonText(readFileSync(path, 'utf8'));
		return isJsonObject(json) && isHeldByOther(readHolder(json.holder), Number(json.saved));
	} catch {
		// It has no readable holder.
		return false;
	}
}

/** Finds the latest unheld draft of a key in this namespace. */
export function findDraft(environment: Environment, target: JobTarget, key: string): Draft | undefined {
	const prefix = `${getSubjectId({form: keyForm, target, key, instance: ''})}-`;
	const drafts = listDraftFolders(environment).flatMap(folder =>
		(existsSync(folder) ? readdirSync(folder) : []).flatMap(name => {
			const entry =
				name.startsWith(prefix) && name.endsWith('.json') ? readListedDraft(folder, name) : undefined;
			if (entry?.type !== 'draft' || entry.draft.isHeld || entry.draft.form.kind !== keyForm.kind) return [];
			return isSameTarget(entry.draft.target, target) ? [entry.draft] : [];
		}),
	);
	return drafts.sort((one, other) => other.saved - one.saved)[0];
}

/** Removes a draft that was saved or discarded; a missing one counts as removed. Fails with `file_failed`. */
export function dropDraft(environment: Environment, id: string): void {
	if (!idPattern.test(id)) {
		throw new Failure('usage', `There is no draft "${id}".`, {
			why: 'A draft id has 32 hex digits, a hyphen and 12 more.',
		});
	}
	for (const folder of listDraftFolders(environment)) {
		const path = join(folder, `${id}.json`);
		try {
			removeIfPresent(path);
		} catch (cause) {
			throw createFileFailure(`The draft ${path} cannot be removed.`, cause);
		}
	}
}

/** Reads a file of the folder; undefined if it no longer exists. */
function readListedDraft(folder: string, name: string): ListedDraft | undefined {
	const path = join(folder, name);
	const buildDamaged = (why: string, cause?: unknown): ListedDraft => ({
		type: 'damaged',
		path,
		why,
		failure: new Failure('input_malformed', `The draft ${path} cannot be read.`, {
			why,
			next: 'Check the file if something is missing; it is deleted automatically after 7 days.',
			cause,
		}),
	});
	try {
		const status = lstatSync(path, {throwIfNoEntry: false});
		if (!status) return undefined;
		if (!status.isFile()) return buildDamaged('It is not a file.');
		if (bytesNamePattern.test(name)) return {type: 'bytes', path, saved: status.mtimeMs};
		const parsedDraft = parseDraft(readFileSync(path, 'utf8'));
		if (typeof parsedDraft === 'string') return buildDamaged(parsedDraft);
		const id = name.slice(0, -'.json'.length);
		return name.endsWith('.json') && idPattern.test(id) && id.startsWith(getSubjectId(parsedDraft))
			? {type: 'draft', draft: {...parsedDraft, id, path}}
			: buildDamaged('Its file name does not match its key.');
	} catch (cause) {
		if (getErrorCode(cause) === 'ENOENT') return undefined;
		return buildDamaged(cause instanceof Error ? cause.message : String(cause), cause);
	}
}

/** Parses a draft, or returns why it is invalid, as a sentence. Throws if the text is not JSON. */
export function parseDraft(text: string): Omit<Draft, 'id' | 'path'> | string {
	const json: unknown = parseJsonText(text);
	if (!isJsonObject(json) || typeof json.version !== 'number') return 'ledge did not write it.';
	const isVersion1 = json.version === 1;
	if (!isVersion1 && json.version !== version) {
		return `It was written by another version of ledge: its format is ${json.version}, this version supports ${version}.`;
	}
	const {edit, base64: bytes} = json;
	const version1Fields = isJsonObject(edit) &&
		typeof bytes === 'string' && {fields: {...edit, base64: bytes}};
	const version1Values = isVersion1 && {form: keyForm, instance: '', ...version1Fields};
	const draft = parseOrUndefined(draftSchema, {...json, ...version1Values});
	if (!draft) return 'A part of it is missing.';
	const {fields} = draft;
	const {base64} = fields;
	if (base64 !== undefined && (typeof base64 !== 'string' || toBase64(getDraftBytes({fields})) !== base64))
		return 'Its content is incomplete: it is not base64.';
	return {...draft, isHeld: isHeldByOther(readHolder(json.holder), draft.saved)};
}

const draftSchema = pickFields({
	form: pickFields({kind: string(), version: number()}),
	target: jobTarget,
	saved: number(),
	label: string(),
	key: string(),
	instance: string(),
	fields: jsonObject,
});
