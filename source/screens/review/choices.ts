import {
	type ExpiryQuestion,
	expiryQuestion,
	type LifetimeChoice,
	type Proposal,
	problemOf,
} from '../../kv/change/proposal.ts';
import type {Problem} from '../../kv/limits.ts';
import {counted} from '../../text/figures.ts';
import type {Finding} from './finding.ts';

/** What a person can decide before a write. */
export type ReviewChoice = {readonly label: string} & (
	| {readonly does: 'write'; readonly lifetime?: LifetimeChoice | undefined}
	/** Take what others wrote in, and show that once more. */
	| {readonly does: 'merge'}
	/** Write over what others wrote. */
	| {readonly does: 'overwrite'}
	/** Leave what is stored, and give the change up. */
	| {readonly does: 'give up'}
	| {readonly does: 'go back'}
	| {readonly does: 'check again'}
	/** There is nothing left to do. */
	| {readonly does: 'finish'}
);

type Asked = {
	readonly proposal: Proposal;
	readonly finding: Finding | undefined;
	/** Whether the person wants to write over what others wrote. */
	readonly overwrites: boolean;
	readonly phase: 'checking' | 'asking' | 'writing' | 'failed';
};

/** What is wrong with writing this over what was found. */
export const obstacle = ({proposal, finding}: Asked, now: number): Problem | undefined =>
	finding && problemOf(proposal, now, finding.checked.stored);

/** What must be asked about the expiry before this is written. `now` in UNIX seconds. */
export const questionOf = ({proposal, finding}: Asked, now: number): ExpiryQuestion | undefined =>
	finding && expiryQuestion(proposal, now, finding.checked.stored);

/**
 * The choices there are now, in their order: what destroys (a deletion, writing over the work of others, what
 * `alarmsOf` finds) is never the first. `now` in UNIX seconds.
 */
export function choicesOf(asked: Asked, now: number): readonly ReviewChoice[] {
	const {proposal, finding, phase} = asked;
	const back: ReviewChoice = {does: 'go back', label: backLabels[proposal.origin]};
	if (phase === 'failed') return [{does: 'check again', label: 'Look what is stored now'}, back];
	if (phase !== 'asking' || !finding) return [];
	const {checked, merge} = finding;
	if (checked.type === 'already') return [{does: 'finish', label: 'Done: leave it as it is'}, back];
	if (obstacle(asked, now)) return [back];
	if (checked.type === 'unchanged' || asked.overwrites) return writing(asked, now, back);
	const give: ReviewChoice = {does: 'give up', label: giveUpLabel(proposal, checked.stored !== undefined)};
	const over: ReviewChoice = {does: 'overwrite', label: overwriteLabel(proposal, checked.type)};
	if (merge?.type !== 'possible') return [back, over, give];
	const together: ReviewChoice = {does: 'merge', label: merge.label};
	return finding.alarms.length > 0 ? [back, together, over, give] : [together, over, give, back];
}

function writing(asked: Asked, now: number, back: ReviewChoice): readonly ReviewChoice[] {
	const {proposal, finding} = asked;
	const isAlarming = finding !== undefined && finding.alarms.length > 0;
	const question = questionOf(asked, now);
	if (question) {
		const answers = question.answers.flatMap(({label, lifetime}): ReviewChoice[] =>
			lifetime === undefined ? [] : [{does: 'write', lifetime, label: `Write it: ${lowered(label)}`}],
		);
		return isAlarming ? [back, ...answers] : [...answers, back];
	}
	if (proposal.kind === 'delete') {
		const bytes = finding?.checked.stored?.bytes.length ?? 0;
		return [back, {does: 'write', label: `Delete ${proposal.key}, ${counted(bytes, 'byte')}`}];
	}
	const write: ReviewChoice = {does: 'write', label: 'Write it'};
	return asked.overwrites || isAlarming ? [back, write] : [write, back];
}

const lowered = (label: string): string => label.charAt(0).toLowerCase() + label.slice(1);

const backLabels: Readonly<Record<Proposal['origin'], string>> = {
	edit: 'Back to the editor',
	create: 'Back to the editor',
	metadata: 'Back to the editor',
	expiry: 'Back to the editor',
	delete: 'Keep it',
	undo: 'Cancel',
};

function giveUpLabel({origin}: Proposal, isStored: boolean): string {
	if (origin === 'undo') return 'Leave what is stored, and forget this undo';
	return isStored
		? 'Take what is stored: your edit is discarded'
		: 'Leave it deleted: your edit is discarded';
}

function overwriteLabel({kind, origin}: Proposal, found: 'changed' | 'vanished' | 'appeared'): string {
	if (kind === 'delete') return origin === 'undo' ? 'Undo it anyway: delete the key' : 'Delete it anyway';
	if (origin === 'undo') return 'Undo it anyway: overwrite the current value';
	switch (found) {
		case 'changed':
			return 'Write mine as it is: what the others changed is lost';
		case 'appeared':
			return 'Write mine as it is: the key that is there is replaced';
		case 'vanished':
			return 'Write mine as it is: the key is there again';
		default:
			return found satisfies never;
	}
}
