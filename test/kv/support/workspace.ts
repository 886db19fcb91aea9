import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

/** A folder of its own for one test, with a state directory that is not made yet; gone when disposed. */
export type Workspace = Disposable & {
	readonly folder: string;
	readonly environment: {readonly LEDGE_STATE_DIR: string};
	readonly state: string;
	path(name: string): string;
	/** Writes a file and gives its path. */
	file(name: string, content: string | Uint8Array): string;
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
		file(name, content) {
			writeFileSync(path(name), content);
			return path(name);
		},
		[Symbol.dispose]: () => rmSync(folder, {recursive: true, force: true}),
	};
}

/** Text as standard input gives it, in pieces. */
export async function* streamOf(text: string, piece = 1000): AsyncGenerator<Uint8Array> {
	const bytes = Buffer.from(text);
	for (let at = 0; at < bytes.length; at += piece) yield bytes.subarray(at, at + piece);
}

/** What a promise fails with; the test fails if it does not. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
	try {
		await promise;
	} catch (error) {
		return error;
	}
	throw new TypeError('It did not fail.');
}
