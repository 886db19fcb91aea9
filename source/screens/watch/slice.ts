import type {Failure} from '../../failure.ts';
import type {KeyIndex} from '../../kv/key-index/key-index.ts';
import type {KeyChange, WatchedKey} from '../../kv/watch/changes.ts';
import type {WatchHandlers} from '../../kv/watch/watch.ts';
import {getStoreClock} from '../../session/store-clock.ts';
import type {Slice} from '../../store/slice.ts';
import {formatDuration} from '../../terminal/progress.ts';
import {formatPlainQuantity} from '../../text/figures.ts';
import {applyKeyChange} from '../keys/apply-change.ts';
import type {KeysState} from '../keys/state.ts';
import {maxListedKeys} from './limits.ts';

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly watch: WatchSlice;
	}
}

/** Changes of listed keys that the user has not looked at yet. */
type WatchMarks = {readonly index: KeyIndex; readonly kinds: ReadonlyMap<string, KeyChange['kind']>};

/** What is watched now. */
type ActiveWatch = {
	readonly screen: 'keys' | 'key';
	/** Milliseconds between two reads. */
	readonly waitMs: number;
	/** Why the last read failed. */
	readonly failure?: Failure | undefined;
	/** The last change of the open value. */
	readonly lastChange?: string | undefined;
};

type WatchSlice = {
	readonly active: ActiveWatch | undefined;
	readonly marks: WatchMarks | undefined;
	/**
	 * Watches the listed keys until the signal is aborted: changes are shown in the list and marked. The list
	 * must be complete. Rejects if it cannot be read.
	 */
	watchList(signal: AbortSignal): Promise<void>;
	/** Watches the open value until the signal is aborted, and shows its changes. Rejects like `watchList`. */
	watchValue(signal: AbortSignal): Promise<void>;
	/** Removes the mark of a key that was looked at, and a deleted key from the list. */
	markSeen(name: string): void;
};

/** Expirations of keys written here are known to a few seconds only. */
const expirationSlack = 30;

