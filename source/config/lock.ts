import {readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {hostname} from 'node:os';
import {basename, dirname, join} from 'node:path';
import {Failure} from '../failure.ts';
import {type Holder, lives, readHolder, thisProcess} from './holder.ts';
import {errorCode, fileFailed} from './state.ts';

/**
 * Makes this process the only one to work on what `path` names, until disposed. A lock is a file `PATH.lock.N`:
 * a dead holder's lock is never removed to make room (two could do that at once, and the second would remove
 * the first one's), but superseded by N + 1, which only one can create. Fails with `job_running`.
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
			// On a full disk it is there, and empty: it would pass for that of someone else.
			rmSync(file, {force: true});
			throw fileFailed(`The lock ${file} cannot be written.`, cause);
		}
		// Someone who looked before us may have come further meanwhile: the highest number holds.
		if (locks(path).at(-1)?.number !== number) {
			rmSync(file, {force: true});
			continue;
		}
		for (const stale of held) rmSync(stale.file, {force: true});
		return {[Symbol.dispose]: () => rmSync(file, {force: true})};
	}
}

/** The live process that holds the lock of `path`, if there is one. */
export function lockHolder(path: string): Holder | undefined {
	for (const {file} of locks(path)) {
		const holder = liveHolder(file);
		if (holder && holder !== 'unknown') return holder;
	}
	return undefined;
}

function running(file: string, holder: Holder | 'unknown'): Failure {
	const elsewhere = holder !== 'unknown' && holder.host !== hostname();
	return new Failure('job_running', 'Another process works on this job.', {
		why:
			holder === 'unknown'
				? `It has just taken the lock ${file}.`
				: `Process ${holder.pid}${elsewhere ? ` on ${holder.host}` : ''} holds it.`,
		next: elsewhere
			? `If that process is gone, remove ${file}.`
			: 'Wait until it has ended, or stop it; then try again.',
	});
}

/** The locks of a path in the order of their numbers; the last one counts. */
function locks(path: string): {readonly file: string; readonly number: number}[] {
	const prefix = `${basename(path)}.lock.`;
	return readdirSync(dirname(path))
		.filter(name => name.startsWith(prefix))
		.map(name => ({file: join(dirname(path), name), number: Number(name.slice(prefix.length))}))
		.filter(({number}) => Number.isSafeInteger(number))
		.sort((one, other) => one.number - other.number);
}

/** Who holds a lock file, if that process lives; `unknown` when the file is there and its content not yet. */
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
	if (holder.host !== hostname()) return holder;
	return lives(holder) ? holder : undefined;
}

function parseHolder(text: string): Holder | undefined {
	try {
		return readHolder(JSON.parse(text));
	} catch {
		// Being written at this moment, or torn: the age of the file tells which.
		return undefined;
	}
}
