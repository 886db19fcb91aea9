import {readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import {Failure} from '../failure.ts';
import {attempt} from '../text/attempt.ts';
import {quoteShellWord} from '../text/shell-word.ts';
import {createFileFailure, discardPath, getErrorCode} from './directory.ts';
import {formatHolder, getHolderState, getThisProcess, type Holder, readHolder} from './holder.ts';

/**
 * Locks what `path` names for this process until disposed. A lock is a file `PATH.lock.N`. The lock of a dead
 * holder is superseded by N + 1, which only one process can create. It is not removed first: two processes
 * could do that at once, and the second would remove the new lock of the first. A lock whose holder is out of
 * sight (on another machine or in another container) counts as held: only a person can know that it is stale,
 * and remove it. Fails with `job_running`.
 */
export function takeLock(path: string): Disposable {
	const ownContent = JSON.stringify(getThisProcess());
	for (;;) {
		const locks = listLocks(path);
		const liveLock = locks
			.map(lock => ({...lock, holder: readLiveHolder(lock.file)}))
			.find(lock => lock.holder);
		if (liveLock?.holder) throw createRunningFailure(liveLock.file, liveLock.holder);
		const number = (locks.at(-1)?.number ?? 0) + 1;
		const file = `${path}.lock.${number}`;
		try {
			writeFileSync(file, ownContent, {flag: 'wx', mode: 0o600});
		} catch (cause) {
			if (getErrorCode(cause) === 'EEXIST') continue;
			// On a full disk, the file exists but is empty, and would pass for the lock of another process.
			discardPath(file);
			throw createFileFailure(`The lock ${file} cannot be written.`, cause);
		}
		// Another process may have advanced in the meantime: the highest number holds.
		if (listLocks(path).at(-1)?.number !== number) {
			rmSync(file, {force: true});
			continue;
		}
		for (const staleLock of locks) rmSync(staleLock.file, {force: true});
		return {[Symbol.dispose]: () => rmSync(file, {force: true})};
	}
}

/** Returns the holder of the lock of `path` that is alive or out of sight, if any. */
export function findLockHolder(path: string): Holder | undefined {
	for (const {file} of listLocks(path)) {
		const holder = readLiveHolder(file);
		if (holder && holder !== 'unknown') return holder;
	}
	return undefined;
}

function createRunningFailure(file: string, holder: Holder | 'unknown'): Failure {
	const waitAdvice = 'Wait for it to finish, or stop it; then try again.';
	if (holder === 'unknown')
		return new Failure('job_running', 'Another process is running this job.', {
			why: `It has just taken the lock ${file}.`,
			next: waitAdvice,
		});
	const holderText = formatHolder(holder);
	if (getHolderState(holder) !== 'out of sight')
		return new Failure('job_running', 'Another process is running this job.', {
			why: `${holderText.replace('process', 'Process')} holds the lock.`,
			next: waitAdvice,
		});
	return new Failure('job_running', 'Another process may be working on this job.', {
		why: `${holderText.replace('process', 'Process')} holds the lock; ledge can't check from here whether it is still running.`,
		next: `Only if it has ended, remove its lock (\`rm ${quoteShellWord(file)}\`); then try again.`,
	});
}

/** Lists the locks of a path by number; the last one counts. */
function listLocks(path: string): {readonly file: string; readonly number: number}[] {
	const prefix = `${basename(path)}.lock.`;
	return readdirSync(dirname(path))
		.filter(name => name.startsWith(prefix))
		.map(name => ({file: join(dirname(path), name), number: Number(name.slice(prefix.length))}))
		.filter(({number}) => Number.isSafeInteger(number))
		.sort((one, other) => one.number - other.number);
}

/** Returns the holder of a lock file if it lives; `unknown` if the file is still empty. */
function readLiveHolder(file: string): Holder | 'unknown' | undefined {
	let text: string;
	let age: number;
	try {
		text = readFileSync(file, 'utf8');
		age = Date.now() - statSync(file).mtimeMs;
	} catch (cause) {
		if (getErrorCode(cause) === 'ENOENT') return undefined;
		throw createFileFailure(`The lock ${file} cannot be read.`, cause);
	}
	// A file without a holder is being written, or was only partly written; its age decides which.
	const holder = attempt(() => readHolder(JSON.parse(text)));
	if (!holder) return age < 10_000 ? 'unknown' : undefined;
	return getHolderState(holder) === 'gone' ? undefined : holder;
}
