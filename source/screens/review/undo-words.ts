import type {KeyUndo, PossibleUndo} from '../../kv/change/undo.ts';
import {toDrawable} from '../../text/columns.ts';
import {formatQuantity} from '../../text/figures.ts';
import {quoteKeyName} from '../../text/short-name.ts';

/** What a write did that can be undone. Deleting is the undo of creating. */
const getWrittenVerb = (undo: Extract<KeyUndo, {type: 'possible'}>): 'created' | 'changed' | 'deleted' => {
	if (undo.proposal.kind === 'delete') return 'created';
	return undo.proposal.base ? 'changed' : 'deleted';
};

/** Describes the write that an undo is for, with its namespace: "changed user:1 in SESSIONS". */
export function describeUndoableWrite(undo: PossibleUndo, title: string): string {
	switch (undo.type) {
		case 'deletion':
			return `deleted ${formatQuantity(undo.batch.keys, 'key')} in ${toDrawable(undo.batch.label)}`;
		case 'rename':
			return toDrawable(`renamed "${undo.from}" to "${undo.to}" in ${title}`);
		case 'possible':
			return toDrawable(`${getWrittenVerb(undo)} "${undo.key}" in ${title}`);
		default:
			return undo satisfies never;
	}
}

/** Describes in a sentence what the undo of a write to a key has done. Raw text. */
export function describeUndoneWrite(undo: KeyUndo, title: string): string {
	if (undo.type === 'rename')
		return `Undone: renamed ${quoteKeyName(undo.to)} back to ${quoteKeyName(undo.from)} in ${title}.`;
	switch (getWrittenVerb(undo)) {
		case 'created':
			return `Undone: deleted ${quoteKeyName(undo.key)} in ${title}, which did not exist before.`;
		case 'deleted':
			return `Undone: restored ${quoteKeyName(undo.key)} in ${title}, which you had deleted.`;
		case 'changed':
			return `Undone: changed ${quoteKeyName(undo.key)} in ${title} back.`;
	}
}
