import {createHash} from 'node:crypto';

/** A cursor is valid only for its namespace and prefix. */
type CursorScope = {readonly namespace: string; readonly prefix: string};

const checksumBytes = 6;

/** Creates the opaque cursor of the next page. `lastKey` is the last key of this page. */
export function createKeyCursor(lastKey: string, scope: CursorScope): string {
	return Buffer.concat([computeChecksum(lastKey, scope), Buffer.from(lastKey)]).toString('base64url');
}

/** Returns the key after which a cursor continues; undefined if it is not a cursor of this scope. */
export function parseKeyCursor(cursor: string, scope: CursorScope): string | undefined {
	const bytes = Buffer.from(cursor, 'base64url');
	const lastKey = bytes.toString('utf8', checksumBytes);
	return createKeyCursor(lastKey, scope) === cursor ? lastKey : undefined;
}

const computeChecksum = (lastKey: string, {namespace, prefix}: CursorScope): Buffer =>
	createHash('sha256')
		.update(JSON.stringify([namespace, prefix, lastKey]))
		.digest()
		.subarray(0, checksumBytes);
