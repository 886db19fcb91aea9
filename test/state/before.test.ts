import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {parseEditDraft} from '../../source/kv/change/edit-draft.ts';
import {listDrafts} from '../../source/state/drafts.ts';
import {listJobs} from '../../source/state/jobs.ts';
import {afterwards, leftBefore} from '../support/before.ts';
import {ledge} from '../support/run.ts';

const kinds = ['bulk-delete', 'bulk-put', 'copy', 'export', 'import'] as const;

async function left() {
	const {work, state, env} = leftBefore();
	const jobs = await listJobs(env);
	const jobOf = (kind: string) => {
		const job = jobs.find(one => 'record' in one && one.record.header.kind === kind);
		if (!job || !('record' in job)) throw new Error(`There is no job of the kind ${kind}.`);
		return job;
	};
	const run = (...words: readonly string[]) =>
		ledge(['--simulate', ...words, '--json'], {cwd: work, env, clock: {now: () => afterwards}});
	const keysOf = async (namespace: string | undefined) => {
		const listed = await run('kv', 'key', 'list', '--namespace-id', namespace ?? '');
		expect(listed).toMatchObject({code: 0});
		return (JSON.parse(listed.stdout) as {name: string}[]).map(({name}) => name);
	};
	return {work, state, env, jobs, jobOf, run, keysOf};
}

const allKeys = Array.from({length: 200}, (_, at) => `key-${String(at).padStart(3, '0')}`);

describe('what the version before the redesign left behind', () => {
	test('jobs are listed as they stood', async () => {
		const {jobs, jobOf} = await left();
		expect(jobs).toHaveLength(kinds.length);
		const figures = kinds.map(kind => {
			const {record, holder} = jobOf(kind);
			return [kind, record.status, record.done, record.header.total, holder];
		});
		expect(figures).toEqual([
			['bulk-delete', 'failed', 0, 150, undefined],
			['bulk-put', 'failed', 198, 202, undefined],
			['copy', 'failed', 100, undefined, undefined],
			['export', 'failed', 120, undefined, undefined],
			['import', 'failed', 100, 200, undefined],
		]);
	});

	test('a bulk put resumes, and sends what was not acknowledged', async () => {
		const {jobOf, run, keysOf} = await left();
		const {id, record} = jobOf('bulk-put');
		const ended = await run('jobs', 'resume', id);
		expect(ended, ended.stderr).toMatchObject({code: 0});
		expect(JSON.parse(ended.stdout)).toMatchObject({job: id, entries: 202, done: 202, requests: 2});
		const {namespace = ''} = record.header.target;
		expect(await keysOf(namespace)).toEqual(allKeys);
		const second = await run('kv', 'key', 'get', 'key-001', '--namespace-id', namespace);
		expect(second.stdout).toContain('second');
	});

	test('a bulk delete resumes', async () => {
		const {jobOf, run, keysOf} = await left();
		const {id, record} = jobOf('bulk-delete');
		const ended = await run('jobs', 'resume', id, '--yes');
		expect(ended, ended.stderr).toMatchObject({code: 0});
		expect(await keysOf(record.header.target.namespace)).toEqual(allKeys.slice(150));
	});

	test('an import from standard input resumes with the input that was kept', async () => {
		const {state, jobOf, run, keysOf} = await left();
		const {id, record} = jobOf('import');
		expect(readdirSync(join(state, 'inputs'))).toHaveLength(1);
		const ended = await run('jobs', 'resume', id);
		expect(ended, ended.stderr).toMatchObject({code: 0});
		expect(await keysOf(record.header.target.namespace)).toEqual(allKeys);
		expect(readdirSync(join(state, 'inputs'))).toEqual([]);
	});

	test('a copy resumes behind the last key that was settled', async () => {
		const {jobOf, run, keysOf} = await left();
		const {id, record} = jobOf('copy');
		const ended = await run('jobs', 'resume', id);
		expect(ended, ended.stderr).toMatchObject({code: 0});
		expect(JSON.parse(ended.stdout)).toMatchObject({job: id, done: 200, refused: 0});
		expect(await keysOf(record.header.target.namespace)).toEqual(allKeys);
	});

	test('an export resumes, and its file is the same as if nothing had been', async () => {
		const {work, jobOf, run} = await left();
		const {id} = jobOf('export');
		const ended = await run('jobs', 'resume', id);
		expect(ended, ended.stderr).toMatchObject({code: 0});
		const names = readFileSync(join(work, 'out.ndjson'), 'utf8')
			.trimEnd()
			.split('\n')
			.map(line => (JSON.parse(line) as {key: string}).key);
		expect(names).toEqual(allKeys);
		expect(existsSync(join(work, 'out.ndjson.part'))).toBe(false);
	});

	test('drafts are offered with all that was typed', async () => {
		const {env} = await left();
		const drafts = listDrafts(env, afterwards);
		expect(drafts.map(({type}) => type).sort()).toEqual(['bytes', 'draft', 'draft']);
		const edits = drafts.flatMap(one => (one.type === 'draft' ? [parseEditDraft(one.draft)] : []));
		expect(edits.map(edit => [edit?.key, edit?.origin, String(edit?.content)])).toEqual(
			expect.arrayContaining([['key-000', 'edit', 'typed, not saved']]),
		);
		expect(drafts.some(one => one.type === 'draft' && one.draft.isHeld)).toBe(false);
	});

	test('a migration on its way resumes to its end', async () => {
		const {run} = await left();
		const zone = ['--zone', 'acme.example'];
		const before = await run('migration', 'status', ...zone);
		expect(before, before.stderr).toMatchObject({code: 0});
		const ended = await run('migration', 'resume', ...zone);
		expect(ended, ended.stderr).toMatchObject({code: 0});
		expect(JSON.parse(ended.stdout)).toMatchObject({state: 'complete'});
	});
});
