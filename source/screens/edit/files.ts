import {existsSync} from 'node:fs';
import {asFailure} from '../../failure.ts';
import {readWhole, type WholeKey} from '../../kv/change/whole-key.ts';
import type {Has} from '../../store/ledge-store.ts';
import {extensionFor} from '../../text/json/file-extension.ts';
import {actionsOf, readOnly} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {screenOf} from '../shell/screen-name.ts';
import {editOfValue} from './edit.ts';
import {keyInFront, placeIn, unsavedEditHere} from './slice.ts';

const ofKey = actionsOf('Value', ['key']);
const ofKeys = actionsOf('Keys', ['keys']);

/** Returns why there is no stored value on screen or under the cursor. */
function needsValue(state: Has<'key' | 'keys'> & Has<'navigation', 'stack'>): string | undefined {
	if (screenOf(state) === 'keys')
		return keyInFront(state) === undefined ? 'the cursor is on no key' : undefined;
	return state.key.data?.whole && state.keys.data ? undefined : 'there is no value here';
}

const needsNoEdit = (
	state: Has<'connection' | 'key' | 'keys'> & Has<'navigation', 'stack'> & Has<'edits', 'list'>,
): string | undefined =>
	readOnly(state) ??
	needsValue(state) ??
	(unsavedEditHere(state) && 'an edit of this key is not saved: e continues it, X discards it');

/** Runs `work` with the open value, or reads the key under the cursor first. */
function withValue({state}: App, work: (key: string, whole: WholeKey) => void): void {
	const keys = state().keys.data;
	const key = state().key.data;
	const name = keyInFront(state());
	if (!keys || name === undefined) return;
	if (screenOf(state()) === 'key') {
		if (key?.whole) work(name, key.whole);
		return;
	}
	void state().work.run(`reading ${name}`, 'read', async signal => {
		const whole = await readWhole(keys.opened.store, name, signal);
		const {current: dialog, isFiltering: filtering} = state().dialog;
		const now = state().keys.data;
		const {warn} = state().messages;
		if (dialog || filtering || screenOf(state()) !== 'keys' || now?.opened !== keys.opened) return;
		if (whole) work(name, whole);
		else warn(`The key ${name} is gone: it was deleted, or it expired.`);
	});
}

/** Suggests a file name: the typeable characters of the key, with the extension of its content. */
function fileNameOf({paths: {freeName}}: Has<'paths', 'freeName'>, key: string, {bytes}: WholeKey): string {
	const extension = `.${extensionFor(bytes)}`;
	const name = key.replaceAll(/[^\w.-]+/g, '_').replace(/^[.-]+/, '');
	const stem = name.toLowerCase().endsWith(extension) ? name.slice(0, -extension.length) : name;
	return freeName(stem.slice(0, 100) || 'value', extension);
}

const save = (app: App): void =>
	withValue(app, (key, whole) => {
		const {open, openField} = app.state().dialog;
		const {inputPath, completedInputPath, savePathProblem} = app.state().paths;
		const saveValue = app.state().files.save;
		const {fail} = app.state().messages;
		const write = (path: string, over: boolean) => {
			try {
				saveValue(key, whole.bytes, path, over);
			} catch (error) {
				fail(asFailure(error));
			}
		};
		openField({
			title: `Save the value of ${key}`,
			lines: ['The file to write, exactly as the value is stored. Only you can read it.'],
			value: fileNameOf(app.state(), key, whole),
			does: 'save',
			complete: completedInputPath,
			check: savePathProblem,
			submit(typed) {
				const path = inputPath(typed);
				if (!existsSync(path)) return write(path, false);
				open({
					kind: 'confirm',
					title: 'Replace the file?',
					lines: [path, 'It exists already. What is in it is gone then.'],
					does: 'replace it',
					confirm: () => write(path, true),
				});
			},
		});
	});

const load = (app: App): void =>
	withValue(app, (key, whole) => {
		const keys = app.state().keys.data;
		const {openField} = app.state().dialog;
		const {inputPath, completedInputPath, inputPathProblem} = app.state().paths;
		const loadValue = app.state().files.load;
		const {fail} = app.state().messages;
		if (!keys) return;
		openField({
			title: `Load a file into ${key}`,
			lines: ['Its bytes become the value. The review shows the difference before anything is written.'],
			value: '',
			does: 'review',
			complete: completedInputPath,
			check: inputPathProblem,
			submit(typed) {
				try {
					loadValue(editOfValue(placeIn(keys, key), whole), inputPath(typed));
				} catch (error) {
					fail(asFailure(error));
				}
			},
		});
	});

const saving = {
	words: ['save value to file', 'save to file', 'save to disk', 'write value to a file', 'download value'],
};
const loading = {words: ['load value from file', 'load from file', 'value from file']};

export const filesActions: readonly Action[] = [
	ofKey('key.save', ['w'], 'save the value to a file', {
		hint: 'save to file',
		...saving,
		unavailable: needsValue,
		run: save,
	}),
	ofKey('key.load', ['o'], 'load the value from a file; a review comes first', {
		hint: 'load file',
		...loading,
		unavailable: needsNoEdit,
		run: load,
	}),
	ofKey('key.pager', ['P'], 'show the value in $PAGER', {
		words: ['pager', 'less', 'more', 'page through'],
		unavailable: ({key: {data: key}}) => (key?.view ? undefined : 'there is no value here'),
		run: ({state, terminal}) =>
			void state().work.run('showing the value in $PAGER', 'read', () =>
				state().files.page(terminal.handOver),
			),
	}),
	ofKeys('keys.save', ['w'], 'save the value of the key to a file', {
		...saving,
		unavailable: needsValue,
		run: save,
	}),
	ofKeys('keys.load', ['o'], 'load the value of the key from a file; a review comes first', {
		...loading,
		unavailable: needsNoEdit,
		run: load,
	}),
];
