import {isSameTarget, type JobTarget} from '../../state/job-record.ts';
import {limits, type Problem} from '../limits.ts';
import type {TrashBatch} from '../trash/batch.ts';
import {formatExpiry} from './lifetime-input.ts';
import type {LifetimeChoice, Proposal} from './proposal.ts';
import {digestKey, isSameState, type KeyDigest, type WholeKey} from './whole-key.ts';

/** Default capacity of the history, in bytes of keys, values and metadata. */
const defaultCapacity = 32_000_000;

/** A completed write of one key. */
export type CompletedChange = {
	/** The namespace; the same key elsewhere is another key. */
	readonly target: JobTarget;
	readonly key: string;
	/** What was stored, as `checkProposal` found it; undefined if the key did not exist. */
	readonly before: WholeKey | undefined;
	/** The digest that `writeProposal` returned. */
	readonly after: KeyDigest | undefined;
};

/** A completed rename of one key: both its writes are undone together. */
export type CompletedRename = {
	readonly target: JobTarget;
	readonly from: string;
	readonly to: string;
	/** Content of the key, formerly under the old name and now under the new one. */
	readonly source: WholeKey;
	/** Former content of the new name. */
	readonly overwrittenKey: WholeKey | undefined;
};

/** A completed deletion of several keys that are in the trash. */
export type CompletedDeletion = {readonly batch: TrashBatch};

/** A completed write that cannot be undone: the last write in a sentence, and what to do instead. */
export type IrreversibleWrite = Problem;

/** How to undo a write of one key. `key`: the key written last. */
export type KeyUndo = {
	readonly id: number;
	readonly target: JobTarget;
	readonly key: string;
} /** For `undoRename`. */ & (
	| ({readonly type: 'rename'} & CompletedRename)
	| {
			readonly type: 'possible';
			/** Checked and written like any other proposal. */
			readonly proposal: Proposal;
			/** How the result will differ from the former state. */
			readonly notes: readonly string[];
	  }
);

/** A write that can be undone. */
export type PossibleUndo = KeyUndo | ({readonly id: number; readonly type: 'deletion'} & CompletedDeletion);

/** A write: how to undo it, or why that is impossible. */
type Undo = PossibleUndo | ({readonly id: number; readonly type: 'not kept'} & IrreversibleWrite);

type CompletedWrite = CompletedChange | CompletedRename | CompletedDeletion | IrreversibleWrite;
type RememberedWrite = CompletedWrite & {readonly id: number; readonly size: number};

/**
 * The writes of this session, in memory only. Replaced values are copied; of written ones only the digest is
 * kept. When space runs out, the oldest are dropped. Writes that cannot be undone are in it, too, so that `u`
 * never undoes an earlier write instead without asking.
 */
export class UndoHistory {
	readonly #writes: RememberedWrite[] = [];
	readonly #capacity: number;
	#size = 0;
	#lastId = 0;

	constructor(bytes: number = defaultCapacity) {
		this.#capacity = bytes;
	}

