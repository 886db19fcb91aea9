import {dirname, join, resolve} from 'node:path';
import type {Sourced} from './sourced.ts';

/**
 * The folder of locally persisted data: under `--persist-to`, or else beside the
 * configuration file, or else in the working directory; `v3` is appended in any case, as wrangler does.
 */
export function localRoot(options: {
	readonly cwd: string;
	readonly persistTo?: string | undefined;
	readonly configurationFile?: string | undefined;
}): Sourced<string> {
	const {cwd, persistTo, configurationFile} = options;
	if (persistTo !== undefined) return {value: join(resolve(cwd, persistTo), 'v3'), from: '--persist-to'};
	const folder = configurationFile === undefined ? cwd : dirname(configurationFile);
	return {
		value: join(folder, '.wrangler', 'state', 'v3'),
		from: configurationFile === undefined ? 'the working directory' : 'the folder of the configuration file',
	};
}
