import {mkdirSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {attempt} from '../text/attempt.ts';
import {parseJsonText} from '../text/json.ts';
import {type Environment, getStateDirectory, openStateDirectory, writePrivateFile} from './directory.ts';
import {getHolderState, getThisProcess, processMark, readHolder} from './holder.ts';

/** Private files for a program, removed when disposed, when ledge ends, or at the next start. */
export type CommandFiles = Disposable & {
	/** Writes a file that only its owner can read, and returns its path. */
	write(name: string, content: Uint8Array | string): string;
};

const folderName = 'commands';
const holderFileName = 'holder.json';
let lastNumber = 0;

/** Creates a folder for the files of one program in the state directory. Fails with `file_failed`. */
export function openCommandFiles(environment: Environment): CommandFiles {
	removeAbandonedCommandFiles(environment);
	const folder = join(openStateDirectory(environment, folderName), `${processMark}-${++lastNumber}`);
	const remove = () => rmSync(folder, {recursive: true, force: true});
	mkdirSync(folder, {mode: 0o700});
	process.once('exit', remove);
	try {
		writePrivateFile(join(folder, holderFileName), JSON.stringify(getThisProcess()));
	} catch (error) {
		remove();
		throw error;
	}
	return {
		write(name, content) {
			const path = join(folder, name);
			writePrivateFile(path, content);
			return path;
		},
		[Symbol.dispose]() {
			process.off('exit', remove);
			remove();
		},
	};
}

/** Removes files left by processes that were killed. Never fails. */
export function removeAbandonedCommandFiles(environment: Environment): void {
	const root = getStateDirectory(environment);
	if (root === undefined) return;
	const parent = join(root, folderName);
	for (const name of attempt(() => readdirSync(parent)) ?? []) {
		const holder = attempt(() =>
			readHolder(parseJsonText(readFileSync(join(parent, name, holderFileName), 'utf8'))),
		);
		if (holder && getHolderState(holder) === 'gone')
			attempt(() => rmSync(join(parent, name), {recursive: true, force: true}));
	}
}
