import {isDeepStrictEqual} from 'node:util';
import {compareKeys} from '../../text/utf8-order.ts';
import type {KeyEntry} from '../store.ts';
import type {EntryPart} from '../transfer/entry.ts';

/** The state of a key, as far as a watch reads it. */
export type WatchedKey = KeyEntry & {
	/** Identifies the value: its digest, or the version of local data. Undefined if values are not read. */
	readonly version?: string | undefined;
	/** Size of the value, if known. */
	readonly size?: number | undefined;
	/** The value, if it was read and differs from the known one. */
	readonly bytes?: Uint8Array | undefined;
};

/** A change of one key; `key` is its new state, and the last known one if it was deleted. */
export type KeyChange = {
	readonly kind: 'added' | 'changed' | 'deleted';
	readonly key: WatchedKey;
	readonly previous: WatchedKey | undefined;
	/** What differs; empty unless `kind` is `changed`. */
	readonly parts: readonly EntryPart[];
};

/** A state that a newer one replaced; undefined if the key did not exist. */
type ReplacedState = {readonly key: WatchedKey | undefined; readonly until: number};

/**
 * Finds changes between reads of an eventually consistent store. For `staleMs` after a change, a read that
 * returns an earlier state counts as stale and is ignored; if the state stays, it is a change afterwards.
 */
export class ChangeTracker {
	readonly #staleMs: number;
	readonly #expirationSlack: number;
	readonly #keys = new Map<string, WatchedKey>();
	readonly #replaced = new Map<string, readonly ReplacedState[]>();

	/** `expirationSlack`: expirations that differ by at most this many seconds are equal. */
	constructor(staleMs: number, expirationSlack = 0) {
		this.#staleMs = staleMs;
		this.#expirationSlack = expirationSlack;
	}

	/** The last known state of all existing keys. */
	get keys(): ReadonlyMap<string, WatchedKey> {
		return this.#keys;
	}

	/** Takes the first read as known. */
	begin(keys: Iterable<WatchedKey>): void {
		for (const key of keys) this.#keys.set(key.name, withoutBytes(key));
	}

	/** Takes the state of a key after a write of this session as known. */
	adopt(name: string, key: WatchedKey | undefined, now: number): void {
		const previous = this.#keys.get(name);
		if (key && previous && this.#listChangedParts(previous, key).length === 0) return;
		if (key === previous) return;
		this.#setState(name, key, now);
	}

	/** Compares a complete read with the known states; the changes are in byte order of the names. */
	findChanges(readKeys: Iterable<WatchedKey>, now: number): readonly KeyChange[] {
		for (const [name, states] of this.#replaced)
			if (states.every(({until}) => until <= now)) this.#replaced.delete(name);
		const changes: KeyChange[] = [];
		const missing = new Set(this.#keys.keys());
		for (const key of readKeys) {
			const {name} = key;
			missing.delete(name);
			const previous = this.#keys.get(name);
			const parts = previous ? this.#listChangedParts(previous, key) : [];
			if (previous && parts.length === 0) this.#keys.set(name, withoutBytes({...previous, ...key}));
			else if (!this.#isStale(name, key, now))
				changes.push({kind: previous ? 'changed' : 'added', key, previous, parts});
		}
		for (const name of missing) {
			const previous = this.#keys.get(name);
			if (previous && !this.#isStale(name, undefined, now))
				changes.push({kind: 'deleted', key: previous, previous, parts: []});
		}
		for (const {kind, key} of changes) this.#setState(key.name, kind === 'deleted' ? undefined : key, now);
		return changes.sort((one, other) => compareKeys(one.key.name, other.key.name));
	}

	#setState(name: string, key: WatchedKey | undefined, now: number): void {
		const states = (this.#replaced.get(name) ?? []).filter(({until}) => until > now);
		if (this.#staleMs > 0)
			this.#replaced.set(name, [...states, {key: this.#keys.get(name), until: now + this.#staleMs}]);
		if (key) this.#keys.set(name, withoutBytes(key));
		else this.#keys.delete(name);
	}

	#isStale(name: string, key: WatchedKey | undefined, now: number): boolean {
		return (this.#replaced.get(name) ?? []).some(
			({key: earlier, until}) =>
				until > now && (earlier && key ? this.#listChangedParts(earlier, key).length === 0 : earlier === key),
		);
	}

	/** Lists what differs between two states. A value counts only if both states know its version. */
	#listChangedParts(one: WatchedKey, other: WatchedKey): readonly EntryPart[] {
		const isValueKnown = one.version !== undefined && other.version !== undefined;
		const isSameExpiration =
			one.expiration === other.expiration ||
			Math.abs((one.expiration ?? Number.NaN) - (other.expiration ?? Number.NaN)) <= this.#expirationSlack;
		return [
			...(isValueKnown && one.version !== other.version ? ['value' as const] : []),
			...(isDeepStrictEqual(one.metadata, other.metadata) ? [] : ['metadata' as const]),
			...(isSameExpiration ? [] : ['expiration' as const]),
		];
	}
}

/** Drops the value, which may be large. */
const withoutBytes = ({bytes: _, ...state}: WatchedKey): WatchedKey => state;
