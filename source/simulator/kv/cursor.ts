import {createHash} from 'node:crypto';

/** A cursor is valid only for its namespace and prefix. */
type CursorPlace = {readonly namespace: string; readonly prefix: string};

const markBytes = 6;

/** Creates the opaque cursor of the next page. `after`: the last key of this page. */
export function makeCursor(after: string, place: CursorPlace): string {
	return Buffer.concat([mark(after, place), Buffer.from(after)]).toString('base64url');
}

/** Returns the key after which a cursor continues; undefined if it is not a cursor of this scope. */
export function readCursor(cursor: string, place: CursorPlace): string | undefined {
	const bytes = Buffer.from(cursor, 'base64url');
	const after = bytes.toString('utf8', markBytes);
	return makeCursor(after, place) === cursor ? after : undefined;
}

const mark = (after: string, {namespace, prefix}: CursorPlace): Buffer =>
	createHash('sha256')
		.update(JSON.stringify([namespace, prefix, after]))
		.digest()
		.subarray(0, markBytes);
