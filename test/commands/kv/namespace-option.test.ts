import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeAll, describe, expect, test} from 'vitest';
import {createScratchFolder, type EndedRun, ledge} from '../../support/run.ts';
import {type ServedSimulator, serveSimulator} from '../../support/serve-simulator.ts';

let folder: string;
let service: ServedSimulator;
const ids: Record<string, string> = {};

const run = (words: readonly string[], env = service.env): Promise<EndedRun> =>
	ledge(words, {cwd: folder, env});

beforeAll(async () => {
	service = await serveSimulator();
	folder = createScratchFolder();
	for (const title of ['bound', 'bound_preview', 'TITLED', 'DATA']) {
		const {stdout} = await run(['kv', 'namespace', 'create', title, '--no-prefix', '--json']);
		ids[title] = (JSON.parse(stdout) as {id: string}[])[0]?.id ?? '';
		await run(['kv', 'key', 'put', 'k', title, '--namespace-id', ids[title] ?? '']);
	}
	const [id, preview] = [ids.bound, ids.bound_preview];
	writeFileSync(
		join(folder, 'wrangler.toml'),
		`name = "w"\nkv_namespaces = [{binding = "DATA", id = "${id}", preview_id = "${preview}"}]\n`,
	);
});

const readValue = (...words: string[]) => run(['kv', 'key', 'get', 'k', ...words]);

describe('--namespace on the service', () => {
	test('accepts a binding, which takes precedence over an equal title', async () => {
		expect(await readValue('--namespace', 'DATA')).toMatchObject({code: 0, stdout: 'bound'});
		expect(await readValue('--namespace', 'DATA', '--preview')).toMatchObject({
			code: 0,
			stdout: 'bound_preview',
		});
	});

	test('accepts an id and a title', async () => {
		expect(await readValue('--namespace', ids.TITLED ?? '')).toMatchObject({code: 0, stdout: 'TITLED'});
		expect(await readValue('--namespace', 'TITLED')).toMatchObject({code: 0, stdout: 'TITLED'});
		const renamed = await run(['kv', 'key', 'rename', 'k', 'l', '--namespace', 'TITLED']);
		expect(renamed).toMatchObject({code: 0});
		expect((await run(['kv', 'key', 'get', 'l', '--namespace-id', ids.TITLED ?? ''])).stdout).toBe('TITLED');
	});

	test('reports an unknown name, and keeps the given name in next steps', async () => {
		const unknown = await readValue('--namespace', 'NOWHERE');
		expect(unknown.code).toBe(3);
		expect(unknown.stderr).toContain('No namespace has the title "NOWHERE".');
		expect((await readValue('--namespace', 'titled')).stderr).toContain('Did you mean "TITLED"?');
		const stray = await run(['kv', 'stats', 'TITLED']);
		expect(stray.code).toBe(2);
		expect(stray.stderr).toContain('specify namespaces and zones with --namespace and --zone.');
		const missing = await run(['kv', 'key', 'get', 'none', '--namespace', 'DATA']);
		expect(missing.stderr).toContain('ledge kv key list --namespace DATA');
	});

	test.each([
		[['--namespace', 'DATA', '--binding', 'DATA'], "--namespace and --binding can't be combined."],
		[['--namespace', 'DATA', '--namespace-id', 'x'], "--namespace and --namespace-id can't be combined."],
		[['--namespace', ''], '--namespace is empty.'],
		[['--namespace', 'TITLED', '--preview'], '--preview needs a binding, and "TITLED" is not one.'],
	])('cannot be used as %j', async (words, what) => {
		const refused = await readValue(...words);
		expect(refused.code).toBe(2);
		expect(refused.stderr).toContain(what);
	});
});

describe('--namespace with local data', () => {
	test('accepts a binding and an id', async () => {
		const put = ['kv', 'key', 'put', 'k', 'local', '--local', '--binding', 'DATA'];
		expect(await run(put)).toMatchObject({code: 0});
		expect(await readValue('--namespace', 'DATA', '--local')).toMatchObject({code: 0, stdout: 'local'});
		expect(await readValue('--namespace', ids.bound ?? '', '--local')).toMatchObject({
			code: 0,
			stdout: 'local',
		});
		expect(await run(['kv', 'key', 'put', 'k', 'free', '--local', '--namespace', 'any'])).toMatchObject({
			code: 0,
		});
		expect(await readValue('--namespace-id', 'any', '--local')).toMatchObject({stdout: 'free'});
	});
});

test('the lifetime of a key can be a span or a date', async () => {
	const namespaceOption = ['--local', '--namespace', 'spans'];
	const putAndReadExpiration = async (...words: string[]) => {
		await run(['kv', 'key', 'put', 'k', 'v', ...words, ...namespaceOption]);
		const {stdout} = await readValue('--metadata', ...namespaceOption);
		return Date.parse((JSON.parse(stdout) as {expiration: string}).expiration) / 1000;
	};
	const now = () => Date.now() / 1000;
	for (const [span, seconds] of [
		['1h', 3600],
		['30m', 1800],
		['7d', 604_800],
		['90', 90],
	] as const)
		expect(Math.abs((await putAndReadExpiration('--ttl', span)) - now() - seconds)).toBeLessThan(30);
	expect(await putAndReadExpiration('--expiration', '2077-01-01')).toBe(Date.UTC(2077, 0, 1) / 1000);
	expect(await putAndReadExpiration('--expiration', '2077-01-01T10:00:00Z')).toBe(
		Date.UTC(2077, 0, 1, 10) / 1000,
	);
	expect(await putAndReadExpiration('--expiration', '4000000000')).toBe(4_000_000_000);
	expect(
		(await run(['kv', 'key', 'put', 'k', 'v', '--expiration', '2077-02-30', ...namespaceOption])).code,
	).toBe(2);
	expect((await run(['kv', 'key', 'put', 'k', 'v', '--ttl', '59s', ...namespaceOption])).code).toBe(2);
});
