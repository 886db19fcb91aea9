import {isSameTarget, type JobTarget} from '../../state/job-record.ts';
import {limits, type Problem} from '../limits.ts';
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

/** The last write: how to undo it, or why that is impossible. `key`: the key written last. */
export type Undo = {
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
	| ({readonly type: 'not kept'} & Problem)
);

type RememberedChange = Omit<CompletedChange, 'before'> & {
	readonly id: number;
	readonly before: WholeKey | undefined | Problem;
	readonly rename?: CompletedRename | undefined;
	readonly size: number;
};

/**
 * The undoable writes of this session, in memory only. Replaced values are copied; of written ones only the
 * digest is kept. When space runs out, the oldest are dropped.
 */
export class UndoHistory {
	readonly #changes: RememberedChange[] = [];
	readonly #capacity: number;
	#size = 0;
	#lastId = 0;

	constructor(bytes: number = defaultCapacity) {
		this.#capacity = bytes;
	}

	/**
	 * Stores what a write replaced. Returns the problem if that is too large: the write is then in the
	 * history as one that cannot be undone, so that `u` never undoes an earlier write instead.
	 */
	remember(change: CompletedChange | CompletedRename): Problem | undefined {
		if ('source' in change) return this.#rememberRename(change);
		const {before, after} = change;
		if (!before && !after) return undefined;
		const size = before ? measureKey(change.key, before) : 0;
		const problem = size > this.#capacity ? this.#buildTooLargeProblem(change.key, size) : undefined;
		return this.#push({...change, before: problem ?? (before && cloneKey(before))}, problem, size);
	}

	#rememberRename(rename: CompletedRename): Problem | undefined {
		const {target, from, to, source, overwrittenKey} = rename;
		const size = measureKey(from, source) + (overwrittenKey ? measureKey(to, overwrittenKey) : 0);
		const problem = size > this.#capacity ? this.#buildTooLargeProblem(to, size) : undefined;
		const copiedRename = problem
			? undefined
			: {...rename, source: cloneKey(source), overwrittenKey: overwrittenKey && cloneKey(overwrittenKey)};
		const change = {
			target,
			key: to,
			before: problem ?? copiedRename?.overwrittenKey,
			after: digestKey(source),
		};
		return this.#push({...change, rename: copiedRename}, problem, size);
	}

	#push(
		change: Omit<RememberedChange, 'id' | 'size'>,
		problem: Problem | undefined,
		size: number,
	): Problem | undefined {
		this.#changes.push({...change, id: ++this.#lastId, size: problem ? 0 : size});
		this.#size += problem ? 0 : size;
		while (this.#size > this.#capacity) this.#size -= this.#changes.shift()?.size ?? this.#size;
		return problem;
	}

	/** Returns how to undo the last write; undefined if the history is empty. `now` in UNIX seconds. */
	peek(now: number): Undo | undefined {
		const last = this.#changes.at(-1);
		if (!last) return undefined;
		const {id, target, key, before, after, rename} = last;
		if (rename) return {id, key, type: 'rename', ...rename};
		if (before && 'why' in before) return {id, target, key, type: 'not kept', ...before};
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

	/**
	 * Removes a write from the history: it was undone (`writtenDigest` is what `writeProposal` returned), or
	 * its undo is not wanted. The undo itself is not remembered; the previous undo of the key is then based
	 * on what this one wrote.
	 */
	removeWrite({id}: Undo, writtenDigest?: KeyDigest): void {
		const index = this.#changes.findIndex(change => change.id === id);
		const [takenChange] = index === -1 ? [] : this.#changes.splice(index, 1);
		if (!takenChange) return;
		this.#size -= takenChange.size;
		const {before} = takenChange;
		if (!writtenDigest || !before || 'why' in before) return;
		const earlierIndex = this.#changes.findLastIndex(change => isSameKey(change, takenChange));
		const change = this.#changes[earlierIndex];
		if (change?.after && isSameState(change.after, digestKey(before)))
			this.#changes[earlierIndex] = {...change, after: writtenDigest};
	}

	#buildTooLargeProblem(key: string, size: number): Problem {
		return {
			what: `The write to the key "${key}" cannot be undone.`,
			why: `The undo history holds at most ${this.#capacity} bytes; what was replaced took ${size}.`,
		};
	}
}

const cloneKey = (key: WholeKey): WholeKey => ({...key, bytes: new Uint8Array(key.bytes)});

const measureKey = (key: string, {bytes, metadata}: WholeKey): number =>
	Buffer.byteLength(key) +
	bytes.length +
	(metadata === null ? 0 : Buffer.byteLength(JSON.stringify(metadata)));

const isSameKey = (one: RememberedChange, other: RememberedChange): boolean =>
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
