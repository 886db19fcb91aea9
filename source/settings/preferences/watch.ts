import {existsSync, type FSWatcher, realpathSync, statSync, watch} from 'node:fs';
import {basename, dirname} from 'node:path';
import type {Environment} from '../../state/directory.ts';
import {attempt} from '../../text/attempt.ts';
import {getPreferencesFile, readPreferences} from './file.ts';
import type {Preferences} from './preferences.ts';

/**
 * Calls back with the preferences each time their file is saved, removed or created, until disposed. Watches
 * its folder, since editors replace files, and that of the file it links to; while a folder is missing, the
 * nearest one above it. Does not keep the process alive. Where the system cannot watch, nothing is reported.
 */
export function watchPreferences(
	env: Environment,
	onChange: (preferences: Preferences | undefined) => Promise<void>,
): Disposable {
	const file = getPreferencesFile(env);
	let state: 'idle' | 'reading' | 'stale' = 'idle';
	let watchers: readonly FSWatcher[] = [];
	let watchedFolders = '';
	let exists = false;
	if (file !== undefined) {
		followFolders(file);
		exists = existsSync(file);
	}
	return {
		[Symbol.dispose]() {
			for (const watcher of watchers) watcher.close();
		},
	};

	/** Watches other folders if some were created, removed or replaced. Returns whether. */
	function followFolders(path: string): boolean {
		const before = watchedFolders;
		for (let folders = identifyFolders(path); folders !== watchedFolders; folders = identifyFolders(path)) {
			for (const watcher of watchers) watcher.close();
			watchedFolders = folders;
			watchers = listWatchedPaths(path).flatMap(one => startWatcher(one, () => handleChange(path, one)));
		}
		return watchedFolders !== before;
	}

	function handleChange(path: string, changedPath: string): void {
		const hasMoved = followFolders(path);
		const existed = exists;
		exists = existsSync(path);
		const isFile = [path, resolveLinks(path)].includes(changedPath);
		if ((isFile || hasMoved) && (existed || exists)) void reread();
	}

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

/**
 * Lists the file, the file that it links to, and of each the folders above up to the first that exists: that
 * one can be removed, too.
 */
function listWatchedPaths(file: string): readonly string[] {
	const listWithFolders = (path: string): readonly string[] => {
		const folder = dirname(path);
		return folder === path || existsSync(folder) ? [path, folder] : [path, ...listWithFolders(folder)];
	};
	return [...new Set([file, resolveLinks(file)].flatMap(listWithFolders))];
}

const resolveLinks = (file: string): string => attempt(() => realpathSync(file)) ?? file;

/** Identifies the watched folders: one that was removed and created again is another. */
const identifyFolders = (file: string): string =>
	listWatchedPaths(file)
		.map(path => {
			try {
				const {dev, ino, birthtimeMs} = statSync(dirname(path));
				return [path, dev, ino, birthtimeMs].join(' ');
			} catch {
				return path;
			}
		})
		.join('\n');

function startWatcher(path: string, onEvent: () => void): readonly FSWatcher[] {
	try {
		const watcher = watch(dirname(path), {persistent: false}, (_event, name) => {
			if (name === basename(path)) onEvent();
		});
		watcher.on('error', () => watcher.close());
		return [watcher];
	} catch {
		return [];
	}
}
