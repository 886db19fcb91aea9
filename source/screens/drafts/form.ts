import type {Failure} from '../../failure.ts';
import type {Draft} from '../../state/drafts.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import type {Ports} from '../../store/slice.ts';
import type {OpenForm} from './keeper.ts';

/** A restorable draft, and the question about it. Not escaped for the terminal. */
export type DraftOffer = {
	/** Short label: "rule for shop.example". */
	readonly name: string;
	/** Start of a sentence: "A rule for shop.example was not sent". */
	readonly title: string;
	readonly lines: readonly string[];
	/** Label of the choice that restores it. */
	readonly restoreLabel: string;
	/** Opens the form as it was typed; warns if its base has changed since. */
	restore(signal: AbortSignal): Promise<void>;
};

/**
 * A kind of form that keeps drafts. Every form of more than one line keeps them, so that a signal or crash
 * loses no work. One-line dialogs keep none: a name, number, path or filter is quick to retype, and a
 * confirmation must never be restored. A dialog whose line belongs to a longer form sets `formInput`
 * (dialog-slice.ts); its text is then part of that form's draft.
 */
export type DraftFormKind = {
	readonly kind: string;
	/** Returns a value that changes whenever a draft must be written. */
	getTrackedState(state: LedgeState): unknown;
	listOpenForms(state: LedgeState): readonly OpenForm[];
	/** Returns the offer to restore a draft, or a sentence that says why it cannot be read. */
	offer(draft: Draft): DraftOffer | string;
};

export type FormCreator = (get: () => LedgeState, ports: Ports) => DraftFormKind;

/** Formats an age in milliseconds: `just now`, `3 min ago`, `2 d ago`. */
export function formatTimeAgo(milliseconds: number): string {
	const minutes = Math.floor(milliseconds / 60_000);
	if (minutes < 1) return 'just now';
	if (minutes < 120) return `${minutes} min ago`;
	const hours = Math.floor(minutes / 60);
	return hours < 48 ? `${hours} h ago` : `${Math.floor(hours / 24)} d ago`;
}

/** Describes why a draft of another version cannot be read. */
export const describeVersionMismatch = ({form}: Draft): string =>
	`It was written by another version of ledge: version ${form.version} of the form "${form.kind}".`;

/** Returns the reason for a failure, in one sentence. */
export const getFailureReason = ({message, details: {why}}: Failure): string => why ?? message;
