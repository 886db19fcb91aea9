import {Failure} from '../../failure.ts';
import type {ProposalCheck} from '../../kv/change/proposal.ts';
import {trashLimits} from '../../kv/trash/limits.ts';
import {capitalize} from '../../text/one-line.ts';
import {type Review, reviewVerbs} from './state.ts';
import {wasWriteApplied} from './unknown-outcome.ts';

export type Tone = 'plain' | 'warning' | 'failed' | 'now';

type Heading = {
	readonly tone: Tone;
	readonly text: string;
};

/** Builds the first sentence of a review: what the check found, and what that means. */
export function buildReviewHeading(review: Review): Heading {
	const {phase, proposal, failure, finding, unknownOutcome} = review;
	const {gerund} = reviewVerbs[proposal.kind];
	switch (phase) {
		case 'checking':
			return {tone: 'now', text: 'Checking whether the key has changed.'};
		case 'writing':
			return {tone: 'now', text: `${capitalize(gerund)} ${review.key}. It continues if you leave.`};
		case 'failed':
			return {tone: 'failed', text: failure?.message ?? 'The key could not be read.'};
		case 'asking':
			break;
		default:
			return phase satisfies never;
	}
	if (finding && review.overwrites)
		return {tone: 'warning', text: formatOverwrite(review, finding.check.type)};
	switch (finding?.check.type) {
		case undefined:
			return {tone: 'plain', text: ''};
		case 'already':
			return {
				tone: 'plain',
				text:
					unknownOutcome && wasWriteApplied(unknownOutcome, finding?.check.stored)
						? 'It took effect after all: this is what is stored.'
						: formatAlreadyDone(review),
			};
		case 'unchanged':
			return {tone: 'plain', text: formatUnchanged(review)};
		case 'changed':
			return {tone: 'warning', text: `Changed since ${formatSince(review)}.`};
		case 'appeared':
			return {tone: 'warning', text: 'Someone else has created a key with this name.'};
		case 'vanished':
			return {tone: 'warning', text: 'The key no longer exists: someone deleted it, or it expired.'};
	}
}

const formatSince = ({proposal}: Review): string =>
	proposal.origin === 'undo' ? 'it was written here' : 'you opened it';

function formatOverwrite({proposal: {kind}}: Review, change: ProposalCheck['type']): string {
	if (change === 'vanished') return 'Create the key again?';
	const verb = kind === 'delete' ? 'Delete' : 'Overwrite';
	return `${verb} what someone else ${change === 'appeared' ? 'created' : 'changed'}? The current value stays in the trash for ${trashLimits.retentionDays} days.`;
}

const formatAlreadyDone = ({proposal}: Review): string =>
	proposal.kind === 'delete' ? 'The key no longer exists.' : 'What is stored already matches your change.';

function formatUnchanged({proposal, finding, undo, isMerged}: Review): string {
	if (isMerged) return 'This is the result of merging both changes.';
	switch (proposal.origin) {
		case 'undo':
			if (!undo)
				return finding?.check.stored ? 'Restore this value?' : 'Restore this key? It does not exist now.';
			if (proposal.kind === 'delete') return 'Undo: the key was new, so it will be deleted.';
			return finding?.check.stored
				? 'Undo: the previous value will be restored.'
				: 'Undo: the deleted key will be restored.';
		case 'delete':
			return `Delete this key? It stays in the trash for ${trashLimits.retentionDays} days.`;
		case 'create':
			return 'No key with this name exists yet.';
		default:
			return finding?.check.stored
				? 'The stored key has not changed since you opened it.'
				: 'The key will be created again.';
	}
}

/** Builds the failure of a write as shown: what is known of the key and of the edit, then what happened. */
export function buildWriteFailure(
	{key, edit, proposal}: Review,
	isOutcomeUnknown: boolean,
	{code, message, details}: Failure,
): Failure {
	const {participle} = reviewVerbs[proposal.kind];
	const knownState = isOutcomeUnknown
		? `${key} may or may not have been ${participle}.`
		: `Nothing was ${participle}.`;
	const left = `${knownState}${edit ? ' Your edit is kept.' : ''}`;
	return new Failure(code, code === 'interrupted' ? message : `${left} ${message}`, {...details, left});
}
