// `npm run test:shells`: completion in the real bash, zsh and fish, driven through a pseudo-terminal.
//   SHELL...      only these shells
//   --need SHELL  fails where this shell is not installed; others that are missing are left out
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {existsSync} from 'node:fs';
import {parseArgs} from 'node:util';
import {Checks} from '../interop/checks.ts';
import {program} from '../support/program.ts';
import {Screen} from '../terminal/screen/screen.ts';
import {cases, lists} from './cases.ts';
import {Project} from './project.ts';

type ShellName = 'bash' | 'zsh' | 'fish';

/** How each shell is started without anybody's settings, and told to complete. */
const starts: Readonly<Record<ShellName, {readonly command: readonly string[]; readonly setUp: readonly string[]}>> = {
	bash: {command: ['bash', '--norc', '--noprofile', '-i'], setUp: ['source <(SETTING_UP=1 ledge completion bash)']},
	zsh: {
		command: ['zsh', '-f', '-i'],
		setUp: ["PS1='ready> '", 'autoload -Uz compinit; compinit -u -D; source <(SETTING_UP=1 ledge completion zsh)'],
	},
	fish: {
		command: ['fish', '--no-config', '-i'],
		setUp: [
			"function fish_prompt; echo -n 'ready> '; end; function fish_greeting; end",
			'SETTING_UP=1 ledge completion fish | source',
		],
	},
};

const {values, positionals} = parseArgs({
	allowPositionals: true,
	options: {need: {type: 'string', multiple: true, default: []}},
});
const names = (Object.keys(starts) as ShellName[]).filter(
	name => positionals.length === 0 || positionals.includes(name),
);

/** Milliseconds that a shell has for a completion and the command behind it. */
const patience = 5000;
if (!existsSync(program)) throw new Error(`${program} is not there: npm run build`);

const checks = new Checks();
for (const name of names) {
	const version = versionOf(name);
	if (version === undefined) {
		process.stdout.write(`left out ${name}, which is not installed\n`);
		if (values.need.includes(name))
			await checks.check(`${name} is installed`, () => Promise.reject(new Error('It is not.')));
		continue;
	}
	process.stdout.write(`${version}\n`);
	await inShell(name);
}
process.exitCode = checks.end();

function versionOf(name: ShellName): string | undefined {
	try {
		return execFileSync(name, ['--version'], {encoding: 'utf8'}).split('\n', 1)[0];
	} catch {
		return undefined;
	}
}

async function inShell(name: ShellName): Promise<void> {
	const project = new Project();
	const {command, setUp} = starts[name];
	const screen = new Screen({command, cwd: project.folder, env: project.env, columns: 160, rows: 50});
	try {
		await screen.settled(/[>$%#] *$/m);
		for (const line of setUp) await run(screen, line);
		for (const {what, typed, words} of cases)
			await checks.check(`${name}: ${what}`, async () => {
				let called: readonly string[] | undefined;
				await interrupt(screen);
				project.called();
				screen.raw(`ledge ${typed}\t\r`);
				await screen.waitFor(
					() => {
						called = project.called();
						return called !== undefined;
					},
					{within: patience},
				);
				assert.deepEqual(called, words);
				assert.equal(project.wasHarmed(), false, 'a title was run');
			});
		for (const {typed, shown} of lists)
			await checks.check(`${name}: the list behind: ${typed}`, async () => {
				await interrupt(screen);
				await run(screen, 'clear');
				screen.raw(`ledge ${typed}\t\t`);
				await screen.settled(on => shown.every(text => on.text().includes(text)));
			});
		await checks.check(`${name}: what is unsafe was never shown`, async () => {
			assert.doesNotMatch(screen.text(), /owned/);
			assert.equal(screen.title, '');
		});
	} finally {
		await screen.close();
		project.remove();
	}
}

/** Leaves whatever is being typed or listed, for an empty line. */
async function interrupt(screen: Screen): Promise<void> {
	screen.raw('\u0003');
	await screen.settled(on => on.text().trimEnd().endsWith('\nready>'));
}

/** Runs a line of the shell to its end. */
async function run(screen: Screen, line: string): Promise<void> {
	const mark = screen.mark();
	screen.raw(`${line}; echo do''ne\r`);
	await screen.waitFor(() => /done/.test(screen.since(mark).text));
	await screen.settled();
}
