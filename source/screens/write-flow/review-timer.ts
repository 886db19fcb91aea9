import type {Has} from '../../store/ledge-store.ts';
import type {Ports} from '../../store/slice.ts';

/** Milliseconds that a review must be visible before its confirmation counts: keys typed ahead decide nothing. */
export const minReviewMs = 300;

/** How long a review has been visible as it is. */
export type ReviewTimer = {
	/** Counts from now: what is asked has changed. */
	restart(): void;
	/** Counts from now if one of these parts, which are on the screen, is another one than at the last call. */
	noticeDrawn(parts: readonly unknown[]): void;
	/** True if there was time to read the review; warns if there was not. */
	wasVisibleLongEnough(): boolean;
};

export function createReviewTimer(
	get: () => Has<'messages', 'warn'>,
	{elapsed}: Pick<Ports, 'elapsed'>,
): ReviewTimer {
	let visibleSince = 0;
	let drawn: readonly unknown[] = [];
	return {
		restart() {
			visibleSince = elapsed();
			drawn = [];
		},
		noticeDrawn(parts) {
			if (parts.length === drawn.length && parts.every((part, index) => part === drawn[index])) return;
			drawn = parts;
			visibleSince = elapsed();
		},
		wasVisibleLongEnough() {
			if (elapsed() - visibleSince >= minReviewMs) return true;
			get().messages.warn('Look first: that key came before this could be read.');
			return false;
		},
	};
}
