import {createHash} from 'node:crypto';
import {existsSync, lstatSync, readdirSync, readFileSync, renameSync} from 'node:fs';
import {basename, join} from 'node:path';
import {number, string} from 'valibot';
import {Failure} from '../failure.ts';
import {isJsonObject, type JsonObject, parseJsonText} from '../text/json.ts';
import {fields as fieldsOf, jsonObject, parseOrUndefined} from '../text/schema.ts';
import {type Environment, errorCode, fileFailed, removeIfPresent} from './directory.ts';
import {clearOld, draftFolders, keepSomewhere, keepSomewhereLater} from './draft-folders.ts';
import {type Holder, isSame, processMark, readHolder, standingOf, thisProcess} from './holder.ts';
import {type JobTarget, jobTarget, sameTarget} from './job-record.ts';

/** Which form a draft is of, and the version of its fields. */
export type DraftForm = {readonly kind: string; readonly version: number};

/** What a person typed into a form and has neither saved nor sent, as plain data. It never holds a credential. */
export type NewDraft = {
	readonly form: DraftForm;
	/** Where it acts: a draft of a simulated place is never offered for a real one. */
	readonly target: JobTarget;
	/** What a person calls the namespace or the zone. */
	readonly label: string;
	/** What of it is edited: the key, or which rule. */
	readonly key: string;
	/** Separates several drafts of the same kind and key; empty where there is only one. */
	readonly instance: string;
	/** All that was entered. Bytes are in `base64`. */
	readonly fields: JsonObject;
};

export type Draft = NewDraft & {
	readonly id: string;
	readonly path: string;
	/** Milliseconds since the epoch. */
	readonly saved: number;
	/** Whether another process works on it still: then it is neither offered nor removed. */
	readonly isHeld: boolean;
};

/** The form of a key's value, metadata or expiry: one draft a key. */
export const keyForm: DraftForm = {kind: 'key', version: 1};

export const bytesIn = ({fields}: Pick<NewDraft, 'fields'>): Uint8Array =>
	Buffer.from(typeof fields.base64 === 'string' ? fields.base64 : '', 'base64');

export const withBytes = <Any extends NewDraft>(draft: Any, bytes: Uint8Array): Any => ({
	...draft,
	fields: {...draft.fields, base64: base64Of(bytes)},
});

export const base64Of = (bytes: Uint8Array): string =>
	Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');

/** A file among the drafts. Whatever it is, it goes 7 days after it was last written, and not before. */
export type ListedDraft =
	| {readonly type: 'draft'; readonly draft: Draft}
	/** What `keepDraft` kept: bytes, and nothing about them. */
	| {readonly type: 'bytes'; readonly path: string; readonly saved: number}
	/** Not a draft, or none that can be read. */
	| {readonly type: 'damaged'; readonly path: string; readonly why: string; readonly failure: Failure};

/**
 * Keeps what someone wrote and could not save, in a file that only they can read, and returns its path. Without a
 * state directory it lies among the temporary files. Drafts past their time are cleared away.
 */
export function keepDraft(content: Uint8Array, environment: Environment, now: number = Date.now()): string {
	const name = `${new Date(now).toISOString().replaceAll(':', '')}-${process.pid}`;
	const {path} = keepSomewhere(environment, name, content);
	// What could not be cleared away is told by the next `listDrafts`; the path must not be lost for it.
	for (const folder of draftFolders(environment)) clearOld(folder, now);
	return path;
}

/** The names that `keepDraft` returns. */
const bytesName = /^[-+]?\d+-\d\d-\d\dT\d{6}\.\d{3}Z-\d+$/;

/** Where a draft was kept. `found` is false when not even `listDrafts` looks there, and the person must be given the path. */
type KeptDraft = {readonly id: string; readonly path: string; readonly found: boolean};

/**
 * Keeps a form under way so that the next start can offer it again: one draft a process, form, place, key and
 * instance, of which the last one stands. All at once and on disk when it returns, so that a signal handler can call
 * it. Where the state directory cannot be used the draft lies among the temporary files. Fails with `file_failed` when
 * no place takes it.
 */
export function saveDraft(environment: Environment, draft: NewDraft, now: number = Date.now()): KeptDraft {
	const id = draftId(draft);
	return {id, ...keepSomewhere(environment, `${id}.json`, draftText(draft, now))};
}

/**
 * The same while other work goes on: the disk is waited for in the background. Put in place only if `isWanted` holds
 * when all is on disk; else it returns nothing, and what was there stays.
 */
