import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {ledge, scratch} from '../support/ledge.ts';
import {type RunningService, startService} from '../support/service.ts';

let service: RunningService;
let folder: string;

beforeAll(async () => {
	service = await startService();
});

beforeEach(() => {
	folder = scratch();
});

const run = (...words: string[]) => ledge(['kv', 'namespace', ...words], {cwd: folder, env: service.env});
const listed = async () => JSON.parse((await run('list')).stdout) as {id: string; title: string}[];

describe('kv namespace create', () => {
	test('prints the title on stderr and the snippet on stdout; the title has the prefix of the specification', async () => {
		const {code, stdout, stderr} = await run('create', 'SESSIONS-1');
		expect(code).toBe(0);
		expect(stderr).toBe(
			'Creating namespace with title "worker-SESSIONS-1"\nSuccess!\nAdd the following to your configuration file in your kv_namespaces array:\n',
		);
		const made = (await listed()).find(one => one.title === 'worker-SESSIONS-1');
		expect(stdout).toBe(`[[kv_namespaces]]\nbinding = "SESSIONS_1"\nid = "${made?.id}"\n`);
	});

	test('--preview ends the title in _preview and prints a preview_id', async () => {
		const {stdout, stderr} = await run('create', 'P', '--preview');
		expect(stderr).toContain('"worker-P_preview"');
		expect(stdout).toMatch(/^preview_id = "[0-9a-f]{32}"$/m);
	});

	test('name and environment of the configuration are the prefix', async () => {
		writeFileSync(join(folder, 'wrangler.toml'), 'name = "shop"\n[env.staging]\n');
		const {stderr, stdout} = await run('create', 'CART', '--env', 'staging');
		expect(stderr).toContain('"shop-staging-CART"');
		expect(stderr).toContain('under [env.staging]:');
		expect(stdout).toContain('binding = "CART"');
		expect((await run('create', 'bare', '--no-prefix')).stderr).toContain('title "bare"');
	});

	test('--update-config writes the entry and keeps what is there, comments too', async () => {
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

		const jsonFolder = scratch();
		writeFileSync(join(jsonFolder, 'wrangler.jsonc'), '{\n\t// mine\n\t"name": "w",\n}\n');
		await ledge(['kv', 'namespace', 'create', 'J', '--update-config'], {cwd: jsonFolder, env: service.env});
		const json = readFileSync(join(jsonFolder, 'wrangler.jsonc'), 'utf8');
		expect(json).toContain('// mine');
		expect(json).toMatch(/"binding": "J"/);
	});

	test('--json gives an array of what was created', async () => {
		const {stdout} = await run('create', 'J1', '--json');
		expect(JSON.parse(stdout)).toEqual([
			{id: expect.stringMatching(/^[0-9a-f]{32}$/), title: 'worker-J1', binding: 'J1', preview: false},
		]);
	});

	test('a title that exists is a failure with exit 1, and is asked for once', async () => {
		await run('create', 'TWICE');
		const again = await run('create', 'TWICE');
		expect(again).toMatchObject({code: 1, stdout: ''});
		expect(again.stderr).toContain('exists already');
	});

	test('--dry-run shows the request with its title, and sends no write', async () => {
		const {code, stdout} = await run('create', 'DRY', '--dry-run');
		expect(code).toBe(0);
		expect(stdout).toContain('"title": "worker-DRY"');
		expect(stdout).toContain('curl -sS -X POST -H "Authorization: Bearer $CLOUDFLARE_API_TOKEN"');
		expect((await listed()).some(one => one.title === 'worker-DRY')).toBe(false);
	});
});

describe('kv namespace list, delete and rename', () => {
	test('list prints ids and titles as the peer does', async () => {
		const {stdout} = await run('list');
		const list = JSON.parse(stdout) as {id: string; title: string}[];
		expect(stdout).toBe(`${JSON.stringify(list, null, 2)}\n`);
		for (const one of list) expect(Object.keys(one)).toEqual(['id', 'title']);
		expect(list.map(one => one.title)).toEqual(list.map(one => one.title).toSorted());
	});

	test('more namespaces than a page holds are all listed', async () => {
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
		const found = (await listed()).map(one => one.title);
		for (const title of titles) expect(found).toContain(title);
	});

	test.each(['title', 'id', 'binding'])('delete by %s asks, and with --yes deletes', async by => {
		const [made] = JSON.parse((await run('create', `D-${by}`, '--no-prefix', '--json')).stdout);
		writeFileSync(
			join(folder, 'wrangler.json'),
			JSON.stringify({kv_namespaces: [{binding: 'D', id: made.id}]}),
		);
		const selector =
			{title: [`D-${by}`], id: ['--namespace-id', made.id], binding: ['--binding', 'D']}[by] ?? [];
		expect((await run('delete', ...selector)).code).toBe(2);
		expect((await listed()).some(one => one.id === made.id)).toBe(true);
		const gone = await run('delete', ...selector, '--yes');
		expect(gone).toMatchObject({code: 0, stdout: ''});
		expect(gone.stderr).toBe(`Deleting namespace ${made.id}.\nDeleted namespace ${made.id}.\n`);
		expect((await listed()).some(one => one.id === made.id)).toBe(false);
	});

	test('a namespace that is not there is exit 3', async () => {
		expect((await run('delete', 'nobody', '--yes')).code).toBe(3);
		expect((await run('delete', '--namespace-id', 'f'.repeat(32), '--yes')).code).toBe(3);
		expect(
			(await ledge(['kv', 'key', 'list', '--namespace-id', 'f'.repeat(32)], {env: service.env})).code,
		).toBe(3);
	});

	test('rename by title and by id', async () => {
		const [made] = JSON.parse((await run('create', 'R', '--no-prefix', '--json')).stdout);
		expect((await run('rename', 'R', '--new-name', 'R2')).code).toBe(0);
		expect((await run('rename', '--namespace-id', made.id, '--new-name', 'R3')).stderr).toContain('to "R3"');
		expect((await listed()).find(one => one.id === made.id)?.title).toBe('R3');
		expect((await run('rename', 'R3', '--namespace-id', made.id, '--new-name', 'R4')).code).toBe(2);
		expect((await run('rename', 'R3')).code).toBe(2);
	});
});

describe('the colon form', () => {
	test('works with a warning on stderr, stdout the same', async () => {
		const old = await ledge(['kv:namespace', 'list'], {env: service.env});
		expect(old.code).toBe(0);
		expect(old.stderr).toContain('kv:namespace');
		expect(old.stderr).toContain('"kv namespace"');
		expect(old.stdout).toBe((await run('list')).stdout);
	});
});
