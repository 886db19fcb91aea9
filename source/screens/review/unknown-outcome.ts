import {isDeepStrictEqual} from 'node:util';
import type {Proposal, ProposalCheck} from '../../kv/change/proposal.ts';
import {
	isSameMetadata,
	isSameState,
	isSameValue,
	type KeyDigest,
	type WholeKey,
} from '../../kv/change/whole-key.ts';
import type {Edit} from '../edit/edit.ts';

/** A write whose outcome is unknown. */
export type UnknownOutcome = {
	readonly proposal: Proposal;
	readonly edit: Edit | undefined;
	/** What was stored before the write. */
	readonly previousKey: WholeKey | undefined;
	/** The key's state if the write succeeded; undefined if that deletes it. */
	readonly expectedDigest: KeyDigest | undefined;
};

/** True if the stored state is the one the write would have left. */
export const wasWriteApplied = ({expectedDigest}: UnknownOutcome, stored: WholeKey | undefined): boolean =>
	isSameState(expectedDigest, stored);

/**
 * Corrects a check that takes an earlier write with unknown outcome for a change by others. If that write
 * succeeded, the same change counts as done, and the same edit is based on its result.
 */
export function resolveUnknownOutcome(
	check: ProposalCheck,
	unknownOutcome: UnknownOutcome | undefined,
	proposal: Proposal,
	edit: Edit | undefined,
): ProposalCheck {
	const isChangedByOthers = check.type === 'changed' || check.type === 'appeared';
	if (!isChangedByOthers || !unknownOutcome || !wasWriteApplied(unknownOutcome, check.stored)) return check;
	const {stored} = check;
	if (isSameChange(unknownOutcome.proposal, proposal)) return {type: 'already', stored};
	const continuesEdit =
		edit?.initialEntry !== undefined && edit.initialEntry === unknownOutcome.edit?.initialEntry;
	return continuesEdit ? {type: 'unchanged', stored} : check;
}

const isSameChange = (one: Proposal, other: Proposal): boolean =>
	one.kind === 'put' &&
	other.kind === 'put' &&
	isSameValue({...one.mine}, {...other.mine}) &&
	isSameMetadata(one.mine.metadata, other.mine.metadata) &&
	isDeepStrictEqual(one.lifetime, other.lifetime);
