import {chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';

/** What a stand-in records of each run, as a line: its arguments, its folder and its variables. */
type Run = {readonly words: readonly string[]; readonly cwd: string; readonly env: NodeJS.ProcessEnv};

export type StandIn = {
	/** Absolute path of the program. */
	readonly program: string;
	/** Its runs until now. */
	runs(): readonly Run[];
};

/**
 * Creates an executable Node program at this path, which records how it was run and then executes `body`.
 * There, `fs` is the module, and `out` and `err` print.
 */
export function createStandIn(path: string, body: string): StandIn {
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

/** JavaScript that prints a value as JSON. */
export const buildPrintScript = (value: unknown): string =>
	`out(${JSON.stringify(JSON.stringify(value))} + '\\n');`;

/** JavaScript that writes and prints what wrangler does when it renews a login. */
export const buildRenewScript = (file: string, token: string, expires: string): string =>
	`fs.writeFileSync(${JSON.stringify(file)}, ${JSON.stringify(
		`oauth_token = "${token}"\nexpiration_time = "${expires}"\n`,
	)});${buildPrintScript({type: 'oauth', token})}`;
