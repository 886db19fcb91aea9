import {fstatSync, fsyncSync} from 'node:fs';
import {Failure} from '../failure.ts';

/**
 * Flushes a stream to disk if it is a file: some systems report a full disk only then. Fails with
 * `file_failed`.
 */
export function syncStream(stream: object): void {
	const fd = 'fd' in stream ? stream.fd : undefined;
	if (typeof fd !== 'number') return;
	try {
		if (fstatSync(fd).isFile()) fsyncSync(fd);
	} catch (cause) {
		throw new Failure('file_failed', 'Cannot write to standard output.', {
			why: cause instanceof Error ? cause.message : String(cause),
			next: 'Free up disk space, or write elsewhere; the output is incomplete.',
			cause,
		});
	}
}
