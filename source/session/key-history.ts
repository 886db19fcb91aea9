import {Readable} from 'node:stream';
import {isFailure} from '../failure.ts';
import {digestKey, type KeyDigest, readWholeKey, type WholeKey} from '../kv/change/whole-key.ts';
import {findBatch, type TrashBatch} from '../kv/trash/batch.ts';
import {listTrash} from '../kv/trash/trash.ts';
import {isSameTarget, type JobTarget} from '../state/job-record.ts';
import type {Session} from './session.ts';
import {openNamedStore} from './stores.ts';

/** An earlier state of a key in the trash: what it was before `batch` overwrote or deleted it. */
export type KeyVersion = {
	readonly batch: TrashBatch;
	readonly state: KeyDigest;
	/** Bytes of the value. */
	readonly size: number;
};

/**
 * Lists the versions of a key that the trash has, latest first. Reads batches of several keys to find it; warns
 * of a damaged one, and leaves it out. Fails with `file_failed`.
 */
export async function listKeyVersions(
	session: Session,
	target: JobTarget,
	key: string,
	signal: AbortSignal,
): Promise<readonly KeyVersion[]> {
	const batches = (await listTrash(session.env, session.clock.now())).filter(
		batch =>
			isSameTarget(batch.target, target) &&
			(batch.keys > 1 || batch.first === undefined || batch.first === key),
	);
	const versions: KeyVersion[] = [];
	for (const batch of batches) {
		const wholeKey = await tryReadKeptKey(session, batch, key, signal);
		if (wholeKey) versions.push({batch, state: digestKey(wholeKey), size: wholeKey.bytes.length});
	}
	return versions;
}

/** Reads a key of a batch; undefined if the batch does not have it, is damaged, or was removed meanwhile. */
async function tryReadKeptKey(
	session: Session,
	batch: TrashBatch,
	key: string,
	signal: AbortSignal,
): Promise<WholeKey | undefined> {
	try {
		return await readKeptKey(session, batch, key, signal);
	} catch (error) {
		if (!isFailure(error, 'input_missing', 'input_malformed')) throw error;
		if (error.code === 'input_malformed')
			session.events.warn(`The trash entry ${batch.id} is damaged, so it is left out.`);
		return undefined;
	}
}

/** Reads a key of a batch of the trash; undefined if the batch does not have it. */
async function readKeptKey(
	session: Session,
	{path}: TrashBatch,
	key: string,
	signal: AbortSignal,
): Promise<WholeKey | undefined> {
	const use = {side: 'from', stdin: Readable.from([])} as const;
	using store = (await openNamedStore(session, {kind: 'file', path}, use, signal)).store;
	return readWholeKey(store, key, signal);
}

/** Reads the version of a key in the batch with this id. Fails with `input_missing` without such a batch. */
export const readKeyVersion = (
	session: Session,
	id: string,
	key: string,
	signal: AbortSignal,
): Promise<WholeKey | undefined> => readKeptKey(session, findBatch(session.env, id), key, signal);
