import type {Host} from '../../host.ts';
import {readInputFile, readInputStream} from '../../session/input-file.ts';

/** Reads a value from a file, or from standard input for `-`. Limit: 25 MB; `checkSize` throws if it is exceeded. */
export const readInputValue = async (
	path: string | '-',
	{host, signal}: {readonly host: Pick<Host, 'stdin'>; readonly signal: AbortSignal},
	checkSize?: (bytes: number) => void,
): Promise<Buffer> =>
	path === '-'
		? readInputStream(host.stdin, path, signal, checkSize)
		: readInputFile(path, signal, checkSize);
