import type {Failure} from '../../failure.ts';
import type {KeyIndex} from '../../kv/key-index/key-index.ts';
import type {KeyRows} from '../../kv/key-index/rows.ts';
import type {QuotaLeft} from '../../service/limiter.ts';
import type {OpenedNamespace} from '../../session/namespaces.ts';
import type {Arrangement, Sort} from './arranged-rows.ts';
import type {NamespaceRow} from './namespace-rows.ts';
import type {KnownSizes} from './sizes.ts';

/** Progress of the listing. */
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
	readonly filter: string;
	readonly sizes: KnownSizes;
	readonly revision: number;
	readonly cursor: number;
	readonly listing: Listing;
	/** True if a job of this session wrote to the namespace after it was listed. */
	readonly isStale: boolean;
};
