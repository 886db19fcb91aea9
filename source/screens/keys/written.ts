import {isSameTarget, type JobTarget} from '../../state/job-record.ts';
import type {StateWith} from '../../store/ledge-store.ts';

/** `taken in`: the list shows the write already. `to be read`: the list must be read again. */
type ListUpdate = 'taken in' | 'to be read';

/**
 * Updates everything that shows keys of a namespace after a write or deletion: list, open value, pane, key
 * count. A list that is not visible is read when shown.
 */
export function notifyKeysWritten(
	state: StateWith<'keys', 'data' | 'markStale' | 'forgetListing'> &
		StateWith<'key', 'data' | 'open'> &
		StateWith<'work', 'run'> &
		StateWith<'namespaces', 'forgetCount'> &
		StateWith<'peek', 'forget'>,
	target: JobTarget,
	listUpdate: ListUpdate,
): void {
	const keys = state.keys.data;
	const key = state.key.data;
	const {run} = state.work;
	const isOpen = keys !== undefined && isSameTarget(keys.opened.target, target);
	// An open list counts its keys again when it is read.
	if (!isOpen || listUpdate === 'to be read') state.namespaces.forgetCount(target);
	if (!isOpen) {
		state.keys.forgetListing(target);
		return;
	}
	state.peek.forget();
	if (listUpdate === 'to be read') state.keys.markStale();
	// A read that is under way may have started before the write, so the key is read again.
	if (key) void run(`refreshing ${key.name}`, 'background', signal => state.key.open(key.name, signal));
}
