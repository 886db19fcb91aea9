import {spawn} from 'node:child_process';
import {chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {everyCommand, type SampleIds} from '../support/every-command.ts';
import {createUnconfiguredEnvironment} from '../support/program.ts';

const preload = join(import.meta.dirname, 'same-run.cjs');

/** An environment in which two programs do the same on the same data: fixed clock and random numbers. */
export const createRepeatableEnvironment = (home: string): Record<string, string> => ({
	...createUnconfiguredEnvironment(home),
	NODE_OPTIONS: `--require=${preload}`,
	EDITOR: join(home, 'editor.sh'),
});

/** A new HOME with the files that sample words name; `remove` deletes it. */
export function createHome(): {readonly folder: string; remove(): void} {
	const folder = mkdtempSync(join(tmpdir(), 'ledge-home-'));
	mkdirSync(join(folder, '.config/ledge'), {recursive: true});
	writeFileSync(
		join(folder, '.config/ledge/contexts.toml'),
		'[contexts.prod]\naccount_id = "910896fde4470afb4fab0b3c5e3aaff8"\ntoken_variable = "PROD"\nproduction = true\n',
	);
	writeFileSync(join(folder, 'put.json'), '[{"key":"new-1","value":"a"}]');
	writeFileSync(join(folder, 'delete.json'), '["features","limits"]');
	writeFileSync(join(folder, 'rules.yaml'), 'custom_rules: []\n');
	writeFileSync(join(folder, 'editor.sh'), '#!/bin/sh\nprintf mine > "$1"\n');
	chmodSync(join(folder, 'editor.sh'), 0o700);
	return {folder, remove: () => rmSync(folder, {recursive: true, force: true})};
}

type Outcome = {readonly code: number | null; readonly stdout: string; readonly stderr: string};

/** Runs the program to its end in a new HOME, which is its working folder too. */
async function run(program: string, words: readonly string[]): Promise<Outcome> {
	const home = createHome();
	try {
		return await new Promise<Outcome>((done, fail) => {
			const child = spawn(process.execPath, [program, ...words], {
				cwd: home.folder,
				env: createRepeatableEnvironment(home.folder),
				stdio: ['ignore', 'pipe', 'pipe'],
			});
			let [stdout, stderr] = ['', ''];
			child.stdout.setEncoding('utf8').on('data', text => {
				stdout += text;
			});
			child.stderr.setEncoding('utf8').on('data', text => {
				stderr += text;
			});
			child.on('error', fail);
			child.on('close', code => {
				done({
					code,
					stdout: maskRunDetails(stdout, home.folder),
					stderr: maskRunDetails(stderr, home.folder),
				});
			});
		});
	} finally {
		home.remove();
	}
}

/** Masks what differs between two runs of the same program: folders, ports, durations. */
export const maskRunDetails = (text: string, home: string): string =>
	text
		.replaceAll(home, '~')
		.replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:PORT')
		.replaceAll(/\b\d+(\.\d+)? ms\b/g, 'N ms')
		.replaceAll(/"milliseconds": \d+/g, '"milliseconds": N')
		.replaceAll(/(\b(GET|POST|PUT|PATCH|DELETE) +\d{3}) +\d+/g, '$1 N')
		.replaceAll(/(drafts\/\S+Z)-\d+/g, '$1-N');

/** The ids of the samples, as that program lists them. */
async function readSampleIds(program: string): Promise<SampleIds> {
	const list = async (...words: string[]) =>
		JSON.parse((await run(program, [...words, '--json', '--simulate'])).stdout) as {
			id: string;
			title?: string;
			paused?: boolean;
		}[];
	const zone = ['--zone', 'acme.example'];
	const rules = await list('firewall', 'rule', 'list', ...zone);
	const idOf = (found: {id: string} | undefined) => found?.id ?? '';
	return {
		namespace: idOf((await list('kv', 'namespace', 'list')).find(({title}) => title === 'CONFIG')),
		rule: idOf(rules[0]),
		pausedRule: idOf(rules.find(({paused}) => paused)),
		filter: idOf((await list('firewall', 'filter', 'list', ...zone)).at(-1)),
	};
}

/**
 * Runs the commands with matching names, as scripts may call them, and writes what they print and how they
 * end to `folder`. Returns the number of runs.
 */
export async function recordCommands(program: string, folder: string, namePattern: RegExp): Promise<number> {
	const ids = await readSampleIds(program);
	const runs = everyCommand
		.filter(({name}) => namePattern.test(name) && name !== 'simulate')
		.flatMap(({name, words, writes, isOffline}) => {
			const baseWords = [...name.split(' '), ...words(ids), ...(isOffline ? [] : ['--simulate'])];
			const optionSets = writes ? [[], ['--yes'], ['--yes', '--json']] : [[], ['--json']];
			return [[...name.split(' '), '--help'], ...optionSets.map(options => [...baseWords, ...options])];
		});
	for (const words of runs) {
		const {code, stdout, stderr} = await run(program, words);
		const line = words.join(' ');
		const file = line.replaceAll(/[^\w.-]+/g, '_').slice(0, 200);
		writeFileSync(
			join(folder, `${file}.txt`),
			`$ ledge ${line}\n${stdout}\n[stderr]\n${stderr}\n[exit ${code}]\n`,
		);
	}
	return runs.length;
}
