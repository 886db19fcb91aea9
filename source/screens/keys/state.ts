import type {Failure} from '../../failure.ts';
import type {KeyIndex} from '../../kv/key-index/key-index.ts';
import type {KeyRows} from '../../kv/key-index/rows.ts';
import type {QuotaLeft} from '../../service/limiter.ts';
import type {OpenedNamespace} from '../../session/namespaces.ts';
import type {Arrangement, Sort} from './arranged-rows.ts';
import type {NamespaceRow} from './namespace-rows.ts';
import type {KnownSizes} from './sizes.ts';

/** How far the listing has come. What is shown beyond the count is never guessed. */
type Listing =
	/** A page is being read; `all`: until the end, because someone asked for it. */
	| {readonly state: 'reading'; readonly all: boolean}
	/** There is more, which is read when the cursor comes near. */
	| {readonly state: 'resting'}
	| {readonly state: 'complete'}
	| {readonly state: 'failed'; readonly failure: Failure};

/** The keys of the namespace that is open. `index` and `rows` change in place; `revision` changes with them. */
export type KeysState = {
	readonly namespace: NamespaceRow;
	readonly opened: OpenedNamespace;
	/** What was left of the quota of its calls when it was opened; undefined if none limits them. */
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
	/** Whether long work of this session has written to the namespace since it was listed. */
	readonly isStale: boolean;
};
