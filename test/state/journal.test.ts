import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {
	appendFileSync,
	existsSync,
	readdirSync,
	readFileSync,
	statSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import {hostname} from 'node:os';
import {describe, expect, test} from 'vitest';
import {openStateDirectory} from '../../source/state/directory.ts';
import {
	anyJobCodec,
	type JobCodec,
	type JournalEvent,
	type JournalHeader,
} from '../../source/state/job-record.ts';
import {
	cleanJobs,
	createJob,
	createJobId,
	forgetJob,
	inputFolder,
	listJobs,
	openJob,
} from '../../source/state/jobs.ts';
import {Journal, readJournal} from '../../source/state/journal.ts';
import {findLockHolder, takeLock} from '../../source/state/lock.ts';
import {isJsonObject, type JsonValue} from '../../source/text/json.ts';
import {failureOf, makeWorkspace} from '../kv/support/workspace.ts';

const day = 24 * 60 * 60 * 1000;
const target = {place: 'https://api.example.test', account: 'a1', namespace: 'n1'};

const header = (more: Partial<JournalHeader<JsonValue>> = {}): JournalHeader<JsonValue> => ({
	id: 'abcdefgh',
	kind: 'bulk-put',
	created: 1_000,
	title: 'bulk put "load.json"',
	target,
	input: {path: '/somewhere/load.json', size: 10, modified: 5, digest: 'd1', kept: false},
	total: 100,
	options: {skipInvalid: false},
	...more,
});

/** A codec for jobs without numbered entries, which resume from a position. */
const copyCodec: JobCodec<{prefix: string}, string> = {
	kind: 'copy',
	parseOptions: json =>
		isJsonObject(json) && typeof json.prefix === 'string' ? {prefix: json.prefix} : undefined,
	parsePosition: json => (typeof json === 'string' ? json : undefined),
};

describe('a journal', () => {
	test('returns what was written to it', async () => {
		using space = makeWorkspace();
		const path = space.path('job.ndjson');
		const journal = await Journal.create(path, header(), [{type: 'range', ranges: [[1, 11]]}]);
		await journal.append({type: 'refused', ranges: [[11, 13]]}, {type: 'range', ranges: [[13, 21]]});
		await journal.append({type: 'failed', why: 'The service failed.'});
		await journal.close();
		const record = await readJournal(path, anyJobCodec);
		expect(record).toMatchObject({
			header: header(),
			status: 'failed',
			why: 'The service failed.',
			done: 18,
		});
		expect([[...record.acknowledged], [...record.refused]]).toEqual([
			[
				[1, 11],
				[13, 21],
			],
			[[11, 13]],
		]);
		expect(statSync(path).mode & 0o777).toBe(0o600);
	});

	test('supports jobs with a position, and checks their own fields', async () => {
		using space = makeWorkspace();
		const path = space.path('job.ndjson');
		const copy = header({kind: 'copy', options: {prefix: 'user:'}});
		const journal = await Journal.create(path, copy);
		await journal.append({type: 'cursor', position: 'c7', done: 7000}, {type: 'refused', ranges: [[4, 5]]});
		await journal.append({type: 'cursor', position: 'c9', done: 9000}, {type: 'paused'});
		await journal.close();
		expect(await readJournal(path, copyCodec)).toMatchObject({
			header: {options: {prefix: 'user:'}},
			position: 'c9',
			done: 9000,
			status: 'paused',
		});
		expect(await failureOf(readJournal(path, {...copyCodec, kind: 'export'}))).toMatchObject({
			code: 'journal_invalid',
			details: {why: expect.stringContaining('copy')},
		});
		expect(await failureOf(readJournal(path, {...copyCodec, parsePosition: () => undefined}))).toMatchObject({
			code: 'journal_invalid',
		});
	});

	test('is open again if anything follows its end', async () => {
		using space = makeWorkspace();
		const path = space.path('job.ndjson');
		const states: string[] = [];
		const events: JournalEvent<JsonValue>[] = [
			{type: 'paused'},
			{type: 'resumed'},
			{type: 'failed', why: 'x'},
			{type: 'range', ranges: [[1, 2]]},
			{type: 'done', done: 1, refused: 0},
		];
		const journal = await Journal.create(path, header());
		for (const event of events) {
			await journal.append(event);
			states.push((await readJournal(path, anyJobCodec)).status);
		}
		await journal.close();
		expect(states).toEqual(['paused', 'open', 'failed', 'open', 'done']);
	});

	test('loses at most the last line if the process is killed while writing, and continues after it', async () => {
		using space = makeWorkspace();
		const path = space.path('job.ndjson');
		const first = await Journal.create(path, header(), [{type: 'range', ranges: [[1, 11]]}]);
		await first.close();
		const text = readFileSync(path, 'utf8');
		const line = `${JSON.stringify({at: 1, type: 'range', ranges: [[11, 99]]})}\n`;
		for (let cutLength = 1; cutLength < line.length; cutLength++) {
			writeFileSync(path, text + line.slice(0, cutLength));
			const {journal, record} = await Journal.open(path, anyJobCodec);
			expect(record.done).toBe(10);
			await journal.append({type: 'range', ranges: [[11, 12]]});
			await journal.close();
			expect((await readJournal(path, anyJobCodec)).done).toBe(11);
		}
	});

	test.each([
		['nothing in it', () => ''],
		['a first line that is cut off', (text: string) => text.slice(0, 20)],
		['a line in the middle that is not JSON', (text: string) => text.replace('"type":"range"', '"type":')],
		['a line of an unknown type', (text: string) => text.replace('"type":"range"', '"type":"rage"')],
		['a range that runs backwards', (text: string) => text.replace('[[1,11]]', '[[11,1]]')],
		['a range of strings', (text: string) => text.replace('[[1,11]]', '[["1",11]]')],
		['another format', (text: string) => text.replace('"v":1', '"v":2')],
		['no target', (text: string) => text.replace('"place"', '"palace"')],
		['an input without digest', (text: string) => text.replace('"digest"', '"digits"')],
	])('with %s is refused, naming the file and the next step', async (_what, damage) => {
		using space = makeWorkspace();
		const path = space.path('job.ndjson');
		const journal = await Journal.create(path, header(), [{type: 'range', ranges: [[1, 11]]}]);
		await journal.append({type: 'paused'});
		await journal.close();
		writeFileSync(path, damage(readFileSync(path, 'utf8')));
		const failure = await failureOf(Journal.open(path, anyJobCodec));
		expect(failure).toMatchObject({
			code: 'journal_invalid',
			message: expect.stringContaining(path),
			next: expect.stringMatching(/\w/),
		});
	});
});

describe('the lock of a job', () => {
	test('keeps a second process out until the first one releases it', async () => {
		using space = makeWorkspace();
		const path = space.path('job.ndjson');
		const journal = await Journal.create(path, header());
		expect(await failureOf(Journal.open(path, anyJobCodec))).toMatchObject({
			code: 'job_running',
			details: {why: expect.stringContaining(`${process.pid}`)},
		});
		await journal.close();
		const reopenedJob = await Journal.open(path, anyJobCodec);
		await reopenedJob.journal.close();
		expect(readdirSync(space.folder)).toEqual(['job.ndjson']);
	});

	test('of a killed process is taken over', async () => {
		using space = makeWorkspace();
		const path = space.path('job');
		const code = `
			import {takeLock} from ${JSON.stringify(new URL('../../source/state/lock.ts', import.meta.url).href)};
			takeLock(${JSON.stringify(path)});
			process.stdout.write('held');
			setInterval(() => {}, 1000);`;
		const child = spawn(process.execPath, [
			'--experimental-strip-types',
			'--no-warnings',
			'--input-type=module',
			'-e',
			code,
		]);
		await once(child.stdout, 'data');
		expect(findLockHolder(path)?.pid).toBe(child.pid);
		expect(() => takeLock(path)).toThrow('Another process is running this job.');
		child.kill('SIGKILL');
		await once(child, 'exit');
		expect(findLockHolder(path)).toBeUndefined();
		takeLock(path)[Symbol.dispose]();
		expect(readdirSync(space.folder)).toEqual([]);
	});

	test('of a process whose ID now belongs to another one is taken over', () => {
		using space = makeWorkspace();
		const lock = space.path('job.lock.1');
		writeFileSync(lock, JSON.stringify({pid: process.pid, host: hostname(), started: '1'}));
		using _taken = takeLock(space.path('job'));
		expect(readdirSync(space.folder)).toEqual(['job.lock.2']);
	});

	test('of another machine is respected, and the message says how to remove it', () => {
		using space = makeWorkspace();
		writeFileSync(space.path('job.lock.3'), JSON.stringify({pid: 1, host: 'elsewhere.test', started: null}));
		expect(() => takeLock(space.path('job'))).toThrow(
			expect.objectContaining({
				code: 'job_running',
				details: expect.objectContaining({next: expect.stringContaining('job.lock.3')}),
			}),
		);
	});

	test('counts while it is being written, but not if its file stays empty', () => {
		using space = makeWorkspace();
		const lock = space.writeFile('job.lock.1', '');
		expect(() => takeLock(space.path('job'))).toThrow('Another process is running this job.');
		utimesSync(lock, new Date(0), new Date(0));
		using _taken = takeLock(space.path('job'));
		expect(existsSync(lock)).toBe(false);
	});

	test('is taken by exactly one of many processes at once', async () => {
		using space = makeWorkspace();
		const path = space.path('job');
		writeFileSync(`${path}.lock.1`, JSON.stringify({pid: 2 ** 22 + 1, host: hostname(), started: null}));
		const code = `
			import {takeLock} from ${JSON.stringify(new URL('../../source/state/lock.ts', import.meta.url).href)};
			process.stdin.once('data', () => {
				try { takeLock(${JSON.stringify(path)}); process.stdout.write('y'); } catch (error) { process.stdout.write(error.code === 'job_running' ? 'n' : String(error)); }
			});
			process.stdin.once('end', () => process.exit());
			process.stdout.write('r');`;
		const children = Array.from({length: 6}, () =>
			spawn(process.execPath, [
				'--experimental-strip-types',
				'--no-warnings',
				'--input-type=module',
				'-e',
				code,
			]),
		);
		const readyChildren = children.map(async child => {
			await once(child.stdout, 'data');
			return child;
		});
		await Promise.all(readyChildren);
		const results = children.map(async child => String((await once(child.stdout, 'data'))[0]));
		for (const child of children) child.stdin.write('go');
		expect((await Promise.all(results)).sort().join('')).toBe('nnnnny');
		for (const child of children) child.stdin.end();
		await Promise.all(children.map(child => once(child, 'exit')));
	});
});

describe('the list of jobs', () => {
	test('is empty without a state directory, and creates nothing', async () => {
		using space = makeWorkspace();
		expect(await listJobs(space.environment)).toEqual([]);
		expect(await listJobs({})).toEqual([]);
		expect(readdirSync(space.folder)).toEqual([]);
	});

	test('has unfinished jobs first, latest first, with their processes, and unreadable ones last', async () => {
		using space = makeWorkspace();
		const done = await createJob(space.environment, header({id: 'finished'}), [
			{type: 'done', done: 100, refused: 0},
		]);
		await done.close();
		const earlierJob = await createJob(space.environment, header({id: 'early'}));
		await earlierJob.close();
		const running = await createJob(space.environment, header({id: 'running'}), [
			{type: 'range', ranges: [[1, 26]]},
		]);
		const damaged = await createJob(space.environment, header({id: 'damaged'}));
		await damaged.close();
		appendFileSync(damaged.path, 'nonsense\n');
		const jobs = await listJobs(space.environment);
		expect(
			jobs.map(job => [job.id, 'record' in job ? job.record.done : job.failure.code, job.holder?.pid]),
		).toEqual([
			['running', 25, process.pid],
			['early', 0, undefined],
			['finished', 100, undefined],
			['damaged', 'journal_invalid', undefined],
		]);
		await running.close();
	});

	test('deletes a job with its kept input, but not while it runs', async () => {
		using space = makeWorkspace();
		openStateDirectory(space.environment, inputFolder);
		const keptPath = space.writeFile(`state/${inputFolder}/x.input`, '[]');
		const foreignPath = space.writeFile('load.json', '[]');
		const input = {path: keptPath, size: 2, modified: 1, digest: 'd', kept: true};
		const one = await createJob(space.environment, header({id: 'one', input}));
		expect(await failureOf(forgetJob(space.environment, 'one'))).toMatchObject({code: 'job_running'});
		await one.close();
		const two = await createJob(
			space.environment,
			header({id: 'two', input: {...input, path: foreignPath, kept: false}}),
		);
		await two.close();
		await forgetJob(space.environment, 'one');
		await forgetJob(space.environment, 'two');
		expect(await listJobs(space.environment)).toEqual([]);
		expect([existsSync(keptPath), existsSync(foreignPath)]).toEqual([false, true]);
		expect(readdirSync(`${space.state}/jobs`)).toEqual([]);
	});

	test('finds no job by a path', async () => {
		using space = makeWorkspace();
		for (const id of ['../jobs/abcdefgh', '', 'absent', 'A']) {
			expect(await failureOf(openJob(space.environment, id, anyJobCodec))).toMatchObject({
				code: 'journal_invalid',
			});
			expect(await failureOf(forgetJob(space.environment, id))).toMatchObject({code: 'journal_invalid'});
		}
	});

	test('drops finished jobs and unneeded inputs after seven days, but no unfinished job', async () => {
		using space = makeWorkspace();
		openStateDirectory(space.environment, inputFolder);
		const neededPath = space.writeFile(`state/${inputFolder}/needed.input`, '[]');
		const unneededPath = space.writeFile(`state/${inputFolder}/needless.input`, '[]');
		const input = {path: neededPath, size: 2, modified: 1, digest: 'd', kept: true};
		const unfinishedJob = await createJob(space.environment, header({id: 'open', input}));
		await unfinishedJob.close();
		const done = await createJob(space.environment, header({id: 'done'}), [
			{type: 'done', done: 1, refused: 0},
		]);
		await done.close();
		await cleanJobs(space.environment, Date.now() + 6 * day);
		expect((await listJobs(space.environment)).map(({id}) => id)).toEqual(['open', 'done']);
		await cleanJobs(space.environment, Date.now() + 8 * day);
		expect((await listJobs(space.environment)).map(({id}) => id)).toEqual(['open']);
		expect([existsSync(neededPath), existsSync(unneededPath)]).toEqual([true, false]);
	});

	test('creates distinct IDs that can be typed', () => {
		const ids = Array.from({length: 500}, createJobId);
		expect(new Set(ids).size).toBe(500);
		for (const id of ids) expect(id).toMatch(/^[a-z2-9]{8}$/);
	});
});
