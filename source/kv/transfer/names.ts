import {compareKeys} from '../../text/utf8-order.ts';
import {type CheckedInput, checkInput, refuseProblems} from '../bulk/check.ts';
import {keysFormat} from '../bulk/entries.ts';
import {type BulkInput, elementsOf} from '../bulk/input.ts';
import {readWhole} from '../change/whole-key.ts';
import type {KvStore, StoredValue} from '../store.ts';
import {type Entry, entryOf} from './entry.ts';

/** Names of keys, each once and in the order of their bytes, in a file that can be refreshed and again. */
export type KeyNames = CheckedInput<string>;

/** Names as a selection returns them. Fails with `input_malformed` where one of them can be no key. */
export async function keyNames(input: BulkInput, signal: AbortSignal): Promise<KeyNames> {
	const names = await checkInput(input, keysFormat, {now: 0, signal});
	refuseProblems(names, 'Leave them out.');
	return names;
}

/** The keys of a checked input, group by group; only those behind `after` if given. */
export async function* namesBehind(
	{input, format, now}: CheckedInput<unknown>,
	after: string | undefined,
	signal: AbortSignal,
): AsyncGenerator<readonly string[]> {
	for await (const group of elementsOf(input, format.holds, signal)) {
		const names = group.flatMap(element => {
			const item = format.parse(element, now);
			return 'problem' in item ? [] : [item.key];
		});
		yield after === undefined ? names : names.filter(name => compareKeys(name, after) > 0);
	}
}

/** A key that no listing told anything about, read whole: `undefined` if it is gone by now. */
export async function namedEntry(
	store: KvStore,
	name: string,
	stored: StoredValue,
	signal: AbortSignal,
): Promise<Entry | undefined> {
	if (!stored.valueOnly) return entryOf({name}, stored);
	const whole = await readWhole(store, name, signal);
	if (!whole) return undefined;
	const {bytes, metadata, expiration} = whole;
	return entryOf(
		{name},
		{bytes, ...(metadata !== null && {metadata}), ...(expiration !== undefined && {expiration})},
	);
}
