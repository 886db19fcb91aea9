import {createHash} from 'node:crypto';
import {existsSync, lstatSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import {hostname} from 'node:os';
import {join} from 'node:path';
import {Failure} from '../failure.ts';
import {isJsonObject, type JsonObject} from '../json.ts';
import {clearOld, draftFolders, keepSomewhere} from './draft-folders.ts';
import {type Holder, lives, processMark, readHolder, thisProcess} from './holder.ts';
import {type JobTarget, parseTarget, sameTarget} from './job-record.ts';
import {type Environment, errorCode, fileFailed} from './state.ts';

/** What a screen keeps of an edit under way. */
export type NewDraft = {
	/** The namespace: a draft of a simulated one is never offered for a real one. */
	readonly target: JobTarget;
	/** What a person calls the namespace. */
	readonly label: string;
	readonly key: string;
	/** What was written so far. */
	readonly content: Uint8Array;
	/** Whatever else the edit needs to go on. */
	readonly edit: JsonObject;
};

export type Draft = NewDraft & {
	readonly id: string;
	readonly path: string;
	/** Milliseconds since the epoch. */
	readonly saved: number;
	/** Whether another process works on it still: then it is neither offered nor removed. */
	readonly isHeld: boolean;
};

/** A file among the drafts. Whatever it is, it goes 7 days after it was last written, and not before. */
export type ListedDraft =
	| {readonly type: 'draft'; readonly draft: Draft}
	/** What `keepDraft` kept: bytes, and nothing about them. */
	| {readonly type: 'bytes'; readonly path: string; readonly saved: number}
	/** Not a draft, or none that can be read. */
	| {readonly type: 'damaged'; readonly path: string; readonly failure: Failure};

/**
 * Keeps what someone wrote and could not save, in a file that only they can read, and gives its path. Without a
 * state directory it lies among the temporary files. Drafts past their time are cleared away.
 */
export function keepDraft(content: Uint8Array, environment: Environment, now: number = Date.now()): string {
	const name = `${new Date(now).toISOString().replaceAll(':', '')}-${process.pid}`;
	const {path} = keepSomewhere(environment, name, content);
	// What could not be cleared away is told by the next `listDrafts`; the path must not be lost for it.
	for (const folder of draftFolders(environment)) clearOld(folder, now);
	return path;
}

/** The names that `keepDraft` gives. */
const bytesName = /^[-+]?\d+-\d\d-\d\dT\d{6}\.\d{3}Z-\d+$/;

/**
 * Keeps an edit under way so that the next start can offer it again: one draft a process, namespace and key, of which
 * the last one stands. All at once and on disk when it returns, so that a signal handler can call it. Where the
 * state directory cannot be used the draft lies among the temporary files; `found` is false when not even
 * `listDrafts` looks there, and the person must be told the path. Fails with `file_failed` when no place takes it.
 */
export function saveDraft(
	environment: Environment,
	draft: NewDraft,
	now: number = Date.now(),
): {readonly id: string; readonly path: string; readonly found: boolean} {
	const id = `${keyId(draft.target, draft.key)}-${processMark}`;
	return {id, ...keepSomewhere(environment, `${id}.json`, draftText(draft, now))};
}

/** The file of a draft of this process. */
export function draftText({target, label, key, content, edit}: NewDraft, now: number): string {
	const base64 = Buffer.from(content.buffer, content.byteOffset, content.length).toString('base64');
	return JSON.stringify({version, saved: now, holder: thisProcess(), target, label, key, edit, base64});
}

const version = 1;

/** Whether what `saveDraft` kept is there still, and was kept by this process. */
export const isKept = ({id, path}: {readonly id: string; readonly path: string}): boolean =>
	id.endsWith(`-${processMark}`) && existsSync(path);

const idForm = /^[0-9a-f]{32}-[0-9a-f]{12}$/;

/** Milliseconds for which a draft of another machine counts as worked on: nobody here can ask whether that process lives. */
const trusted = 60 * 60 * 1000;

/** Whether a process other than this one works on what it holds. */
function isHeldBy(holder: Holder | undefined, saved: number): boolean {
	if (!holder) return false;
	if (holder.host !== hostname()) return Date.now() - saved < trusted;
	const own = thisProcess();
	return (holder.pid !== own.pid || holder.started !== own.started) && lives(holder);
}

/** The same for the same key of the same namespace. */
const keyId = ({place, account, namespace, zone}: JobTarget, key: string): string =>
	createHash('sha256')
		.update(JSON.stringify([place, account ?? null, namespace ?? null, zone ?? null, key]))
		.digest('hex')
		.slice(0, 32);

/**
 * All that lies among the drafts, the newest first, and what cannot be read at the end; what is past its time is
 * removed on this occasion. Never fails: what is wrong with a file is in the list.
 */
export function listDrafts(environment: Environment, now: number = Date.now()): ListedDraft[] {
	const listed: ListedDraft[] = [];
	for (const folder of draftFolders(environment)) {
		const {names, failures} = clearOld(folder, now);
		for (const name of names) {
			// One that another process is about to put in place.
			if (name.endsWith('.new') || name.endsWith(editorEnding)) continue;
			const found = readListed(folder, name);
			if (found) listed.push(found);
		}
		for (const failure of failures) listed.push({type: 'damaged', path: folder, failure});
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

/** The draft of a key that is left, the latest, if there is one of this very namespace. */
export function findDraft(environment: Environment, target: JobTarget, key: string): Draft | undefined {
	const prefix = `${keyId(target, key)}-`;
	const drafts = draftFolders(environment).flatMap(folder =>
		(existsSync(folder) ? readdirSync(folder) : []).flatMap(name => {
			const found = name.startsWith(prefix) && name.endsWith('.json') ? readListed(folder, name) : undefined;
			if (found?.type !== 'draft' || found.draft.isHeld) return [];
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
			rmSync(path, {force: true});
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
		return name.endsWith('.json') && idForm.test(id) && id.startsWith(keyId(read.target, read.key))
			? {type: 'draft', draft: {...read, id, path}}
			: unreadable('It does not bear the name that belongs to its key.');
	} catch (cause) {
		if (errorCode(cause) === 'ENOENT') return undefined;
		return unreadable(cause instanceof Error ? cause.message : String(cause), cause);
	}
}

/** The draft that a file holds, or why it holds none. */
export function parseDraft(text: string): Omit<Draft, 'id' | 'path'> | string {
	const json: unknown = JSON.parse(text);
	if (!isJsonObject(json) || typeof json.version !== 'number') return 'It is not one that ledge wrote.';
	if (json.version !== version) {
		return `It was written by another version of ledge: its format is ${json.version}, this ledge knows ${version}.`;
	}
	const {saved, label, key, edit, base64} = json;
	const target = parseTarget(json.target);
	if (
		!target ||
		typeof saved !== 'number' ||
		typeof label !== 'string' ||
		typeof key !== 'string' ||
		typeof base64 !== 'string' ||
		!isJsonObject(edit)
	)
		return 'A part of it is missing.';
	const content = Buffer.from(base64, 'base64');
	if (content.toString('base64') !== base64) return 'What was written is not whole: it is not base64.';
	return {target, saved, label, key, edit, content, isHeld: isHeldBy(readHolder(json.holder), saved)};
}
