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
	| {readonly does: 'write'; readonly lifetime?: LifetimeChoice | undefined}
	/** Merge with what others wrote, and show the result. */
	| {readonly does: 'merge'}
	/** Overwrite what others wrote. */
	| {readonly does: 'overwrite'}
	/** Keep what is stored and drop the change. */
	| {readonly does: 'give up'}
	| {readonly does: 'go back'}
	| {readonly does: 'check again'}
	/** Close the review, because nothing is left to do. */
	| {readonly does: 'finish'}
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
	finding && findProposalProblem(proposal, now, finding.checked.stored);

/** Returns the question about the expiry that must be answered before the write. `now` in UNIX seconds. */
export const getExpiryQuestion = (
	{proposal, finding}: ReviewQuestion,
	now: number,
): ExpiryQuestion | undefined => finding && findExpiryQuestion(proposal, now, finding.checked.stored);

/**
 * Lists the current choices in order. A destructive choice is never first: a deletion, an overwrite, or a
 * write with warnings (`listWriteWarnings`). `now` in UNIX seconds.
 */
export function listReviewChoices(reviewQuestion: ReviewQuestion, now: number): readonly ReviewChoice[] {
	const {proposal, finding, phase} = reviewQuestion;
	const backChoice: ReviewChoice = {does: 'go back', label: backLabels[proposal.origin]};
	if (phase === 'failed') return [{does: 'check again', label: 'Look what is stored now'}, backChoice];
	if (phase !== 'asking' || !finding) return [];
	const {checked, merge} = finding;
	if (checked.type === 'already') return [{does: 'finish', label: 'Done: leave it as it is'}, backChoice];
	if (getReviewProblem(reviewQuestion, now)) return [backChoice];
	if (checked.type === 'unchanged' || reviewQuestion.overwrites)
		return listWriteChoices(reviewQuestion, now, backChoice);
	const giveUpChoice: ReviewChoice = {
		does: 'give up',
		label: formatGiveUpLabel(proposal, checked.stored !== undefined),
	};
	const overwriteChoice: ReviewChoice = {
		does: 'overwrite',
		label: formatOverwriteLabel(proposal, checked.type),
	};
	if (merge?.type !== 'possible') return [backChoice, overwriteChoice, giveUpChoice];
	const mergeChoice: ReviewChoice = {does: 'merge', label: merge.label};
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
			lifetime === undefined ? [] : [{does: 'write', lifetime, label: `Write it: ${lowerFirst(label)}`}],
		);
		return hasWarnings ? [backChoice, ...answers] : [...answers, backChoice];
	}
	if (proposal.kind === 'delete') {
		const bytes = finding?.checked.stored?.bytes.length ?? 0;
		return [backChoice, {does: 'write', label: `Delete ${proposal.key}, ${formatQuantity(bytes, 'byte')}`}];
	}
	const write: ReviewChoice = {does: 'write', label: 'Write it'};
	return reviewQuestion.overwrites || hasWarnings ? [backChoice, write] : [write, backChoice];
}

const lowerFirst = (label: string): string => label.charAt(0).toLowerCase() + label.slice(1);

const backLabels: Readonly<Record<Proposal['origin'], string>> = {
	edit: 'Back to the editor',
	create: 'Back to the editor',
	metadata: 'Back to the editor',
	expiry: 'Back to the editor',
	delete: 'Keep it',
	undo: 'Cancel',
};

function formatGiveUpLabel({origin}: Proposal, isStored: boolean): string {
	if (origin === 'undo') return 'Leave what is stored, and forget this undo';
	return isStored
		? 'Take what is stored: your edit is discarded'
		: 'Leave it deleted: your edit is discarded';
}

function formatOverwriteLabel(
	{kind, origin}: Proposal,
	changeType: 'changed' | 'vanished' | 'appeared',
): string {
	if (kind === 'delete') return origin === 'undo' ? 'Undo it anyway: delete the key' : 'Delete it anyway';
	if (origin === 'undo') return 'Undo it anyway: overwrite the current value';
	switch (changeType) {
		case 'changed':
			return 'Write mine as it is: what the others changed is lost';
		case 'appeared':
			return 'Write mine as it is: the key that is there is replaced';
		case 'vanished':
			return 'Write mine as it is: the key is there again';
		default:
			return changeType satisfies never;
	}
}
