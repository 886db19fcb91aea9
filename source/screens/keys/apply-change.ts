import type {WholeKey} from '../../kv/change/whole-key.ts';
import {isSameTarget, type JobTarget} from '../../state/job-record.ts';
import type {StateWith} from '../../store/ledge-store.ts';

/**
 * Updates everything that shows a key after this session has written it. `wholeKey` is undefined if deleted.
 * `cursorMode`: whether the cursor of the list goes to the key, which is the default.
 */
export function applyKeyChange(
	state: StateWith<'keys', 'data' | 'noticeChanges' | 'noticeDeletion' | 'noticeSize' | 'forgetListing'> &
		StateWith<'namespaces', 'forgetCount'> &
		StateWith<'compare' | 'search', 'noticeChange'> &
		StateWith<'key', 'data' | 'noticeWrite'>,
	target: JobTarget,
	key: string,
	wholeKey: WholeKey | undefined,
	cursorMode?: 'goes' | 'stays',
): void {
	state.compare.noticeChange(target, key);
	if (!state.keys.data || !isSameTarget(state.keys.data.opened.target, target)) {
		state.namespaces.forgetCount(target);
		state.keys.forgetListing(target);
		return;
	}
	state.search.noticeChange(key);
	if (state.key.data?.name === key) state.key.noticeWrite(wholeKey);
	if (!wholeKey) {
		state.keys.noticeDeletion([key]);
		return;
	}
	const {expiration, metadata} = wholeKey;
	const entry = {
		name: key,
		...(expiration !== undefined && {expiration}),
		...(metadata !== null && {metadata}),
	};
	state.keys.noticeChanges([entry], cursorMode);
	state.keys.noticeSize(key, wholeKey.bytes.length);
}
