import {type JobTarget, sameTarget} from '../../state/job-record.ts';
import type {Has} from '../../store/ledge-store.ts';

/** What a write of keys leaves to be done: the list has them already, or has to be read. */
type Listed = 'taken in' | 'to be read';

/**
 * What shows keys of a namespace follows after keys of it were written or deleted: the list and the value where it is
 * open, the pane beside them, and the count among the namespaces. A list that is not in front is read once it is.
 */
export function keysWritten(
	state: Has<'keys', 'data' | 'markOutdated'> &
		Has<'key', 'data' | 'open'> &
		Has<'work', 'run'> &
		Has<'namespaces', 'forgetCount'> &
		Has<'peek', 'forget'>,
	target: JobTarget,
	listed: Listed,
): void {
	const keys = state.keys.data;
	const key = state.key.data;
	const {run} = state.work;
	if (!keys || !sameTarget(keys.opened.target, target)) {
		state.namespaces.forgetCount(target);
		return;
	}
	state.peek.forget();
	if (listed === 'to be read') state.keys.markOutdated();
	// What was being read may be older than the write.
	if (key) void run(`refreshing ${key.name}`, 'background', signal => state.key.open(key.name, signal));
}
