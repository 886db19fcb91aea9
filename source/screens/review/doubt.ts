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

/** A write of which nobody knows whether it was made. */
export type Doubt = {
	readonly proposal: Proposal;
	readonly edit: Edit | undefined;
	/** What was stored before it. */
	readonly before: WholeKey | undefined;
	/** The key's state if it was made; `undefined`: no key. */
	readonly after: KeyDigest | undefined;
};

/** Whether what is stored is what the write would have left. */
export const wasMade = ({after}: Doubt, stored: WholeKey | undefined): boolean => isSame(after, stored);

/**
 * What a check found for a change, with the outcomeUnknown write before it told from the work of others: when it was made,
 * there is nothing to do for the same change, and the same edit continues on it with what was typed since.
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
