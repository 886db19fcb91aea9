import {readFileSync, realpathSync, type Stats, statSync} from 'node:fs';
import {dirname, posix, win32} from 'node:path';
import {Failure} from '../failure.ts';
import {
	createFileAtomically,
	createFileFailure,
	type Environment,
	getErrorCode,
	getPathStatus,
	makeFolder,
} from '../state/directory.ts';
import {formatQuantity} from '../text/figures.ts';
import {quoteShellWord} from '../text/shell-word.ts';

/**
 * Returns the path of a file that belongs to the user, not to a project: in `ledge` of `XDG_CONFIG_HOME` or
 * `~/.config`; on Windows of `APPDATA`. Undefined without a home. Does not access the file.
 */
export function getOwnFile(
	name: string,
	env: Environment,
	platform: NodeJS.Platform = process.platform,
): string | undefined {
	const {XDG_CONFIG_HOME: xdg, HOME: home, APPDATA: roaming} = env;
	const {isAbsolute, join} = platform === 'win32' ? win32 : posix;
	// Relative paths are ignored: they would depend on the working folder.
	const configFolder =
		platform === 'win32' ? roaming : home && isAbsolute(home) ? join(home, '.config') : undefined;
	const folder = [xdg, configFolder].find(path => path && isAbsolute(path));
	return folder ? join(folder, 'ledge', name) : undefined;
}

/** Formats the path with `~` for the home folder. */
export const formatOwnPath = (file: string, {HOME: home}: Environment): string =>
	home && file.startsWith(`${home}/`) ? `~${file.slice(home.length)}` : file;

const maxOwnFileBytes = 1_000_000;

/**
 * Reads a file of the user; undefined if it does not exist. Fails with `configuration_invalid` if it cannot
 * be read, is no regular file (a pipe would be waited for), is larger than 1,000,000 bytes, or if others can
 * write to it or its folder. `noun` names it, as in "the contexts file".
 */
export function readOwnFile(noun: string, file: string): Buffer | undefined {
	try {
		const status = getPathStatus(file);
		if (!status) return undefined;
		refuseForeignWriters(noun, 'file', file, status);
		refuseOddFile(noun, file, status);
		// Anyone who can write a folder can replace the file, at either end of a link.
		const folders = new Set([dirname(file), dirname(realpathSync(file))]);
		for (const folder of folders) refuseForeignWriters(noun, 'folder', folder, statSync(folder));
		return readFileSync(file);
	} catch (error) {
		if (error instanceof Failure) throw error;
		throw new Failure('configuration_invalid', `${noun.replace(/^t/, 'T')} ${file} cannot be read.`, {
			why: `The system reports ${getErrorCode(error) ?? String(error)}.`,
			next: 'Check what is at that path, and who can read it.',
		});
	}
}

function refuseOddFile(noun: string, file: string, status: Stats): void {
	const why = status.isDirectory()
		? 'It is a folder.'
		: !status.isFile()
			? 'It is no regular file.'
			: status.size > maxOwnFileBytes
				? `It has ${formatQuantity(status.size, 'byte')}; at most ${formatQuantity(maxOwnFileBytes, 'byte')} are read.`
				: undefined;
	if (why === undefined) return;
	throw new Failure('configuration_invalid', `${noun.replace(/^t/, 'T')} ${file} cannot be read.`, {
		why,
		next: 'Check what is at that path.',
	});
}

/**
 * Creates a file of the user (0600) with its folder. Fails with `changed_meanwhile` if it exists, and with
 * `file_failed` if it cannot be written.
 */
export function createOwnFile(noun: string, file: string, text: string): void {
	try {
		makeFolder(dirname(file), 0o700);
	} catch (cause) {
		throw createFileFailure(`The folder ${dirname(file)} cannot be created.`, cause);
	}
	refuseForeignWriters(noun, 'folder', dirname(file), statSync(dirname(file)));
	try {
		createFileAtomically(
			file,
			text,
			() =>
				new Failure('changed_meanwhile', `${file} was created by someone else; nothing was written to it.`, {
					next: 'Check the file, then try again.',
				}),
		);
	} catch (cause) {
		throw createFileFailure(`The file ${file} cannot be written.`, cause);
	}
}

/** Fails with `configuration_invalid` if others can write the path. */
function refuseForeignWriters(
	noun: string,
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
	const description = kind === 'file' ? `${noun} ${path}` : `the folder of ${noun} ${path}`;
	throw new Failure('configuration_invalid', `Others can write to ${description}.`, {
		why: isOwn
			? `Its mode is ${(mode & 0o777).toString(8)}; it must not be writable by group or others.`
			: `Its owner is user ${uid}; ledge runs as user ${ownUid}.`,
		next: isOwn
			? `chmod ${kind === 'file' ? '600' : 'go-w'} ${quoteShellWord(path)}`
			: 'Check its content, and change its owner to yourself.',
	});
}
