import {existsSync} from 'node:fs';
import {toFailure} from '../../failure.ts';
import {nameKey} from '../../keyboard/named-keys.ts';
import {readWholeKey, type WholeKey} from '../../kv/change/whole-key.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {detectExtension} from '../../text/json/file-extension.ts';
import {createActionFactory, getReadOnlyReason} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {getCurrentScreen} from '../shell/screen-name.ts';
import {createValueEdit} from './edit.ts';
import {getCurrentUnsavedEdit, getKeyPlace, getOpenOrCurrentKeyName} from './slice.ts';

const defineKeyAction = createActionFactory('Value', ['key']);
const defineKeysAction = createActionFactory('Keys', ['keys']);

/** Returns why there is no stored value on screen or under the cursor. */
function getNoStoredValueReason(
	state: StateWith<'key' | 'keys'> & StateWith<'navigation', 'stack'>,
): string | undefined {
	if (getCurrentScreen(state) === 'keys')
		return getOpenOrCurrentKeyName(state) === undefined ? 'the cursor is not on a key' : undefined;
	return state.key.data?.wholeKey && state.keys.data ? undefined : 'no value loaded';
}

/** Returns why nothing can replace the value of the key on screen or under the cursor. */
export const getLoadBlockedReason = (
	state: StateWith<'connection' | 'key' | 'keys'> &
		StateWith<'navigation', 'stack'> &
		StateWith<'edits', 'list'>,
): string | undefined =>
	getReadOnlyReason(state) ??
	getNoStoredValueReason(state) ??
	(getCurrentUnsavedEdit(state) &&
		`this key has an unsaved edit: ${nameKey('edit.value', 'e')} continues it, ${nameKey('edit.discard', 'X')} discards it`);

/** Runs `work` with the open value, or reads the key under the cursor first. */
function runWithValue({state}: App, work: (key: string, wholeKey: WholeKey) => void): void {
	const keys = state().keys.data;
	const key = state().key.data;
	const name = getOpenOrCurrentKeyName(state());
	if (!keys || name === undefined) return;
	if (getCurrentScreen(state()) === 'key') {
		if (key?.wholeKey) work(name, key.wholeKey);
		return;
	}
	void state().work.run(`loading ${name}`, 'read', async signal => {
		const wholeKey = await readWholeKey(keys.opened.store, name, signal);
		const {current: dialog, isFiltering} = state().dialog;
		const currentKeys = state().keys.data;
		const {warn} = state().messages;
		if (dialog || isFiltering || getCurrentScreen(state()) !== 'keys' || currentKeys?.opened !== keys.opened)
			return;
		if (wholeKey) work(name, wholeKey);
		else warn(`The key ${name} no longer exists: it was deleted, or it expired.`);
	});
}

/** Suggests a file name: the word characters of the key, with an extension that fits the content. */
function suggestFileName(
	{paths: {findFreeName}}: StateWith<'paths', 'findFreeName'>,
	key: string,
	{bytes}: WholeKey,
): string {
	const extension = `.${detectExtension(bytes)}`;
	const name = key.replaceAll(/[^\w.-]+/g, '_').replace(/^[.-]+/, '');
	const stem = name.toLowerCase().endsWith(extension) ? name.slice(0, -extension.length) : name;
	return findFreeName(stem.slice(0, 100) || 'value', extension);
}

const saveToFile = (app: App): void =>
	runWithValue(app, (key, wholeKey) => {
		const {open, openField} = app.state().dialog;
		const {resolveInputPath, formatInputPath, completeInputPath, checkSavePath} = app.state().paths;
		const saveValue = app.state().files.save;
		const {fail} = app.state().messages;
		const write = (path: string, overwrites: boolean) => {
			try {
				saveValue(key, wholeKey.bytes, path, overwrites);
			} catch (error) {
				fail(toFailure(error));
			}
		};
		openField({
			title: `Save the value of ${key}`,
			lines: ['The file gets the exact bytes of the value. Only you can read it.'],
			value: suggestFileName(app.state(), key, wholeKey),
			actionLabel: 'save',
			describe: path => `writes ${formatInputPath(path)}`,
			complete: completeInputPath,
			check: checkSavePath,
			submit(typedPath) {
				const path = resolveInputPath(typedPath);
				if (!existsSync(path)) return write(path, false);
				open({
					kind: 'confirm',
					title: 'Replace the file?',
					lines: [path, 'It already exists. Its contents will be lost.'],
					actionLabel: 'replace the file',
					confirm: () => write(path, true),
				});
			},
		});
	});

const loadFromFile = (app: App): void =>
	runWithValue(app, (key, wholeKey) => {
		const keys = app.state().keys.data;
		const {openField} = app.state().dialog;
		const {resolveInputPath, completeInputPath, checkInputPath} = app.state().paths;
		const loadValue = app.state().files.load;
		const {fail} = app.state().messages;
		if (!keys) return;
		openField({
			title: `Load a file into ${key}`,
			lines: ['The file becomes the value. The review shows the difference before anything is written.'],
			value: '',
			actionLabel: 'review',
			complete: completeInputPath,
			check: checkInputPath,
			submit(typedPath) {
				try {
					loadValue(createValueEdit(getKeyPlace(keys, key), wholeKey), resolveInputPath(typedPath));
				} catch (error) {
					fail(toFailure(error));
				}
			},
		});
	});

const saveActionTerms = {
	searchTerms: [
		'save value to file',
		'save to file',
		'save to disk',
		'write value to a file',
		'download value',
	],
};
const loadActionTerms = {searchTerms: ['load value from file', 'load from file', 'value from file']};

export const filesActions: readonly Action[] = [
	defineKeyAction('key.save', ['w'], 'save the value to a file', {
		hint: 'save to file',
		...saveActionTerms,
		getUnavailableReason: getNoStoredValueReason,
		run: saveToFile,
	}),
	defineKeyAction('key.load', ['o'], 'load the value from a file (reviewed before it is written)', {
		effect: 'prepares a write',
		hint: 'load file',
		...loadActionTerms,
		getUnavailableReason: getLoadBlockedReason,
		run: loadFromFile,
	}),
	defineKeyAction('key.pager', ['P'], 'show the value in $PAGER', {
		searchTerms: ['pager', 'less', 'more', 'page through'],
		getUnavailableReason: ({key: {data: key}}) => (key?.view ? undefined : 'no value loaded'),
		run: ({state, terminal}) =>
			void state().work.run('showing the value in $PAGER', 'read', () =>
				state().files.openPager(terminal.handOver),
			),
	}),
	defineKeysAction('keys.save', ['w'], 'save the value to a file', {
		...saveActionTerms,
		getUnavailableReason: getNoStoredValueReason,
		run: saveToFile,
	}),
	defineKeysAction('keys.load', ['o'], 'load the value from a file (reviewed before it is written)', {
		effect: 'prepares a write',
		...loadActionTerms,
		getUnavailableReason: getLoadBlockedReason,
		run: loadFromFile,
	}),
];
