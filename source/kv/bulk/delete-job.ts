import type {KvStore} from '../store.ts';
import type {CheckedInput} from './check.ts';
import {type BulkJob, type StartOptions, startBulk} from './job.ts';
import type {BulkWork} from './passes.ts';

const work: BulkWork<string> = {
	kind: 'bulk-delete',
	participle: 'deleted',
	// To delete a key twice, in whatever order, is to delete it.
	ordered: false,
	send: (store, items, signal) => store.deleteMany([...new Set(items.map(({key}) => key))], signal),
};

/** Deletes all keys of a checked input that are not deleted yet. See `startBulk`. */
export const startBulkDelete = (
	store: KvStore,
	checked: CheckedInput<string>,
	options: StartOptions,
): BulkJob => startBulk(store, checked, work, options);
