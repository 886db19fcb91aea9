// npm run compare -- REVISION [--only PATTERN] [--keep FOLDER]
//
// Builds a revision beside this checkout, runs every command and opens every sample screen with both
// programs, on the simulated service with the same clock and the same random numbers, and prints what
// differs. Exits 1 when something does. `--only`: the names of commands and screens to compare, a regular
// expression. `--keep`: where to write what both printed (`before` and `after`, a text file for each);
// `build/compare` otherwise, which is deleted.

import {execFileSync, spawnSync} from 'node:child_process';
import {existsSync, mkdirSync, rmSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {parseArgs} from 'node:util';

Object.assign(globalThis, {LEDGE_VERSION: ''});
const {recordCommands} = await import('./commands.ts');
const {recordScreens} = await import('./screens.ts');

const root = resolve(import.meta.dirname, '../..');
const {values, positionals} = parseArgs({
	allowPositionals: true,
	options: {only: {type: 'string', default: ''}, keep: {type: 'string'}},
});
const [revision] = positionals;
if (revision === undefined) throw new Error('Which revision is this to be compared with?');

const scratch = join(root, 'build/compare');
rmSync(scratch, {recursive: true, force: true});
mkdirSync(scratch, {recursive: true});
const oldCheckout = join(scratch, 'checkout');
const outputFolder = values.keep === undefined ? scratch : resolve(values.keep);
try {
	git('worktree', 'add', '--detach', '--quiet', oldCheckout, revision);
	// Not a symbolic link: the build looks where a module really is.
	execFileSync('cp', ['-al', join(root, 'node_modules'), join(oldCheckout, 'node_modules')]);
	const namePattern = new RegExp(values.only);
	for (const [side, checkout] of [
		['before', oldCheckout],
		['after', root],
	] as const) {
		const folder = join(outputFolder, side);
		rmSync(folder, {recursive: true, force: true});
		mkdirSync(folder, {recursive: true});
		execFileSync(process.execPath, ['esbuild.config.ts'], {cwd: checkout, stdio: 'inherit'});
		const program = join(checkout, 'dist/ledge.cjs');
		process.stdout.write(`${side}: ${await recordCommands(program, folder, namePattern)} runs of commands\n`);
		process.stdout.write(`${side}: ${await recordScreens(program, folder, namePattern)} screens\n`);
	}
	const {stdout, status} = spawnSync('git', ['diff', '--no-index', '--no-color', 'before', 'after'], {
		cwd: outputFolder,
		encoding: 'utf8',
		maxBuffer: 2 ** 30,
	});
	process.stdout.write(stdout === '' ? 'Nothing differs.\n' : stdout);
	process.exitCode = status ?? 1;
} finally {
	if (existsSync(oldCheckout)) git('worktree', 'remove', '--force', oldCheckout);
	rmSync(scratch, {recursive: true, force: true});
}

function git(...words: readonly string[]): void {
	execFileSync('git', words, {cwd: root, stdio: 'inherit'});
}
