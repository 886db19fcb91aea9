import {mkdirSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import type {Preferences} from '../../../source/settings/preferences/preferences.ts';
import {watchPreferences} from '../../../source/settings/preferences/watch.ts';
import {folderWith} from '../support/files.ts';

/** Watches a new file, and waits for preferences that fulfil a condition. */
function watchFile(
	text: string | undefined,
	folder = folderWith(text === undefined ? {} : {'ledge/config.toml': text}),
) {
	const file = join(folder, 'ledge/config.toml');
	const calls: (Preferences | undefined)[] = [];
	let notify = () => {};
	const watcher = watchPreferences({XDG_CONFIG_HOME: folder}, async preferences => {
		calls.push(preferences);
		notify();
	});
	return {
		file,
		watcher,
		calls,
		waitFor: (isReached: (preferences: Preferences | undefined) => boolean) =>
			new Promise<void>(resolve => {
				notify = () => calls.length > 0 && isReached(calls.at(-1)) && resolve();
				notify();
			}),
	};
}

const isMouseOff = (preferences: Preferences | undefined) => preferences?.defaults.mouse?.value === false;

test('a file is read again when it is saved, replaced, or removed', async () => {
	const {file, watcher, waitFor} = watchFile('');
	using _watcher = watcher;
	writeFileSync(file, '[defaults]\nmouse = false\n');
	await waitFor(isMouseOff);
	writeFileSync(`${file}.new`, '[defaults]\npreview = false\n');
	renameSync(`${file}.new`, file);
	await waitFor(preferences => preferences?.defaults.preview?.value === false);
	rmSync(file);
	await waitFor(preferences => preferences === undefined);
});

test.each([
	['its folder is', '.'],
	['the folders above it are', 'deep/er'],
])('a file is read once %s created, also after a removal', async (_name, path) => {
	const root = folderWith({});
	const folder = join(root, path);
	const {file, watcher, waitFor} = watchFile(undefined, folder);
	using _watcher = watcher;
	for (const text of ['[defaults]\nmouse = false\n', '[defaults]\n\nmouse = false\n']) {
		mkdirSync(dirname(file), {recursive: true});
		writeFileSync(file, text);
		await waitFor(isMouseOff);
		rmSync(path === '.' ? dirname(file) : join(root, 'deep'), {recursive: true});
		await waitFor(preferences => preferences === undefined);
	}
});

test('a folder without the file says nothing', async () => {
	const {file, watcher, waitFor, calls} = watchFile(undefined);
	using _watcher = watcher;
	mkdirSync(dirname(file));
	writeFileSync(join(dirname(file), 'contexts.toml'), '');
	writeFileSync(file, '');
	await waitFor(preferences => preferences !== undefined);
	expect(calls).not.toContain(undefined);
});

test('without a home nothing is watched', () => {
	using _watcher = watchPreferences({}, async () => {
		expect.unreachable();
	});
});
