import {type BulkInput, openInput} from './input.ts';

/**
 * Opens the names of listed keys as a job's input, one per line: a copy that can be reread and kept. Fails as
 * `openInput` does.
 */
export function openKeyNamesInput(
	groups: AsyncIterable<readonly string[]>,
	options: Omit<Parameters<typeof openInput>[1], 'stdin'>,
): Promise<BulkInput> {
	return openInput('-', {...options, stdin: formatNameLines(groups), hasListedKeys: true});
}

async function* formatNameLines(groups: AsyncIterable<readonly string[]>): AsyncGenerator<Uint8Array> {
	let isEmpty = true;
	for await (const names of groups) {
		if (names.length === 0) continue;
		isEmpty = false;
		yield Buffer.from(`${names.map(name => JSON.stringify(name)).join('\n')}\n`);
	}
	// An empty file is malformed; an empty array is not.
	if (isEmpty) yield Buffer.from('[]');
}
