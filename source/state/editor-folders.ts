import {randomBytes} from 'node:crypto';
import {existsSync, lstatSync, readdirSync, readFileSync, renameSync, rmSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {isDeepStrictEqual} from 'node:util';
import {Failure} from '../failure.ts';
import {dropAddedLineEnd, getEditedFileName, isEditedFileName} from '../terminal/editor.ts';
import {createFileFailure, type Environment, writePrivateFile} from './directory.ts';
import {draftLifetimeMs, listDraftFolders, makeDraftFolder} from './draft-folders.ts';
import {
	type Draft,
	dropDraft,
	editorFolderSuffix,
	formatDraftFile,
	getDraftBytes,
	listDrafts,
	type NewDraft,
	parseDraft,
	saveDraft,
	withDraftBytes,
} from './drafts.ts';
import {processMark} from './holder.ts';
import {isSameTarget} from './job-record.ts';

const ownFolderSuffix = `-${processMark}${editorFolderSuffix}`;
const createOwnFolderName = (): string => `${randomBytes(6).toString('hex')}${ownFolderSuffix}`;

/** File beside the one in the editor, written first: the draft as it was when the editor opened. */
const noteFileName = 'draft.json';

/**
 * Creates a private folder for `$EDITOR` with a note: if the process is killed, the next start finds what was
 * saved there. Fails with `file_failed`.
 */
export function openEditorFolder(
	environment: Environment,
	draft: NewDraft,
	now: number = Date.now(),
): {readonly folder: string; readonly file: string} {
	const folder = makeDraftFolder(environment, createOwnFolderName());
	try {
		writePrivateFile(join(folder, noteFileName), formatDraftFile(draft, now));
	} catch (error) {
		rmSync(folder, {recursive: true, force: true});
		throw error;
	}
	return {folder, file: join(folder, getEditedFileName(getDraftBytes(draft)))};
}

/**
 * Turns what editors saved for processes that have ended into drafts, and removes the folders. Returns
 * failures; never fails.
 */
export function recoverEditorFolders(environment: Environment, now: number = Date.now()): Failure[] {
	const failures: Failure[] = [];
	for (const parent of listDraftFolders(environment)) {
		try {
			for (const name of listEditorFolders(parent)) recoverEditorFolder(environment, join(parent, name), now);
		} catch (cause) {
			failures.push(
				createFileFailure(`The files that an editor left in ${parent} cannot be recovered.`, cause),
			);
		}
	}
	return failures;
}

/** Lists the folders of other processes, dead or alive. */
function listEditorFolders(parent: string): string[] {
	if (!existsSync(parent)) return [];
	return readdirSync(parent).filter(
		name => name.endsWith(editorFolderSuffix) && !name.endsWith(ownFolderSuffix),
	);
}

function recoverEditorFolder(environment: Environment, path: string, now: number): void {
	const note = readNote(path);
	if (!note) {
		// Killed before the note and thus before the value was written, or another process is creating it
		// now.
		if (now - lstatSync(path).mtimeMs > draftLifetimeMs) rmSync(path, {recursive: true, force: true});
		return;
	}
	if (note.isHeld) return;
	// If two processes start at the same time, only one of them can rename the folder.
	const ownPath = join(dirname(path), createOwnFolderName());
	renameSync(path, ownPath);
	const draftBytes = getDraftBytes(note);
	const name = readdirSync(ownPath).find(isEditedFileName);
	const valueFile = join(ownPath, name ?? getEditedFileName(draftBytes));
	const savedBytes = name === undefined ? draftBytes : dropAddedLineEnd(draftBytes, readFileSync(valueFile));
	if (Buffer.compare(savedBytes, draftBytes) !== 0) {
		const matchingDrafts = findMatchingDrafts(environment, note);
		const {id} = saveDraft(
			environment,
			withDraftBytes(note, savedBytes),
			Math.round(lstatSync(valueFile).mtimeMs),
		);
		// The saved file includes what was typed before the editor opened.
		for (const draft of matchingDrafts) if (draft.id !== id) dropDraft(environment, draft.id);
	}
	rmSync(ownPath, {recursive: true, force: true});
}

/** Finds the drafts with exactly what the editor was given. */
function findMatchingDrafts(
	environment: Environment,
	{form, target, key, fields}: NewDraft,
): readonly Draft[] {
	const {base64: _, ...otherFields} = fields;
	return listDrafts(environment).flatMap(one => {
		if (one.type !== 'draft' || one.draft.isHeld) return [];
		const {draft} = one;
		const isSameSubject =
			draft.form.kind === form.kind && draft.key === key && isSameTarget(draft.target, target);
		const hasSameFields = [fields, otherFields].some(candidate => isDeepStrictEqual(draft.fields, candidate));
		return isSameSubject && hasSameFields ? [draft] : [];
	});
}

function readNote(path: string): Omit<Draft, 'id' | 'path'> | undefined {
	const file = join(path, noteFileName);
	if (!existsSync(file)) return undefined;
	const note = parseDraft(readFileSync(file, 'utf8'));
	if (typeof note !== 'string') return note;
	throw new Failure('input_malformed', `The note ${file} cannot be read.`, {why: note});
}