	/** Stores what a write replaced. Returns the problem if that is too large to undo the write. */
	remember(write: CompletedWrite): Problem | undefined {
		if ('batch' in write || 'why' in write) return this.#push(write, 0);
		if ('source' in write) {
			const {from, to, source, overwrittenKey} = write;
			const size = measureKey(from, source) + (overwrittenKey ? measureKey(to, overwrittenKey) : 0);
			if (size > this.#capacity) return this.#push(this.#buildTooLargeProblem(to, size), 0);
			return this.#push(
				{...write, source: cloneKey(source), overwrittenKey: overwrittenKey && cloneKey(overwrittenKey)},
				size,
			);
		}
		const {key, before, after} = write;
		if (!before && !after) return undefined;
		const size = before ? measureKey(key, before) : 0;
		if (size > this.#capacity) return this.#push(this.#buildTooLargeProblem(key, size), 0);
		return this.#push({...write, before: before && cloneKey(before)}, size);
	}

	/** Returns the problem of a write that cannot be undone; undefined if it can. */
	#push(write: CompletedWrite, size: number): Problem | undefined {
		const problem = 'why' in write ? write : undefined;
		const last = this.#writes.at(-1);
		// Of several in a row that cannot be undone, only the last is shown.
		if (problem && last && 'why' in last) this.#writes.pop();
		this.#writes.push({...write, id: ++this.#lastId, size});
		this.#size += size;
		while (this.#size > this.#capacity) this.#size -= this.#writes.shift()?.size ?? this.#size;
		return problem;
	}

	/** Returns the last write; undefined if the history is empty. `now` in UNIX seconds. */
	peek(now: number): Undo | undefined {
		const last = this.#writes.at(-1);
		return last && ('why' in last ? {...last, type: 'not kept'} : buildUndo(last, now));
	}

	/** Returns how to undo the last write that can be undone. `now` in UNIX seconds. */
	peekPossible(now: number): PossibleUndo | undefined {
		const last = this.#writes.findLast(write => !('why' in write));
		return last && !('why' in last) ? buildUndo(last, now) : undefined;
	}

	/** True if nothing was written or undone after the write. */
	isLatest({id}: Pick<Undo, 'id'>): boolean {
		return id === this.#lastId;
	}

	/**
	 * Removes a write from the history: it was undone (`writtenDigest` is what `writeProposal` returned), or
	 * its undo is not wanted. The undo itself is not remembered; the previous undo of the key is then based
	 * on what this one wrote.
	 */
	removeWrite({id}: Pick<Undo, 'id'>, writtenDigest?: KeyDigest): void {
		const index = this.#writes.findIndex(write => write.id === id);
		const [removed] = index === -1 ? [] : this.#writes.splice(index, 1);
		if (!removed) return;
		this.#size -= removed.size;
		if (!writtenDigest || !('key' in removed) || !removed.before) return;
		const {before} = removed;
		const earlierIndex = this.#writes.findLastIndex(write => 'key' in write && isSameKey(write, removed));
		const earlier = this.#writes[earlierIndex];
		if (earlier && 'key' in earlier && earlier.after && isSameState(earlier.after, digestKey(before)))
			this.#writes[earlierIndex] = {...earlier, after: writtenDigest};
	}

	/** Removes deletions from the history whose keys are no longer in the trash, or were restored from it. */
	removeDeletion(batchId: string): void {
		const deletion = this.#writes.find(write => 'batch' in write && write.batch.id === batchId);
		if (deletion) this.removeWrite(deletion);
	}

	#buildTooLargeProblem(key: string, size: number): Problem {
		return {
			what: `The write to the key "${key}" cannot be undone.`,
			why: `The undo history holds at most ${this.#capacity} bytes; what was replaced took ${size}.`,
		};
	}
}

function buildUndo(
	write: Exclude<CompletedWrite, IrreversibleWrite> & {readonly id: number},
	now: number,
): PossibleUndo {
	const {id} = write;
	if ('batch' in write) return {id, type: 'deletion', batch: write.batch};
	if ('source' in write) return {...write, type: 'rename', key: write.to};
	const {target, key, before, after} = write;
	const common = {key, base: after, origin: 'undo'} as const;
	if (!before) return {id, target, key, type: 'possible', proposal: {...common, kind: 'delete'}, notes: []};
	const {bytes, metadata, expiration} = before;
	const {lifetime, note} = computeRestoredLifetime(expiration, now);
	return {
		id,
		target,
		key,
		type: 'possible',
		proposal: {...common, kind: 'put', mine: {bytes, metadata}, lifetime},
		notes: note === undefined ? [] : [note],
	};
}

const cloneKey = (key: WholeKey): WholeKey => ({...key, bytes: new Uint8Array(key.bytes)});

const measureKey = (key: string, {bytes, metadata}: WholeKey): number =>
	Buffer.byteLength(key) +
	bytes.length +
	(metadata === null ? 0 : Buffer.byteLength(JSON.stringify(metadata)));

const isSameKey = (one: CompletedChange, other: CompletedChange): boolean =>
	one.key === other.key && isSameTarget(one.target, other.target);

/**
 * Returns the lifetime that a restored key can have, and how it differs from the former one. `now` in UNIX
 * seconds.
 */
export function computeRestoredLifetime(
	expiration: number | undefined,
	now: number,
): {lifetime: Exclude<LifetimeChoice, 'keep'>; note?: string} {
	if (expiration === undefined) return {lifetime: 'never'};
	const {minimumTtl, latestExpiration} = limits;
	const text = formatExpiry(expiration, now);
	if (expiration > latestExpiration) {
		return {
			lifetime: 'never',
			note: `Its expiration ${text} is later than the latest possible date: it will not expire.`,
		};
	}
	if (expiration - now >= minimumTtl) return {lifetime: {expiration}};
	return {
		lifetime: {ttl: minimumTtl},
		note: `Its expiration ${text} ${expiration <= now ? 'has passed' : `is less than ${minimumTtl} s away`}: it will expire ${minimumTtl} s from now.`,
	};
}
