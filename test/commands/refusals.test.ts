import {existsSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {createScratchFolder, type EndedRun, ledge, type RunOptions} from '../support/run.ts';
import {serveSimulator} from '../support/serve-simulator.ts';
import type {RunningService} from '../support/service.ts';

/** Wrong input and a failing service: each ends with its exit code and one clear message, and changes nothing. */

let service: RunningService;
let folder: string;

beforeAll(async () => {
	service = await serveSimulator();
	folder = createScratchFolder();
	const file = (name: string, content: string | Uint8Array) => writeFileSync(join(folder, name), content);
	file(
		'wrangler.jsonc',
		'{"kv_namespaces": [{"binding": "KV", "id": "abc"}, {"binding": "ONLY_PREVIEW", "preview_id": "p"}], "env": {"staging": {"kv_namespaces": []}}}',
	);
	mkdirSync(join(folder, 'broken'));
	file('broken/wrangler.toml', 'name = "w"\n[[kv_namespaces]]\nbinding = \n');
	file('too-large.bin', Buffer.alloc(26_214_401));
	file('not-json.txt', 'hello');
	file('empty.json', '');
	file('object.json', '{\n  "a": 1\n}');
	const entries: unknown[] = Array.from({length: 8000}, (_, index) => ({key: `k${index}`, value: 'v'}));
	entries[7340] = {key: 'k', value: 5};
	file('entry-7341.json', JSON.stringify(entries, null, 1));
});

beforeEach(() => service.setFaults(''));

const run = (words: string[], options: RunOptions = {}): Promise<EndedRun> =>
	ledge(words, {cwd: folder, ...options, env: {...service.env, LEDGE_TIME_SCALE: '0.01', ...options.env}});

function expectOneClearMessage({stdout, stderr}: EndedRun, ...says: (string | RegExp)[]): void {
	expect(stdout).toBe('');
	expect(stderr.match(/^error:/gm)).toHaveLength(1);
	expect(stderr).not.toMatch(/^\s+at .*[(:]\d+:\d+\)?$/m);
	for (const one of says) expect(stderr).toMatch(one);
}

const put = ['kv', 'key', 'put'];
const local = ['--local', '--namespace-id', 'N'];

describe('refused before anything is sent or written (exit 2)', () => {
	/** Metadata of this size; `{"m":""}` has 8 bytes. */
	const metadata = (bytes: number) => JSON.stringify({m: 'x'.repeat(bytes - 8)});
	const cases: Record<string, {words: string[]; says: (string | RegExp)[]}> = {
		'no selector': {words: ['kv', 'key', 'get', 'k'], says: [/exactly one of --binding and --namespace-id/]},
		'both selectors': {
			words: ['kv', 'key', 'get', 'k', '--binding', 'KV', '--namespace-id', 'x'],
			says: [/exactly one of --binding and --namespace-id/],
		},
		'a selector given twice': {
			words: ['kv', 'key', 'get', 'k', '--namespace-id', 'x', '--namespace-id', 'y'],
			says: [/given twice/],
		},
		'both selectors, bulk delete': {
			words: ['kv', 'bulk', 'delete', 'f.json', '--binding', 'KV', '--namespace-id', 'x', '--yes'],
			says: [/exactly one/],
		},
		'an unknown binding': {
			words: ['kv', 'key', 'get', 'k', '--binding', 'KW'],
			says: [/no binding "KW"/, /wrangler\.jsonc/, /Did you mean "?KV"?/],
		},
		'a binding with a preview id only': {
			words: ['kv', 'key', 'get', 'k', '--binding', 'ONLY_PREVIEW'],
			says: [/--preview/],
		},
		'--preview with an id': {
			words: ['kv', 'key', 'get', 'k', '--namespace-id', 'x', '--preview'],
			says: [/--preview cannot be used with --namespace-id/],
		},
		'an unknown environment': {
			words: ['kv', 'key', 'get', 'k', '--binding', 'KV', '--env', 'stagign'],
			says: [/stagign/, /staging/],
		},
		'a broken configuration file': {
			words: ['kv', 'key', 'get', 'k', '--binding', 'KV', '--config', 'broken/wrangler.toml'],
			says: [/wrangler\.toml:3/],
		},
		'a ttl of 59': {
			words: [...put, 'k', 'v', '--ttl', '59', ...local],
			says: [/at least 60 seconds; this one is 59/],
		},
		'a negative ttl': {words: [...put, 'k', 'v', '--ttl', '-5', ...local], says: [/this one is -5/]},
		'a ttl with letters': {
			words: [...put, 'k', 'v', '--ttl', 'abc', ...local],
			says: [/--ttl.*whole seconds/, /"abc"/],
		},
		'a ttl with a fraction': {
			words: [...put, 'k', 'v', '--ttl', '60.9', ...local],
			says: [/whole seconds/, /60\.9/],
		},
		'an expiration in the past': {
			words: [...put, 'k', 'v', '--expiration', '1000', ...local],
			says: [/at least 60 seconds from now/, /this one is 1000/],
		},
		'a key of 513 bytes': {
			words: [...put, 'k'.repeat(513), 'v', ...local],
			says: [/at most 512 bytes in UTF-8; this one has 513/],
		},
		'a key of 257 two-byte characters': {
			words: [...put, 'ü'.repeat(257), 'v', ...local],
			says: [/this one has 514/],
		},
		'the key .': {words: [...put, '.', 'v', ...local], says: [/"\." is not allowed/]},
		'the key ..': {words: ['kv', 'key', 'delete', '..', ...local], says: [/"\.\." is not allowed/]},
		'an empty key': {words: [...put, '', 'v', ...local], says: [/key is empty/]},
		'a value of 25 MiB and one byte': {
			words: [...put, 'k', '--path', 'too-large.bin', ...local],
			says: [/at most 26214400 bytes; this one has 26214401/],
		},
		'metadata of 1025 bytes': {
			words: [...put, 'k', 'v', '--metadata', metadata(1025), ...local],
			says: [/at most 1024 bytes as JSON; this has 1025/],
		},
		'metadata that is not an object': {
			words: [...put, 'k', 'v', '--metadata', '[1]', ...local],
			says: [/not a JSON object/, /an array/],
		},
		'metadata that is not JSON': {
			words: [...put, 'k', 'v', '--metadata', '{v:1}', ...local],
			says: [
				/--metadata is not valid JSON/,
				/\{v:1\}/,
				/line 1, column 2: expected a name in double quotes or \}/,
			],
		},
		'no value': {words: [...put, 'k', ...local], says: [/No value was given/]},
		'two values': {words: [...put, 'k', 'v', '--path', 'not-json.txt', ...local], says: [/Two values/]},
		'a missing file': {words: [...put, 'k', '--path', 'nowhere.bin', ...local], says: [/nowhere\.bin/]},
		'a folder for a file': {words: [...put, 'k', '--path', '.', ...local], says: [/is a folder/]},
		'a bulk file that is not JSON': {
			words: ['kv', 'bulk', 'put', 'not-json.txt', ...local],
			says: [/not-json\.txt/],
		},
		'an empty bulk file': {words: ['kv', 'bulk', 'put', 'empty.json', ...local], says: [/empty/i]},
		'a bulk file that holds an object': {
			words: ['kv', 'bulk', 'put', 'object.json', ...local],
			says: [/array/],
		},
		'a missing bulk file': {words: ['kv', 'bulk', 'put', 'nowhere.json', ...local], says: [/nowhere\.json/]},
		'a bad entry number 7341': {
			words: ['kv', 'bulk', 'put', 'entry-7341.json', ...local],
			says: [/7341/, /value/],
		},
		'--local on a namespace command': {
			words: ['kv', 'namespace', 'list', '--local'],
			says: [/--local can't be used here/],
		},
		'--local and --remote': {
			words: ['kv', 'key', 'get', 'k', '--namespace-id', 'x', '--local', '--remote'],
			says: [/can't be combined/],
		},
		'a base URL without https': {
			words: ['kv', 'namespace', 'list', '--base-url', 'http://service.test/client/v4'],
			says: [/https/],
		},
		'an unknown command': {words: ['kv', 'key', 'gett', 'k'], says: [/gett/, /get/]},
		'an unknown option': {
			words: ['kv', 'key', 'get', 'k', '--bindin', 'KV'],
			says: [/--bindin/, /--binding/],
		},
		'too many words': {words: ['kv', 'key', 'get', 'k', 'l', ...local], says: [/too many/i]},
	};
	for (const [name, {words, says}] of Object.entries(cases)) {
		test(name, async () => {
			const before = (await service.calls()).length;
			const ended = await run(words);
			expectOneClearMessage(ended, ...says);
			expect(ended.code).toBe(2);
			expect((await service.calls()).length).toBe(before);
			expect(existsSync(join(folder, '.wrangler'))).toBe(false);
		});
	}

	test('an unconfirmed namespace delete', async () => {
		const {stdout} = await run(['kv', 'namespace', 'create', 'stays', '--no-prefix', '--json']);
		const [{id}] = JSON.parse(stdout);
		const ended = await run(['kv', 'namespace', 'delete', '--namespace-id', id]);
		expectOneClearMessage(ended, /Not confirmed/, /--yes/, /stays/);
		expect(ended.code).toBe(2);
		expect((await service.calls()).some(call => call.method === 'DELETE')).toBe(false);
	});

	test('a write with --read-only or LEDGE_READ_ONLY', async () => {
		for (const [words, env] of [
			[['--read-only'], {}],
			[[], {LEDGE_READ_ONLY: '1'}],
		] as const) {
			for (const target of [local, ['--namespace-id', 'x']]) {
				const before = (await service.calls()).length;
				const ended = await run([...put, 'k', 'v', ...target, ...words], {env});
				expectOneClearMessage(ended, /read-only/);
				expect(ended.code).toBe(2);
				expect((await service.calls()).slice(before).every(call => call.method === 'GET')).toBe(true);
			}
		}
		expect(existsSync(join(folder, '.wrangler'))).toBe(false);
	});
});

describe('credentials (exit 4)', () => {
	test('none given', async () => {
		const ended = await run(['kv', 'namespace', 'list'], {env: {CLOUDFLARE_API_TOKEN: ''}});
		expectOneClearMessage(ended, /No credential was given/, /CLOUDFLARE_API_TOKEN/);
		expect(ended.code).toBe(4);
	});

	test('a wrong one, which is never shown', async () => {
		const ended = await run(['kv', 'namespace', 'list', '--verbose'], {
			env: {CLOUDFLARE_API_TOKEN: 'wrong-and-secret'},
		});
		expectOneClearMessage(ended, /HTTP 40[13]/);
		expect(ended.code).toBe(4);
		expect(ended.stderr).not.toContain('wrong-and-secret');
	});
});

describe('a failing service (exit 1)', () => {
	const list = ['kv', 'namespace', 'list', '--account-id', 'a'.repeat(32)];

	test('an unknown host', async () => {
		const ended = await run(list, {env: {CLOUDFLARE_API_BASE_URL: 'https://no-such-host.invalid/client/v4'}});
		expectOneClearMessage(ended, /no-such-host\.invalid/);
		expect(ended.code).toBe(1);
	});

	const cases: Record<string, {faults: string; says: (string | RegExp)[]}> = {
		'429 for ever': {faults: 'status=429 retry-after=1', says: [/tried 5 times/, /HTTP 429/]},
		'5xx for ever': {faults: 'status=503', says: [/tried 5 times/, /HTTP 503/]},
		'a reset in mid-answer': {
			faults: 'reset=20',
			says: [/was lost before the response was complete/, /tried 5 times/],
		},
		'HTML instead of JSON': {
			faults: 'html=403',
			says: [/was blocked before it reached the service/, /HTTP 403/],
		},
	};
	for (const [name, {faults, says}] of Object.entries(cases)) {
		test(name, async () => {
			await service.setFaults(faults);
			const ended = await run(list);
			expectOneClearMessage({...ended, stderr: ended.stderr.replace(/^Attempt .*\n/gm, '')}, ...says);
			expect(ended.code).toBe(1);
		});
	}

	test('prints errors as JSON on stderr, and stdout stays empty', async () => {
		await service.setFaults('status=503');
		const {stdout, stderr, code} = await run([...list, '--json']);
		expect(code).toBe(1);
		expect(stdout).toBe('');
		const {error} = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '');
		expect(Object.keys(error)).toEqual(['code', 'what', 'why', 'next', 'http', 'ray', 'left']);
		expect(error).toMatchObject({code: 'service_failed', http: 503});
	});

	test('is retried after temporary errors, and the later response is used', async () => {
		await service.setFaults('status=503 times=2');
		const ended = await run(['kv', 'namespace', 'list']);
		expect(ended.code).toBe(0);
		expect(JSON.parse(ended.stdout).length).toBeGreaterThan(0);
	});
});
