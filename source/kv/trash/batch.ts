import {existsSync, readdirSync, readFileSync, rmSync, statSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fallback, number, picklist, pipe, safeInteger, string} from 'valibot';
import {Failure, toFailure} from '../../failure.ts';
import {
	createFileFailure,
	type Environment,
	getErrorCode,
	getStateDirectory,
	listFolder,
	openStateDirectory,
	syncDirectory,
	writePrivateFile,
} from '../../state/directory.ts';
import {type JobTarget, jobTarget} from '../../state/job-record.ts';
import {findLockHolder, takeLock} from '../../state/lock.ts';
import {buildAdvice, buildCommand} from '../../text/advice.ts';
import {ignoreInvalid, parseOrUndefined, pickFields} from '../../text/schema.ts';

/** Why keys are in the trash. */
export type TrashReason = 'deleted' | 'overwritten';

/** The previous values of keys deleted or overwritten together: what is known without reading them. */
export type TrashBatch = {
	readonly id: string;
	/** The file with the keys, in export format. */
	readonly path: string;
	readonly reason: TrashReason;
	/** Time of the deletion or overwrite, in milliseconds since the epoch. */
	readonly deleted: number;
	/** Namespace of the keys. */
	readonly target: JobTarget;
	/** Display name of the namespace. Raw data. */
	readonly label: string;
	readonly keys: number;
	/** Bytes of the file. */
	readonly bytes: number;
	/** The command that did it: "kv delete", "kv key put". */
	readonly command: string;
	/** Name of the first key. Raw data; unknown for batches of earlier versions. */
	readonly first?: string | undefined;
};

/** The parts of a batch that its file does not contain. */
export type NewBatch = Pick<TrashBatch, 'reason' | 'deleted' | 'target' | 'label' | 'command'>;

/** Folder in the state directory, with a subfolder per batch. */
const trashFolder = 'trash';
const keysFile = 'keys.ndjson';
/** Written last: a folder without it is incomplete. */
const aboutFile = 'about.json';

/**
 * Creates a folder (0700) for a batch, claimed by this process until disposed. The caller writes the file at
 * `path`. Fails with `file_failed`.
 */
export function makeBatchFolder(
	environment: Environment,
	id: string,
): {readonly path: string; readonly claim: Disposable} {
	const trash = openStateDirectory(environment, trashFolder);
	const claim = takeLock(join(trash, id));
	try {
		const folder = openStateDirectory(environment, join(trashFolder, id));
		syncDirectory(trash);
		return {path: join(folder, keysFile), claim};
	} catch (error) {
		claim[Symbol.dispose]();
		throw createFileFailure(`The folder ${join(trash, id)} cannot be created.`, error);
	}
}

/** Completes a batch from its written file; it then survives a crash. Fails with `file_failed`. */
export function completeBatch(
	id: string,
	path: string,
	{keys, first}: Pick<TrashBatch, 'keys' | 'first'>,
	about: NewBatch,
): TrashBatch {
	const batch = {id, path, keys, first, bytes: statSync(path).size, ...about};
	writeAbout(batch);
	return batch;
}

/** Extends a batch to seven days from `now`. Fails with `file_failed`. */
export const extendBatch = (batch: TrashBatch, now: number): void => writeAbout({...batch, deleted: now});

function writeAbout({id, path, ...about}: TrashBatch): void {
	writePrivateFile(join(dirname(path), aboutFile), `${JSON.stringify({v: 1, ...about})}\n`);
}

/**
 * Claims a batch until disposed, so that other processes neither restore nor remove it. Fails with
 * `job_running`.
 */
export function claimBatch(environment: Environment, id: string): Disposable {
	try {
		return takeLock(join(openStateDirectory(environment, trashFolder), id));
	} catch (error) {
		const failure = toFailure(error);
		if (failure.code !== 'job_running') throw failure;
		throw new Failure('job_running', `Another process is using ${id} in the trash.`, {
			why: failure.details.why,
			next: failure.details.next,
		});
	}
}

/** True if a running process fills, restores or removes the batch. */
export const isBatchClaimed = (environment: Environment, id: string): boolean => {
	const trash = getTrashFolder(environment);
	return trash !== undefined && existsSync(trash) && findLockHolder(join(trash, id)) !== undefined;
};

/** Lists all batches, latest first. Fails with `file_failed` if the folder cannot be read. */
export function listBatches(environment: Environment): readonly TrashBatch[] {
	return listBatchFolderIds(environment)
		.flatMap(id => readBatch(environment, id) ?? [])
		.sort((one, other) => other.deleted - one.deleted || (one.id < other.id ? -1 : 1));
}

