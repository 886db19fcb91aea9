import {mkdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {type Failure, toFailure} from '../../../source/failure.ts';
import {scratch} from '../../support/ledge.ts';

/** A new folder that holds these files; paths with slashes make folders. */
export function folderWith(files: Readonly<Record<string, string | Uint8Array>>): string {
	const folder = scratch();
	for (const [path, content] of Object.entries(files)) {
		const file = join(folder, path);
		mkdirSync(dirname(file), {recursive: true});
		writeFileSync(file, content);
	}
	return folder;
}

/** How it fails; a test of a failure must not pass because nothing failed. */
export async function failureOf(act: () => unknown): Promise<Failure> {
	let done: unknown;
	try {
		done = await act();
	} catch (error) {
		return toFailure(error);
	}
	throw new Error(`It did not fail, but gave ${JSON.stringify(done)}.`);
}
