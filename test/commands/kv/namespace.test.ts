import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {createScratchFolder, ledge} from '../../support/run.ts';
import {serveSimulator} from '../../support/serve-simulator.ts';
import type {RunningService} from '../../support/service.ts';
import {runInTerminal} from '../../terminal/pseudo-terminal.ts';

let service: RunningService;
let folder: string;

beforeAll(async () => {
	service = await serveSimulator();
});

beforeEach(() => {
	folder = createScratchFolder();
});

const run = (...words: string[]) => ledge(['kv', 'namespace', ...words], {cwd: folder, env: service.env});
const listNamespaces = async () => JSON.parse((await run('list')).stdout) as {id: string; title: string}[];

describe('kv namespace create', () => {
	test('prints the title on stderr and the snippet on stdout, with the documented prefix', async () => {
		const {code, stdout, stderr} = await run('create', 'SESSIONS-1');
		expect(code).toBe(0);
		expect(stderr).toBe(
			'Creating namespace with title "worker-SESSIONS-1"\nSuccess!\nAdd the following to your configuration file in your kv_namespaces array:\n',
		);
		const created = (await listNamespaces()).find(one => one.title === 'worker-SESSIONS-1');
		expect(stdout).toBe(`[[kv_namespaces]]\nbinding = "SESSIONS_1"\nid = "${created?.id}"\n`);
	});

	test('--preview adds _preview to the title and prints a preview_id', async () => {
		const {stdout, stderr} = await run('create', 'P', '--preview');
		expect(stderr).toContain('"worker-P_preview"');
		expect(stdout).toMatch(/^preview_id = "[0-9a-f]{32}"$/m);
	});

	test('uses the name and environment of the configuration as prefix', async () => {
		writeFileSync(join(folder, 'wrangler.toml'), 'name = "shop"\n[env.staging]\n');
		const {stderr, stdout} = await run('create', 'CART', '--env', 'staging');
		expect(stderr).toContain('"shop-staging-CART"');
		expect(stderr).toContain('under [env.staging]:');
		expect(stdout).toContain('binding = "CART"');
		expect((await run('create', 'bare', '--no-prefix')).stderr).toContain('title "bare"');
	});

	test('--update-config adds the entry and keeps existing content, including comments', async () => {
		const toml =
			'# mine\nname = "w"\n\n[[kv_namespaces]] # first\nbinding = "A"\nid = "a"\n\n[vars]\nX = "1"\n';
		writeFileSync(join(folder, 'wrangler.toml'), toml);
		const {code, stdout, stderr} = await run('create', 'NEW-ONE', '--update-config');
		expect({code, stdout}).toEqual({code: 0, stdout: ''});
		expect(stderr).toMatch(/Added binding "NEW_ONE" to .*wrangler\.toml:\d+/);
		const text = readFileSync(join(folder, 'wrangler.toml'), 'utf8');
		expect(text).toContain('# mine');
		expect(text).toContain('[[kv_namespaces]] # first');
		expect(text).toMatch(/binding = "NEW_ONE"\nid = "[0-9a-f]{32}"/);
		const use = await ledge(['kv', 'key', 'list', '--binding', 'NEW_ONE'], {cwd: folder, env: service.env});
		expect(use).toMatchObject({code: 0, stdout: '[]\n'});

		const jsonFolder = createScratchFolder();
		writeFileSync(join(jsonFolder, 'wrangler.jsonc'), '{\n\t// mine\n\t"name": "w",\n}\n');
		await ledge(['kv', 'namespace', 'create', 'J', '--update-config'], {cwd: jsonFolder, env: service.env});
		const json = readFileSync(join(jsonFolder, 'wrangler.jsonc'), 'utf8');
		expect(json).toContain('// mine');
		expect(json).toMatch(/"binding": "J"/);
	});

	test('--json prints an array of the created namespaces', async () => {
		const {stdout} = await run('create', 'J1', '--json');
		expect(JSON.parse(stdout)).toEqual([
			{
				id: expect.stringMatching(/^[0-9a-f]{32}$/),
				title: 'worker-J1',
				supports_url_encoding: true,
				binding: 'J1',
				preview: false,
				created: true,
			},
		]);
	});

	test('exits with 1 for an existing title, after a single request', async () => {
		await run('create', 'TWICE');
		const again = await run('create', 'TWICE', '--json');
		expect(again).toMatchObject({code: 1, stdout: ''});
		expect(JSON.parse(again.stderr).error).toMatchObject({
			code: 'already_exists',
			what: 'A namespace with the title "worker-TWICE" already exists.',
			next: expect.stringContaining('--if-missing'),
		});
	});

	test('--dry-run shows the request with the title, and sends no write', async () => {
		const {code, stdout} = await run('create', 'DRY', '--dry-run');
		expect(code).toBe(0);
		expect(stdout).toContain('"title": "worker-DRY"');
		expect(stdout).toContain('curl -sS -X POST -H "Authorization: Bearer $CLOUDFLARE_API_TOKEN"');
		expect((await listNamespaces()).some(one => one.title === 'worker-DRY')).toBe(false);
	});
});

