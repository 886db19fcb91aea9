import {Failure} from '../failure.ts';
import {advice, ledge} from '../text/advice.ts';
import {limits} from './limits.ts';
import {holdMemory} from './memory.ts';
import type {KeyEntry, KvStore} from './store.ts';

/** What to list of a namespace; `limit` bounds the whole listing, not a page. */
export type KeysQuery = {
	readonly prefix?: string | undefined;
	readonly limit?: number | undefined;
	readonly cursor?: string | undefined;
};

/** A run of keys, and where the next would begin; `cut` when there are more and the service cannot say where. */
export type KeysPage = {
	readonly entries: readonly KeyEntry[];
	readonly cursor?: string;
	readonly cut?: true;
};

/**
 * The keys of a namespace in byte order, page after page as they arrive. Pages are sized so that a limited
 * listing ends exactly on a page, whose cursor then continues from there; the service returns no page of fewer than
 * 10 keys, so a shorter listing of it is cut, and has no cursor. Fails with `answer_malformed` where a page leads to
 * itself: what is behind it is not known.
 */
export async function* keyPages(
	store: KvStore,
	query: KeysQuery,
	signal: AbortSignal,
): AsyncGenerator<KeysPage> {
	const {prefix} = query;
	let {cursor, limit: left = Number.POSITIVE_INFINITY} = query;
	while (left > 0) {
		const size = store.kind === 'local' ? Math.min(left, limits.listPage.most) : pageSize(left);
		const page = await store.list(
			{limit: size, ...(prefix && {prefix}), ...(cursor !== undefined && {cursor})},
			signal,
		);
		holdMemory();
		const entries = page.entries.slice(0, left);
		left -= entries.length;
		const whole = entries.length === page.entries.length;
		if (page.cursor !== undefined && page.cursor === cursor) throw standsStill(store);
		const next = whole ? page.cursor : undefined;
		yield {entries, ...(next !== undefined && {cursor: next}), ...(!whole && {cut: true})};
		if (next === undefined) return;
		cursor = next;
	}
}

const standsStill = ({label}: KvStore): Failure =>
	new Failure(
		'answer_malformed',
		`The listing of ${label} is cut: a page has its own cursor as the next one.`,
		{
			why: 'The keys behind that page cannot be asked for.',
			next: advice`Try again; if it stays so, check the base URL (\`${ledge('config')}\` shows it).`,
		},
	);

/** How many keys to ask the service for when so many are still wanted: no page may be left with fewer than the least. */
function pageSize(left: number): number {
	const {least, most} = limits.listPage;
	if (left <= most) return Math.max(least, left);
	return left - most < least ? most - least : most;
}

/**
 * An expiry as ledge prints it: ISO 8601 in UTC, whole seconds. One
 * that no date can tell, which others may have written, stays the number it is.
 */
export function isoExpiration(seconds: number): string {
	if (Math.abs(seconds) > limits.latestExpiration) return String(seconds);
	return new Date(seconds * 1000).toISOString().replace(/\.\d{3}Z$/, 'Z');
}
