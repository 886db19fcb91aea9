import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeAll, beforeEach, expect, test} from 'vitest';
import {createScratchFolder, type EndedRun, ledge} from '../../support/ledge.ts';
import {type RunningService, startService} from '../../support/service.ts';

const entries = Array.from({length: 350}, (_, at) => ({
	key: `k${String(at).padStart(5, '0')}`,
	value: `value ${at}`,
	...(at % 7 === 0 && {metadata: {at}}),
}));
const content = entries.map(entry => `${JSON.stringify(entry)}\n`).join('');

let service: RunningService;
let folder: string;
beforeAll(async () => {
	service = await startService();
});
beforeEach(async () => {
	await service.setFaults('');
	folder = createScratchFolder();
	writeFileSync(join(folder, 'in.ndjson'), content);
});

const run = (words: readonly string[]): Promise<EndedRun> =>
	ledge(words, {cwd: folder, env: {...service.env, LEDGE_TIME_SCALE: '0.01'}});

async function createNamespace(isFilled: boolean): Promise<string> {
	const title = `made-${Math.random().toString(36).slice(2)}`;
	const words = ['kv', 'namespace', 'create', title, '--no-prefix', '--json'];
	const id = (JSON.parse((await run(words)).stdout) as {id: string}[])[0]?.id ?? '';
	if (isFilled) expect((await run(['kv', 'copy', 'file:in.ndjson', `remote:${id}`])).code).toBe(0);
	return id;
}

/** Runs a command while the service rejects its bulk calls, then continues it as the output says. */
async function interruptAndContinue(words: readonly string[], faults: string): Promise<EndedRun> {
	await service.setFaults(faults);
	const ended = await run([...words, '--concurrency', '1']);
	expect(ended).toMatchObject({code: 1});
	expect(ended.stderr).toContain('The service rejected');
	expect(ended.stderr).toContain('the service says to wait 3600 s, but ledge waits 330 s at most');
	await service.setFaults('');
	const job = /ledge jobs resume (\w+)/.exec(ended.stderr)?.[1];
	return run(job === undefined ? words : ['jobs', 'resume', job]);
}

const rejectBulkFault = 'status=429 retry-after=3600 path=/bulk';

test('an export paused by too long a wait continues where it stopped', async () => {
	const id = await createNamespace(true);
	const words = ['kv', 'export', '--namespace-id', id, '--output', 'out.ndjson'];
	const ended = await interruptAndContinue(words, `${rejectBulkFault} after=1`);
	expect(ended).toMatchObject({code: 0, stderr: expect.stringContaining('Exported 350 keys')});
	expect(readFileSync(join(folder, 'out.ndjson'), 'utf8')).toBe(content);
});

test.each([
	['copy', (id: string) => ['kv', 'copy', 'file:in.ndjson', `remote:${id}`], 'Copied 350 keys'],
	['import', (id: string) => ['kv', 'import', 'in.ndjson', '--namespace-id', id], 'Imported 350 keys'],
])('a %s continues as well', async (_name, getWords, expectedText) => {
	const id = await createNamespace(false);
	// The batches are halved; some are written, then all are rejected.
	const ended = await interruptAndContinue(
		getWords(id),
		`max-body=5000 path=/bulk method=PUT times=4; ${rejectBulkFault} after=6`,
	);
	expect(ended).toMatchObject({code: 0, stderr: expect.stringContaining(expectedText)});
	expect((await run(['kv', 'diff', 'file:in.ndjson', `remote:${id}`, '--exit-code'])).code).toBe(0);
});

test('deletions, comparisons and searches report what stopped them, and complete on retry', async () => {
	const id = await createNamespace(true);
	const compared = await interruptAndContinue(
		['kv', 'diff', 'file:in.ndjson', `remote:${id}`],
		`${rejectBulkFault} after=1`,
	);
	expect(compared).toMatchObject({code: 0, stderr: 'Identical: 350 keys.\n'});
	const found = await interruptAndContinue(
		['kv', 'search', 'value 34', '--values', '--namespace-id', id],
		`${rejectBulkFault} after=1`,
	);
	expect(found.code).toBe(0);
	expect(found.stdout.trim().split('\n')).toHaveLength(
		entries.filter(({value}) => value.includes('value 34')).length,
	);
	const words = ['kv', 'delete', '--prefix', 'k', '--namespace-id', id, '--confirm', '350'];
	expect((await interruptAndContinue(words, rejectBulkFault)).code).toBe(0);
	expect((await run(['kv', 'export', '--namespace-id', id])).stdout).toBe('');
});

test('a copy does not continue from a file that has changed', async () => {
	const id = await createNamespace(false);
	await service.setFaults(`max-body=5000 path=/bulk method=PUT times=4; ${rejectBulkFault} after=6`);
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
