import {readdirSync, readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {isJsonObject, type JsonValue, parseJsonText} from '../text/json.ts';
import {computeSha256} from '../text/sha256.ts';
import {
	discardPath,
	type Environment,
	getStateDirectory,
	openStateDirectory,
	writePrivateFile,
} from './directory.ts';

export type ListedKind = 'namespaces' | 'zones';

/** A listed namespace or zone: id, name, and the account of a zone. */
type ListedItem = {
	readonly id: string;
	readonly name: string;
	readonly account?: string | undefined;
};

/**
 * Last listing of a place (the origin of the service, or `simulated`). Without `account`, it contains the
 * items of all accounts.
 */
export type Listing = {
	readonly kind: ListedKind;
	readonly place: string;
	readonly account?: string | undefined;
	readonly items: readonly ListedItem[];
};

/** How long a listing is used, in milliseconds. */
const maxAgeMs = 7 * 24 * 60 * 60 * 1000;

/** An unchanged listing is not rewritten within this time, in milliseconds. */
const freshMs = 60 * 60 * 1000;

/** Longer listings are cut: completion is useless with more. */
const maxItems = 5000;

/** Size limit of a file in bytes. */
const maxFileBytes = 4 * 1024 * 1024;

/**
 * Caches the names of a listing for completion, in a file of mode 0600. Never fails: completion then offers
 * less. Also removes expired listings.
 */
export function cacheListing(environment: Environment, listing: Listing, now: number): void {
	try {
		const folder = openStateDirectory(environment, 'listed');
		const path = join(folder, getListingFileName(listing));
		const items = listing.items.slice(0, maxItems).map(({id, name, account}) => ({id, name, account}));
		const previous = readListing(path);
		const isUnchanged = JSON.stringify(previous?.items) === JSON.stringify(items);
		if (previous && isUnchanged && isRecent(previous.at, now, freshMs)) return;
		const {kind, place, account} = listing;
		writePrivateFile(path, JSON.stringify({at: now, kind, place, account, items}));
		for (const name of readdirSync(folder)) {
			const otherFile = join(folder, name);
			if (name !== getListingFileName(listing) && !isRecent(readListing(otherFile)?.at, now, maxAgeMs))
				discardPath(otherFile);
		}
	} catch {
		// An unwritable home keeps nothing.
	}
}

/** Reads the unexpired listings of a kind at a place, latest first. Never fails. */
export function readListings(
	environment: Environment,
	kind: ListedKind,
	place: string,
	now: number,
): readonly Listing[] {
	const directory = getStateDirectory(environment);
	if (directory === undefined) return [];
	try {
		const folder = join(directory, 'listed');
		return readdirSync(folder)
			.filter(name => name.startsWith(`${kind}-`))
			.map(name => readListing(join(folder, name)))
			.filter(one => one !== undefined)
			.filter(one => one.kind === kind && one.place === place && isRecent(one.at, now, maxAgeMs))
			.sort((one, other) => other.at - one.at);
	} catch {
		return [];
	}
}

const getListingFileName = ({kind, place, account = ''}: Listing): string =>
	`${kind}-${computeSha256(Buffer.from(`${place}\n${account}`))
		.toString('hex')
		.slice(0, 16)}.json`;

/** Times in the future, from a clock that was set back, count as too old. */
const isRecent = (at: number | undefined, now: number, maxMs: number): boolean =>
	at !== undefined && at <= now && now - at <= maxMs;

function readListing(path: string): (Listing & {readonly at: number}) | undefined {
	try {
		if (statSync(path).size > maxFileBytes) return undefined;
		const json: JsonValue = parseJsonText(readFileSync(path, 'utf8'));
		if (!isJsonObject(json)) return undefined;
		const {at, kind, place, account, items} = json;
		if (typeof at !== 'number' || typeof place !== 'string' || !Array.isArray(items)) return undefined;
		if (kind !== 'namespaces' && kind !== 'zones') return undefined;
		return {
			at,
			kind,
			place,
			...(typeof account === 'string' && {account}),
			items: items.flatMap(parseListedItem),
		};
	} catch {
		return undefined;
	}
}

function parseListedItem(value: JsonValue): ListedItem[] {
	if (!isJsonObject(value) || typeof value.id !== 'string' || typeof value.name !== 'string') return [];
	const {id, name, account} = value;
	return [{id, name, ...(typeof account === 'string' && {account})}];
}
