import type {Namespace} from '../kv/namespaces.ts';
import type {Client} from '../service/client.ts';
import type {Zone} from '../service/zones.ts';
import {cacheListing} from '../state/listing-cache.ts';
import {getPlaceWithWorld} from './place.ts';
import type {Session} from './session.ts';

type ListingSession = Pick<Session, 'simulated' | 'cwd' | 'env' | 'clock' | 'options'>;

/** Caches the titles of an account's namespaces for completion. Never fails. */
export function cacheNamespaceTitles(
	session: ListingSession,
	client: Pick<Client, 'baseUrl'>,
	account: string,
	namespaces: readonly Namespace[],
): void {
	const items = namespaces.map(({id, title}) => ({id, name: title}));
	cacheItems(session, client, {kind: 'namespaces', account, items});
}

/**
 * Caches the names of zones for completion: all that the credential sees, or those of one account. Never
 * fails.
 */
export function cacheZoneNames(
	session: ListingSession,
	client: Pick<Client, 'baseUrl'>,
	account: string | undefined,
	zones: readonly Zone[],
): void {
	const items = zones.map(({id, name, account: owner}) => ({id, name, account: owner.id || undefined}));
	cacheItems(session, client, {kind: 'zones', account, items});
}

function cacheItems(
	session: ListingSession,
	client: Pick<Client, 'baseUrl'>,
	listing: Omit<Parameters<typeof cacheListing>[1], 'place'>,
): void {
	// A simulated world in a named file keeps everything in that file.
	if (session.options.state !== undefined) return;
	cacheListing(session.env, {...listing, place: getPlaceWithWorld(session, client)}, session.clock.now());
}