describe('kv namespace create --if-missing', () => {
	test('creates the namespace once, and prints the same id then', async () => {
		const [first] = JSON.parse((await run('create', 'ONCE', '--if-missing', '--json')).stdout);
		expect(first).toMatchObject({title: 'worker-ONCE', created: true});
		const again = await run('create', 'ONCE', '--if-missing');
		expect(again).toMatchObject({
			code: 0,
			stdout: `[[kv_namespaces]]\nbinding = "ONCE"\nid = "${first.id}"\n`,
		});
		expect(again.stderr).toContain(`The namespace "worker-ONCE" exists already (id ${first.id}).`);
		expect(JSON.parse((await run('create', 'ONCE', '--if-missing', '--json')).stdout)).toEqual([
			{...first, created: false},
		]);
	});

	test('accepts any jurisdiction of the existing namespace, unless another one is requested', async () => {
		const [kept] = JSON.parse((await run('create', 'KEPT', '--jurisdiction', 'us', '--json')).stdout);
		const words = ['create', 'KEPT', '--if-missing'];
		expect(await run(...words)).toMatchObject({code: 0, stderr: expect.stringContaining('kept in the US')});
		expect((await run(...words, '--jurisdiction', 'us')).code).toBe(0);
		const refused = await run(...words, '--jurisdiction', 'eu', '--json');
		expect(refused).toMatchObject({code: 1, stdout: ''});
		expect(JSON.parse(refused.stderr).error).toMatchObject({
			code: 'already_exists',
			what: 'The namespace "worker-KEPT" exists, and is not kept in the EU.',
			why: expect.stringMatching(`in the US \\(id ${kept.id}\\).*cannot be changed`),
		});
		await run('create', 'ANYWHERE');
		const unrestricted = await run('create', 'ANYWHERE', '--if-missing', '--jurisdiction', 'eu');
		expect(unrestricted).toMatchObject({code: 1, stderr: expect.stringContaining('in no jurisdiction')});
	});

	test('--update-config leaves an entry alone that names the namespace already', async () => {
		const file = join(folder, 'wrangler.json');
		writeFileSync(file, '{"name": "w"}\n');
		const words = ['create', 'AGAIN', '--if-missing', '--update-config'];
		expect((await run(...words)).code).toBe(0);
		const text = readFileSync(file, 'utf8');
		expect((await run(...words)).code).toBe(0);
		expect(readFileSync(file, 'utf8')).toBe(text);
		writeFileSync(file, text.replace(/"id": "[0-9a-f]{32}"/, '"id": "other"'));
		expect(await run(...words)).toMatchObject({code: 2, stderr: expect.stringContaining('other')});
	});
});

