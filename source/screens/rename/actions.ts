import {findRenameProblem, type Renaming} from '../../kv/change/rename.ts';
import {shouldWarnAboutKey} from '../../kv/limits.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {getOtherFieldEditReason} from '../edit/field-actions.ts';
import {getAbsentKeyReason, getOpenOrCurrentKeyName, getOtherSelectionReason} from '../edit/slice.ts';
import {getShownGroupPrefix} from '../keys/cursor-row.ts';
import {createActionFactory, getReadOnlyReason, withSelection} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {showRunningTransfer} from '../transfer/actions.ts';
import {askForPrefix} from './prefix.ts';
import {renameVerbs} from './texts.ts';

const defineRenameAction = createActionFactory('Keys', ['keys', 'key']);

const getRenameBlockedReason = (
	state: StateWith<'keys' | 'connection' | 'key'> & StateWith<'navigation', 'stack'>,
): string | undefined =>
	getReadOnlyReason(state) ??
	getAbsentKeyReason(state) ??
	(state.keys.data && getOpenOrCurrentKeyName(state) !== undefined
		? getOtherSelectionReason(state)
		: 'the cursor is not on a key');

/** Asks for the new name of the key on screen. */
function askForNewName({state}: App, kind: Renaming['kind']): void {
	const oldName = getOpenOrCurrentKeyName(state());
	if (oldName === undefined) return;
	const {title, verb: actionLabel} = renameVerbs[kind];
	state().dialog.openField({
		title: `${title} ${oldName}`,
		lines: [
			kind === 'rename'
				? 'Value, metadata and expiration are kept. The old key is deleted once the new one is read back.'
				: 'Creates a second key with the same value, metadata and expiration.',
		],
		value: oldName,
		actionLabel,
		check(newName) {
			const problem = findRenameProblem({kind, from: oldName, to: newName});
			return problem && `${problem.what} ${problem.why}`;
		},
		submit(newName) {
			void state().rename.begin({kind, from: oldName, to: newName});
			if (shouldWarnAboutKey(newName))
				state().messages.warn('Avoid whitespace and control characters in key names.');
		},
	});
}

export const renameActions: readonly Action[] = [
	defineRenameAction('rename.key', ['R'], 'rename the key', {
		effect: 'writes',
		hint: 'rename',
		searchTerms: ['move', 'mv', 'change name', 'new name'],
		getUnavailableReason: state => getRenameBlockedReason(state) ?? getOtherFieldEditReason(state),
		run: app => askForNewName(app, 'rename'),
	}),
	defineRenameAction('rename.prefix', ['R'], 'rename all keys in the group, after counting them', {
		effect: 'writes',
		where: ['keys'],
		hint: 'rename group',
		searchTerms: ['prefix', 'move'],
		...withSelection(
			({keys: {data: keys}}) => keys && getShownGroupPrefix(keys),
			'the cursor is not on a group',
			(app, prefix) => {
				const keys = app.state().keys.data;
				if (keys && !showRunningTransfer(app)) askForPrefix(app, keys.namespace, prefix);
			},
			getReadOnlyReason,
		),
	}),
	defineRenameAction('rename.duplicate', ['D'], 'duplicate the key', {
		effect: 'writes',
		searchTerms: [
			'duplicate',
			'clone',
			'clone key',
			'cp',
			'copy key',
			'copy of the key',
			'new name',
			'under another name',
		],
		getUnavailableReason: getRenameBlockedReason,
		run: app => askForNewName(app, 'copy'),
	}),
];
