import {Failure} from '../../../source/failure.ts';
import type {BatchOutcome, BulkEntry} from '../../../source/kv/store.ts';
import {MemoryStore} from './memory-store.ts';

/** A store that, like the service, refuses a whole batch if one of its entries has under a minute left. */
export class StrictStore extends MemoryStore {
	/** UNIX seconds. */
	time = 0;

	override putMany(entries: readonly BulkEntry[], signal: AbortSignal): Promise<BatchOutcome> {
		if (entries.some(({expiration = Number.POSITIVE_INFINITY}) => expiration < this.time + 60))
			throw new Failure('refused_by_service', 'Invalid expiration.', {http: 400, service: [10_033]});
		return super.putMany(entries, signal);
	}
}
