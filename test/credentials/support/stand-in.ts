import {chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';

/** A line that a stand-in keeps of each run: its arguments, its folder, and some variables. */
type Run = {readonly words: readonly string[]; readonly cwd: string; readonly env: NodeJS.ProcessEnv};

export type StandIn = {
	/** Absolute path of the program. */
	readonly program: string;
	/** Its runs until now. */
	runs(): readonly Run[];
};

/**
 * An executable program of Node at this path, which keeps how it was run and then does what `body` says (`fs`, `out` and
 * `err` are there: the functions of files, and what is printed).
 */
export function standIn(path: string, body: string): StandIn {
	mkdirSync(dirname(path), {recursive: true});
	const log = join(dirname(path), `.${path.split('/').at(-1)}.runs`);
	writeFileSync(
		path,
		`#!${process.execPath}
const fs = require('node:fs');
const out = text => fs.writeSync(1, text);
const err = text => fs.writeSync(2, text);
const run = {words: process.argv.slice(2), cwd: process.cwd(), env: process.env};
fs.appendFileSync(${JSON.stringify(log)}, JSON.stringify(run) + '\\n');
${body}
`,
	);
	chmodSync(path, 0o755);
	return {
		program: path,
		runs: () =>
			existsSync(log)
				? readFileSync(log, 'utf8')
						.trim()
						.split('\n')
						.map(line => JSON.parse(line) as Run)
				: [],
	};
}

/** Node's words for printing a value as JSON. */
export const printing = (value: unknown): string => `out(${JSON.stringify(JSON.stringify(value))} + '\\n');`;

/** Node's words for what wrangler writes when it renews a login. */
export const renewing = (file: string, token: string, expires: string): string =>
	`fs.writeFileSync(${JSON.stringify(file)}, ${JSON.stringify(
		`oauth_token = "${token}"\nexpiration_time = "${expires}"\n`,
	)});${printing({type: 'oauth', token})}`;
