import {mkdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {type Failure, toFailure} from '../../../source/failure.ts';
import {createScratchFolder} from '../../support/ledge.ts';

/** A new folder that holds these files; paths with slashes make folders. */
export function folderWith(files: Readonly<Record<string, string | Uint8Array>>): string {
	const folder = createScratchFolder();
	for (const [path, content] of Object.entries(files)) {
		const file = join(folder, path);
		mkdirSync(dirname(file), {recursive: true});
		writeFileSync(file, content);
	}
	return folder;
}

/** Runs `act` and returns its failure. Throws if it does not fail, so that no test passes without one. */
export async function failureOf(act: () => unknown): Promise<Failure> {
	let returnValue: unknown;
	try {
		returnValue = await act();
	} catch (error) {
		return toFailure(error);
	}
	throw new Error(`It did not fail, but gave ${JSON.stringify(returnValue)}.`);
}
