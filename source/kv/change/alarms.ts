import {counted, grouped} from '../../text/figures.ts';
import {isJson, isJsonStructure, isText} from '../../text/json/content.ts';
import type {Steps} from '../../text/steps.ts';
import type {Proposal} from './proposal.ts';
import type {WholeKey} from './whole-key.ts';

/** From so many times the bytes on a value has grown by mistake, more often than not. */
const manifold = 100;

/**
 * What a write would do to a value that is a mistake more often than not, a sentence each: it empties the value, it makes
 * something else of JSON, text or bytes, or it grows the value a hundredfold. A person is asked before such a write. An
 * undo brings back what was there, whatever that was, and a new key had no value before.
 */
export function* alarmsOf(
	{origin, base, mine}: Proposal,
	stored: WholeKey | undefined,
): Steps<readonly string[]> {
	const before = stored?.bytes ?? (base && 'bytes' in base ? base.bytes : undefined);
	if (origin === 'undo' || mine === undefined || before === undefined || before.length === 0) return [];
	const after = mine.bytes;
	if (after.length === 0) return [`The value had ${counted(before.length, 'byte')} and is empty now.`];
	const alarms: string[] = [];
	const changed = yield* kindChange(before, after);
	if (changed !== undefined) alarms.push(changed);
	if (after.length >= before.length * manifold)
		alarms.push(
			`The value grows ${grouped(Math.floor(after.length / before.length))}-fold: ${grouped(before.length)} → ${counted(after.length, 'byte')}.`,
		);
	return alarms;
}

function* kindChange(before: Uint8Array, after: Uint8Array): Steps<string | undefined> {
	yield;
	const isBeforeText = isText(before);
	yield;
	const isAfterText = isText(after);
	if (!isBeforeText) return isAfterText ? 'The value was binary and is text now.' : undefined;
	yield;
	if (!isJsonStructure(textOf(before)))
		return isAfterText ? undefined : 'The value was text and is binary now.';
	if (!isAfterText) return 'The value was JSON and is binary now.';
	yield;
	return isJson(textOf(after)) ? undefined : 'The value was JSON and is not valid JSON now.';
}

const textOf = ({buffer, byteOffset, byteLength}: Uint8Array): string =>
	Buffer.from(buffer, byteOffset, byteLength).toString('utf8');
