import {readValues} from '../read-window.ts';
import type {KvStore, StoredValue} from '../store.ts';
import type {CheckedInput} from './check.ts';
import {elementsOf} from './input.ts';

export type GetOptions = {
	readonly signal: AbortSignal;
	/** Keys that were answered, of so many entries. */
	readonly progress?: ((done: number, total: number) => void) | undefined;
};

/**
 * The values of all keys of a checked input in its order, `undefined` for a key that does not exist; a key that
 * is there twice comes once. Batches are read side by side, no further ahead than memory allows.
 */
export async function* getAll(
	store: KvStore,
	checked: CheckedInput<string>,
	{signal, progress}: GetOptions,
): AsyncGenerator<readonly [key: string, value: StoredValue | undefined]> {
	let done = 0;
	for await (const pairs of readValues(store, distinctKeys(checked, signal), key => key, signal)) {
		yield* pairs;
		done += pairs.length;
		progress?.(done, checked.valid);
	}
}

/** Keys of one group: whole batches of every store. */
const together = 1000;

/** The keys of the input, each once. Only repeated keys are remembered for that. */
async function* distinctKeys(checked: CheckedInput<string>, signal: AbortSignal): AsyncGenerator<string[]> {
	const {input, format, now, repeats} = checked;
	const seen = new Set<string>();
	let keys: string[] = [];
	for await (const group of elementsOf(input, format.holds, signal)) {
		for (const element of group) {
			const item = format.parse(element, now);
			if ('problem' in item || seen.has(item.key)) continue;
			if (repeats.has(item.key)) seen.add(item.key);
			if (keys.push(item.key) < together) continue;
			yield keys;
			keys = [];
		}
	}
	yield keys;
}
