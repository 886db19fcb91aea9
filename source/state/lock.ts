import {readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import {Failure} from '../failure.ts';
import {quoted} from '../text/shell-word.ts';
import {discard, errorCode, fileFailed} from './directory.ts';
import {type Holder, holderWords, readHolder, standingOf, thisProcess} from './holder.ts';

/**
 * Locks what `path` names for this process until disposed. A lock is a file `PATH.lock.N`. A dead holder's
 * lock is not removed to make room (two processes could do that at once, and the second would remove the
 * first one's) but superseded by N + 1, which only one can create. A lock whose holder is out of sight
 * (another machine or container) counts: only a person can know that it is stale, and remove it. Fails with
 * `job_running`.
 */
export function takeLock(path: string): Disposable {
	const mine = JSON.stringify(thisProcess());
	for (;;) {
		const held = locks(path);
		const live = held.map(lock => ({...lock, holder: liveHolder(lock.file)})).find(lock => lock.holder);
		if (live?.holder) throw running(live.file, live.holder);
		const number = (held.at(-1)?.number ?? 0) + 1;
		const file = `${path}.lock.${number}`;
		try {
			writeFileSync(file, mine, {flag: 'wx', mode: 0o600});
		} catch (cause) {
			if (errorCode(cause) === 'EEXIST') continue;
			// On a full disk it exists but is empty, and would pass for another process's.
			discard(file);
			throw fileFailed(`The lock ${file} cannot be written.`, cause);
		}
		// Another process may have advanced in the meantime: the highest number holds.
		if (locks(path).at(-1)?.number !== number) {
			rmSync(file, {force: true});
			continue;
		}
		for (const stale of held) rmSync(stale.file, {force: true});
		return {[Symbol.dispose]: () => rmSync(file, {force: true})};
	}
}

/** Returns the holder of the lock of `path` that is alive or out of sight, if any. */
export function lockHolder(path: string): Holder | undefined {
	for (const {file} of locks(path)) {
		const holder = liveHolder(file);
		if (holder && holder !== 'unknown') return holder;
	}
	return undefined;
}

function running(file: string, holder: Holder | 'unknown'): Failure {
	const wait = 'Wait until it has ended, or stop it; then try again.';
	if (holder === 'unknown')
		return new Failure('job_running', 'Another process is running this job.', {
			why: `It has just taken the lock ${file}.`,
			next: wait,
		});
	const who = holderWords(holder);
	if (standingOf(holder) !== 'out of sight')
		return new Failure('job_running', 'Another process is running this job.', {
			why: `${who.replace('process', 'Process')} holds it.`,
			next: wait,
		});
	return new Failure('job_running', 'Another process may be working on this job.', {
		why: `${who.replace('process', 'Process')} holds it; whether it still runs cannot be checked from here.`,
		next: `Only if it has ended, remove its lock (\`rm ${quoted(file)}\`); then try again.`,
	});
}

/** Lists the locks of a path by number; the last one counts. */
function locks(path: string): {readonly file: string; readonly number: number}[] {
	const prefix = `${basename(path)}.lock.`;
	return readdirSync(dirname(path))
		.filter(name => name.startsWith(prefix))
		.map(name => ({file: join(dirname(path), name), number: Number(name.slice(prefix.length))}))
		.filter(({number}) => Number.isSafeInteger(number))
		.sort((one, other) => one.number - other.number);
}

/** Returns the holder of a lock file if it lives; `unknown` if the file is still empty. */
function liveHolder(file: string): Holder | 'unknown' | undefined {
	let text: string;
	let age: number;
	try {
		text = readFileSync(file, 'utf8');
		age = Date.now() - statSync(file).mtimeMs;
	} catch (cause) {
		if (errorCode(cause) === 'ENOENT') return undefined;
		throw fileFailed(`The lock ${file} cannot be read.`, cause);
	}
	const holder = parseHolder(text);
	if (!holder) return age < 10_000 ? 'unknown' : undefined;
	return standingOf(holder) === 'gone' ? undefined : holder;
}

function parseHolder(text: string): Holder | undefined {
	try {
		return readHolder(JSON.parse(text));
	} catch {
		// Being written, or torn: the age of the file decides.
		return undefined;
	}
}
