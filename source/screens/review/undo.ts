import {Failure} from '../../failure.ts';
import type {IrreversibleWrite, PossibleUndo, UndoHistory} from '../../kv/change/undo.ts';
import {toEpochSeconds} from '../../kv/limits.ts';
import {isSameTarget, type JobTarget} from '../../state/job-record.ts';
import type {Slice} from '../../store/slice.ts';
import {toDrawable} from '../../text/columns.ts';
import {askToConfirm} from '../shell/confirmation.ts';
import {getCurrentScreen} from '../shell/screen-name.ts';
import {getTargetKey, type ReviewRequest, type ReviewSlice} from './state.ts';
import {describeUndoableWrite} from './undo-words.ts';

type ReviewUndo = Pick<
	ReviewSlice,
	'rememberWrites' | 'noticeWrite' | 'beginUndo' | 'forgetUndo' | 'forgetDeletion'
>;

type UndoParts = {
	/** Titles of the namespaces that were written to. */
	readonly namespaceTitles: Map<string, string>;
	startReview(request: ReviewRequest): Promise<void>;
	updateLastWrite(): void;
};

/** The undo of the session's writes. `history` lives as long as the store. */
export const createReviewUndo =
	(
		history: UndoHistory,
		{namespaceTitles, startReview, updateLastWrite}: UndoParts,
	): Slice<ReviewUndo, ReviewSlice> =>
	(_set, get, {now}) => {
		const getNowSeconds = () => toEpochSeconds(now());

		const getUndoTarget = (undo: PossibleUndo): JobTarget =>
			undo.type === 'deletion' ? undo.batch.target : undo.target;

		const getTitle = (undo: PossibleUndo): string =>
			namespaceTitles.get(getTargetKey(getUndoTarget(undo))) ?? '';

		/** True if the screen shows what was written: its namespace, or the job that wrote it. */
		function isShown(undo: PossibleUndo): boolean {
			const screen = getCurrentScreen(get());
			if (screen === 'bulk')
				return undo.type === 'deletion' && undo.batch.id === get().bulk.data?.trashBatch?.id;
			if (screen === 'home' || screen === 'namespaces' || screen === 'transfer') return false;
			const shownTarget = get().keys.data?.opened.target;
			return shownTarget !== undefined && isSameTarget(getUndoTarget(undo), shownTarget);
		}

		/** Shows the last write and what to do instead of an undo, in full. */
		function showIrreversible({what, why}: IrreversibleWrite): void {
			get().dialog.open({kind: 'failure', failure: new Failure('usage', what, {why})});
		}

		async function executeUndo(undo: PossibleUndo): Promise<void> {
			if (undo.type === 'deletion') return get().trash.undoDeletion(undo.batch);
			const {target, key} = undo;
			const label = getTitle(undo);
			if (undo.type === 'rename') return get().rename.undo(undo, label);
			await startReview({target, label, key, undo, proposal: undo.proposal, notes: undo.notes});
		}

		return {
			rememberWrites(label, changes) {
				const problems = changes.map(change => {
					namespaceTitles.set(getTargetKey(change.target), label);
					return history.remember(change);
				});
				updateLastWrite();
				return problems.find(problem => problem !== undefined)?.why;
			},
			noticeWrite(write) {
				history.remember(write);
				updateLastWrite();
			},
			async beginUndo() {
				const last = history.peek(getNowSeconds());
				if (!last) return get().messages.warn('Nothing to undo in this session.');
				const problem = last.type === 'not kept' ? `${last.what} ${last.why}` : undefined;
				const undo = history.peekPossible(getNowSeconds());
				if (!undo) {
					if (last.type === 'not kept') showIrreversible(last);
					return;
				}
				const isLatest = history.isLatest(undo);
				if (isLatest && isShown(undo)) return executeUndo(undo);
				const question = {
					title: isLatest ? 'Undo the last write?' : 'Undo an earlier write?',
					lines: [
						...(problem === undefined ? [] : [toDrawable(problem)]),
						`To undo: ${describeUndoableWrite(undo, getTitle(undo))}.`,
					],
					actionLabel: 'undo it',
				};
				askToConfirm(get(), question, undefined, () => void executeUndo(undo));
			},
			forgetUndo(undo) {
				history.removeWrite(undo);
				updateLastWrite();
			},
			forgetDeletion(batchId) {
				history.removeDeletion(batchId);
				updateLastWrite();
			},
		};
	};
