import {isSameTarget, type JobTarget} from '../../state/job-record.ts';
import type {Has} from '../../store/ledge-store.ts';

/** `taken in`: the list shows the write already. `to be read`: the list must be read again. */
type ListUpdate = 'taken in' | 'to be read';

/**
 * Updates everything that shows keys of a namespace after a write or deletion: list, open value, pane, key
 * count. A list that is not visible is read when shown.
 */
export function notifyKeysWritten(
	state: Has<'keys', 'data' | 'markOutdated'> &
		Has<'key', 'data' | 'open'> &
		Has<'work', 'run'> &
		Has<'namespaces', 'forgetCount'> &
		Has<'peek', 'forget'>,
	target: JobTarget,
	listUpdate: ListUpdate,
): void {
	const keys = state.keys.data;
	const key = state.key.data;
	const {run} = state.work;
	if (!keys || !isSameTarget(keys.opened.target, target)) {
		state.namespaces.forgetCount(target);
		return;
	}
	state.peek.forget();
	if (listUpdate === 'to be read') state.keys.markOutdated();
	// A read that is under way may have started before the write, so the key is read again.
	if (key) void run(`refreshing ${key.name}`, 'background', signal => state.key.open(key.name, signal));
}
