import {nameKey} from '../../keyboard/named-keys.ts';
import {formatExpiry} from '../../kv/change/lifetime-input.ts';
import type {RenameResult, Renaming} from '../../kv/change/rename.ts';
import type {WholeKey} from '../../kv/change/whole-key.ts';
import {trashLimits} from '../../kv/trash/limits.ts';
import {toDrawable} from '../../text/columns.ts';
import {cutEnd} from '../../text/cut.ts';
import {formatQuantity} from '../../text/figures.ts';
import {isUtf8Text} from '../../text/json/content.ts';

export const renameVerbs = {
	rename: {gerund: 'renaming', verb: 'rename', title: 'Rename'},
	copy: {gerund: 'copying', verb: 'duplicate', title: 'Duplicate'},
} as const;

const maxLineColumns = 60;

/**
 * Describes what exists under the new name. `now` in UNIX seconds. Not escaped for the terminal.
 */
export function buildOverwriteLines({bytes, metadata, expiration}: WholeKey, now: number): readonly string[] {
	const facts = [
		formatQuantity(bytes.length, 'byte'),
		expiration === undefined ? 'no expiration' : `expires ${formatExpiry(expiration, now)}`,
		metadata === null ? 'no metadata' : `metadata ${JSON.stringify(metadata)}`,
	];
	return [
		`A key with this name exists: ${facts.join(' · ')}`,
		...formatValueStart(bytes),
		`It will stay in the trash for ${trashLimits.retentionDays} days.`,
	];
}

function formatValueStart(bytes: Uint8Array): readonly string[] {
	if (bytes.length === 0) return [];
	if (!isUtf8Text(bytes)) return ['Its value is binary.'];
	const text = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1000)).toString('utf8');
	return [cutEnd(`Its value: ${toDrawable(text.trim().replaceAll(/\s+/g, ' '))}`, maxLineColumns)];
}

export const lostResponseSentence =
	'A response was lost, but the current state shows that the change was made.';

/** Formats what was done and how to undo it. `undoProblem` says why it cannot be undone. */
export function formatRenameMessage(
	{kind, from: oldName, to: newName}: Renaming,
	{written, deleted, hasLostResponse}: RenameResult,
	undoProblem: string | undefined,
): string {
	const lostNote = hasLostResponse ? ` ${lostResponseSentence}` : '';
	const missingNote = kind === 'rename' && !deleted ? ` ${oldName} no longer existed.` : '';
	const message = `${kind === 'rename' ? 'Renamed to' : 'Duplicated as'} ${newName}.${missingNote}${lostNote}`;
	if (undoProblem !== undefined) return `${message} It cannot be undone: ${undoProblem}`;
	return written || deleted ? `${message} ${nameKey('edit.undo', 'u')} undoes it.` : message;
}