export async function saveDraftLater(
	environment: Environment,
	draft: NewDraft,
	now: number,
	isWanted: () => boolean,
): Promise<KeptDraft | undefined> {
	const id = draftId(draft);
	const kept = await keepSomewhereLater(environment, `${id}.json`, draftText(draft, now), isWanted);
	return kept && {id, ...kept};
}

/** The id under which this process keeps a draft. */
export const draftId = (draft: NewDraft): string => `${keyId(draft)}-${processMark}`;

export const draftText = ({form, target, label, key, instance, fields}: NewDraft, now: number): string =>
	JSON.stringify({version, saved: now, holder: thisProcess(), form, target, label, key, instance, fields});

/** The format of the file; the first one had no form but that of a key, in `edit` and `base64`. */
const version = 2;

/** Whether what `saveDraft` kept is there still, and was kept by this process. */
export const isKept = ({id, path}: {readonly id: string; readonly path: string}): boolean =>
	id.endsWith(`-${processMark}`) && existsSync(path);

const idForm = /^[0-9a-f]{32}-[0-9a-f]{12}$/;

/** Milliseconds for which a draft counts as worked on when nobody here can find out whether that process lives. */
const trusted = 60 * 60 * 1000;

/** Whether a process other than this one works on what it holds. */
function isHeldBy(holder: Holder | undefined, saved: number): boolean {
	if (!holder) return false;
	const own = thisProcess();
	if (isSame(holder, own)) return false;
	const standing = standingOf(holder, own);
	return standing === 'lives' || (standing === 'out of sight' && Date.now() - saved < trusted);
}

/** The same for the same form of the same thing. */
function keyId({
	form,
	target,
	key,
	instance,
}: Pick<NewDraft, 'form' | 'target' | 'key' | 'instance'>): string {
	const {place, world, account, namespace, zone} = target;
	// Without a world it is the name that earlier versions wrote.
	const where = world === undefined ? place : `${place}:${world}`;
	const of = [where, account ?? null, namespace ?? null, zone ?? null, key];
	return createHash('sha256')
		.update(JSON.stringify(form.kind === keyForm.kind ? of : [form.kind, ...of, instance]))
		.digest('hex')
		.slice(0, 32);
}

/**
 * All that lies among the drafts, the newest first, and what cannot be read at the end; what is past its time is
 * removed on this occasion. Never fails: what is wrong with a file is in the list.
 */
export function listDrafts(environment: Environment, now: number = Date.now()): ListedDraft[] {
	const listed: ListedDraft[] = [];
	for (const folder of draftFolders(environment)) {
		const {names, failures} = clearOld(folder, now);
		for (const name of names) {
			// A draft that another process is about to put in place.
			if (name.endsWith('.new') || name.endsWith(editorEnding) || name.endsWith(asideEnding)) continue;
			const found = readListed(folder, name);
			if (found) listed.push(found);
		}
		for (const failure of failures)
			listed.push({type: 'damaged', path: folder, why: failure.message, failure});
	}
	listed.sort((one, other) => timeOf(other) - timeOf(one));
	// A draft that had to be kept elsewhere once is out of date when there is a later one.
	const seen = new Set<string>();
	return listed.filter(one => {
		if (one.type !== 'draft') return true;
		const isLatest = !seen.has(one.draft.id);
		seen.add(one.draft.id);
		return isLatest;
	});
}

function timeOf(listed: ListedDraft): number {
	switch (listed.type) {
		case 'draft':
			return listed.draft.saved;
		case 'bytes':
			return listed.saved;
		case 'damaged':
			return 0;
	}
}

/** How the folders end in which `$EDITOR` has what is edited (editor-folders.ts). */
export const editorEnding = '.editor';

/** How a draft ends that could not be read. */
const asideEnding = '.unreadable';

/**
 * Moves a draft that cannot be read out of the way, so that it is reported only once, and returns the failure to
 * report. It goes after 7 days like any other. Nothing is done with a file that is not a draft of ledge, and with one
 * that another process works on: then it returns nothing.
 */
export function setAside({path, why}: {readonly path: string; readonly why: string}): Failure | undefined {
	const name = basename(path);
	if (!name.endsWith('.json') || !idForm.test(name.slice(0, -'.json'.length)) || isHeldFile(path))
		return undefined;
	const aside = `${path}${asideEnding}`;
	try {
		renameSync(path, aside);
	} catch (cause) {
		return fileFailed(`The draft ${path} cannot be read, nor moved out of the way.`, cause);
	}
	return new Failure('input_malformed', 'A draft cannot be read.', {
		why,
		left: `It is kept as ${aside} for 7 days.`,
		next: 'Look into the file if you miss something.',
	});
}

