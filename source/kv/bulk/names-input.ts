import {type BulkInput, openInput} from './input.ts';

/**
 * Names of keys that a store has just listed, as the input of a job, a line each: a copy that can be refreshed and
 * again, and be kept. Fails as `openInput` does.
 */
export function namesInput(
	groups: AsyncIterable<readonly string[]>,
	options: Omit<Parameters<typeof openInput>[1], 'stdin'>,
): Promise<BulkInput> {
	return openInput('-', {...options, stdin: lines(groups), isListed: true});
}

async function* lines(groups: AsyncIterable<readonly string[]>): AsyncGenerator<Uint8Array> {
	let isEmpty = true;
	for await (const names of groups) {
		if (names.length === 0) continue;
		isEmpty = false;
		yield Buffer.from(`${names.map(name => JSON.stringify(name)).join('\n')}\n`);
	}
	// A file without anything in it is malformed: an empty array is none.
	if (isEmpty) yield Buffer.from('[]');
}
