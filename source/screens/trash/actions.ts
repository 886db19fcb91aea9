import type {TrashBatch} from '../../kv/trash/batch.ts';
import {trashLimits} from '../../kv/trash/limits.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {measureColumns, toDrawable} from '../../text/columns.ts';
import {cutMiddle, fitText} from '../../text/cut.ts';
import {formatInteger, formatQuantity} from '../../text/figures.ts';
import {shortenKeyName} from '../../text/short-name.ts';
import {createActionFactory, getReadOnlyReason, getUndoHintPlace} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {askToConfirm, labelAsking} from '../shell/confirmation.ts';
import {computeDialogSize} from '../shell/dialog-size.ts';
import type {TrashSlice} from './slice.ts';

const defineTrashAction = createActionFactory('Keys', ['keys', 'namespaces', 'home']);

const emptyTrashLabel = 'Empty the trash';

/** Columns of the mark of a menu. */
const menuMarkColumns = 2;

/** Lists the trash, to restore or remove batches. */
async function openTrash(app: App): Promise<void> {
	const {state} = app;
	let content:
		| (Awaited<ReturnType<TrashSlice['read']>> & Awaited<ReturnType<TrashSlice['readNamesOfBatches']>>)
		| undefined;
	await state().work.run('loading the trash', 'read', async signal => {
		const list = await state().trash.read();
		content = {...list, ...(await state().trash.readNamesOfBatches(list.batches, signal))};
	});
	if (!content) return;
	const {batches, damageNote, names, unreadCount} = content;
	if (batches.length === 0 && damageNote !== undefined) return state().messages.warn(toDrawable(damageNote));
	if (batches.length === 0) return state().messages.say('The trash is empty.');
	const {columns} = computeDialogSize(state().navigation.viewport, 'field');
	// A key of a batch has a row of its own, which only a search finds.
	const keyBatches = names.map(({batch, key}) => ({...batch, keys: 1, first: key}));
	const rows = formatBatchRows([...batches, ...keyBatches], columns - menuMarkColumns);
	const targets = new Map<string, {readonly batch: TrashBatch; readonly key?: string}>([
		...batches.map(batch => [batch.id, {batch}] as const),
		...names.map(found => [`${found.batch.id} ${found.key}`, found] as const),
	]);
	state().dialog.openField({
		title: 'Trash: deleted and overwritten keys',
		lines: [
			...(damageNote === undefined ? [] : [toDrawable(damageNote)]),
			'Type to filter, also by keys that a row does not name. Times are UTC.',
		],
		value: '',
		actionLabel: 'open',
		suggestions: {
			all: [
				...[...targets].map(([value, {batch, key}], index) => ({
					value,
					label: rows[index] ?? '',
					texts: key === undefined ? [batch.first ?? '', batch.label, batch.reason] : [key],
					isSearchOnly: key !== undefined,
				})),
				{value: 'all', label: emptyTrashLabel, texts: [emptyTrashLabel]},
			],
			note:
				unreadCount > 0
					? `${formatQuantity(unreadCount, 'key')} of large batches not searched: open a row to search it`
					: undefined,
		},
		check: () => 'Nothing in the trash matches.',
		submit(value) {
			const target = targets.get(value);
			if (target) askForBatchAction(app, target.batch, target.key);
			else if (value === 'all') confirmRemoveBatches(app, batches);
		},
	});
}

/** Columns of the time and reason in a list of batches, and minimum of the key name. */
const [timeColumns, reasonColumns, minNameColumns] = [14, 11, 12];

/** Formats batches as rows of at most `columns`: first key and number of others, UTC time, reason, place. */
function formatBatchRows(batches: readonly TrashBatch[], columns: number): readonly string[] {
	const room = columns - timeColumns - reasonColumns - 3 * 2;
	const longestName = Math.max(...batches.map(batch => measureColumns(formatBatchKeys(batch, room))));
	const nameColumns = Math.max(minNameColumns, Math.min(longestName, Math.floor(room * 0.65)));
	return batches.map(batch =>
		[
			fitText(formatBatchKeys(batch, nameColumns), nameColumns),
			new Date(batch.deleted).toISOString().slice(5, 19).replace('T', ' '),
			fitText(batch.reason, reasonColumns),
			cutMiddle(toDrawable(batch.label), Math.max(0, room - nameColumns)),
		]
			.join('  ')
			.trimEnd(),
	);
}

/** Formats the first key and the number of others; long names are cut. Drawable. */
function formatBatchKeys({keys, first}: TrashBatch, columns: number): string {
	if (first === undefined) return formatQuantity(keys, 'key');
	const others = keys > 1 ? ` +${formatInteger(keys - 1)}` : '';
	return `${cutMiddle(toDrawable(first), columns - others.length)}${others}`;
}

