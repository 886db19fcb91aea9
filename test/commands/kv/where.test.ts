import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeAll, beforeEach, expect, test} from 'vitest';
import {createScratchFolder, ledge} from '../../support/run.ts';
import {serveSimulator} from '../../support/serve-simulator.ts';
import type {RunningService} from '../../support/service.ts';

const [sessions, preview] = ['7ce064d8b26f93391d8a14e4c40b28bb', '189eaeef3aff01164fbb7d1fb598341f'];
const absent = '0'.repeat(32);

let service: RunningService;
let folder: string;

beforeAll(async () => {
	service = await serveSimulator();
});

beforeEach(() => {
	folder = createScratchFolder();
	const configuration = {
		name: 'shop',
		kv_namespaces: [{binding: 'KV', id: sessions, preview_id: preview}, {binding: 'BARE'}],
		env: {
			staging: {kv_namespaces: [{binding: 'KV', id: absent}]},
			empty: {},
		},
	};
	writeFileSync(join(folder, 'wrangler.json'), JSON.stringify(configuration));
});

const run = (...words: string[]) => ledge(['kv', ...words], {cwd: folder, env: service.env});

type Place = Readonly<Record<string, unknown>>;

async function readPlaces(...words: string[]): Promise<{places: readonly Place[]; notes: readonly string[]}> {
	const {stdout, code} = await run('where', ...words, '--json');
	expect(code).toBe(0);
	return JSON.parse(stdout);
}

test('lists the namespaces of every environment, which have keys, and who reads them', async () => {
	const before = (await service.calls()).length;
	const {places} = await readPlaces('KV');
	const found = {exists: true, title: 'SESSIONS', keys: 10, hasMore: true};
	expect(places).toMatchObject([
		{environment: null, where: 'service', entry: 'id', id: sessions, readBy: ['deployed'], ...found},
		{where: 'service', entry: 'preview_id', id: preview, keys: 2, hasMore: false, readBy: ['dev --remote']},
		{where: 'local', entry: 'id', id: sessions, keys: 0, title: null, exists: null, readBy: []},
		{where: 'local', entry: 'preview_id', id: preview, keys: 0, readBy: ['dev']},
		{environment: 'staging', where: 'service', id: absent, exists: false, keys: null},
		{environment: 'staging', where: 'local', id: absent, keys: 0, readBy: ['dev']},
	]);
	const calls = (await service.calls()).slice(before);
	expect(calls.every(({method}) => method === 'GET')).toBe(true);
	expect(calls.filter(({path}) => path.includes('/storage/kv/'))).toHaveLength(5);
	const table = (await run('where', 'KV')).stdout;
	expect(table).toMatch(/^ENVIRONMENT +WHERE +ENTRY +ID +TITLE +KEYS +READ BY$/m);
	expect(table).toMatch(/^– +service +id +7ce0\w+ +SESSIONS +10\+ +deployed$/m);
	expect(table).toMatch(/^staging +service +id +0{32} +not in this account +– +deployed$/m);
});

test('explains what wrangler dev does not see, with a command that runs as printed', async () => {
	const before = (await readPlaces('KV')).notes.join('\n');
	expect(before).toContain('uses the preview_id, so it does not see what the deployed Worker reads');
	expect(before).toContain(
		`The deployed namespace has 10+ keys; to copy them: ledge kv copy remote:${sessions} local:${preview}`,
	);
	expect(before).toContain('Environment "staging": `wrangler dev --remote` refuses this binding');
	expect(before).toContain('1 environment without the binding KV');
	await run('key', 'put', 'a', '1', '--binding', 'KV', '--local');
	const command = `kv copy local:${sessions} local:${preview}`;
	expect((await readPlaces('KV')).notes.join('\n')).toContain(
		`The local data of the id has 1 key; to copy them: ledge ${command}`,
	);
	expect((await ledge(command.split(' '), {cwd: folder, env: service.env})).code).toBe(0);
	const {places, notes} = await readPlaces('KV');
	expect(places[3]).toMatchObject({keys: 1, readBy: ['dev']});
	expect(notes.filter(note => !note.startsWith('Environment')).join('\n')).not.toContain('is empty');
});

test('reads local data without the service, and says so if that cannot be read', async () => {
	const before = (await service.calls()).length;
	expect((await readPlaces('KV', '--local')).places[0]).toMatchObject({keys: null, exists: null});
	expect(await service.calls()).toHaveLength(before);
	const {code, stdout} = await ledge(['kv', 'where', 'KV'], {cwd: folder, env: {}});
	expect(code).toBe(0);
	expect(stdout).toContain('The service could not be read: ');
});

test('a binding without ids is a local namespace of its name', async () => {
	const {places, notes} = await readPlaces('BARE', '--local');
	expect(places).toMatchObject([{where: 'local', entry: 'binding', id: 'BARE', readBy: ['dev']}]);
	expect(notes[0]).toContain('There is no id');
});

test('an unknown binding fails, with or without a configuration', async () => {
	expect(await run('where', 'NOPE')).toMatchObject({
		code: 2,
		stderr: expect.stringContaining('"KV", "BARE"'),
	});
	const elsewhere = await ledge(['kv', 'where', 'KV'], {cwd: createScratchFolder(), env: service.env});
	expect(elsewhere).toMatchObject({code: 2, stderr: expect.stringContaining('no configuration file')});
});
