import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

/** A folder for one test, removed when disposed. Its state directory does not exist yet. */
export type Workspace = Disposable & {
	readonly folder: string;
	readonly environment: {readonly LEDGE_STATE_DIR: string};
	readonly state: string;
	path(name: string): string;
	/** Writes a file and returns its path. */
	writeFile(name: string, content: string | Uint8Array): string;
};

export function makeWorkspace(): Workspace {
	const folder = mkdtempSync(join(tmpdir(), 'ledge-'));
	const state = join(folder, 'state');
	const path = (name: string) => join(folder, name);
	return {
		folder,
		state,
		environment: {LEDGE_STATE_DIR: state},
		path,
		writeFile(name, content) {
			writeFileSync(path(name), content);
			return path(name);
		},
		[Symbol.dispose]: () => rmSync(folder, {recursive: true, force: true}),
	};
}

/** Yields text as standard input does, in pieces. */
export async function* streamOf(text: string, pieceBytes = 1000): AsyncGenerator<Uint8Array> {
	const bytes = Buffer.from(text);
	for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

/** Returns the error that a promise rejects with. Throws if it does not reject. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
	try {
		await promise;
	} catch (error) {
		return error;
	}
	throw new TypeError('It did not fail.');
}
