import {describeLongWork, type KeysWork} from '../../kv/long-work.ts';
import {renameCost} from '../../kv/transfer/rename-job.ts';
import type {CollisionMode, PrefixChange, RenameCount} from '../../kv/transfer/renamed-names.ts';
import {toDrawable} from '../../text/columns.ts';
import {cutMiddle} from '../../text/cut.ts';
import {formatInteger, formatQuantity} from '../../text/figures.ts';
import type {NamespaceRow} from '../keys/namespace-rows.ts';
import {getConfirmationText} from '../keys/namespace-rows.ts';
import {buildLongWorkLines, getMeasuredKeyCount} from '../keys/work-time.ts';
import type {App} from '../shell/app.ts';
import {askToConfirm, labelAsking} from '../shell/confirmation.ts';
import {beginTransfer} from '../transfer/actions.ts';

/** Asks for the new prefix, counts the keys, and renames them when the user has typed their number. */
export function askForPrefix(app: App, namespace: NamespaceRow, oldPrefix: string): void {
	const {state} = app;
	const keys = state().keys.data;
	state().dialog.openField({
		title: `Rename all keys under ${oldPrefix}`,
		lines: [
			'The new prefix. The keys are counted before anything is renamed.',
			...(keys
				? buildLongWorkLines(
						keys,
						{kind: 'prefix', prefix: oldPrefix},
						renameCost,
						getMeasuredKeyCount(state()),
					)
				: []),
		],
		value: oldPrefix,
		actionLabel: 'count keys',
		check: newPrefix => (newPrefix === oldPrefix ? 'Both prefixes are the same.' : undefined),
		async submit(newPrefix) {
			const change = {from: oldPrefix, to: newPrefix};
			const count = await state().rename.countKeysToRename(namespace, change);
			if (!count) return;
			if (count.keyCount === 0)
				return state().messages.warn('No keys to rename: all of them already have the new prefix.');
			if (count.takenCount === 0) confirmPrefixRename(app, namespace, change, count, 'refuse');
			else askAboutCollisions(app, namespace, change, count);
		},
	});
}

function askAboutCollisions(
	app: App,
	namespace: NamespaceRow,
	change: PrefixChange,
	count: RenameCount,
): void {
	const {takenCount, takenSamples} = count;
	const columns = app.state().navigation.viewport.columns - 6;
	app.state().dialog.open({
		kind: 'choice',
		title: `Already taken: ${formatInteger(takenCount)} of the ${formatInteger(count.keyCount)} new names`,
		lines: [
			...takenSamples.map(name => cutMiddle(toDrawable(name), columns)),
			...(takenCount > takenSamples.length
				? [`and ${formatInteger(takenCount - takenSamples.length)} more`]
				: []),
		],
		choices: [
			{value: 'only-missing', label: labelAsking('Skip these keys')},
			{value: 'overwrite', label: labelAsking('Overwrite the existing keys')},
		],
		choose(value) {
			if (value === 'only-missing' || value === 'overwrite')
				confirmPrefixRename(app, namespace, change, count, value);
		},
	});
}

function confirmPrefixRename(
	app: App,
	namespace: NamespaceRow,
	change: PrefixChange,
	{keyCount, samples, takenCount}: RenameCount,
	collisions: CollisionMode,
): void {
	const {state} = app;
	const {columns, rows} = state().navigation.viewport;
	const nameColumns = Math.floor((columns - 10) / 2);
	const shortenName = (name: string) => cutMiddle(toDrawable(name), nameColumns);
	const shownSamples = samples.slice(0, Math.max(1, Math.min(6, rows - 15)));
	const skippedCount = collisions === 'only-missing' ? takenCount : 0;
	const question = {
		title: `Rename ${formatQuantity(keyCount, 'key')} in ${namespace.title}?`,
		lines: [
			...shownSamples.map(([oldName, newName]) => `${shortenName(oldName)} → ${shortenName(newName)}`),
			...(keyCount > shownSamples.length
				? [`and ${formatInteger(keyCount - shownSamples.length)} more`]
				: []),
			...(skippedCount > 0
				? [`Skips ${formatInteger(skippedCount)} of them: their new names are taken.`]
				: []),
			...buildRenameTimeLines(keyCount, state().connection.getQuotaLeft(namespace.where)),
			"Each key is written under its new name, read back, then deleted under the old one. u can't undo this.",
		],
		actionLabel: 'rename',
	};
	askToConfirm(state(), question, getConfirmationText(namespace), () =>
		beginTransfer(app, `renaming ${change.from} to ${change.to}`, signal =>
			state().transfer.renamePrefix(namespace, {...change, collisions, count: keyCount}, signal),
		),
	);
}

function buildRenameTimeLines(keyCount: number, quota: KeysWork['quota']): readonly string[] {
	const text = describeLongWork({...renameCost, quota}, keyCount, keyCount);
	return text === undefined ? [] : [text];
}
