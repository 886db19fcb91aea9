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
	const bytesBefore = stored?.bytes ?? (base && 'bytes' in base ? base.bytes : undefined);
	if (origin === 'undo' || mine === undefined || bytesBefore === undefined || bytesBefore.length === 0)
		return [];
	const bytesAfter = mine.bytes;
	if (bytesAfter.length === 0)
		return [`The value had ${formatQuantity(bytesBefore.length, 'byte')} and is empty now.`];
	const warnings: string[] = [];
	const kindChange = yield* describeKindChange(bytesBefore, bytesAfter);
	if (kindChange !== undefined) warnings.push(kindChange);
	if (bytesAfter.length >= bytesBefore.length * suspiciousGrowth)
		warnings.push(
			`The value grows ${formatInteger(Math.floor(bytesAfter.length / bytesBefore.length))}-fold: ${formatInteger(bytesBefore.length)} → ${formatQuantity(bytesAfter.length, 'byte')}.`,
		);
	return warnings;
}

function* describeKindChange(bytesBefore: Uint8Array, bytesAfter: Uint8Array): Steps<string | undefined> {
	yield;
	const isBeforeText = isUtf8Text(bytesBefore);
	yield;
	const isAfterText = isUtf8Text(bytesAfter);
	if (!isBeforeText) return isAfterText ? 'The value was binary and is text now.' : undefined;
	yield;
	// As any number is JSON, only an object or array counts before; but any valid JSON may replace it.
	if (!isJsonStructure(decodeBytes(bytesBefore)))
		return isAfterText ? undefined : 'The value was text and is binary now.';
	if (!isAfterText) return 'The value was JSON and is binary now.';
	yield;
	return isJson(decodeBytes(bytesAfter)) ? undefined : 'The value was JSON and is not valid JSON now.';
}

const decodeBytes = ({buffer, byteOffset, byteLength}: Uint8Array): string =>
	Buffer.from(buffer, byteOffset, byteLength).toString('utf8');
