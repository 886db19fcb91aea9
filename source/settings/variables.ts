import {readFileSync} from 'node:fs';
import {resolve} from 'node:path';
import {parseEnv} from 'node:util';
import {Failure} from '../failure.ts';
import type {Sourced} from './sourced.ts';

/** The first of these variables that is set; an empty one counts as unset. */
export type Variables = (...names: readonly string[]) => Sourced<string> | undefined;

/**
 * Environment variables: those of the process, and behind them those of the files that `--env-file` names, of
 * which a later one wins. No `.env` is read unless it is named. Fails with `input_missing` when a
 * named file cannot be read. Where a value of a file came from is told as `NAME in FILE`.
 */
export function readVariables(
	environment: Readonly<Record<string, string | undefined>>,
	files: readonly string[] = [],
	cwd = '',
): Variables {
	const sources = [
		{holds: environment, from: (name: string) => name},
		...files
			.toReversed()
			.map(file => ({holds: readFile(file, cwd), from: (name: string) => `${name} in ${file}`})),
	];
	return (...names) => {
		for (const {holds, from} of sources) {
			for (const name of names) {
				const value = Object.hasOwn(holds, name) ? holds[name] : undefined;
				if (value !== undefined && value !== '') return {value, from: from(name)};
			}
		}
		return undefined;
	};
}

function readFile(file: string, cwd: string): Readonly<Record<string, string | undefined>> {
	let text: string;
	try {
		text = readFileSync(resolve(cwd, file), 'utf8');
	} catch (error) {
		throw new Failure('input_missing', `The file ${file} with environment variables cannot be read.`, {
			why: `--env-file names it: ${error instanceof Error ? error.message : String(error)}`,
			next: 'Correct the path, or leave out --env-file.',
			cause: error,
		});
	}
	return parseEnv(text.startsWith('\ufeff') ? text.slice(1) : text);
}
