import type {Host} from '../../host.ts';
import {readInput, readInputFile} from '../../session/input-file.ts';

/** Reads a value from a file, or from standard input for `-`. Limit: 25 MB. */
export const readValue = async (
	path: string | '-',
	{host, signal}: {readonly host: Pick<Host, 'stdin'>; readonly signal: AbortSignal},
): Promise<Buffer> => (path === '-' ? readInput(host.stdin, path, signal) : readInputFile(path, signal));
