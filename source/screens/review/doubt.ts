import {isDeepStrictEqual} from 'node:util';
import type {Checked, Proposal} from '../../kv/change/proposal.ts';
import {
	isSame,
	isSameMetadata,
	isSameValue,
	type KeyDigest,
	type WholeKey,
} from '../../kv/change/whole-key.ts';
import type {Edit} from '../edit/edit.ts';

/** A write whose outcome is unknown. */
export type Doubt = {
	readonly proposal: Proposal;
	readonly edit: Edit | undefined;
	/** What was stored before the write. */
	readonly before: WholeKey | undefined;
	/** The key's state if the write succeeded; undefined if that deletes it. */
	readonly after: KeyDigest | undefined;
};

/** True if the stored state is the one the write would have left. */
export const wasMade = ({after}: Doubt, stored: WholeKey | undefined): boolean => isSame(after, stored);

/**
 * Separates the effect of an earlier write with unknown outcome from changes by others. If that write
 * succeeded, the same change counts as done, and the same edit continues on top of it.
 */
export function withoutDoubt(
	checked: Checked,
	doubt: Doubt | undefined,
	proposal: Proposal,
	edit: Edit | undefined,
): Checked {
	const isForeign = checked.type === 'changed' || checked.type === 'appeared';
	if (!isForeign || !doubt || !wasMade(doubt, checked.stored)) return checked;
	const {stored} = checked;
	if (isSameChange(doubt.proposal, proposal)) return {type: 'already', stored};
	const goesOn = edit?.untouched !== undefined && edit.untouched === doubt.edit?.untouched;
	return goesOn ? {type: 'unchanged', stored} : checked;
}

const isSameChange = (one: Proposal, other: Proposal): boolean =>
	one.kind === 'put' &&
	other.kind === 'put' &&
	isSameValue({...one.mine}, {...other.mine}) &&
	isSameMetadata(one.mine.metadata, other.mine.metadata) &&
	isDeepStrictEqual(one.lifetime, other.lifetime);
