// `npm run test:shells`: completion in the real bash, zsh and fish, driven through a pseudo-terminal.
//   SHELL...      only these shells
//   --need SHELL  fails if this shell is not installed; other missing shells are left out
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {existsSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {parseArgs} from 'node:util';
import {Checks} from '../interop/checks.ts';
import {program} from '../support/program.ts';
import {Screen} from '../terminal/screen/screen.ts';
import {cases, listCases} from './cases.ts';
import {Project} from './project.ts';

type ShellName = 'bash' | 'zsh' | 'fish';

type Shell = {
	/** The command that starts it on a terminal, with no settings but those in the project folder. */
	command(folder: string): readonly string[];
	/** Its settings file in the project, which loads the completion script beside it. */
	readonly settings: readonly [file: string, text: string];
};

const shells: Readonly<Record<ShellName, Shell>> = {
	bash: {
		command: folder => ['bash', '--rcfile', join(folder, 'bashrc'), '-i'],
		settings: ['bashrc', "PS1='ready> '; source ./completion"],
	},
	zsh: {
		command: () => ['zsh', '-d', '-i'],
		settings: [
			'.zshrc',
			"PS1='ready> '; PS2='more> '; fpath=($PWD/functions $fpath); autoload -Uz compinit; compinit -u -D",
		],
	},
	fish: {
		command: folder => ['fish', '--no-config', '-i', '-C', `source ${join(folder, 'settings.fish')}`],
		settings: [
			'settings.fish',
			"function fish_prompt; echo -n 'ready> '; end; function fish_greeting; end; source ./completion",
		],
	},
};

const {values, positionals} = parseArgs({
	allowPositionals: true,
	options: {need: {type: 'string', multiple: true, default: []}},
});
const shellNames = (Object.keys(shells) as ShellName[]).filter(
	name => positionals.length === 0 || positionals.includes(name),
);

/** Time limit for a completion and the command that follows, in milliseconds. */
const completionTimeoutMs = 5000;
if (!existsSync(program)) throw new Error(`${program} is not there: npm run build`);

const checks = new Checks();
for (const name of shellNames) {
	const version = readVersion(name);
	if (version === undefined) {
		process.stdout.write(`left out ${name}, which is not installed\n`);
		if (values.need.includes(name))
			await checks.check(`${name} is installed`, () => Promise.reject(new Error('It is not.')));
		continue;
	}
	process.stdout.write(`${version}\n`);
	await checkShell(name);
}
process.exitCode = checks.printSummary();

function readVersion(name: ShellName): string | undefined {
	try {
		return execFileSync(name, ['--version'], {encoding: 'utf8'}).split('\n', 1)[0];
	} catch {
		return undefined;
	}
}

async function checkShell(name: ShellName): Promise<void> {
	const project = new Project();
	const {folder, env} = project;
	const {command, settings} = shells[name];
	const [file, text] = settings;
	const script = execFileSync(process.execPath, [program, 'completion', name], {env, encoding: 'utf8'});
	mkdirSync(join(folder, 'functions'));
	writeFileSync(join(folder, 'completion'), script);
	writeFileSync(join(folder, 'functions', '_ledge'), script);
	writeFileSync(join(folder, file), text);

	/** Types keys into a new shell, and runs `work` on its screen. */
	async function typeInNewShell(keys: string, work: (screen: Screen) => Promise<void>): Promise<void> {
		const screen = new Screen({
			command: command(folder),
			cwd: folder,
			env: {...env, ZDOTDIR: folder},
			columns: 160,
			rows: 50,
		});
		try {
			await screen.settled('ready>');
			screen.raw(keys);
			await work(screen);
			assert.equal(screen.received().includes('\u001b]0;owned'), false, 'a title reached the terminal');
			assert.equal(screen.title.includes('owned'), false);
			assert.equal(project.wasHarmed(), false, 'a title was run');
		} finally {
			await screen.close();
		}
	}

	try {
		for (const one of cases)
			await checks.check(`${name}: ${one.what}`, () =>
				typeInNewShell(`ledge ${one.typed}\t\r`, async screen => {
					await screen.waitFor(() => project.isCalled(), {within: completionTimeoutMs});
					assert.deepEqual(project.takeCallWords().map(withoutSlash), one.words);
				}),
			);
		for (const list of listCases)
			await checks.check(`${name}: the list after: ${list.typed}`, () =>
				typeInNewShell(`ledge ${list.typed}\t\t`, screen =>
					screen.waitFor(currentScreen => list.shown.every(text => currentScreen.text().includes(text)), {
						within: completionTimeoutMs,
					}),
				),
			);
	} finally {
		project.remove();
	}
}

/** Some shells drop the slash after a folder when the line is sent. */
function withoutSlash(word: string): string {
	return word.replace(/(?<=.)\/$/, '');
}
