import {resolve} from 'node:path';
import {type ProcessResult, run} from './process.ts';

export const builtLedge = resolve(import.meta.dirname, '..', '..', 'dist', 'ledge.cjs');

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string>>;

/** One of the two programs in a folder; takes the words of a command, e.g. `['kv', 'key', 'get', 'k']`. */
export type Program = {
	readonly name: string;
	run(words: readonly string[], more?: Environment): Promise<ProcessResult>;
};

/** An environment without credentials of whoever runs this, in which nothing phones home. */
export function createInteropEnvironment(home: string): Environment {
	const inherited = ['PATH', 'TMPDIR', 'SystemRoot', 'NODE_EXTRA_CA_CERTS'].flatMap(name => {
		const value = process.env[name];
		return value === undefined ? [] : [[name, value] as const];
	});
	return {
		...Object.fromEntries(inherited),
		HOME: home,
		WRANGLER_SEND_METRICS: 'false',
		WRANGLER_HIDE_BANNER: 'true',
		NO_PROXY: '127.0.0.1,localhost',
		NO_COLOR: '1',
		CI: 'true',
	};
}

/** A program that Node runs, working in a folder. */
export const createNodeProgram = (
	name: string,
	script: string,
	folder: string,
	env: Environment,
): Program => ({
	name,
	run: (words, more) => run(process.execPath, [script, ...words], {cwd: folder, env: {...env, ...more}}),
});
