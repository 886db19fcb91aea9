import {createHash} from 'node:crypto';

/** A cursor is valid only for its namespace and prefix. */
type CursorScope = {readonly namespace: string; readonly prefix: string};

const markBytes = 6;

/** Creates the opaque cursor of the next page. `after`: the last key of this page. */
export function createKeyCursor(after: string, scope: CursorScope): string {
	return Buffer.concat([computeMark(after, scope), Buffer.from(after)]).toString('base64url');
}

/** Returns the key after which a cursor continues; undefined if it is not a cursor of this scope. */
export function parseKeyCursor(cursor: string, scope: CursorScope): string | undefined {
	const bytes = Buffer.from(cursor, 'base64url');
	const after = bytes.toString('utf8', markBytes);
	return createKeyCursor(after, scope) === cursor ? after : undefined;
}

const computeMark = (after: string, {namespace, prefix}: CursorScope): Buffer =>
	createHash('sha256')
		.update(JSON.stringify([namespace, prefix, after]))
		.digest()
		.subarray(0, markBytes);
