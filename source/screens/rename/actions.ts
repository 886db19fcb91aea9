import {type Renaming, renameProblem} from '../../kv/change/rename.ts';
import {keyNeedsWarning} from '../../kv/limits.ts';
import type {Has} from '../../store/ledge-store.ts';
import {keyInFront} from '../edit/slice.ts';
import {keyRowHere} from '../keys/here.ts';
import {actionsOf, readOnly, withFound} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {showsOtherTransfer} from '../transfer/actions.ts';
import {askForPrefix} from './prefix.ts';
import {renameVerbs} from './words.ts';

const action = actionsOf('Keys', ['keys', 'key']);

const needsKey = (
	state: Has<'keys' | 'connection' | 'key'> & Has<'navigation', 'stack'>,
): string | undefined =>
	readOnly(state) ??
	(state.keys.data && keyInFront(state) !== undefined ? undefined : 'the cursor is not on a key');

/** Asks for the new name of the key on screen. */
function askForName({state}: App, kind: Renaming['kind']): void {
	const from = keyInFront(state());
	if (from === undefined) return;
	const {title, does} = renameVerbs[kind];
	state().dialog.openField({
		title: `${title} ${from}`,
		lines: [
			kind === 'rename'
				? 'Value, metadata and expiry stay. The old name goes once the new one was read back.'
				: 'A second key with the same value, metadata and expiry.',
		],
		value: from,
		does,
		check(to) {
			const problem = renameProblem({kind, from, to});
			return problem && `${problem.what} ${problem.why}`;
		},
		submit(to) {
			void state().rename.begin({kind, from, to});
			if (keyNeedsWarning(to))
				state().messages.warn('White space and control characters in names are advised against.');
		},
	});
}

const groupHere = ({keys: {data: keys}}: Has<'keys'>): string | undefined => {
	const row = keys && keyRowHere(keys);
	return row?.kind === 'group' ? row.prefix : undefined;
};

export const renameActions: readonly Action[] = [
	action('rename.prefix', ['R'], 'rename all keys of the group, once they were counted', {
		where: ['keys'],
		hint: 'rename group',
		words: ['prefix', 'move'],
		...withFound(
			groupHere,
			'the cursor is not on a group',
			(app, prefix) => {
				const keys = app.state().keys.data;
				if (keys && !showsOtherTransfer(app)) askForPrefix(app, keys.namespace, prefix);
			},
			readOnly,
		),
	}),
	action('rename.key', ['R'], 'rename the key', {
		hint: 'rename',
		words: ['move', 'mv', 'change name', 'new name'],
		unavailable: needsKey,
		run: app => askForName(app, 'rename'),
	}),
	action('rename.duplicate', ['D'], 'duplicate the key under another name', {
		words: ['clone', 'cp', 'copy key', 'copy of the key', 'new name', 'under another name'],
		unavailable: needsKey,
		run: app => askForName(app, 'copy'),
	}),
];
