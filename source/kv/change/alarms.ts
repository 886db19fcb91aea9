import {formatInteger, formatQuantity} from '../../text/figures.ts';
import {isJson, isJsonStructure, isUtf8Text} from '../../text/json/content.ts';
import type {Steps} from '../../text/steps.ts';
import type {Proposal} from './proposal.ts';
import type {WholeKey} from './whole-key.ts';

/** Minimum growth factor that is more likely a mistake than intended. */
const suspiciousGrowth = 100;

/**
 * Lists, one sentence each, what makes a write look like a mistake: it empties the value, changes its kind
 * (JSON, text, binary), or grows it a hundredfold. The user must confirm such a write. Undoing a change and
 * creating a key never warn.
 */
export function* listWriteWarnings(
	{origin, base, mine}: Proposal,
	stored: WholeKey | undefined,
): Steps<readonly string[]> {
	const before = stored?.bytes ?? (base && 'bytes' in base ? base.bytes : undefined);
	if (origin === 'undo' || mine === undefined || before === undefined || before.length === 0) return [];
	const after = mine.bytes;
	if (after.length === 0) return [`The value had ${formatQuantity(before.length, 'byte')} and is empty now.`];
	const warnings: string[] = [];
	const changed = yield* describeKindChange(before, after);
	if (changed !== undefined) warnings.push(changed);
	if (after.length >= before.length * suspiciousGrowth)
		warnings.push(
			`The value grows ${formatInteger(Math.floor(after.length / before.length))}-fold: ${formatInteger(before.length)} → ${formatQuantity(after.length, 'byte')}.`,
		);
	return warnings;
}

function* describeKindChange(before: Uint8Array, after: Uint8Array): Steps<string | undefined> {
	yield;
	const isBeforeText = isUtf8Text(before);
	yield;
	const isAfterText = isUtf8Text(after);
	if (!isBeforeText) return isAfterText ? 'The value was binary and is text now.' : undefined;
	yield;
	if (!isJsonStructure(decodeBytes(before)))
		return isAfterText ? undefined : 'The value was text and is binary now.';
	if (!isAfterText) return 'The value was JSON and is binary now.';
	yield;
	return isJson(decodeBytes(after)) ? undefined : 'The value was JSON and is not valid JSON now.';
}

const decodeBytes = ({buffer, byteOffset, byteLength}: Uint8Array): string =>
	Buffer.from(buffer, byteOffset, byteLength).toString('utf8');
