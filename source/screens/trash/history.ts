import {trashLimits} from '../../kv/trash/limits.ts';
import type {KeyVersion} from '../../session/key-history.ts';
import {toDrawable} from '../../text/columns.ts';
import {cutMiddle, fitText} from '../../text/cut.ts';
import {formatQuantity} from '../../text/figures.ts';
import {formatTimeAgo} from '../drafts/form.ts';
import {getOpenOrCurrentKeyName} from '../edit/slice.ts';
import {createActionFactory, getReadOnlyReason, withSelection} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';

/** Lists the versions of a key that the trash has, to compare one with what is stored and restore it. */
async function openHistory({state}: App, key: string): Promise<void> {
	let versions: readonly KeyVersion[] = [];
	const hasRead = await state().work.run('loading the history', 'read', async signal => {
		versions = await state().trash.listVersions(key, signal);
	});
	if (!hasRead) return;
	const name = cutMiddle(toDrawable(key), maxNameColumns);
	if (versions.length === 0)
		return state().messages.say(
			`No earlier version of ${name}: what ledge overwrites or deletes is kept for ${trashLimits.retentionDays} days.`,
		);
	const now = Date.now();
	state().dialog.open({
		kind: 'choice',
		title: `History of ${name}`,
		lines: [
			'What it was before each write by ledge (UTC). Choose a version to compare it with what is stored.',
		],
		choices: versions.map(({batch, size}) => ({
			value: batch.id,
			label: [
				new Date(batch.deleted).toISOString().slice(0, 19).replace('T', ' '),
				fitText(formatTimeAgo(now - batch.deleted), ageColumns),
				fitText(batch.reason, reasonColumns),
				formatQuantity(size, 'byte'),
			].join('  '),
		})),
		choose(id) {
			const version = versions.find(({batch}) => batch.id === id);
			if (version) void state().trash.reviewRestore(version.batch, key);
		},
	});
}

const maxNameColumns = 40;
const [ageColumns, reasonColumns] = [11, 11];

export const historyActions: readonly Action[] = [
	createActionFactory('Keys', ['keys', 'key'])(
		'key.history',
		['H'],
		'history: compare and restore versions',
		{
			effect: 'prepares a write',
			searchTerms: ['versions', 'earlier version', 'previous value', 'changes of the key', 'restore', 'redo'],
			...withSelection(
				getOpenOrCurrentKeyName,
				'the cursor is not on a key',
				(app, key) => void openHistory(app, key),
				getReadOnlyReason,
			),
		},
	),
];