/** Whether a draft names another process that works on it, in whatever version. */
function isHeldFile(path: string): boolean {
	try {
		const json: unknown = parseJsonText(readFileSync(path, 'utf8'));
		return isJsonObject(json) && isHeldBy(readHolder(json.holder), Number(json.saved));
	} catch {
		// It has no holder that anybody could name.
		return false;
	}
}

/** The draft of a key that is left, the latest, if there is one of this very namespace. */
export function findDraft(environment: Environment, target: JobTarget, key: string): Draft | undefined {
	const prefix = `${keyId({form: keyForm, target, key, instance: ''})}-`;
	const drafts = draftFolders(environment).flatMap(folder =>
		(existsSync(folder) ? readdirSync(folder) : []).flatMap(name => {
			const found = name.startsWith(prefix) && name.endsWith('.json') ? readListed(folder, name) : undefined;
			if (found?.type !== 'draft' || found.draft.isHeld || found.draft.form.kind !== keyForm.kind) return [];
			return sameTarget(found.draft.target, target) ? [found.draft] : [];
		}),
	);
	return drafts.sort((one, other) => other.saved - one.saved)[0];
}

/** Removes a draft: what was written was saved, or is not wanted. Done also when it is gone. Fails with `file_failed`. */
export function dropDraft(environment: Environment, id: string): void {
	if (!idForm.test(id)) {
		throw new Failure('usage', `There is no draft "${id}".`, {
			why: 'The id of a draft has 32 hex digits, a hyphen and 12 more.',
		});
	}
	for (const folder of draftFolders(environment)) {
		const path = join(folder, `${id}.json`);
		try {
			removeIfPresent(path);
		} catch (cause) {
			throw fileFailed(`The draft ${path} cannot be removed.`, cause);
		}
	}
}

/** What a file of the folder is; `undefined` when it has gone meanwhile. */
function readListed(folder: string, name: string): ListedDraft | undefined {
	const path = join(folder, name);
	const unreadable = (why: string, cause?: unknown): ListedDraft => ({
		type: 'damaged',
		path,
		why,
		failure: new Failure('input_malformed', `The draft ${path} cannot be read.`, {
			why,
			next: 'Look into the file if you miss something; it goes by itself after 7 days.',
			cause,
		}),
	});
	try {
		const status = lstatSync(path, {throwIfNoEntry: false});
		if (!status) return undefined;
		if (!status.isFile()) return unreadable('It is not a file.');
		if (bytesName.test(name)) return {type: 'bytes', path, saved: status.mtimeMs};
		const read = parseDraft(readFileSync(path, 'utf8'));
		if (typeof read === 'string') return unreadable(read);
		const id = name.slice(0, -'.json'.length);
		return name.endsWith('.json') && idForm.test(id) && id.startsWith(keyId(read))
			? {type: 'draft', draft: {...read, id, path}}
			: unreadable('It does not bear the name that belongs to its key.');
	} catch (cause) {
		if (errorCode(cause) === 'ENOENT') return undefined;
		return unreadable(cause instanceof Error ? cause.message : String(cause), cause);
	}
}

/** The draft that a file holds, or why it holds none. */
export function parseDraft(text: string): Omit<Draft, 'id' | 'path'> | string {
	const json: unknown = parseJsonText(text);
	if (!isJsonObject(json) || typeof json.version !== 'number') return 'ledge did not write it.';
	const isFirst = json.version === 1;
	if (!isFirst && json.version !== version) {
		return `It was written by another version of ledge: its format is ${json.version}, this ledge knows ${version}.`;
	}
	const {edit, base64: bytes} = json;
	const fieldsOfFirst = isJsonObject(edit) && typeof bytes === 'string' && {fields: {...edit, base64: bytes}};
	const first = isFirst && {form: keyForm, instance: '', ...fieldsOfFirst};
	const draft = parseOrUndefined(draftFile, {...json, ...first});
	if (!draft) return 'A part of it is missing.';
	const {fields} = draft;
	const {base64} = fields;
	if (base64 !== undefined && (typeof base64 !== 'string' || base64Of(bytesIn({fields})) !== base64))
		return 'What was written is not whole: it is not base64.';
	return {...draft, isHeld: isHeldBy(readHolder(json.holder), draft.saved)};
}

const draftFile = fieldsOf({
	form: fieldsOf({kind: string(), version: number()}),
	target: jobTarget,
	saved: number(),
	label: string(),
	key: string(),
	instance: string(),
	fields: jsonObject,
});
