import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {DatabaseSync, type DatabaseSyncOptions} from 'node:sqlite';
import {onTestFinished} from 'vitest';
import {type LocalStore, type LocalStoreOptions, openLocalStore} from '../../../source/kv/local/store.ts';

/** A signal that is never aborted. */
export const neverAborted = new AbortController().signal;

/** Returns the path of a store that does not exist yet (`…/v3`), and removes the store after the test. */
export function temporaryRoot(): string {
	const folder = mkdtempSync(join(tmpdir(), 'ledge-'));
	onTestFinished(() => rmSync(folder, {recursive: true, force: true}));
	return join(folder, 'v3');
}

/** Opens a store, and closes it after the test. */
export function openForTest(options: Partial<LocalStoreOptions> = {}): LocalStore {
	const store = openLocalStore({root: options.root ?? temporaryRoot(), namespace: 'N', ...options});
	onTestFinished(() => store[Symbol.dispose]());
	return store;
}

/** A clock that advances by 1 ms per call, so that nothing depends on how fast files are created. */
export function createTickingClock(): () => number {
	let time = 0;
	return () => time++;
}

/** Opens a database directly with SQLite, and closes it after the test. */
export function openDatabase(file: string, options: DatabaseSyncOptions = {}): DatabaseSync {
	const database = new DatabaseSync(file, options);
	onTestFinished(() => {
		database.close();
	});
	return database;
}

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

export const textOf = (value: {readonly bytes: Uint8Array} | undefined): string | undefined =>
	value && Buffer.from(value.bytes).toString('utf8');

export const names = (entries: Iterable<{readonly name: string}>): string[] =>
	[...entries].map(entry => entry.name);
