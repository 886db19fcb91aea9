import {createReadStream, statSync} from 'node:fs';
import type {Readable} from 'node:stream';
import {createInterruptedFailure, Failure} from '../failure.ts';
import {checkValueSize, limits} from '../kv/limits.ts';
import {createInputMissingFailure} from '../state/directory.ts';

/**
 * Reads a file that a person named. Stops at the first byte over the limit of 25 MB, so that a wrong path
 * costs no memory. Fails with `input_missing` if unreadable and `limit` if too large; `checkSize` throws that.
 */
export async function readInputFile(
	path: string,
	signal: AbortSignal,
	checkSize = checkValueSize,
): Promise<Buffer> {
	checkSize(getFileSize(path));
	return readInputStream(createReadStream(path), path, signal, checkSize);
}

/** Checks the size of a file that is not the value of a key. Fails with `limit`. */
export function checkFileSize(bytes: number): void {
	if (bytes > limits.valueBytes)
		throw new Failure('limit', 'The file is too large.', {
			why: `ledge reads files of at most ${limits.valueBytes} bytes; this one has at least ${bytes}.`,
		});
}

/** Like `readInputFile`, for a stream; `name` appears in failures. */
export async function readInputStream(
	stream: NodeJS.ReadableStream,
	name: string,
	signal: AbortSignal,
	checkSize = checkValueSize,
): Promise<Buffer> {
	const {addAbortSignal} = await import('node:stream');
	const source = addAbortSignal(signal, stream as Readable);
	const pieces: Buffer[] = [];
	let bytes = 0;
	try {
		for await (const chunk of source) {
			pieces.push(chunk as Buffer);
			bytes += (chunk as Buffer).length;
			if (bytes > limits.valueBytes) checkSize(bytes);
		}
	} catch (cause) {
		if (signal.aborted) throw createInterruptedFailure();
		throw cause instanceof Failure ? cause : createInputMissingFailure(`"${name}"`, cause);
	}
	return Buffer.concat(pieces);
}

function getFileSize(path: string): number {
	try {
		const status = statSync(path);
		if (status.isDirectory())
			throw new Failure('input_missing', `"${path}" is a folder.`, {next: 'Specify a file.'});
		return status.size;
	} catch (cause) {
		throw cause instanceof Failure ? cause : createInputMissingFailure(`"${path}"`, cause);
	}
}