/**
 * Lists the folders of unreadable batches: their description is damaged, or the file with their keys is
 * missing. Fails with `file_failed`.
 */
export const listDamagedBatches = (environment: Environment): readonly string[] =>
	listBatchFolderIds(environment)
		.filter(id => readBatch(environment, id) === undefined && isCompleteBatch(environment, id))
		.map(id => getBatchFolder(environment, id));

/** Describes unreadable batches; undefined for an empty list. Paths are data. */
export function describeDamagedBatches(folders: readonly string[]): string | undefined {
	if (folders.length === 0) return undefined;
	const subject =
		folders.length === 1 ? '1 entry in the trash is' : `${folders.length} entries in the trash are`;
	return `${subject} damaged and not listed: ${folders.join(', ')}.`;
}

/** Returns a batch by its id. Fails with `input_missing`. */
export function findBatch(environment: Environment, id: string): TrashBatch {
	const batch = isBatchId(id) ? readBatch(environment, id) : undefined;
	if (batch) return batch;
	throw new Failure('input_missing', `The trash has no entry ${JSON.stringify(id)}.`, {
		next: buildAdvice`\`${buildCommand('kv trash list')}\` lists the entries.`,
	});
}

/** Lists the ids of all folders in the trash, including incomplete ones. */
export function listBatchFolderIds(environment: Environment): readonly string[] {
	const trash = getTrashFolder(environment);
	if (trash === undefined || !existsSync(trash)) return [];
	return listFolder(trash)
		.filter(entry => entry.isDirectory() && isBatchId(entry.name))
		.map(({name}) => name);
}

/** True if a folder is a complete batch, not the remainder of an interrupted one. */
export const isCompleteBatch = (environment: Environment, id: string): boolean =>
	existsSync(join(getBatchFolder(environment, id), aboutFile));

/** Removes a folder from the trash with its content. Fails with `file_failed`. */
export function removeBatch(environment: Environment, id: string): void {
	const folder = getBatchFolder(environment, id);
	try {
		// If killed in between, it is no longer a batch, and the next cleanup removes it.
		rmSync(join(folder, aboutFile), {force: true});
		rmSync(folder, {recursive: true, force: true});
	} catch (cause) {
		throw createFileFailure(`The folder ${folder} cannot be removed.`, cause);
	}
}

/** Returns the bytes of all files in a trash folder. */
export function measureBatchFolder(environment: Environment, id: string): number {
	const folder = getBatchFolder(environment, id);
	try {
		return readdirSync(folder).reduce(
			(sum, name) => sum + (statSync(join(folder, name), {throwIfNoEntry: false})?.size ?? 0),
			0,
		);
	} catch (cause) {
		// Just removed by another process.
		if (getErrorCode(cause) === 'ENOENT') return 0;
		throw createFileFailure(`The folder ${folder} cannot be read.`, cause);
	}
}

const isBatchId = (name: string): boolean => /^[a-z0-9]+$/.test(name);

function getTrashFolder(environment: Environment): string | undefined {
	const directory = getStateDirectory(environment);
	return directory === undefined ? undefined : join(directory, trashFolder);
}

const getBatchFolder = (environment: Environment, id: string): string =>
	join(getTrashFolder(environment) ?? '', id);

function readBatch(environment: Environment, id: string): TrashBatch | undefined {
	const folder = getBatchFolder(environment, id);
	const about = readAbout(join(folder, aboutFile));
	const path = join(folder, keysFile);
	const batch = parseOrUndefined(batchFields, about);
	return batch && existsSync(path) ? {id, path, ...batch} : undefined;
}

const integer = pipe(number(), safeInteger());

const batchFields = pickFields({
	target: jobTarget,
	label: string(),
	command: string(),
	// Earlier versions kept deletions only.
	reason: fallback(picklist(['deleted', 'overwritten']), 'deleted'),
	first: ignoreInvalid(string()),
	deleted: integer,
	keys: integer,
	bytes: integer,
});

/** Reads a JSON file; undefined if it is missing or damaged. */
function readAbout(path: string) {
	try {
		return JSON.parse(readFileSync(path, 'utf8'));
	} catch (cause) {
		if (cause instanceof SyntaxError || getErrorCode(cause) === 'ENOENT' || getErrorCode(cause) === 'ENOTDIR')
			return undefined;
		throw createFileFailure(`The file ${path} cannot be read.`, cause);
	}
}
