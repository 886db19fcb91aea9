import {compareKeys} from '../../text/utf8-order.ts';
import {type CheckedInput, checkInput, refuseProblems} from '../bulk/check.ts';
import {keysFormat} from '../bulk/entries.ts';
import {type BulkInput, readElements} from '../bulk/input.ts';
import {readWholeKey} from '../change/whole-key.ts';
import type {KvStore, StoredValue} from '../store.ts';
import {type Entry, toEntry} from './entry.ts';

/** Names of keys, unique and in byte order, in a rereadable file. */
export type KeyNames = CheckedInput<string>;

/** Reads the names of a selection. Fails with `input_malformed` if one is not a valid key. */
export async function readKeyNames(input: BulkInput, signal: AbortSignal): Promise<KeyNames> {
	const keyNames = await checkInput(input, keysFormat, {now: 0, signal});
	refuseProblems(keyNames, 'Leave them out.');
	return keyNames;
}

/** Reads the keys of a checked input in groups; with `lastName`, only those after it in byte order. */
export async function* readNames(
	{input, format, now}: CheckedInput<unknown>,
	lastName: string | undefined,
	signal: AbortSignal,
): AsyncGenerator<readonly string[]> {
	for await (const group of readElements(input, format, signal)) {
		const names = group.flatMap(element => {
			const item = format.parse(element, now);
			return 'problem' in item ? [] : [item.key];
		});
		yield lastName === undefined ? names : names.filter(name => compareKeys(name, lastName) > 0);
	}
}

/** Reads the rest of a key that was not listed; undefined if it no longer exists. */
export async function readNamedEntry(
	store: KvStore,
	name: string,
	stored: StoredValue,
	signal: AbortSignal,
): Promise<Entry | undefined> {
	if (!stored.valueOnly) return toEntry({name}, stored);
	const wholeKey = await readWholeKey(store, name, signal);
	if (!wholeKey) return undefined;
	const {bytes, metadata, expiration} = wholeKey;
	return toEntry(
		{name},
		{bytes, ...(metadata !== null && {metadata}), ...(expiration !== undefined && {expiration})},
	);
}