const formatUtcTime = (time: number): string =>
	`${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** Asks what to do with a batch, or with `key` of it. */
function askForBatchAction(
	app: App,
	batch: TrashBatch,
	key = batch.keys === 1 ? batch.first : undefined,
): void {
	const {keys, label, deleted: deletedAt, reason} = batch;
	const keysText = key === undefined ? formatQuantity(keys, 'key') : shortenKeyName(key);
	const isDeleted = reason === 'deleted';
	const isSingle = keys === 1 && key !== undefined;
	const others = key === undefined || isSingle ? '' : ` with ${formatQuantity(keys - 1, 'other key')}`;
	app.state().dialog.open({
		kind: 'choice',
		title: `${keysText} in ${label}`,
		lines: [
			`${isDeleted ? 'Deleted' : 'Overwritten'}${others} ${formatUtcTime(deletedAt)}, kept until ${formatUtcTime(deletedAt + trashLimits.retentionMs)}.`,
		],
		choices: [
			...(key === undefined ? [] : [{value: 'review', label: 'Compare with what is stored, and restore'}]),
			...(isSingle
				? []
				: [
						...(isDeleted ? [{value: 'restore', label: 'Restore all, keep newer keys'}] : []),
						{
							value: 'overwrite',
							label: isDeleted ? 'Restore all, replace newer keys' : 'Restore all previous values',
						},
						{value: 'one', label: 'Restore one key…'},
					]),
			{
				value: 'remove',
				label: labelAsking(`Remove ${others === '' ? '' : `all ${formatInteger(keys)} keys `}from the trash`),
			},
		],
		choose(value) {
			if (value === 'remove') confirmRemoveBatches(app, [batch]);
			else if (value === 'one') void askForKey(app, batch);
			else if (value === 'review' && key !== undefined) void app.state().trash.reviewRestore(batch, key);
			else app.state().trash.beginRestore(batch, {overwrites: value === 'overwrite'});
		},
	});
}

/** Maximum keys of a batch to choose from; others can be typed. */
const maxKeysListed = 10_000;

/** Asks which key of a batch to restore. */
async function askForKey({state}: App, batch: TrashBatch): Promise<void> {
	let names: readonly string[] = [];
	const hasRead = await state().work.run('loading the trash', 'read', async signal => {
		names = await state().trash.readNames(batch, maxKeysListed, signal);
	});
	if (!hasRead) return;
	state().dialog.openField({
		title: `Restore one of ${formatQuantity(batch.keys, 'key')} in ${batch.label}`,
		lines: ['It is compared with what is stored before it is written.'],
		value: '',
		actionLabel: 'continue',
		suggestions: {
			all: names.map(name => ({value: name, label: name, texts: [name]})),
			note:
				names.length < batch.keys
					? `first ${formatInteger(names.length)}; type the others in full`
					: undefined,
		},
		check: key =>
			names.length < batch.keys || names.includes(key) ? undefined : `The trash does not contain ${key}.`,
		submit: key => void state().trash.reviewRestore(batch, key),
	});
}

function confirmRemoveBatches(app: App, batches: readonly TrashBatch[]): void {
	const keys = batches.reduce((sum, batch) => sum + batch.keys, 0);
	const keysText = formatQuantity(keys, 'key');
	const question = {
		title: `Remove ${keysText} from the trash?`,
		lines: [...new Set(batches.map(({label}) => label)), "They can't be restored afterwards."],
		actionLabel: `remove ${keysText}`,
	};
	askToConfirm(
		app.state(),
		question,
		'trash',
		() =>
			void app
				.state()
				.work.run('emptying the trash', 'write', async () => app.state().trash.removeBatches(batches))
				.then(isDone => isDone && app.state().messages.say(`Removed ${keysText} from the trash.`)),
	);
}

/** These come before the undo of a single key, because the most recent change is undone first. */
export const trashActions: readonly Action[] = [
	defineTrashAction('trash.undo', ['u'], 'restore the keys deleted last in this session', {
		effect: 'writes',
		where: ['keys', 'namespaces', 'home', 'bulk', 'compare', 'transfer'],
		hint: 'restore',
		getHintPlace: getUndoHintPlace,
		searchTerms: ['undelete', 'deleted keys back'],
		isActive: ({review: {lastWrite}}: StateWith<'review', 'lastWrite'>) => lastWrite?.type === 'deletion',
		getUnavailableReason: getReadOnlyReason,
		run: ({state}) => void state().review.beginUndo(),
	}),
	defineTrashAction('trash.open', ['V'], 'open the trash: restore deleted or overwritten keys', {
		effect: 'prepares a write',
		where: ['keys', 'namespaces', 'home', 'bulk'],
		searchTerms: [
			'trash',
			'restore',
			'undelete',
			'recover',
			'redo',
			'bin',
			'deleted',
			'overwritten',
			'previous value',
			'empty',
		],
		getUnavailableReason: getReadOnlyReason,
		run: app => void openTrash(app),
	}),
];
