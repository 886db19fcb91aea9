import {describeLongWork, type KeysWork} from '../../kv/long-work.ts';
import {renameCost} from '../../kv/transfer/rename-job.ts';
import type {Collisions, PrefixChange, RenameCount} from '../../kv/transfer/renamed-names.ts';
import {toDrawable} from '../../text/columns.ts';
import {cutMiddle} from '../../text/cut.ts';
import {formatInteger, formatQuantity} from '../../text/figures.ts';
import {buildLongKeyWorkLines, getMeasuredKeyCount} from '../keys/long-time.ts';
import type {NamespaceRow} from '../keys/namespace-rows.ts';
import type {App} from '../shell/app.ts';
import {beginTransfer} from '../transfer/actions.ts';

/** Asks for the new prefix, counts the keys, and renames them when the user has typed their number. */
export function askForPrefix(app: App, namespace: NamespaceRow, from: string): void {
	const {state} = app;
	const keys = state().keys.data;
	state().dialog.openField({
		title: `Rename all keys under ${from}`,
		lines: [
			'The new prefix. The keys are counted before anything is renamed.',
			...(keys
				? buildLongKeyWorkLines(
						keys,
						{kind: 'prefix', prefix: from},
						renameCost,
						getMeasuredKeyCount(state()),
					)
				: []),
		],
		value: from,
		actionLabel: 'count keys',
		check: to => (to === from ? 'Both prefixes are the same.' : undefined),
		async submit(to) {
			const change = {from, to};
			const count = await state().rename.countPrefix(namespace, change);
			if (!count) return;
			if (count.keys === 0)
				return state().messages.warn('No keys to rename: all of them already have the new prefix.');
			if (count.taken === 0) confirmPrefix(app, namespace, change, count, 'refuse');
			else chooseCollisions(app, namespace, change, count);
		},
	});
}

function chooseCollisions(app: App, namespace: NamespaceRow, change: PrefixChange, count: RenameCount): void {
	const {taken, takenSamples} = count;
	const columns = app.state().navigation.viewport.columns - 6;
	app.state().dialog.open({
		kind: 'choice',
		title: `Already taken: ${formatInteger(taken)} of the ${formatInteger(count.keys)} new names`,
		lines: [
			...takenSamples.map(name => cutMiddle(toDrawable(name), columns)),
			...(taken > takenSamples.length ? [`and ${formatInteger(taken - takenSamples.length)} more`] : []),
		],
		choices: [
			{value: 'only-missing', label: 'Skip these keys'},
			{value: 'overwrite', label: 'Overwrite the existing keys'},
			{value: '', label: 'Cancel'},
		],
		choose(value) {
			if (value === 'only-missing' || value === 'overwrite')
				confirmPrefix(app, namespace, change, count, value);
		},
	});
}

function confirmPrefix(
	app: App,
	namespace: NamespaceRow,
	change: PrefixChange,
	{keys, samples, taken}: RenameCount,
	collisions: Collisions,
): void {
	const {state} = app;
	const {columns, rows} = state().navigation.viewport;
	const nameColumns = Math.floor((columns - 10) / 2);
	const shortenName = (name: string) => cutMiddle(toDrawable(name), nameColumns);
	const shownSamples = samples.slice(0, Math.max(1, Math.min(6, rows - 15)));
	const remainingCount = collisions === 'only-missing' ? taken : 0;
	state().dialog.openField({
		title: `Rename ${formatQuantity(keys, 'key')} in ${namespace.title}?`,
		lines: [
			...shownSamples.map(([oldName, newName]) => `${shortenName(oldName)} → ${shortenName(newName)}`),
			...(keys > shownSamples.length ? [`and ${formatInteger(keys - shownSamples.length)} more`] : []),
			...(remainingCount > 0
				? [`Skips ${formatInteger(remainingCount)} of them: their new names are taken.`]
				: []),
			...buildRenameTimeLines(keys, state().connection.getQuotaLeft(namespace.where)),
			"Each key is written under its new name, read back, then deleted under the old one. u can't undo this.",
		],
		value: '',
		requiredInput: keys,
		actionLabel: 'rename',
		submit: () =>
			beginTransfer(app, `renaming ${change.from} to ${change.to}`, signal =>
				state().transfer.renamePrefix(namespace, {...change, collisions, count: keys}, signal),
			),
	});
}

function buildRenameTimeLines(keys: number, quota: KeysWork['quota']): readonly string[] {
	const text = describeLongWork({...renameCost, quota}, keys, keys);
	return text === undefined ? [] : [text];
}
