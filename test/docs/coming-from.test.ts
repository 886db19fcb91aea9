import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {createScratchFolder, createVirtualClock, ledge} from '../support/run.ts';
import {serveSimulator} from '../support/serve-simulator.ts';
import {readPage} from './pages.ts';

/** The ledge commands of the tables in the readme for users of other tools, in their order. */
const commands = [...readPage('readme.md').matchAll(/^## Coming from (.*)\n([\s\S]*?)(?=^## )/gm)].flatMap(
	([, tool = '', section = '']) =>
		section
			.split('\n')
			.filter(line => line.startsWith('| '))
			.flatMap(line => [...line.matchAll(/`ledge ((?:[^`])+)`/g)])
			.map(([, words = '']) => ({tool, words})),
);

/** Splits a command as a shell does, and fills in what it names. */
const parseWords = (command: string, values: Readonly<Record<string, string>>): readonly string[] =>
	[...command.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? values[word] ?? word);

test('each ledge command in the tables for users of other tools works, one after the other', async () => {
	expect(commands.filter(({tool}) => tool === 'cf').length).toBeGreaterThan(15);
	const folder = createScratchFolder();
	writeFileSync(join(folder, 'names.json'), '["greeting"]');
	const {env, simulator} = await serveSimulator();
	const namespaces = await ledge(['kv', 'namespace', 'list', '--json'], {env});
	const [{id = ''} = {}] = JSON.parse(namespaces.stdout) as {id: string}[];
	const values = {
		ID: id,
		'example.com': 'acme.example',
		'~/.config/cloudflare/state': join(folder, '.config/cloudflare/state'),
	};
	const options = {env: {...env, PAGER: 'cat'}, cwd: folder, clock: createVirtualClock()};
	const failures: string[] = [];
	for (const {words} of commands) {
		const {code, stderr} = await ledge(parseWords(words, values), options);
		if (code !== 0) failures.push(`${words}: exit ${code}\n${stderr}`);
	}
	expect(failures).toEqual([]);
	expect(simulator.calls.list().length).toBeGreaterThan(commands.length / 2);
});

test('deletions without a terminal exit with 2, as the table for cf says', async () => {
	const {env, simulator} = await serveSimulator();
	const {code} = await ledge(['kv', 'namespace', 'delete', 'CONFIG'], {env});
	expect(code).toBe(2);
	expect(simulator.calls.list().filter(({method}) => method === 'DELETE')).toEqual([]);
});
