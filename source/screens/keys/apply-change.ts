import type {WholeKey} from '../../kv/change/whole-key.ts';
import {type JobTarget, sameTarget} from '../../state/job-record.ts';
import type {LedgeState} from '../../store/ledge-store.ts';

/** Takes in that a key was written or deleted here, or what it holds, wherever it is shown. */
export function applyChange(
	state: LedgeState,
	target: JobTarget,
	key: string,
	whole: WholeKey | undefined,
	cursor?: 'goes' | 'stays',
): void {
	if (!state.keys || !sameTarget(state.keys.opened.target, target)) {
		state.forgetCount(target);
		return;
	}
	if (state.key?.name === key) state.keyWritten(whole);
	if (!whole) {
		state.keysGone([key]);
		return;
	}
	const {expiration, metadata} = whole;
	const entry = {
		name: key,
		...(expiration !== undefined && {expiration}),
		...(metadata !== null && {metadata}),
	};
	state.keyChanged(entry, cursor);
	state.sizeKnown(key, whole.bytes.length);
}
