import type {Failure} from '../../failure.ts';
import type {KeyIndex} from '../../kv/key-index/key-index.ts';
import type {PrefixKeys} from '../../kv/key-index/prefix-keys.ts';
import type {KeyRows} from '../../kv/key-index/rows.ts';
import type {KeyEntry} from '../../kv/store.ts';
import type {QuotaLeft} from '../../service/limiter.ts';
import type {OpenedNamespace} from '../../session/namespaces.ts';
import type {JobTarget} from '../../state/job-record.ts';
import type {RangeStart} from '../list/range.ts';
import type {Arrangement, Sort} from './arranged-rows.ts';
import type {NamespaceRow} from './namespace-rows.ts';
import type {KnownSizes} from './sizes.ts';

/** Progress of the listing: of the whole namespace, or of the keys of a prefix filter. */
type Listing =
	/** A page is being read; `readsToEnd` if all pages were requested. */
	| {readonly state: 'reading'; readonly readsToEnd: boolean}
	/** More pages exist; they are read when the cursor comes near. */
	| {readonly state: 'resting'}
	| {readonly state: 'complete'}
	| {readonly state: 'failed'; readonly failure: Failure};

/** The keys of the open namespace. `index` and `rows` change in place; `revision` increments with them. */
export type KeysState = {
	readonly namespace: NamespaceRow;
	readonly opened: OpenedNamespace;
	/** Remaining call quota when the namespace was opened; undefined if unlimited. */
	readonly quota: QuotaLeft | undefined;
	readonly index: KeyIndex;
	readonly rows: KeyRows;
	readonly arrangement: Arrangement;
	readonly sort: Sort;
	/** As typed; see `parseKeyFilter`. */
	readonly filter: string;
	/** The keys that are shown if the filter is a prefix. */
	readonly prefixKeys: PrefixKeys | undefined;
	readonly sizes: KnownSizes;
	readonly revision: number;
	readonly cursor: number;
	/** Where a range of selected rows begins. */
	readonly rangeStart?: RangeStart<string> | undefined;
	readonly listing: Listing;
	/** True if a job of this session wrote to the namespace after it was listed. */
	readonly isStale: boolean;
};

/** A namespace that is being opened, or that could not be opened. */
type OpeningKeys = {readonly namespace: NamespaceRow; readonly failure?: Failure | undefined};

/** Saved state of a list: its filter, and the key or prefix under the cursor. */
export type SavedKeysView = {readonly filter: string; readonly cursorName: string | undefined};

export type KeysSlice = {
	readonly data: KeysState | undefined;
	/** The namespace that will replace `data`. During a refresh, the namespace also stays in `data`. */
	readonly opening: OpeningKeys | undefined;
	/**
	 * Opens a namespace without listing its keys. `providedNamespace` is used if it is open already;
	 * `savedView` restores the filter and the cursor.
	 */
	open(
		namespace: NamespaceRow,
		signal: AbortSignal,
		providedNamespace?: OpenedNamespace,
		savedView?: SavedKeysView,
	): Promise<void>;
	/**
	 * Lists keys page by page as the cursor moves, or all of them on request. Resolves when all keys are
	 * listed, the namespace is closed or the signal aborts.
	 */
	list(signal: AbortSignal): Promise<void>;
	/** Marks the list stale after keys were written. */
	markStale(): void;
	/**
	 * Lists a stale namespace again. Keeps selection, filter and cursor; `focusName` moves the cursor to that
	 * key.
	 */
	refresh(focusName?: string): Promise<void>;
	/** Resumes a failed listing where it stopped. */
	resumeListing(): void;
	/**
	 * Closes the namespace. A finished listing of the service is kept until another namespace is opened, and shown if this
	 * one is opened again.
	 */
	close(): void;
	/** Drops the kept listing of a closed namespace after keys were written. */
	forgetListing(target: JobTarget): void;
	move(by: number): void;
	/** Leaves the cursor on its row while keys are listed. */
	stopFollowing(): void;
	/**
	 * Opens or closes the group under the cursor; toggles it by default. Returns false if nothing changed.
	 */
	toggleGroup(shouldOpen?: boolean): boolean;
	/** Closes the group at or around the cursor and moves the cursor to it. */
	closeGroup(): void;
	/** Switches between tree and list. The tree is always sorted by name. */
	arrange(arrangement: Arrangement): void;
	/** Does this also when the namespace is opened again in this session. */
	chooseArrangement(arrangement: Arrangement): void;
	/** Sorts listed keys, and later ones as they arrive. */
	sort(sort: Sort): void;
	/**
	 * Shows the keys that match, or lists those with a prefix (`parseKeyFilter`). A prefix that is being typed
	 * is listed after a short rest.
	 */
	filter(filter: string): void;
	/** Lists the prefix just typed without waiting. */
	finishFilter(): void;
	/** Selects or deselects the row under the cursor; the cursor stays. */
	toggleRowSelection(): void;
	/** Moves the cursor by one row and selects the rows that it passes; moving back deselects them. */
	extendSelection(distance: 1 | -1): void;
	/** Selects the keys from the row that was selected or deselected last to the cursor. */
	selectRange(): void;
	/** Selects all shown keys, or deselects them if all of them are selected. */
	toggleShownSelection(): void;
	/** Selects these keys and no others. */
	selectOnly(names: Iterable<string>): void;
	/** Selects or deselects these keys, if they are listed. */
	setSelection(names: Iterable<string>, isSelected: boolean): void;
	clearSelection(): void;
	/** Lists all keys. */
	listAll(): void;
	/**
	 * Esc: stops listing, else clears the filter, else the selection. Returns true if it did one of these.
	 */
	clearFilters(): boolean;
	/**
	 * Adds or updates keys that were written. The cursor moves to the first unless `cursorMode` is `stays`.
	 */
	noticeChanges(entries: readonly KeyEntry[], cursorMode?: 'goes' | 'stays'): void;
	noticeDeletion(names: Iterable<string>): void;
	/** Records the size of a value that was read or written, in bytes. */
	noticeSize(name: string, bytes: number): void;
};
