import {createHash} from 'node:crypto';

/** What a cursor belongs to: it is of no use for another namespace or prefix. */
type CursorPlace = {readonly namespace: string; readonly prefix: string};

const markBytes = 6;

/** Where the next page begins, in a form that nobody should look into. `after`: the last key of this page. */
export function makeCursor(after: string, place: CursorPlace): string {
	return Buffer.concat([mark(after, place), Buffer.from(after)]).toString('base64url');
}

/** The key that a cursor begins after; `undefined` if it was not made for this place. */
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
