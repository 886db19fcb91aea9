import {renameSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {Preferences} from '../../../source/settings/preferences/preferences.ts';
import {watchPreferences} from '../../../source/settings/preferences/watch.ts';
import {folderWith} from '../support/files.ts';

/** Watches a new file, and waits for preferences that fulfil a condition. */
function watchFile(text: string) {
	const folder = folderWith({'ledge/config.toml': text});
	const file = join(folder, 'ledge/config.toml');
	let latest: Preferences | undefined;
	let notify = () => {};
	const watcher = watchPreferences({XDG_CONFIG_HOME: folder}, async preferences => {
		latest = preferences;
		notify();
	});
	return {
		file,
		watcher,
		waitFor: (isReached: (preferences: Preferences | undefined) => boolean) =>
			new Promise<void>(resolve => {
				notify = () => isReached(latest) && resolve();
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

test('nothing is watched without a folder', () => {
	using _watcher = watchPreferences({XDG_CONFIG_HOME: '/does/not/exist'}, async () => {
		expect.unreachable();
	});
	using _other = watchPreferences({}, async () => {
		expect.unreachable();
	});
});
