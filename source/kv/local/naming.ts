import {closeSync, openSync, readSync} from 'node:fs';
import {join} from 'node:path';
import {createHmac, sha256} from '../../text/sha256.ts';

/** The unique key under which wrangler keeps namespaces: also the folder of their databases. */
const databaseFolder = 'miniflare-KVNamespaceObject';

const databaseKey = sha256(Buffer.from(databaseFolder));

const signName = createHmac(databaseKey);
const half = (data: Buffer): Buffer => signName(data).subarray(0, 16);

/**
 * The file name of a namespace's database: its id under wrangler's unique key, as 64 hex digits
 *. It cannot be turned back into the id.
 */
export function databaseName(namespace: string): string {
	const first = half(Buffer.from(namespace));
	return `${first.toString('hex')}${half(first).toString('hex')}.sqlite`;
}

/** Whether a file name looks like that of a namespace's database; wrangler keeps others beside them. */
export const isDatabaseName = (name: string): boolean => /^[0-9a-f]{64}\.sqlite$/.test(name);

const underscores = (text: string): string => '_'.repeat(text.length);
const onlyDots = /(^|\/|\\)(\.+)(\/|\\|$)/g;
const dotsReplaced = (text: string): string =>
	text.replace(
		onlyDots,
		(_, before: string, dots: string, after: string) => before + underscores(dots) + after,
	);

/**
 * The folder of a namespace's blobs, the id sanitised step by step as wrangler does it:
 * never a path out of the store. Lossy: two ids may share a folder, which harms nobody.
 */
export const blobFolderName = (namespace: string): string =>
	// Neighbouring components share a slash, and one pass sees only every other of them: hence twice.
	dotsReplaced(dotsReplaced(namespace))
		.replace(/[?<>*"'^/\\:|\x00-\x1f\x80-\x9f]/g, '_')
		.replace(/^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?$/i, '_')
		.replace(/^[ /\\]+/, underscores)
		.replace(/[ /\\]+$/, underscores)
		.substring(0, 255);

const randomBytes = 32;
const pool = Buffer.alloc(randomBytes * 128);
let used = pool.length;

/** A new blob id: 32 random bytes and the time in milliseconds, as 80 hex digits. Random bytes are drawn for many at once. */
export function newBlobId(now: number): string {
	if (used === pool.length) {
		fillRandomly(pool);
		used = 0;
	}
	const random = pool.toString('hex', used, used + randomBytes);
	used += randomBytes;
	return random + Math.floor(now).toString(16).padStart(16, '0');
}

/** From where `node:crypto` has them too, but loading that takes 5 ms, a tenth of what writing one key takes. */
function fillRandomly(bytes: Buffer): void {
	try {
		const descriptor = openSync('/dev/urandom', 'r');
		try {
			if (readSync(descriptor, bytes) === bytes.length) return;
		} finally {
			closeSync(descriptor);
		}
	} catch {
		// A system without it, or a folder that was made the root without its devices.
	}
	process.getBuiltinModule('node:crypto').randomFillSync(bytes);
}

/** Whether a file name looks like a blob id of wrangler or of ledge. */
export const isBlobId = (name: string): boolean => /^[0-9a-f]{80}$/.test(name);

/** Where everything of the key-value stores under a root (`…/v3`) is kept. */
export const storesFolder = (root: string): string => join(root, 'kv');

/** Where the databases of all namespaces under a root are kept. */
export const databasesFolder = (root: string): string => join(root, 'kv', databaseFolder);

/** The database and the folder of blobs of a namespace under a root (`…/v3`). */
export const placeOf = (root: string, namespace: string): {database: string; blobs: string} => ({
	database: join(databasesFolder(root), databaseName(namespace)),
	blobs: join(storesFolder(root), blobFolderName(namespace), 'blobs'),
});
