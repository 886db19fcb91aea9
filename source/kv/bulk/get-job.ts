import {readValues} from '../read-window.ts';
import type {KvStore, StoredValue} from '../store.ts';
import type {CheckedInput} from './check.ts';
import {readElements} from './input.ts';

export type GetOptions = {
	readonly signal: AbortSignal;
	/** Called with the number of keys read so far, and the number of valid entries. */
	readonly progress?: ((done: number, total: number) => void) | undefined;
};

/**
 * Yields the values of all keys of a checked input in its order, undefined for a missing key; duplicate keys
 * once. Batches are read concurrently, as far ahead as memory allows.
 */
export async function* getAllValues(
	store: KvStore,
	checked: CheckedInput<string>,
	{signal, progress}: GetOptions,
): AsyncGenerator<readonly [key: string, value: StoredValue | undefined]> {
	let done = 0;
	for await (const pairs of readValues(store, listDistinctKeys(checked, signal), key => key, signal)) {
		yield* pairs;
		done += pairs.length;
		progress?.(done, checked.validCount);
	}
}

/** Keys per group: a multiple of the batch size of every store. */
const groupSize = 1000;

/** Lists the keys of the input, each once. Remembers only repeated keys. */
async function* listDistinctKeys(
	checked: CheckedInput<string>,
	signal: AbortSignal,
): AsyncGenerator<string[]> {
	const {input, format, now, repeats} = checked;
	const seenKeys = new Set<string>();
	let keys: string[] = [];
	for await (const group of readElements(input, format, signal)) {
		for (const element of group) {
			const item = format.parse(element, now);
			if ('problem' in item || seenKeys.has(item.key)) continue;
			if (repeats.has(item.key)) seenKeys.add(item.key);
			if (keys.push(item.key) < groupSize) continue;
			yield keys;
			keys = [];
		}
	}
	yield keys;
}
