import {closeSync, openSync, readSync} from 'node:fs';
import {join} from 'node:path';
import {computeSha256, createHmac} from '../../text/sha256.ts';

/** wrangler's unique key for namespaces, also the folder of their databases. */
const databaseFolder = 'miniflare-KVNamespaceObject';

const databaseKey = computeSha256(Buffer.from(databaseFolder));

const signName = createHmac(databaseKey);
const computeHalfDigest = (data: Buffer): Buffer => signName(data).subarray(0, 16);

/**
 * Computes the file name of a namespace's database: the HMAC of its id under wrangler's unique key, as 64 hex
 * digits. The id cannot be recovered from it.
 */
export function computeDatabaseName(namespace: string): string {
	const firstHalf = computeHalfDigest(Buffer.from(namespace));
	return `${firstHalf.toString('hex')}${computeHalfDigest(firstHalf).toString('hex')}.sqlite`;
}

/** True if a file name looks like a namespace's database; wrangler keeps other files beside them. */
export const isDatabaseName = (name: string): boolean => /^[0-9a-f]{64}\.sqlite$/.test(name);

const toUnderscores = (text: string): string => '_'.repeat(text.length);
const onlyDots = /(^|\/|\\)(\.+)(\/|\\|$)/g;
const replaceDots = (text: string): string =>
	text.replace(
		onlyDots,
		(_, before: string, dots: string, after: string) => before + toUnderscores(dots) + after,
	);

/**
 * Computes the blob folder of a namespace, sanitizing the id exactly as wrangler does, so it never leads out
 * of the store. Lossy: two ids may share a folder, which is harmless.
 */
export const toBlobFolderName = (namespace: string): string =>
	// Adjacent components share a slash, so one pass handles only every other one: hence two passes.
	replaceDots(replaceDots(namespace))
		.replace(/[?<>*"'^/\\:|\x00-\x1f\x80-\x9f]/g, '_')
		.replace(/^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?$/i, '_')
		.replace(/^[ /\\]+/, toUnderscores)
		.replace(/[ /\\]+$/, toUnderscores)
		.substring(0, 255);

const randomBytes = 32;
const randomPool = Buffer.alloc(randomBytes * 128);
let poolOffset = randomPool.length;

/**
 * Creates a blob id: 32 random bytes and the time in milliseconds, as 80 hex digits. Random bytes are drawn
 * in bulk.
 */
export function createBlobId(now: number): string {
	if (poolOffset === randomPool.length) {
		fillRandom(randomPool);
		poolOffset = 0;
	}
	const randomHex = randomPool.toString('hex', poolOffset, poolOffset + randomBytes);
	poolOffset += randomBytes;
	return randomHex + Math.floor(now).toString(16).padStart(16, '0');
}

/**
 * Reads the system's random source directly: loading `node:crypto` takes 5 ms, a tenth of writing one key.
 */
function fillRandom(bytes: Buffer): void {
	try {
		const descriptor = openSync('/dev/urandom', 'r');
		try {
			if (readSync(descriptor, bytes) === bytes.length) return;
		} finally {
			closeSync(descriptor);
		}
	} catch {
		// No such device, for example in a chroot.
	}
	process.getBuiltinModule('node:crypto').randomFillSync(bytes);
}

/** True if a file name looks like a blob id of wrangler or ledge. */
export const isBlobId = (name: string): boolean => /^[0-9a-f]{80}$/.test(name);

/** Returns the folder of all key-value data under a root (`…/v3`). */
export const getStoresFolder = (root: string): string => join(root, 'kv');

/** Returns the folder of all databases under a root. */
export const getDatabasesFolder = (root: string): string => join(root, 'kv', databaseFolder);

/** Returns the database and blob folder of a namespace under a root (`…/v3`). */
export const getNamespacePaths = (root: string, namespace: string): {database: string; blobs: string} => ({
	database: join(getDatabasesFolder(root), computeDatabaseName(namespace)),
	blobs: join(getStoresFolder(root), toBlobFolderName(namespace), 'blobs'),
});
