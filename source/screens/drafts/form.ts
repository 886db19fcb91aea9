import type {Failure} from '../../failure.ts';
import type {Draft} from '../../state/drafts.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import type {Ports} from '../../store/slice.ts';
import type {OpenForm} from './keeper.ts';

/** A draft that can be restored, and what a person is asked about it. All texts hold data as it is. */
export type DraftOffer = {
	/** What it is of, in a few words: "rule for shop.example". */
	readonly name: string;
	/** The same as the beginning of a sentence about it: "A rule for shop.example was not sent". */
	readonly title: string;
	readonly lines: readonly string[];
	/** What restoring it is called. */
	readonly restores: string;
	/** Goes to the form, with everything as it was typed; says so where what it began from has changed since. */
	restore(signal: AbortSignal): Promise<void>;
};

/**
 * A kind of form that keeps drafts. Every form of more than one line does, so that nothing that took thought is lost
 * to a signal or a crash. One-line dialogs do not: a name, a number, a path or a filter is typed again in a moment,
 * and a word that confirms something must never be restored. A dialog whose line is part of something longer says so
 * by `keeps` (dialog-slice.ts), and is kept with that.
 */
export type DraftForm = {
	readonly kind: string;
	/** What of the state is kept: a draft is written when it is another value. */
	kept(state: LedgeState): unknown;
	/** The forms of this kind that are open now. */
	open(state: LedgeState): readonly OpenForm[];
	/** What can be restored of a draft of this kind; a sentence where its fields cannot be read. */
	offer(draft: Draft): DraftOffer | string;
};

/** Makes the forms of a kind for one store. */
export type FormCreator = (get: () => LedgeState, ports: Ports) => DraftForm;

/** How long ago something was, in milliseconds: `just now`, `3 min ago`, `2 d ago`. */
export function timeAgo(milliseconds: number): string {
	const minutes = Math.floor(milliseconds / 60_000);
	if (minutes < 1) return 'just now';
	if (minutes < 120) return `${minutes} min ago`;
	const hours = Math.floor(minutes / 60);
	return hours < 48 ? `${hours} h ago` : `${Math.floor(hours / 24)} d ago`;
}

/** Why a draft of another version cannot be read. */
export const otherVersion = ({form}: Draft): string =>
	`It was written by another version of ledge: version ${form.version} of the form "${form.kind}".`;

/** Why something failed, in one sentence. */
export const whyIn = ({message, details: {why}}: Failure): string => why ?? message;
