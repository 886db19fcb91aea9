import {findRenameProblem, type Renaming} from '../../kv/change/rename.ts';
import {shouldWarnAboutKey} from '../../kv/limits.ts';
import type {Has} from '../../store/ledge-store.ts';
import {getFrontKeyName} from '../edit/slice.ts';
import {getCurrentKeyRow} from '../keys/here.ts';
import {createActionFactory, getReadOnlyReason, withSelection} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {showRunningTransfer} from '../transfer/actions.ts';
import {askForPrefix} from './prefix.ts';
import {renameVerbs} from './words.ts';

const defineRenameAction = createActionFactory('Keys', ['keys', 'key']);

const getKeyRequiredReason = (
	state: Has<'keys' | 'connection' | 'key'> & Has<'navigation', 'stack'>,
): string | undefined =>
	getReadOnlyReason(state) ??
	(state.keys.data && getFrontKeyName(state) !== undefined ? undefined : 'the cursor is not on a key');

/** Asks for the new name of the key on screen. */
function askForNewName({state}: App, kind: Renaming['kind']): void {
	const from = getFrontKeyName(state());
	if (from === undefined) return;
	const {title, does: actionLabel} = renameVerbs[kind];
	state().dialog.openField({
		title: `${title} ${from}`,
		lines: [
			kind === 'rename'
				? 'Value, metadata and expiration are kept. The old key is deleted once the new one is read back.'
				: 'Creates a second key with the same value, metadata and expiration.',
		],
		value: from,
		actionLabel,
		check(to) {
			const problem = findRenameProblem({kind, from, to});
			return problem && `${problem.what} ${problem.why}`;
		},
		submit(to) {
			void state().rename.begin({kind, from, to});
			if (shouldWarnAboutKey(to))
				state().messages.warn('Avoid whitespace and control characters in key names.');
		},
	});
}

const getCurrentGroupPrefix = ({keys: {data: keys}}: Has<'keys'>): string | undefined => {
	const row = keys && getCurrentKeyRow(keys);
	return row?.kind === 'group' ? row.prefix : undefined;
};

export const renameActions: readonly Action[] = [
	defineRenameAction('rename.prefix', ['R'], 'rename all keys in the group, after counting them', {
		where: ['keys'],
		hint: 'rename group',
		searchTerms: ['prefix', 'move'],
		...withSelection(
			getCurrentGroupPrefix,
			'the cursor is not on a group',
			(app, prefix) => {
				const keys = app.state().keys.data;
				if (keys && !showRunningTransfer(app)) askForPrefix(app, keys.namespace, prefix);
			},
			getReadOnlyReason,
		),
	}),
	defineRenameAction('rename.key', ['R'], 'rename the key', {
		hint: 'rename',
		searchTerms: ['move', 'mv', 'change name', 'new name'],
		getUnavailableReason: getKeyRequiredReason,
		run: app => askForNewName(app, 'rename'),
	}),
	defineRenameAction('rename.duplicate', ['D'], 'duplicate the key under another name', {
		searchTerms: ['clone', 'cp', 'copy key', 'copy of the key', 'new name', 'under another name'],
		getUnavailableReason: getKeyRequiredReason,
		run: app => askForNewName(app, 'copy'),
	}),
];