export const createWatchSlice: Slice<WatchSlice> = (set, get, {session, now}) => {
	const update = (part: Partial<ActiveWatch>) =>
		set(({active}) => (active ? {active: {...active, ...part}} : {}));

	async function watch(
		screen: ActiveWatch['screen'],
		{opened}: KeysState,
		{
			initialKeys,
			...scope
		}: {readonly initialKeys: readonly WatchedKey[]} & ({readonly key: string} | {readonly prefix: string}),
		handlers: Pick<WatchHandlers, 'onChanges' | 'prepare'>,
		signal: AbortSignal,
	): Promise<void> {
		const {watchKeys, watchIntervals} = await import('../../kv/watch/watch.ts');
		const intervalMs = watchIntervals.defaultMs;
		set({active: {screen, waitMs: intervalMs}});
		try {
			await watchKeys(
				opened.store,
				{
					scope: {...scope, maxKeys: maxListedKeys},
					intervalMs,
					initialKeys,
					expirationSlack,
					clock: getStoreClock(session, opened.target),
				},
				{
					...handlers,
					isPaused: () => get().dialog.current !== undefined || get().dialog.isFiltering,
					onRead: waitMs => update({waitMs, failure: undefined}),
					onFailure(failure, waitMs) {
						if (!get().watch.active?.failure)
							get().messages.warn(`${failure.message} The next read is in ${formatDuration(waitMs / 1000)}.`);
						update({waitMs, failure});
					},
				},
				signal,
			);
		} finally {
			set({active: undefined});
		}
	}

	const getKinds = (index: KeyIndex): WatchMarks['kinds'] => {
		const {marks} = get().watch;
		return marks?.index === index ? marks.kinds : new Map();
	};

	return {
		active: undefined,
		marks: undefined,
		async watchList(signal) {
			const keys = get().keys.data;
			if (!keys) return;
			const {index, prefixKeys} = keys;
			/** Lists what the list shows; a deleted key stays in it until it was looked at. */
			const listShownKeys = (): readonly WatchedKey[] => {
				const {from, to} = prefixKeys ?? {from: 0, to: index.count};
				const entries = Array.from({length: to - from}, (_, offset) => index.getEntry(from + offset));
				return entries.filter(({name}) => getKinds(index).get(name) !== 'deleted');
			};
			const target = {prefix: prefixKeys?.prefix ?? '', initialKeys: listShownKeys()};
			await watch(
				'keys',
				keys,
				target,
				{
					prepare(tracker, time) {
						const shownKeys = new Map(listShownKeys().map(key => [key.name, key]));
						for (const [name, key] of shownKeys) tracker.adopt(name, key, time);
						for (const name of [...tracker.keys.keys()])
							if (!shownKeys.has(name)) tracker.adopt(name, undefined, time);
					},
					onChanges(changes) {
						const kinds = new Map(getKinds(index));
						for (const {kind, key} of changes)
							kinds.set(key.name, kind === 'changed' ? (kinds.get(key.name) ?? kind) : kind);
						set({marks: {index, kinds}});
						const {noticeChanges} = get().keys;
						noticeChanges(
							changes.flatMap(({kind, key}) => (kind === 'deleted' ? [] : [toEntry(key)])),
							'stays',
						);
						return false;
					},
				},
				signal,
			);
		},
		async watchValue(signal) {
			const keys = get().keys.data;
			const name = get().key.data?.name;
			if (!keys || name === undefined) return;
			const {toWatchedKey} = await import('../../kv/watch/snapshot.ts');
			let shown: WatchedKey | undefined;
			let shownBytes: Uint8Array | undefined;
			/** Returns what the screen shows. A value is hashed once. */
			const getShownKey = (): WatchedKey | undefined => {
				const wholeKey = get().key.data?.wholeKey;
				if (!wholeKey) return undefined;
				const {bytes, metadata, expiration} = wholeKey;
				if (!shown || shownBytes !== bytes) shown = toWatchedKey({key: name, bytes}, undefined);
				shownBytes = bytes;
				const {version, size} = shown;
				return {...toEntry({name, expiration, metadata}), version, size};
			};
			const firstKey = getShownKey();
			await watch(
				'key',
				keys,
				{key: name, initialKeys: firstKey ? [firstKey] : []},
				{
					prepare: (tracker, time) => tracker.adopt(name, getShownKey(), time),
					onChanges([change]) {
						if (!change) return false;
						const {kind, key, previous} = change;
						const bytes = key.bytes ?? get().key.data?.wholeKey?.bytes;
						const {expiration, metadata = null} = key;
						const wholeKey =
							kind === 'deleted' || !bytes
								? undefined
								: {bytes, metadata, ...(expiration !== undefined && {expiration})};
						applyKeyChange(get(), keys.opened.target, name, wholeKey, 'stays');
						const sizes =
							kind === 'changed' && previous?.size !== key.size
								? `, ${previous?.size} → ${formatPlainQuantity(key.size ?? 0, 'byte')}`
								: '';
						const time = new Date(now()).toISOString().slice(11, 19);
						update({lastChange: `${kind} ${time} UTC${sizes}`});
						const {latest, say} = get().messages;
						if (latest === undefined || latest.kind === 'said')
							say(
								kind === 'deleted'
									? `Deleted or expired at ${time} UTC.`
									: `${kind === 'added' ? 'Added' : 'Changed'} at ${time} UTC by somebody else${sizes}.`,
							);
						return false;
					},
				},
				signal,
			);
		},
		markSeen(name) {
			const {marks} = get().watch;
			const kind = marks?.kinds.get(name);
			if (!marks || kind === undefined) return;
			const kinds = new Map(marks.kinds);
			kinds.delete(name);
			set({marks: {...marks, kinds}});
			if (kind === 'deleted' && get().keys.data?.index === marks.index) get().keys.noticeDeletion([name]);
		},
	};
};

/** Returns a key as a listing has it. */
const toEntry = ({
	name,
	expiration,
	metadata,
}: {
	readonly name: string;
	readonly expiration?: number | undefined;
	readonly metadata?: WatchedKey['metadata'] | null;
}) => ({
	name,
	...(expiration !== undefined && {expiration}),
	...(metadata !== undefined && metadata !== null && {metadata}),
});
