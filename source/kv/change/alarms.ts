import {counted, grouped} from '../../text/figures.ts';
import {isJson, isJsonStructure, isText} from '../../text/json/content.ts';
import type {Steps} from '../../text/steps.ts';
import type {Proposal} from './proposal.ts';
import type {WholeKey} from './whole-key.ts';

/** Minimum growth factor that is more likely a mistake than intended. */
const manifold = 100;

/**
 * Lists, one sentence each, what makes a write look like a mistake: it empties the value, changes its kind
 * (JSON, text, binary), or grows it a hundredfold. The user must confirm such a write. Undoing a change and
 * creating a key never warn.
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
