import {
	type ExpiryQuestion,
	findExpiryQuestion,
	findProposalProblem,
	type LifetimeChoice,
	type Proposal,
} from '../../kv/change/proposal.ts';
import type {Problem} from '../../kv/limits.ts';
import {formatQuantity} from '../../text/figures.ts';
import type {Finding} from './finding.ts';

export type ReviewChoice = {readonly label: string} & (
	| {readonly kind: 'write'; readonly lifetime?: LifetimeChoice | undefined}
	/** Merge with what others wrote, and show the result. */
	| {readonly kind: 'merge'}
	/** Overwrite what others wrote. */
	| {readonly kind: 'overwrite'}
	/** Keep what is stored and drop the change. */
	| {readonly kind: 'give up'}
	| {readonly kind: 'go back'}
	| {readonly kind: 'check again'}
	/** Close the review, because nothing is left to do. */
	| {readonly kind: 'finish'}
);

type ReviewQuestion = {
	readonly proposal: Proposal;
	readonly finding: Finding | undefined;
	/** True if the user chose to overwrite what others wrote. */
	readonly overwrites: boolean;
	readonly phase: 'checking' | 'asking' | 'writing' | 'failed';
};

/** Returns what prevents this write. `now` in UNIX seconds. */
export const getReviewProblem = ({proposal, finding}: ReviewQuestion, now: number): Problem | undefined =>
	finding && findProposalProblem(proposal, now, finding.check.stored);

/** Returns the question about the expiry that must be answered before the write. `now` in UNIX seconds. */
export const getExpiryQuestion = (
	{proposal, finding}: ReviewQuestion,
	now: number,
): ExpiryQuestion | undefined => finding && findExpiryQuestion(proposal, now, finding.check.stored);

/**
 * Lists the current choices in order. A destructive choice is never first: a deletion, an overwrite, or a
 * write with warnings (`listWriteWarnings`). `now` in UNIX seconds.
 */
export function listReviewChoices(reviewQuestion: ReviewQuestion, now: number): readonly ReviewChoice[] {
	const {proposal, finding, phase} = reviewQuestion;
	const backChoice: ReviewChoice = {kind: 'go back', label: backLabels[proposal.origin]};
	if (phase === 'failed') return [{kind: 'check again', label: 'Check what is stored now'}, backChoice];
	if (phase !== 'asking' || !finding) return [];
	const {check, mergeOffer} = finding;
	if (check.type === 'already') return [{kind: 'finish', label: 'Done: nothing left to do'}, backChoice];
	if (getReviewProblem(reviewQuestion, now)) return [backChoice];
	if (check.type === 'unchanged' || reviewQuestion.overwrites)
		return listWriteChoices(reviewQuestion, now, backChoice);
	const giveUpChoice: ReviewChoice = {
		kind: 'give up',
		label: formatGiveUpLabel(proposal, check.stored !== undefined),
	};
	const overwriteChoice: ReviewChoice = {
		kind: 'overwrite',
		label: formatOverwriteLabel(proposal, check.type),
	};
	if (mergeOffer?.type !== 'possible') return [backChoice, overwriteChoice, giveUpChoice];
	const mergeChoice: ReviewChoice = {kind: 'merge', label: mergeOffer.label};
	return finding.warnings.length > 0
		? [backChoice, mergeChoice, overwriteChoice, giveUpChoice]
		: [mergeChoice, overwriteChoice, giveUpChoice, backChoice];
}

function listWriteChoices(
	reviewQuestion: ReviewQuestion,
	now: number,
	backChoice: ReviewChoice,
): readonly ReviewChoice[] {
	const {proposal, finding} = reviewQuestion;
	const hasWarnings = finding !== undefined && finding.warnings.length > 0;
	const expiryQuestion = getExpiryQuestion(reviewQuestion, now);
	if (expiryQuestion) {
		const answers = expiryQuestion.answers.flatMap(({label, lifetime}): ReviewChoice[] =>
			lifetime === undefined ? [] : [{kind: 'write', lifetime, label}],
		);
		return hasWarnings ? [backChoice, ...answers] : [...answers, backChoice];
	}
	if (proposal.kind === 'delete') {
		const bytes = finding?.check.stored?.bytes.length ?? 0;
		return [backChoice, {kind: 'write', label: `Delete ${proposal.key}, ${formatQuantity(bytes, 'byte')}`}];
	}
	const writeChoice: ReviewChoice = {kind: 'write', label: 'Write the key'};
	return reviewQuestion.overwrites || hasWarnings ? [backChoice, writeChoice] : [writeChoice, backChoice];
}

const backLabels: Readonly<Record<Proposal['origin'], string>> = {
	edit: 'Back to the editor',
	create: 'Back to the editor',
	metadata: 'Back to the editor',
	expiry: 'Back to the editor',
	delete: 'Keep the key',
	undo: 'Cancel',
};

function formatGiveUpLabel({origin}: Proposal, isStored: boolean): string {
	if (origin === 'undo') return 'Keep what is stored and drop this undo';
	return isStored ? 'Keep what is stored: discards your edit' : 'Leave it deleted: discards your edit';
}

function formatOverwriteLabel(
	{kind, origin}: Proposal,
	changeType: 'changed' | 'vanished' | 'appeared',
): string {
	if (kind === 'delete') return origin === 'undo' ? 'Undo anyway: delete the key' : 'Delete anyway';
	if (origin === 'undo') return 'Undo anyway: overwrite the current value';
	switch (changeType) {
		case 'changed':
			return 'Overwrite with mine: changes by others are lost';
		case 'appeared':
			return 'Overwrite with mine: replaces the existing key';
		case 'vanished':
			return 'Write mine: creates the key again';
		default:
			return changeType satisfies never;
	}
}
