import {type Failure, isFailure} from '../../failure.ts';
import {compareKeys} from '../../text/utf8-order.ts';
import {listKeyPages} from '../keys.ts';
import type {KeyEntry, KvStore} from '../store.ts';
import type {Condition} from './conditions.ts';
import {type KeyNames, readNames} from './names.ts';

/** Position of a walk through the keys of a namespace. */
export type WalkPosition = {
	/** The last visited key. */
	readonly after: string;
	/** Cursor of the page with that key; undefined for the first page. */
	readonly cursor?: string | undefined;
};

/** Selects keys of a namespace: all, those with a prefix, or named ones. */
export type KeyScope = {readonly prefix?: string | undefined; readonly names?: KeyNames | undefined};

export type KeyWalk = KeyScope & {
	/** Selects keys by their listing data; not for named keys. */
	readonly condition?: Condition | undefined;
	/** Where to resume; undefined starts at the first key. */
	readonly from?: WalkPosition | undefined;
};

/** Keys of one page, and the cursor that page was requested with. */
export type ListedKeys = {
	readonly keys: readonly KeyEntry[];
	readonly cursor: string | undefined;
	/** The keys come from a list of names: whether they exist, and their metadata and expiry, is unknown. */
	readonly isNamesOnly?: true;
};

/**
 * Lists the keys of a namespace in byte order, page by page. A resumed walk requests the page where it
 * stopped; if the service no longer knows the cursor, it starts from the first page and skips visited keys.
 * Named keys are not looked up.
 */
export async function* walkKeys(
	store: KvStore,
	{prefix, names, condition, from}: KeyWalk,
	signal: AbortSignal,
): AsyncGenerator<ListedKeys> {
	if (names) return yield* walkNames(names, from?.after, signal);
	const skipVisited = (keys: readonly KeyEntry[]) =>
		from === undefined ? keys : keys.filter(({name}) => compareKeys(name, from.after) > 0);
	async function* listPages(cursor: string | undefined): AsyncGenerator<ListedKeys> {
		let pageCursor = cursor;
		for await (const page of listKeyPages(store, {prefix, cursor, condition}, signal)) {
			yield {keys: skipVisited(page.entries), cursor: pageCursor};
			pageCursor = page.cursor;
		}
	}
	if (from?.cursor === undefined) return yield* listPages(undefined);
	let isCursorKnown = false;
	try {
		for await (const page of listPages(from.cursor)) {
			isCursorKnown = true;
			yield page;
		}
	} catch (error) {
		if (isCursorKnown || !isCursorRefused(error)) throw error;
		yield* listPages(undefined);
	}
}

async function* walkNames(
	names: KeyNames,
	lastName: string | undefined,
	signal: AbortSignal,
): AsyncGenerator<ListedKeys> {
	for await (const group of readNames(names, lastName, signal))
		yield {keys: group.map(name => ({name})), cursor: undefined, isNamesOnly: true};
}

/** True for the service code 10041, "Invalid list cursor". */
export const isCursorRefused = (error: unknown): error is Failure =>
	isFailure(error) && (error.details.service ?? []).includes(10_041);
