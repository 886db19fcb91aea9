import {createReadStream, statSync} from 'node:fs';
import {addAbortSignal} from 'node:stream';
import {Failure, interrupted} from '../../failure.ts';
import type {Host} from '../../host.ts';
import {checkValueSize, limits} from '../../kv/limits.ts';
import {inputMissing} from '../../state/directory.ts';

/**
 * A value from a file, or from standard input for `-`. Stops reading at the first byte over the limit of 25 MB,
 * so that a wrong path costs no memory.
 */
export async function readValue(
	path: string | '-',
	{host, signal}: {readonly host: Pick<Host, 'stdin'>; readonly signal: AbortSignal},
): Promise<Buffer> {
	if (path !== '-') checkValueSize(sizeOf(path));
	const source = addAbortSignal(signal, path === '-' ? host.stdin : createReadStream(path));
	const pieces: Buffer[] = [];
	let bytes = 0;
	try {
		for await (const piece of source) {
			pieces.push(piece as Buffer);
			bytes += (piece as Buffer).length;
			if (bytes > limits.valueBytes) checkValueSize(bytes);
		}
	} catch (cause) {
		if (signal.aborted) throw interrupted();
		throw cause instanceof Failure ? cause : inputMissing(`"${path}"`, cause);
	}
	return Buffer.concat(pieces);
}

function sizeOf(path: string): number {
	try {
		const seen = statSync(path);
		if (seen.isDirectory())
			throw new Failure('input_missing', `"${path}" is a folder.`, {next: 'Name a file.'});
		return seen.size;
	} catch (cause) {
		throw cause instanceof Failure ? cause : inputMissing(`"${path}"`, cause);
	}
}
