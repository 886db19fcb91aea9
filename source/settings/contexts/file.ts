import {readFileSync, realpathSync, statSync} from 'node:fs';
import {dirname, posix, win32} from 'node:path';
import {Failure} from '../../failure.ts';
import {type Environment, getErrorCode, getPathStatus} from '../../state/directory.ts';
import {quoteShellWord} from '../../text/shell-word.ts';
import type {ContextsFile} from './context.ts';

/**
 * Returns the path of the file of contexts: `ledge/contexts.toml` in `XDG_CONFIG_HOME` or `~/.config`; on
 * Windows in `APPDATA`. Undefined without a home. Does not access the file.
 */
export function getContextsFile(
	env: Environment,
	platform: NodeJS.Platform = process.platform,
): string | undefined {
	const {XDG_CONFIG_HOME: xdg, HOME: home, APPDATA: roaming} = env;
	const {isAbsolute, join} = platform === 'win32' ? win32 : posix;
	// Relative paths are ignored: they would depend on the working folder.
	const configFolder =
		platform === 'win32' ? roaming : home && isAbsolute(home) ? join(home, '.config') : undefined;
	const folder = [xdg, configFolder].find(path => path && isAbsolute(path));
	return folder ? join(folder, 'ledge', 'contexts.toml') : undefined;
}

/**
 * Reads the contexts, if the file exists. Fails with `configuration_invalid` if others can write the file or
 * its folder, or it is unreadable or malformed.
 */
export async function readContexts(env: Environment): Promise<ContextsFile | undefined> {
	const file = getContextsFile(env);
	if (file === undefined) return undefined;
	let bytes: Buffer;
	try {
		if (!checkContextsFile(file)) return undefined;
		bytes = readFileSync(file);
	} catch (error) {
		if (error instanceof Failure) throw error;
		throw new Failure('configuration_invalid', `The contexts file ${file} cannot be read.`, {
			why: `The system reports ${getErrorCode(error) ?? String(error)}.`,
			next: 'Check what is at that path, and who can read it.',
		});
	}
	const {parseContexts} = await import('./read.ts');
	return parseContexts(bytes, file, formatContextsPath(file, env));
}

/** Formats the path with `~` for the home folder. */
export const formatContextsPath = (file: string, {HOME: home}: Environment): string =>
	home && file.startsWith(`${home}/`) ? `~${file.slice(home.length)}` : file;

function checkContextsFile(file: string): boolean {
	const status = getPathStatus(file);
	if (!status) return false;
	refuseForeignWriters('file', file, status);
	// Anyone who can write a folder can replace the file, at either end of a link.
	const folders = new Set([dirname(file), dirname(realpathSync(file))]);
	for (const folder of folders) refuseForeignWriters('folder', folder, statSync(folder));
	return true;
}

/**
 * Fails with `configuration_invalid` if others can write the path: the file decides which account is written
 * to.
 */
export function refuseForeignWriters(
	kind: 'file' | 'folder',
	path: string,
	{uid, mode}: {readonly uid: number; readonly mode: number},
): void {
	if (process.platform === 'win32') return;
	const ownUid = process.getuid?.();
	const isOwn = ownUid === undefined || uid === ownUid || uid === 0;
	// In a sticky folder users can remove or rename only their own files.
	const isSafe = (mode & 0o022) === 0 || (kind === 'folder' && (mode & 0o1000) !== 0);
	if (isOwn && isSafe) return;
	const description =
		kind === 'file' ? `the contexts file ${path}` : `the folder of the contexts file ${path}`;
	throw new Failure('configuration_invalid', `Others can write to ${description}.`, {
		why: isOwn
			? `Its mode is ${(mode & 0o777).toString(8)}; it must not be writable by group or others.`
			: `Its owner is user ${uid}; ledge runs as user ${ownUid}.`,
		next: isOwn
			? `chmod ${kind === 'file' ? '600' : 'go-w'} ${quoteShellWord(path)}`
			: 'Check its content, and change its owner to yourself.',
	});
}
