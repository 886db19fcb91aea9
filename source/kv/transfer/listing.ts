import {isFailure} from '../../failure.ts';
import {compareKeys} from '../../text/utf8-order.ts';
import {keyPages} from '../keys.ts';
import type {KeyEntry, KvStore} from '../store.ts';
import {type KeyNames, namesBehind} from './names.ts';

/** Where a walk through the keys of a namespace stands. */
export type Place = {
	/** The last key that is behind it. */
	readonly after: string;
	/** The cursor of the page in which that key stood; none: the first page. */
	readonly cursor?: string | undefined;
};

/** Which keys of a namespace are meant: all, those below a prefix, or those that are named. */
export type Scope = {readonly prefix?: string | undefined; readonly names?: KeyNames | undefined};

export type Walk = Scope & {
	readonly from?: Place | undefined;
};

/** Keys of one page, and the cursor that page was asked for with. */
export type ListedKeys = {
	readonly keys: readonly KeyEntry[];
	readonly cursor: string | undefined;
	/** They come from a list of names: whether they exist, and what belongs to them, is not known. */
	readonly areNamed?: true;
};

/**
 * The keys of a namespace in the order of their bytes, page after page. A walk that goes on asks for the page it stood
 * in; a cursor that the service no longer knows only costs the pages before it once more. Keys that are named
 * are not looked for in the namespace.
 */
export async function* listedKeys(
	store: KvStore,
	{prefix, names, from}: Walk,
	signal: AbortSignal,
): AsyncGenerator<ListedKeys> {
	if (names) return yield* namedKeys(names, from?.after, signal);
	const behind = (keys: readonly KeyEntry[]) =>
		from === undefined ? keys : keys.filter(({name}) => compareKeys(name, from.after) > 0);
	async function* pages(cursor: string | undefined): AsyncGenerator<ListedKeys> {
		let asked = cursor;
		for await (const page of keyPages(store, {prefix, cursor}, signal)) {
			yield {keys: behind(page.entries), cursor: asked};
			asked = page.cursor;
		}
	}
	if (from?.cursor === undefined) return yield* pages(undefined);
	let isKnown = false;
	try {
		for await (const page of pages(from.cursor)) {
			isKnown = true;
			yield page;
		}
	} catch (error) {
		if (isKnown || !isCursorRefused(error)) throw error;
		yield* pages(undefined);
	}
}

async function* namedKeys(
	names: KeyNames,
	after: string | undefined,
	signal: AbortSignal,
): AsyncGenerator<ListedKeys> {
	for await (const group of namesBehind(names, after, signal))
		yield {keys: group.map(name => ({name})), cursor: undefined, areNamed: true};
}

/** "Invalid list cursor". */
const isCursorRefused = (error: unknown): boolean =>
	isFailure(error) && (error.details.service ?? []).includes(10_041);
