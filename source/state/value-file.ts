import {closeSync, fstatSync, openSync, readSync, realpathSync, statSync} from 'node:fs';
import {Failure, isFailure} from '../failure.ts';
import {
	createFileAtomically,
	createFileFailure,
	createInputMissingFailure,
	writeFileAtomically,
} from './directory.ts';

/**
 * Writes bytes to a file that only its owner can read (0600), atomically. With `replacesExisting` it replaces
 * an existing file, or the target of a link. Fails with `file_exists` if it may not be replaced, and with
 * `file_failed`.
 */
export function saveValueFile(path: string, bytes: Uint8Array, replacesExisting: boolean): void {
	const createFileExistsFailure = (cause: unknown): Failure =>
		new Failure('file_exists', `The file ${path} already exists.`, {next: 'Choose another file.', cause});
	try {
		if (replacesExisting && statSync(path, {throwIfNoEntry: false}))
			writeFileAtomically(realpathSync(path), bytes);
		else createFileAtomically(path, bytes, createFileExistsFailure);
	} catch (cause) {
		if (isFailure(cause)) throw cause;
		throw createFileFailure(`The file ${path} cannot be written.`, cause);
	}
}

/**
 * Reads a file of at most `maxBytes` bytes; does not read a larger one. Fails with `input_missing` and
 * `limit`.
 */
export function loadValueFile(path: string, maxBytes: number): Uint8Array {
	let file: number;
	try {
		file = openSync(path, 'r');
	} catch (cause) {
		throw createInputMissingFailure(`"${path}"`, cause);
	}
	try {
		const {size} = fstatSync(file);
		if (size > maxBytes) throw createTooLargeFailure(path, size, maxBytes);
		const bytes = Buffer.alloc(size);
		let readBytes = 0;
		for (let bytesRead = 1; bytesRead > 0 && readBytes < size; readBytes += bytesRead)
			bytesRead = readSync(file, bytes, readBytes, size - readBytes, readBytes);
		return bytes.subarray(0, readBytes);
	} catch (cause) {
		if (isFailure(cause)) throw cause;
		throw createInputMissingFailure(`"${path}"`, cause);
	} finally {
		closeSync(file);
	}
}

const createTooLargeFailure = (path: string, size: number, maxBytes: number): Failure =>
	new Failure('limit', `The file ${path} is too large for a value.`, {
		why: `A value has at most ${maxBytes} bytes; this file has ${size}.`,
	});