describe('the jurisdiction of a namespace', () => {
	test('is sent, shown, and listed by title, id and jurisdiction', async () => {
		const {stderr} = await run('create', 'EU1', '--jurisdiction', 'eu');
		expect(stderr).toContain('Creating namespace with title "worker-EU1", kept in the EU');
		const calls = await service.calls();
		expect(calls.findLast(({method}) => method === 'POST')).toMatchObject({bytes: 42});
		const listed = (await listNamespaces()).find(({title}) => title === 'worker-EU1');
		expect(listed).toMatchObject({jurisdiction: 'eu', supports_url_encoding: true});
		const {stdout} = await run('list', '--format', 'table');
		expect(stdout.split('\n')[0]).toMatch(/^TITLE +ID +JURISDICTION$/);
		expect(stdout).toMatch(new RegExp(`^worker-EU1 +${listed?.id}  eu$`, 'm'));
		expect(stdout).toMatch(/^CONFIG +f406ca271a253d6e7fe341d7a1faa59c {2}–$/m);
		expect((await run('list', '--format', 'table', '--json')).code).toBe(2);
	});

	test('has a column only if a namespace has one', async () => {
		await using fresh = await serveSimulator();
		const {stdout} = await ledge(['kv', 'namespace', 'list', '--format', 'table'], {env: fresh.env});
		expect(stdout).toMatch(/^TITLE +ID\n/);
		expect(stdout).toMatch(/^odd names +[0-9a-f]{32}$/m);
	});

	test('is one of three, shown in a dry run, and cannot be changed', async () => {
		expect(await run('create', 'X', '--jurisdiction', 'mars')).toMatchObject({
			code: 2,
			stderr: expect.stringContaining('eu, us, fedramp'),
		});
		const planned = await run('create', 'X', '--jurisdiction', 'fedramp', '--dry-run');
		expect(planned.stdout).toContain('"jurisdiction": "fedramp"');
		const words = ['rename', 'CONFIG', '--new-name', 'C', '--jurisdiction', 'eu'];
		expect(await run(...words)).toMatchObject({
			code: 2,
			stderr: expect.stringContaining('set when it is created and cannot be changed'),
		});
	});

	test('stays in the output of a rename', async () => {
		const [created] = JSON.parse((await run('create', 'OLD-EU', '--jurisdiction', 'eu', '--json')).stdout);
		const {stdout} = await run('rename', '--namespace-id', created.id, '--new-name', 'NEW-EU', '--json');
		expect(JSON.parse(stdout)).toEqual({
			id: created.id,
			title: 'NEW-EU',
			jurisdiction: 'eu',
			supports_url_encoding: true,
		});
	});

	test.each([
		['copy', '--only-missing'],
		['diff', '--names-only'],
	])('that differs gives a warning before keys are read (kv %s)', async (verb, option) => {
		for (const [name, jurisdiction] of Object.entries({eu: 'eu', us: 'us', eu2: 'eu'}))
			await run('create', `${verb}-${name}`, '--no-prefix', '--jurisdiction', jurisdiction);
		await run('create', `${verb}-any`, '--no-prefix');
		const work = (from: string, to: string) =>
			ledge(['kv', verb, `remote:${verb}-${from}`, `remote:${verb}-${to}`, option], {env: service.env});
		expect((await work('eu', 'us')).stderr).toContain(
			`warning: ${verb}-eu is kept in the EU; ${verb}-us in the US.\n`,
		);
		const before = (await service.calls()).length;
		const {code, stderr} = await work('any', 'eu');
		expect(code).toBe(0);
		expect(stderr).toContain(`warning: ${verb}-eu is kept in the EU; ${verb}-any is not.\n`);
		const paths = (await service.calls()).slice(before).map(({path}) => path);
		const lastDescription = paths.findLastIndex(path => /namespaces\/[0-9a-f]{32}$/.test(path));
		expect(lastDescription).toBeGreaterThan(-1);
		expect(paths.findIndex(path => path.endsWith('/keys'))).toBeGreaterThan(lastDescription);
		expect((await work('eu', 'eu2')).stderr).not.toContain('warning');
		expect((await work('any', 'any')).stderr).not.toContain('kept');
		const local = await ledge(['kv', verb, `remote:${verb}-eu`, 'local:x', option], {
			cwd: folder,
			env: service.env,
		});
		expect(local.stderr).not.toContain('kept');
	});

	test('counts the characters of a title, not UTF-16 units', async () => {
		expect((await run('create', '🗝'.repeat(512), '--no-prefix')).code).toBe(0);
		const tooLong = await run('create', '🗝'.repeat(513), '--no-prefix');
		expect(tooLong).toMatchObject({code: 2, stderr: expect.stringContaining('this one has 513')});
	});
});

