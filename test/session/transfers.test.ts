import {existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {startRehearsalService} from '../../source/commands/shell/rehearsal-service.ts';
import type {KvStore} from '../../source/kv/store.ts';
import {createSession, type Session} from '../../source/session/session.ts';
import {prepareCopy, prepareExport, prepareResume} from '../../source/session/transfers.ts';
import {createJob, type ListedJob, listJobs} from '../../source/state/jobs.ts';
import {MemoryStore} from '../kv/support/memory-store.ts';
import {failureOf, makeWorkspace, type Workspace} from '../kv/support/workspace.ts';

const neverAborted = new AbortController().signal;

const createTestSession = ({folder, environment}: Workspace, warn = (_sentence: string) => {}): Session =>
	createSession(
		{},
		{
			cwd: () => folder,
			env: {...environment, LEDGE_TIME_SCALE: '0.01'},
			events: {record() {}, waiting() {}, warn},
			startSimulated: () => Promise.reject(new TypeError('It is not needed.')),
			startRehearsal: startRehearsalService,
		},
	);

const withTarget = (store: KvStore, namespace: string) => ({store, target: {place: 'simulated', namespace}});

function createFilledStore(...keys: readonly string[]): MemoryStore {
	const store = new MemoryStore();
	for (const key of keys) store.stored.set(key, {bytes: Buffer.from(key)});
	return store;
}

test('a transfer finished by another process since it was listed is done, and is not started again', async () => {
	using space = makeWorkspace();
	const env = space.environment;
	const header = {
		id: 'abc',
		kind: 'export',
		created: 0,
		title: 'an export',
		target: {place: `local:${space.folder}`, namespace: 'one'},
		options: {path: space.path('all.ndjson'), over: false},
	};
	const journal = await createJob(env, header);
	const [listedJob] = (await listJobs(env)) as [ListedJob];
	await journal.append({type: 'done', done: 1, refused: 0});
	await journal.close();
	for (let time = 0; time < 2; time++)
		await expect(prepareResume(createTestSession(space), listedJob, neverAborted)).rejects.toMatchObject({
			code: 'usage',
			message: 'The job abc is already done.',
		});
});

test('an interrupted transfer with a missing local source is not considered done', async () => {
	using space = makeWorkspace();
	const env = space.environment;
	const journal = await createJob(env, {
		id: 'abc',
		kind: 'export',
		created: 0,
		title: 'an export',
		target: {place: `local:${space.folder}`, namespace: 'one'},
		options: {path: space.path('all.ndjson'), over: false},
	});
	const [listedJob] = (await listJobs(env)) as [ListedJob];
	await journal.close();
	for (let time = 0; time < 2; time++)
		await expect(prepareResume(createTestSession(space), listedJob, neverAborted)).rejects.toMatchObject({
			code: 'namespace_not_found',
		});
});

test('concurrent copies each have their own file for rejected keys if none was named', async () => {
	using space = makeWorkspace();
	const session = createTestSession(space);
	const createRefusingStore = () => new MemoryStore({faults: {refuse: new Map([['bad', 9]])}});
	const copies = ['one', 'other'].map(name =>
		prepareCopy(
			session,
			withTarget(createFilledStore(`of ${name}`, 'bad'), name),
			withTarget(createRefusingStore(), `to ${name}`),
			{
				onlyMissing: false,
			},
		),
	);
	const files = await Promise.all(
		copies.map(async copy => {
			await using ready = copy;
			return (await ready.start(() => {}, neverAborted).finished).failedFile ?? '';
		}),
	);
	expect(files).toEqual([space.path('copy.failed.ndjson'), space.path('copy.failed.2.ndjson')]);
	for (const file of files) expect(readFileSync(file, 'utf8')).toBe('{"key":"bad","value":"bad"}\n');
	expect(readdirSync(space.folder).filter(name => name.startsWith('.'))).toEqual([]);
});

test('of two concurrent copies with the same named file, the second is refused', async () => {
	using space = makeWorkspace();
	const session = createTestSession(space);
	const copyOptions = {onlyMissing: false, failed: space.path('rest.ndjson')};
	const startCopy = () =>
		prepareCopy(
			session,
			withTarget(createFilledStore('a'), 'one'),
			withTarget(createFilledStore(), 'other'),
			copyOptions,
		);
	{
		await using _first = startCopy();
		expect(startCopy).toThrow(expect.objectContaining({code: 'job_running'}));
	}
	await using secondCopy = startCopy();
	expect(await secondCopy.start(() => {}, neverAborted).finished).toMatchObject({done: 1});
});

test('the partial file of another export is not lost, and its job is named', async () => {
	using space = makeWorkspace();
	const path = space.path('all.ndjson');
	const store = createFilledStore('a', 'b');
	const title = 'export one into a file';
	const options = {path, over: false, prefix: 'a'};
	const header = {
		id: 'abc',
		kind: 'export',
		created: 0,
		title,
		target: withTarget(store, 'one').target,
		options,
	};
	await (await createJob(space.environment, header)).close();
	writeFileSync(`${path}.part`, '{"key":"a","value":"a"}\n');
	const exportOptions = {path, over: false};
	const failure = await failureOf(
		prepareExport(createTestSession(space), withTarget(store, 'one'), exportOptions, neverAborted),
	);
	expect(failure).toMatchObject({
		code: 'file_exists',
		details: {why: expect.stringContaining(title)},
		next: expect.stringContaining('`ledge jobs resume abc`'),
	});
	expect(existsSync(`${path}.part`)).toBe(true);
	await using overwritingExport = await prepareExport(
		createTestSession(space),
		withTarget(store, 'one'),
		{path, over: true},
		neverAborted,
	);
	expect(overwritingExport.earlier).toMatchObject({fate: 'given up', job: {id: 'abc'}});
	expect(await overwritingExport.start(() => {}, neverAborted).finished).toMatchObject({done: 2});
	expect(await listJobs(space.environment)).toEqual([]);
});

test('an empty partial file without a job, left by an earlier version, does not interfere', async () => {
	using space = makeWorkspace();
	const path = space.path('all.ndjson');
	writeFileSync(`${path}.part`, '');
	const store = withTarget(createFilledStore('a'), 'one');
	await using ready = await prepareExport(createTestSession(space), store, {path, over: false}, neverAborted);
	expect(await ready.start(() => {}, neverAborted).finished).toMatchObject({done: 1});
});

test('an audit line that cannot be written is reported once, and the writes go on', async () => {
	using space = makeWorkspace();
	mkdirSync(space.state, {mode: 0o700});
	mkdirSync(`${space.state}/audit.ndjson`);
	const warnings: string[] = [];
	const session = createTestSession(space, sentence => void warnings.push(sentence));
	const place = await session.permit({label: 'Acme › one'}, 'putting a key');
	expect(await session.auditWrite('put a', place, async () => 'written')).toBe('written');
	expect(warnings).toEqual([
		expect.stringMatching(
			/^Not in the audit log: put a on Acme › one \(done\)\. The audit log .*audit\.ndjson cannot be written\. EISDIR.* Writes continue/,
		),
	]);
	await expect(
		session.auditWrite('put b', place, () => Promise.reject(new TypeError('broken'))),
	).rejects.toThrow('broken');
	expect(await session.withOptions({}).auditWrite('put c', place, async () => 'written')).toBe('written');
	expect(warnings).toHaveLength(1);
});

test('an export with a damaged partial file names the command that discards it', async () => {
	using space = makeWorkspace();
	const path = space.path('all.ndjson');
	const target = {place: 'simulated', namespace: 'one'};
	const header = {
		id: 'abc',
		kind: 'export',
		created: 0,
		title: 'export',
		target,
		options: {path, over: false},
	};
	const counts = {done: 1, bytes: 1, gone: 0, expired: 0, kept: 0, refused: 0};
	const position = {place: {after: 'a'}, counts, file: {bytes: 24, digest: 'of something else'}};
	await (await createJob(space.environment, header, [{type: 'cursor', position, done: 1}])).close();
	writeFileSync(`${path}.part`, '{"key":"a","value":"a"}\n');
	const store = withTarget(createFilledStore('a', 'b'), 'one');
	await using ready = await prepareExport(createTestSession(space), store, {path, over: false}, neverAborted);
	expect(ready.earlier?.fate).toBe('resumed');
	expect(await failureOf(ready.start(() => {}, neverAborted).finished)).toMatchObject({
		code: 'changed_meanwhile',
		next: expect.stringContaining('`ledge jobs forget abc --yes`'),
	});
});
