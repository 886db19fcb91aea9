import {
	type ExpiryQuestion,
	findExpiryQuestion,
	findProposalProblem,
	type LifetimeChoice,
	type Proposal,
} from '../../kv/change/proposal.ts';
import type {Problem} from '../../kv/limits.ts';
import type {Finding} from './finding.ts';

export type ReviewChoice = {readonly label: string} & (
	| {readonly kind: 'write'}
	/** Write with another lifetime than the one that cannot be kept. */
	| {readonly kind: 'set lifetime'; readonly lifetime: LifetimeChoice}
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
 * Lists the current choices in order; an overwrite is never first. A `write` is always alone: it is not chosen
 * from a menu, but confirmed (`getWriteToConfirm`). `now` in UNIX seconds.
 */
export function listReviewChoices(reviewQuestion: ReviewQuestion, now: number): readonly ReviewChoice[] {
	const {proposal, finding, phase} = reviewQuestion;
	const backChoice: ReviewChoice = {kind: 'go back', label: backLabels[proposal.origin]};
	const closeChoice: ReviewChoice =
		proposal.kind === 'delete' ? {kind: 'go back', label: 'Back'} : backChoice;
	if (phase === 'failed') return [{kind: 'check again', label: 'Check what is stored now'}, closeChoice];
	if (phase !== 'asking' || !finding) return [];
	const {check, mergeOffer} = finding;
	if (check.type === 'already') return [{kind: 'finish', label: 'Done: nothing left to do'}, closeChoice];
	if (getReviewProblem(reviewQuestion, now)) return [backChoice];
	if (check.type === 'unchanged' || reviewQuestion.overwrites)
		return listLifetimeChoices(reviewQuestion, now, backChoice) ?? [buildWriteChoice(reviewQuestion)];
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

/** Returns the choices if the expiry to keep is too near; undefined if there is nothing to choose. */
function listLifetimeChoices(
	reviewQuestion: ReviewQuestion,
	now: number,
	backChoice: ReviewChoice,
): readonly ReviewChoice[] | undefined {
	const answers = getExpiryQuestion(reviewQuestion, now)?.answers;
	if (!answers) return undefined;
	const choices = answers.flatMap(({label, lifetime}): ReviewChoice[] =>
		lifetime === undefined ? [] : [{kind: 'set lifetime', lifetime, label}],
	);
	return [...choices, backChoice];
}

function buildWriteChoice({proposal, overwrites, finding}: ReviewQuestion): ReviewChoice {
	if (proposal.kind === 'delete') return {kind: 'write', label: 'delete the key'};
	if (!overwrites) return {kind: 'write', label: 'write the key'};
	const isGone = finding?.check.type === 'vanished';
	return {kind: 'write', label: isGone ? 'create the key again' : 'overwrite what is stored'};
}

/** Returns the write if the only question is whether to do it. */
export function getWriteToConfirm([choice, ...otherChoices]: readonly ReviewChoice[]):
	| ReviewChoice
	| undefined {
	return choice?.kind === 'write' && otherChoices.length === 0 ? choice : undefined;
}

/** Where esc leads from a review. */
export const backLabels: Readonly<Record<Proposal['origin'], string>> = {
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
	if (origin === 'undo')
		return changeType === 'vanished'
			? 'Undo anyway: create the key again'
			: 'Undo anyway: overwrite the current value';
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
