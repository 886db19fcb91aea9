import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeAll, beforeEach, expect, test} from 'vitest';
import {type Ended, ledge, scratch} from '../../support/ledge.ts';
import {type RunningService, startService} from '../../support/service.ts';

const keys = Array.from({length: 350}, (_, at) => ({
	key: `k${String(at).padStart(5, '0')}`,
	value: `value ${at}`,
	...(at % 7 === 0 && {metadata: {at}}),
}));
const content = keys.map(entry => `${JSON.stringify(entry)}\n`).join('');

let service: RunningService;
let folder: string;
beforeAll(async () => {
	service = await startService();
});
beforeEach(async () => {
	await service.setFaults('');
	folder = scratch();
	writeFileSync(join(folder, 'in.ndjson'), content);
});

const run = (words: readonly string[]): Promise<Ended> =>
	ledge(words, {cwd: folder, env: {...service.env, LEDGE_TIME_SCALE: '0.01'}});

async function made(isFilled: boolean): Promise<string> {
	const title = `made-${Math.random().toString(36).slice(2)}`;
	const words = ['kv', 'namespace', 'create', title, '--no-prefix', '--json'];
	const id = (JSON.parse((await run(words)).stdout) as {id: string}[])[0]?.id ?? '';
	if (isFilled) expect((await run(['kv', 'copy', 'file:in.ndjson', `remote:${id}`])).code).toBe(0);
	return id;
}

/** Runs it while the service wants nothing any more behind its first bulk answer; then as it says itself. */
async function cutOff(words: readonly string[], faults: string): Promise<Ended> {
	await service.setFaults(faults);
	const ended = await run([...words, '--concurrency', '1']);
	expect(ended).toMatchObject({code: 1});
	expect(ended.stderr).toContain('The service rejected');
	expect(ended.stderr).toContain('the service says to wait 3600 s, but ledge waits 330 s at most');
	await service.setFaults('');
	const job = /ledge jobs resume (\w+)/.exec(ended.stderr)?.[1];
	return run(job === undefined ? words : ['jobs', 'resume', job]);
}

const always = 'status=429 retry-after=3600 path=/bulk';

test('an export paused by too long a wait continues where it stopped', async () => {
	const id = await made(true);
	const words = ['kv', 'export', '--namespace-id', id, '--output', 'out.ndjson'];
	const ended = await cutOff(words, `${always} after=1`);
	expect(ended).toMatchObject({code: 0, stderr: expect.stringContaining('Exported 350 keys')});
	expect(readFileSync(join(folder, 'out.ndjson'), 'utf8')).toBe(content);
});

test.each([
	['copy', (id: string) => ['kv', 'copy', 'file:in.ndjson', `remote:${id}`], 'Copied 350 keys'],
	['import', (id: string) => ['kv', 'import', 'in.ndjson', '--namespace-id', id], 'Imported 350 keys'],
])('a %s continues as well', async (_name, words, said) => {
	const id = await made(false);
	// Halved batches: some are written, and then no more.
	const ended = await cutOff(words(id), `max-body=5000 path=/bulk method=PUT times=4; ${always} after=6`);
	expect(ended).toMatchObject({code: 0, stderr: expect.stringContaining(said)});
	expect((await run(['kv', 'diff', 'file:in.ndjson', `remote:${id}`, '--exit-code'])).code).toBe(0);
});

test('deletions, comparisons and searches report what stopped them, and complete on retry', async () => {
	const id = await made(true);
	const compared = await cutOff(['kv', 'diff', 'file:in.ndjson', `remote:${id}`], `${always} after=1`);
	expect(compared).toMatchObject({code: 0, stderr: 'Identical: 350 keys.\n'});
	const found = await cutOff(
		['kv', 'search', 'value 34', '--values', '--namespace-id', id],
		`${always} after=1`,
	);
	expect(found.code).toBe(0);
	expect(found.stdout.trim().split('\n')).toHaveLength(
		keys.filter(({value}) => value.includes('value 34')).length,
	);
	const words = ['kv', 'delete', '--prefix', 'k', '--namespace-id', id, '--confirm', '350'];
	expect((await cutOff(words, always)).code).toBe(0);
	expect((await run(['kv', 'export', '--namespace-id', id])).stdout).toBe('');
});

test('a copy does not continue from a file that has changed', async () => {
	const id = await made(false);
	await service.setFaults(`max-body=5000 path=/bulk method=PUT times=4; ${always} after=6`);
	const {stderr} = await run(['kv', 'copy', 'file:in.ndjson', `remote:${id}`, '--concurrency', '1']);
	const job = /ledge jobs resume (\w+)/.exec(stderr)?.[1] ?? '';
	await service.setFaults('');
	writeFileSync(join(folder, 'in.ndjson'), content.replace('"value 7"', '"value 8"'));
	const changed = await run(['jobs', 'resume', job]);
	expect(changed).toMatchObject({
		code: 1,
		stderr: expect.stringContaining('has changed since the job started'),
	});
	writeFileSync(join(folder, 'in.ndjson'), content);
	expect(await run(['jobs', 'resume', job])).toMatchObject({code: 0});
	expect(await run(['jobs', 'resume', job])).toMatchObject({
		code: 2,
		stderr: expect.stringContaining('is already done'),
	});
	expect(existsSync(join(folder, 'copy.failed.ndjson'))).toBe(false);
});
