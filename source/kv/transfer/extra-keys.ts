import type {KvStore} from '../store.ts';
import {listedKeys} from './listing.ts';
import {pairsOf} from './pairing.ts';

/** The keys of one store that another one has not, page after page. */
export async function* extraKeys(
	from: KvStore,
	to: KvStore,
	prefix: string | undefined,
	signal: AbortSignal,
): AsyncGenerator<readonly string[]> {
	const names = async function* (store: KvStore) {
		for await (const {keys} of listedKeys(store, {prefix}, signal)) yield keys;
	};
	for await (const group of pairsOf(names(from), names(to)))
		yield group.flatMap(({key, one, other}) => (other && !one ? [key] : []));
}
