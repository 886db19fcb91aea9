import type {TrashBatch} from '../../kv/trash/batch.ts';
import {trashLimits} from '../../kv/trash/limits.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import {drawable} from '../../text/columns.ts';
import {cutMiddle} from '../../text/cut.ts';
import {counted} from '../../text/figures.ts';
import {timeAgo} from '../drafts/form.ts';
import {type Action, type App, actionsOf, readOnly} from '../shell/action.ts';
import {isTransferring} from '../transfer/state.ts';

const action = actionsOf('Keys', ['keys', 'namespaces', 'home']);

/** Keys from which on a restore is shown on a screen of its own. */
const worthAScreen = 1000;

/** Writes the keys of a batch back. */
function restore({state}: App, batch: TrashBatch, overwrites: boolean): void {
	if (isTransferring(state().transfer)) {
		state().go('transfer');
		state().warn('One export or copy at a time: this one is not over yet.');
		return;
	}
	const done = state().run(`restoring ${counted(batch.keys, 'key')}`, 'long', signal =>
		state().restoreFromTrash(batch, overwrites, signal),
	);
	const isShown = batch.keys >= worthAScreen;
	if (isShown) state().go('transfer');
	else void done.then(() => state().leaveTransfer());
}

/** The deletion that comes before every single write that could be undone. */
function lastDeletion({deletions, undoable}: LedgeState): TrashBatch | undefined {
	const last = deletions.at(-1);
	return last && (undoable?.id ?? 0) <= last.after ? last.batch : undefined;
}

/** Lists what the trash has, to restore or remove it. */
async function openTrash(app: App): Promise<void> {
	const {state} = app;
	let batches: readonly TrashBatch[] = [];
	const isRead = await state().run('reading the trash', 'read', async () => {
		batches = await state().readTrash();
	});
	if (!isRead) return;
	if (batches.length === 0) return state().say('The trash is empty.');
	const now = Date.now();
	const shown = batches.slice(0, Math.max(3, state().viewport.rows - 12));
	state().open({
		kind: 'choice',
		title: 'Deleted keys, in the trash',
		lines: shown.length < batches.length ? [`The latest ${shown.length} of ${batches.length}.`] : [],
		choices: [
			...shown.map(batch => ({value: batch.id, label: batchLabel(batch, now)})),
			{value: 'all', label: 'Empty the trash'},
		],
		choose(value) {
			const batch = batches.find(({id}) => id === value);
			if (batch) chooseFor(app, batch);
			else remove(app, batches);
		},
	});
}

/** Columns that the name of a key may take beside where it was deleted, and when. */
const mostName = 24;

/** Which keys a batch has, of which namespace, and how long ago they were deleted. `now` in milliseconds since the epoch. */
function batchLabel({keys, first, label, deleted}: TrashBatch, now: number): string {
	const which =
		first === undefined ? '' : ` (${cutMiddle(drawable(first), mostName)}${keys > 1 ? ' …' : ''})`;
	return `${counted(keys, 'key')}${which} of ${label}, ${timeAgo(now - deleted)}`;
}

const timeOf = (time: number): string => `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

function chooseFor(app: App, batch: TrashBatch): void {
	app.state().open({
		kind: 'choice',
		title: `${counted(batch.keys, 'deleted key')} of ${batch.label}`,
		lines: [
			`Deleted ${timeOf(batch.deleted)}, kept until ${timeOf(batch.deleted + trashLimits.milliseconds)}.`,
		],
		choices: [
			{value: 'restore', label: 'Restore; keys that were written again since stay as they are'},
			{value: 'overwrite', label: 'Restore, over keys that were written again since'},
			{value: 'remove', label: 'Remove from the trash'},
		],
		choose(value) {
			if (value === 'remove') remove(app, [batch]);
			else restore(app, batch, value === 'overwrite');
		},
	});
}

function remove(app: App, batches: readonly TrashBatch[]): void {
	const keys = batches.reduce((sum, batch) => sum + batch.keys, 0);
	const what = counted(keys, 'deleted key');
	app.state().open({
		kind: 'confirm',
		title: `Remove ${what} from the trash?`,
		lines: ['They cannot be restored then.'],
		does: 'remove',
		confirm: () =>
			void app
				.state()
				.run('emptying the trash', 'write', async () => app.state().emptyTrash(batches))
				.then(isDone => isDone && app.state().say(`Removed ${what} from the trash.`)),
	});
}

/** Before the undo of a single key: whichever was done last is undone first. */
export const trashActions: readonly Action[] = [
	action('trash.undo', ['u'], 'restore the keys that were deleted last in this session', {
		where: ['keys', 'namespaces', 'home', 'bulk'],
		hint: 'restore',
		words: ['undelete', 'deleted keys back'],
		isHere: state => lastDeletion(state) !== undefined,
		unavailable: readOnly,
		run(app) {
			const batch = lastDeletion(app.state());
			if (batch) restore(app, batch, false);
		},
	}),
	action('trash.open', ['V'], 'restore deleted keys, from the trash', {
		words: ['trash', 'restore', 'undelete', 'recover', 'bin', 'deleted', 'empty'],
		unavailable: readOnly,
		run: app => void openTrash(app),
	}),
];
