import {setImmediate as turn} from 'node:timers/promises';
import {Failure} from '../failure.ts';
import {buildAdvice, buildCommand} from '../text/advice.ts';
import {limits} from './limits.ts';
import {collectGarbageIfNeeded} from './memory.ts';
import type {KeyEntry, KvStore} from './store.ts';

/** What to list in a namespace; `limit` bounds the whole listing, not one page. */
export type KeyListingQuery = {
	readonly prefix?: string | undefined;
	readonly limit?: number | undefined;
	readonly cursor?: string | undefined;
	/** Selects keys by their listing data; the limit counts those that match. */
	readonly condition?: ((entry: KeyEntry) => boolean) | undefined;
};

/**
 * A page of keys. `cursor` continues the listing after it. `hasUnreachableKeys` means that more keys exist,
 * but the service cannot continue from here.
 */
export type KeyListingPage = {
	readonly entries: readonly KeyEntry[];
	readonly cursor?: string;
	readonly hasUnreachableKeys?: true;
	/** Number of keys that were read to find these, with a condition. */
	readonly readCount?: number;
};

/**
 * Lists the keys of a namespace in byte order, page by page. Pages are sized so that a limited listing ends
 * exactly on a page, whose cursor continues it. The service returns at least 10 keys per page, so a shorter
 * listing is cut and has no cursor; so is one with a condition, unless its last key is the last match of a page. Fails with `answer_malformed` if a page's cursor leads to itself, because
 * the keys after it are unreachable.
 */
export async function* listKeyPages(
	store: KvStore,
	query: KeyListingQuery,
	signal: AbortSignal,
): AsyncGenerator<KeyListingPage> {
	const {prefix, condition} = query;
	let {cursor, limit: remaining = Number.POSITIVE_INFINITY} = query;
	while (remaining > 0) {
		const size =
			condition !== undefined
				? limits.listPage.maxKeys
				: store.kind === 'local'
					? Math.min(remaining, limits.listPage.maxKeys)
					: computePageSize(remaining);
		const page = await store.list(
			{limit: size, ...(prefix && {prefix}), ...(cursor !== undefined && {cursor})},
			signal,
		);
		collectGarbageIfNeeded();
		const matchingEntries = condition === undefined ? page.entries : page.entries.filter(condition);
		const entries = matchingEntries.slice(0, remaining);
		remaining -= entries.length;
		const isPageUncut = entries.length === matchingEntries.length;
		if (page.cursor !== undefined && page.cursor === cursor) throw createStuckListingFailure(store);
		const nextCursor = isPageUncut ? page.cursor : undefined;
		yield {
			entries,
			...(nextCursor !== undefined && {cursor: nextCursor}),
			...(!isPageUncut && {hasUnreachableKeys: true}),
			...(condition !== undefined && {readCount: page.entries.length}),
		};
		// Local pages never wait, so this lets keys and cancelling through.
		await turn();
		if (nextCursor === undefined) return;
		cursor = nextCursor;
	}
}

const createStuckListingFailure = ({label}: KvStore): Failure =>
	new Failure(
		'answer_malformed',
		`The listing of ${label} is incomplete: a page gives its own cursor as the next one.`,
		{
			why: 'The keys after that page cannot be requested.',
			next: buildAdvice`Try again; if it happens again, check the base URL (\`${buildCommand('config')}\` shows it).`,
		},
	);

/**
 * Returns the page size for `remaining` more keys, so that no last page is smaller than the service's
 * minimum.
 */
function computePageSize(remaining: number): number {
	const {minKeys, maxKeys} = limits.listPage;
	if (remaining <= maxKeys) return Math.max(minKeys, remaining);
	return remaining - maxKeys < minKeys ? maxKeys - minKeys : maxKeys;
}

/**
 * Formats an expiry (UNIX seconds) as ISO 8601 in UTC, in whole seconds. Returns the plain number if it is
 * out of range for a date; other writers may store such values.
 */
export function formatExpiration(seconds: number): string {
	if (Math.abs(seconds) > limits.latestExpiration) return String(seconds);
	return new Date(seconds * 1000).toISOString().replace(/\.\d{3}Z$/, 'Z');
}