describe('kv namespace create --update-config', () => {
	const configuration = () => join(folder, 'wrangler.json');
	const text = '{"kv_namespaces": [{"binding": "KV", "id": "prod"}], "env": {"stg": {}}}\n';

	beforeEach(() => writeFileSync(configuration(), text));

	test('asks before pointing an existing binding to another namespace', async () => {
		const before = await listNamespaces();
		const refused = await run('create', 'KV', '--update-config');
		expect(refused).toMatchObject({code: 2, stdout: ''});
		expect(refused.stderr).toContain('wrangler.json:1');
		expect(refused.stderr).toContain('prod');
		expect(await listNamespaces()).toEqual(before);
		expect(readFileSync(configuration(), 'utf8')).toBe(text);

		expect((await run('create', 'KV', '--update-config', '--yes')).code).toBe(0);
		expect(readFileSync(configuration(), 'utf8')).toMatch(/"binding": "KV", "id": "[0-9a-f]{32}"/);
	});

	test('fills the preview id or another environment of a binding without asking', async () => {
		expect((await run('create', 'KV', '--preview', '--update-config')).code).toBe(0);
		expect((await run('create', 'KV', '--env', 'stg', '--update-config')).code).toBe(0);
		const {
			kv_namespaces: [top],
			env,
		} = JSON.parse(readFileSync(configuration(), 'utf8'));
		expect(top).toEqual({binding: 'KV', id: 'prod', preview_id: expect.stringMatching(/^[0-9a-f]{32}$/)});
		expect(env.stg.kv_namespaces).toEqual([{binding: 'KV', id: expect.stringMatching(/^[0-9a-f]{32}$/)}]);
	});

	test('adds a new environment that includes the top-level bindings', async () => {
		const withoutEnvironments = '{"kv_namespaces": [{"binding": "KV", "id": "prod"}]}\n';
		writeFileSync(configuration(), withoutEnvironments);
		expect((await run('create', 'KV', '--env', 'new', '--update-config')).code).toBe(0);
		const {kv_namespaces, env} = JSON.parse(readFileSync(configuration(), 'utf8'));
		expect(kv_namespaces).toEqual([{binding: 'KV', id: 'prod'}]);
		expect(env.new.kv_namespaces).toHaveLength(1);
	});

	test('is refused with --simulate, as a simulated id is useless in a real file', async () => {
		const refused = await run('create', 'SIM', '--update-config', '--simulate', '--yes');
		expect(refused).toMatchObject({code: 2, stdout: ''});
		expect(readFileSync(configuration(), 'utf8')).toBe(text);
	});

	test('shows the file change in a dry run without making it', async () => {
		const {code, stdout} = await run('create', 'DRY2', '--update-config', '--dry-run');
		expect(code).toBe(0);
		expect(stdout).toMatch(/# 2 .*wrangler\.json\n.*DRY2/);
		expect(readFileSync(configuration(), 'utf8')).toBe(text);
	});

	test.each([[[]], [['--json']]])('prints the new id if the file cannot be written (%j)', async options => {
		// Invalid UTF-8 keeps ledge from writing the file, even if root runs the test.
		const broken = Buffer.concat([Buffer.from('name = "w"\n# '), Buffer.from([0xff]), Buffer.from('\n')]);
		const tomlFolder = createScratchFolder();
		writeFileSync(join(tomlFolder, 'wrangler.toml'), broken);
		const name = `LEFT${options.length}`;
		const ended = await ledge(['kv', 'namespace', 'create', name, '--update-config', ...options], {
			cwd: tomlFolder,
			env: service.env,
		});
		expect(ended).toMatchObject({code: 1, stdout: ''});
		const created = (await listNamespaces()).find(one => one.title === `w-${name}`);
		expect(created?.id).toBeDefined();
		expect(ended.stderr).toContain(created?.id);
		if (options.length > 0) expect(JSON.parse(ended.stderr).error.left).toContain(created?.id);
		expect(readFileSync(join(tomlFolder, 'wrangler.toml'))).toEqual(broken);
	});
});

describe('the environment in the namespace title', () => {
	test('comes from CLOUDFLARE_ENV or --env, even without a configuration', async () => {
		const {stderr} = await ledge(['kv', 'namespace', 'create', 'A1'], {
			cwd: folder,
			env: {...service.env, CLOUDFLARE_ENV: 'stg'},
		});
		expect(stderr).toContain('"worker-stg-A1"');
		expect((await run('create', 'A2', '--env', 'stg')).stderr).toContain('"worker-stg-A2"');
	});
});

describe('writing a namespace', () => {
	const listWrites = async () => (await service.calls()).filter(call => call.method !== 'GET');

	test.each([
		['create', (): string[] => ['create', 'THROTTLED']],
		['rename', (id: string): string[] => ['rename', '--namespace-id', id, '--new-name', 'throttled']],
		['delete', (id: string): string[] => ['delete', '--namespace-id', id, '--yes']],
	])('is never retried automatically, even after a 429 (%s)', async (what, getWords) => {
		const [created] = JSON.parse((await run('create', `once-${what}`, '--json')).stdout);
		const method = {create: 'POST', rename: 'PUT', delete: 'DELETE'}[what];
		const before = (await listWrites()).length;
		await service.setFaults(`status=429 retry-after=1 times=1 path=/namespaces method=${method}`);
		try {
			const ended = await run(...getWords(created.id));
			expect(ended.code).toBe(1);
			expect((await listWrites()).length).toBe(before + 1);
		} finally {
			await service.setFaults('');
		}
	});

	test.each([
		['no selector', ['delete']],
		['two selectors', ['delete', 'a', '--namespace-id', 'b']],
		['an empty title', ['delete', '']],
		['a binding that is nowhere', ['delete', '--binding', 'NOWHERE']],
		['an empty new title', ['rename', 'a', '--new-name', '']],
		['a new title of 600 characters', ['rename', 'a', '--new-name', 'x'.repeat(600)]],
		['a title of 600 characters', ['create', 'x'.repeat(600)]],
	])('with %s is refused as wrong use, before looking for credentials', async (_what, words) => {
		expect((await ledge(['kv', 'namespace', ...words], {cwd: folder})).code).toBe(2);
	});

	test.each([
		[['create', 'x']],
		[['delete', 'x']],
		[['rename', 'x', '--new-name', 'y']],
	])('with --read-only is refused before looking for credentials (%j)', async words => {
		const {code, stderr} = await ledge(['kv', 'namespace', ...words, '--read-only'], {cwd: folder});
		expect(code).toBe(2);
		expect(stderr).toContain('read-only');
	});
});

describe('kv namespace list, delete and rename', () => {
	test('delete prints the target on a terminal, even with --yes', async () => {
		const [created] = JSON.parse((await run('create', 'told-where', '--no-prefix', '--json')).stdout);
		const {output} = await runInTerminal(
			['kv', 'namespace', 'delete', '--namespace-id', created.id, '--yes'],
			{
				cwd: folder,
				env: service.env,
			},
		);
		expect(output).toContain('remote: Acme (simulated) › told-where');
	});

	test('list prints the fields of the service as wrangler does', async () => {
		const {stdout} = await run('list');
		const list = JSON.parse(stdout) as {id: string; title: string}[];
		expect(stdout).toBe(`${JSON.stringify(list, null, 2)}\n`);
		for (const one of list) expect(Object.keys(one).slice(0, 2)).toEqual(['id', 'title']);
		expect(list.map(one => one.title)).toEqual(list.map(one => one.title).toSorted());
	});

	test('list reads more than one page', async () => {
		const titles = Array.from({length: 130}, (_, index) => `many-${String(index).padStart(3, '0')}`);
		const {env} = service;
		const accounts = (await (
			await fetch(`${service.url}/accounts`, {headers: {Authorization: 'Bearer simulated'}})
		).json()) as {result: {id: string}[]};
		for (const title of titles) {
			await fetch(`${env.CLOUDFLARE_API_BASE_URL}/accounts/${accounts.result[0]?.id}/storage/kv/namespaces`, {
				method: 'POST',
				headers: {Authorization: 'Bearer simulated', 'Content-Type': 'application/json'},
				body: JSON.stringify({title}),
			});
		}
		const found = (await listNamespaces()).map(one => one.title);
		for (const title of titles) expect(found).toContain(title);
	});

	test.each(['title', 'id', 'binding'])('delete by %s asks, and deletes with --yes', async by => {
		const [created] = JSON.parse((await run('create', `D-${by}`, '--no-prefix', '--json')).stdout);
		writeFileSync(
			join(folder, 'wrangler.json'),
			JSON.stringify({kv_namespaces: [{binding: 'D', id: created.id}]}),
		);
		const selector =
			{title: [`D-${by}`], id: ['--namespace-id', created.id], binding: ['--binding', 'D']}[by] ?? [];
		expect((await run('delete', ...selector)).code).toBe(2);
		expect((await listNamespaces()).some(one => one.id === created.id)).toBe(true);
		const deletion = await run('delete', ...selector, '--yes');
		expect(deletion).toMatchObject({code: 0, stdout: ''});
		expect(deletion.stderr).toBe(`Deleting namespace ${created.id}.\nDeleted namespace ${created.id}.\n`);
		expect((await listNamespaces()).some(one => one.id === created.id)).toBe(false);
	});

	test('a missing namespace exits with 3', async () => {
		expect((await run('delete', 'nobody', '--yes')).code).toBe(3);
		expect((await run('delete', '--namespace-id', 'f'.repeat(32), '--yes')).code).toBe(3);
		expect(
			(await ledge(['kv', 'key', 'list', '--namespace-id', 'f'.repeat(32)], {env: service.env})).code,
		).toBe(3);
	});

	test('rename works by title and by id', async () => {
		const [created] = JSON.parse((await run('create', 'R', '--no-prefix', '--json')).stdout);
		expect((await run('rename', 'R', '--new-name', 'R2')).code).toBe(0);
		expect((await run('rename', '--namespace-id', created.id, '--new-name', 'R3')).stderr).toContain(
			'to "R3"',
		);
		expect((await listNamespaces()).find(one => one.id === created.id)?.title).toBe('R3');
		expect((await run('rename', 'R3', '--namespace-id', created.id, '--new-name', 'R4')).code).toBe(2);
		expect((await run('rename', 'R3')).code).toBe(2);
	});
});

describe('the old colon form', () => {
	test('works with a warning on stderr and the same stdout', async () => {
		const colonForm = await ledge(['kv:namespace', 'list'], {env: service.env});
		expect(colonForm.code).toBe(0);
		expect(colonForm.stderr).toContain('kv:namespace');
		expect(colonForm.stderr).toContain('"kv namespace"');
		expect(colonForm.stdout).toBe((await run('list')).stdout);
	});
});
