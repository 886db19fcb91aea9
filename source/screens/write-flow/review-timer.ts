import type {StateWith} from '../../store/ledge-store.ts';
import type {Ports} from '../../store/slice.ts';

/**
 * Minimum milliseconds a review must be visible before it can be confirmed: keys typed ahead do not count.
 */
export const minReviewMs = 300;

/** Measures how long a review has been visible unchanged. */
export type ReviewTimer = {
	/** Restarts the measurement after the question has changed. */
	restart(): void;
	/** Restarts if a visible part differs from the last call. */
	noticeDrawn(parts: readonly unknown[]): void;
	/** True if there was time to read the review; warns if there was not. */
	wasVisibleLongEnough(): boolean;
};

export function createReviewTimer(
	get: () => StateWith<'messages', 'warn'>,
	{elapsed}: Pick<Ports, 'elapsed'>,
): ReviewTimer {
	let visibleSince = 0;
	let lastParts: readonly unknown[] = [];
	return {
		restart() {
			visibleSince = elapsed();
			lastParts = [];
		},
		noticeDrawn(parts) {
			if (parts.length === lastParts.length && parts.every((part, index) => part === lastParts[index]))
				return;
			lastParts = parts;
			visibleSince = elapsed();
		},
		wasVisibleLongEnough() {
			if (elapsed() - visibleSince >= minReviewMs) return true;
			get().messages.warn('Too fast: read this, then press the key again.');
			return false;
		},
	};
}
