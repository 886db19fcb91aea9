import type {KvStore} from '../store.ts';
import {pairsOf} from './pairing.ts';

/** The keys of one store that another one has not, page after page. */
export async function* extraKeys(
	from: KvStore,
	to: KvStore,
	prefix: string | undefined,
	signal: AbortSignal,
): AsyncGenerator<readonly string[]> {
	for await (const group of pairsOf(from, to, {prefix}, signal))
		yield group.flatMap(({key, one, other}) => (other && !one ? [key] : []));
}
