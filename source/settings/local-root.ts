import {dirname, join, resolve} from 'node:path';
import type {Sourced} from './sourced.ts';

/**
 * Returns the folder of locally persisted data: under `--persist-to`, else beside the configuration file,
 * else in the working directory; always with `v3` appended, like wrangler.
 */
export function resolveLocalRoot(options: {
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
