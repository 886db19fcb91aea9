import {type FSWatcher, realpathSync, watch} from 'node:fs';
import {basename, dirname} from 'node:path';
import type {Environment} from '../../state/directory.ts';
import {getPreferencesFile, readPreferences} from './file.ts';
import type {Preferences} from './preferences.ts';

/**
 * Calls back with the preferences each time their file is saved, removed or created, until disposed. Watches
 * its folder, since editors replace files, and that of the file it links to. Does not keep the process alive.
 * Without the folder, or where the system cannot watch it, nothing is reported.
 */
export function watchPreferences(
	env: Environment,
	onChange: (preferences: Preferences | undefined) => Promise<void>,
): Disposable {
	const file = getPreferencesFile(env);
	let state: 'idle' | 'reading' | 'stale' = 'idle';
	const watchers =
		file === undefined ? [] : listWatchedFiles(file).flatMap(path => startWatcher(path, reread));
	return {
		[Symbol.dispose]() {
			for (const watcher of watchers.splice(0)) watcher.close();
		},
	};

	/** Reads once more if the file changes meanwhile: a saved file may be written in parts. */
	async function reread(): Promise<void> {
		if (state !== 'idle') {
			state = 'stale';
			return;
		}
		do {
			state = 'reading';
			await onChange(await readPreferences(env));
		} while (hasChanged());
		state = 'idle';
	}

	function hasChanged(): boolean {
		return state === 'stale';
	}
}

function listWatchedFiles(file: string): readonly string[] {
	try {
		return [...new Set([file, realpathSync(file)])];
	} catch {
		return [file];
	}
}

function startWatcher(file: string, onEvent: () => Promise<void>): readonly FSWatcher[] {
	try {
		const watcher = watch(dirname(file), {persistent: false}, (_event, name) => {
			if (name === basename(file)) void onEvent();
		});
		watcher.on('error', () => watcher.close());
		return [watcher];
	} catch {
		return [];
	}
}
