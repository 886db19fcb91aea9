import {readFileSync} from 'node:fs';
import {resolve} from 'node:path';
import {parseEnv} from 'node:util';
import {Failure} from '../failure.ts';
import type {Sourced} from './sourced.ts';

/** Function that returns the first of these variables that is set; an empty one counts as unset. */
export type Variables = (...names: readonly string[]) => Sourced<string> | undefined;

/**
 * Reads environment variables: those of the process, then those of `--env-file` files, the last file first.
 * Reads a `.env` file only if it is named. Fails with `input_missing` if a named file is unreadable. The
 * source of a file's value is shown as `NAME in FILE`.
 */
export function readVariables(
	environment: Readonly<Record<string, string | undefined>>,
	files: readonly string[] = [],
	cwd = '',
): Variables {
	const sources = [
		{values: environment, from: (name: string) => name},
		...files
			.toReversed()
			.map(file => ({values: readVariablesFile(file, cwd), from: (name: string) => `${name} in ${file}`})),
	];
	return (...names) => {
		for (const {values, from} of sources) {
			for (const name of names) {
				const value = Object.hasOwn(values, name) ? values[name] : undefined;
				if (value !== undefined && value !== '') return {value, from: from(name)};
			}
		}
		return undefined;
	};
}

function readVariablesFile(file: string, cwd: string): Readonly<Record<string, string | undefined>> {
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
