import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {parseEditDraft} from '../../source/kv/change/edit-draft.ts';
import {listDrafts} from '../../source/state/drafts.ts';
import {listJobs} from '../../source/state/jobs.ts';
import {anHourAfterwards, unpackEarlierState} from '../support/before.ts';
import {ledge} from '../support/run.ts';

const kinds = ['bulk-delete', 'bulk-put', 'copy', 'export', 'import'] as const;

async function openEarlierState() {
	const {work, state, env} = unpackEarlierState();
	const jobs = await listJobs(env);
	const jobOf = (kind: string) => {
		const job = jobs.find(one => 'record' in one && one.record.header.kind === kind);
		if (!job || !('record' in job)) throw new Error(`There is no job of the kind ${kind}.`);
		return job;
	};
	const run = (...words: readonly string[]) =>
		ledge(['--simulate', ...words, '--json'], {cwd: work, env, clock: {now: () => anHourAfterwards}});
	const keysOf = async (namespace: string | undefined) => {
		const listed = await run('kv', 'key', 'list', '--namespace-id', namespace ?? '');
		expect(listed).toMatchObject({code: 0});
		return (JSON.parse(listed.stdout) as {name: string}[]).map(({name}) => name);
	};
	return {work, state, env, jobs, jobOf, run, keysOf};
}

const allKeys = Array.from({length: 200}, (_, at) => `key-${String(at).padStart(3, '0')}`);

describe('an upgrade from the version before the redesign', () => {
	test('lists jobs with their state and progress', async () => {
		const {jobs, jobOf} = await openEarlierState();
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

	test('resumes a bulk put and sends the unacknowledged entries', async () => {
		const {jobOf, run, keysOf} = await openEarlierState();
		const {id, record} = jobOf('bulk-put');
		const resumeResult = await run('jobs', 'resume', id);
		expect(resumeResult, resumeResult.stderr).toMatchObject({code: 0});
		expect(JSON.parse(resumeResult.stdout)).toMatchObject({job: id, entries: 202, done: 202, requests: 2});
		const {namespace = ''} = record.header.target;
		expect(await keysOf(namespace)).toEqual(allKeys);
		const value = await run('kv', 'key', 'get', 'key-001', '--namespace-id', namespace);
		expect(value.stdout).toContain('second');
	});

	test('resumes a bulk delete', async () => {
		const {jobOf, run, keysOf} = await openEarlierState();
		const {id, record} = jobOf('bulk-delete');
		const resumeResult = await run('jobs', 'resume', id, '--yes');
		expect(resumeResult, resumeResult.stderr).toMatchObject({code: 0});
		expect(await keysOf(record.header.target.namespace)).toEqual(allKeys.slice(150));
	});

	test('resumes an import from standard input with the saved input', async () => {
		const {state, jobOf, run, keysOf} = await openEarlierState();
		const {id, record} = jobOf('import');
		expect(readdirSync(join(state, 'inputs'))).toHaveLength(1);
		const resumeResult = await run('jobs', 'resume', id);
		expect(resumeResult, resumeResult.stderr).toMatchObject({code: 0});
		expect(await keysOf(record.header.target.namespace)).toEqual(allKeys);
		expect(readdirSync(join(state, 'inputs'))).toEqual([]);
	});

	test('resumes a copy after the last settled key', async () => {
		const {jobOf, run, keysOf} = await openEarlierState();
		const {id, record} = jobOf('copy');
		const resumeResult = await run('jobs', 'resume', id);
		expect(resumeResult, resumeResult.stderr).toMatchObject({code: 0});
		expect(JSON.parse(resumeResult.stdout)).toMatchObject({job: id, done: 200, refused: 0});
		expect(await keysOf(record.header.target.namespace)).toEqual(allKeys);
	});

	test('resumes an export, whose file is the same as without an interruption', async () => {
		const {work, jobOf, run} = await openEarlierState();
		const {id} = jobOf('export');
		const resumeResult = await run('jobs', 'resume', id);
		expect(resumeResult, resumeResult.stderr).toMatchObject({code: 0});
		const names = readFileSync(join(work, 'out.ndjson'), 'utf8')
			.trimEnd()
			.split('\n')
			.map(line => (JSON.parse(line) as {key: string}).key);
		expect(names).toEqual(allKeys);
		expect(existsSync(join(work, 'out.ndjson.part'))).toBe(false);
	});

	test('offers drafts with everything that was typed', async () => {
		const {env} = await openEarlierState();
		const drafts = listDrafts(env, anHourAfterwards);
		expect(drafts.map(({type}) => type).sort()).toEqual(['bytes', 'draft', 'draft']);
		const edits = drafts.flatMap(one => (one.type === 'draft' ? [parseEditDraft(one.draft)] : []));
		expect(edits.map(edit => [edit?.key, edit?.origin, String(edit?.content)])).toEqual(
			expect.arrayContaining([['key-000', 'edit', 'typed, not saved']]),
		);
		expect(drafts.some(one => one.type === 'draft' && one.draft.isHeld)).toBe(false);
	});

	test('resumes a running migration to its end', async () => {
		const {run} = await openEarlierState();
		const zone = ['--zone', 'acme.example'];
		const before = await run('migration', 'status', ...zone);
		expect(before, before.stderr).toMatchObject({code: 0});
		const resumeResult = await run('migration', 'resume', ...zone);
		expect(resumeResult, resumeResult.stderr).toMatchObject({code: 0});
		expect(JSON.parse(resumeResult.stdout)).toMatchObject({state: 'complete'});
	});
});
