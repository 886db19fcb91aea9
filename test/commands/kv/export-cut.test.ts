import {cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {open} from 'node:fs/promises';
import {join} from 'node:path';
import {gunzipSync} from 'node:zlib';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {startRehearsalService} from '../../../source/commands/shell/rehearsal-service.ts';
import {toBulkEntry} from '../../../source/kv/transfer/entry.ts';
import {createSession} from '../../../source/session/session.ts';
import {prepareExport} from '../../../source/session/transfers.ts';
import {listJobs} from '../../../source/state/jobs.ts';
import {MemoryStore} from '../../kv/support/memory-store.ts';
import {makeWorkspace, type Workspace} from '../../kv/support/workspace.ts';

/** `onEffect` is called after each change on the disk; `closingFails`: closing a `.part` file fails. */
const effects = vi.hoisted(() => ({onEffect: () => {}, closingFails: false}));

vi.mock('node:fs', async original => {
	const real = await original<typeof import('node:fs')>();
	const notifyAfter = <Args extends unknown[], Result>(operation: (...args: Args) => Result) =>
		((...args: Args) => {
			const result = operation(...args);
			effects.onEffect();
			return result;
		}) as never;
	return {
		...real,
		mkdirSync: notifyAfter(real.mkdirSync),
		openSync: notifyAfter(real.openSync),
		writeSync: notifyAfter(real.writeSync as (...args: unknown[]) => number),
		writeFileSync: notifyAfter(real.writeFileSync),
		renameSync: notifyAfter(real.renameSync),
		rmSync: notifyAfter(real.rmSync),
	};
});

vi.mock('node:fs/promises', async original => {
	const real = await original<typeof import('node:fs/promises')>();
	const notifyAfter = <Args extends unknown[], Result>(operation: (...args: Args) => Promise<Result>) =>
		(async (...args: Args) => {
			const result = await operation(...args);
			effects.onEffect();
			return result;
		}) as never;
	const openWithFailingClose = async (path: string, ...args: never[]) => {
		const file = await real.open(path, ...args);
		const close = file.close.bind(file);
		file.close = async () => {
			await close();
			if (effects.closingFails && path.endsWith('.part'))
				throw Object.assign(new Error('of the disk'), {code: 'EDQUOT'});
		};
		return file;
	};
	return {
		...real,
		open: notifyAfter(openWithFailingClose),
		rename: notifyAfter(real.rename),
		truncate: notifyAfter(real.truncate),
	};
});

const neverAborted = new AbortController().signal;
const keyCount = 40;

function createFilledStore(): MemoryStore {
	const store = new MemoryStore({batch: {keysPerRead: 8, concurrency: 2}});
	for (let at = 0; at < keyCount; at++)
		store.stored.set(`k${String(at).padStart(3, '0')}`, {bytes: Buffer.from(`value ${at}`)});
	return store;
}

const expectedContent = [...createFilledStore().stored]
	.map(([key, stored]) => `${JSON.stringify(toBulkEntry({key, ...stored}))}\n`)
	.join('');

const readContent = (path: string): string => {
	const bytes = readFileSync(path);
	return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
};

/** Runs the export once; `over`: it may overwrite the file. */
async function runExport(space: Workspace, path: string, over: boolean) {
	const session = createSession(
		{},
		{
			cwd: () => space.folder,
			env: {...space.environment},
			events: {record() {}, waiting() {}, warn() {}},
			startSimulated: () => Promise.reject(new TypeError('It is not needed.')),
			startRehearsal: startRehearsalService,
		},
	);
	const openedStore = {store: createFilledStore(), target: {place: 'simulated', namespace: 'one'}};
	await using ready = await prepareExport(session, openedStore, {path, over}, neverAborted);
	const {done} = await ready.start(() => {}, neverAborted).finished;
	return {done, earlierFate: ready.earlier?.fate};
}

/** Makes the locks in a folder those of a process that no longer runs, as after a kill. */
function abandonLocks(folder: string): void {
	for (const entry of readdirSync(folder, {recursive: true, withFileTypes: true})) {
		if (!entry.isFile() || !/\.lock\.\d+$/.test(entry.name)) continue;
		const file = join(entry.parentPath, entry.name);
		const text = readFileSync(file, 'utf8');
		if (text !== '') writeFileSync(file, JSON.stringify({...JSON.parse(text), pid: 2 ** 22 + 1}));
	}
}

let snapshotsFolder: string;
let snapshotCount = 0;

beforeEach(async () => {
	// Each look at the clock advances it by a second, so that everything is recorded immediately.
	let time = 0;
	vi.spyOn(performance, 'now').mockImplementation(() => (time += 1000));
	const probe = await open('/dev/null', 'r');
	const handle = Object.getPrototypeOf(probe);
	await probe.close();
	for (const method of ['write', 'appendFile', 'datasync', 'truncate'] as const) {
		const real = handle[method];
		vi.spyOn(handle, method).mockImplementation(async function (this: unknown, ...args) {
			const result = await Reflect.apply(real, this, args);
			effects.onEffect();
			return result;
		});
	}
});

afterEach(() => {
	effects.onEffect = () => {};
	effects.closingFails = false;
	vi.restoreAllMocks();
});

test.each([
	{name: 'all.ndjson', over: false},
	{name: 'all.ndjson.gz', over: false},
	{name: 'all.ndjson', over: true},
])('an export into $name (over: $over) killed after any disk write is complete after running it again', async ({
	name,
	over,
}) => {
	using space = makeWorkspace();
	using snapshotSpace = makeWorkspace();
	snapshotsFolder = snapshotSpace.folder;
	snapshotCount = 0;
	const path = space.path(name);
	effects.onEffect = () => {
		const savedCallback = effects.onEffect;
		effects.onEffect = () => {};
		cpSync(space.folder, join(snapshotsFolder, String(snapshotCount++)), {recursive: true});
		effects.onEffect = savedCallback;
	};
	await runExport(space, path, over);
	effects.onEffect = () => {};
	expect(snapshotCount).toBeGreaterThan(20);
	const seenFates = new Set<string | undefined>();
	for (let snapshotIndex = 0; snapshotIndex < snapshotCount; snapshotIndex++) {
		rmSync(space.folder, {recursive: true});
		mkdirSync(space.folder);
		cpSync(join(snapshotsFolder, String(snapshotIndex)), space.folder, {recursive: true});
		abandonLocks(space.folder);
		const isComplete =
			existsSync(path) &&
			!existsSync(`${path}.part`) &&
			(await listJobs(space.environment)).every(job => 'record' in job && job.record.status === 'done');
		// The job is done. Another run would be a new export, which asks before it overwrites the file.
		if (isComplete && !over) {
			expect(readContent(path)).toBe(expectedContent);
			continue;
		}
		const rerun = await runExport(space, path, over);
		seenFates.add(rerun.earlierFate);
		expect(rerun.done, `after effect ${snapshotIndex}`).toBe(keyCount);
		expect(readContent(path)).toBe(expectedContent);
		expect(readdirSync(space.folder).filter(file => !file.startsWith('.'))).toEqual([name, 'state'].sort());
		for (const job of await listJobs(space.environment))
			expect('record' in job && job.record.status, `after effect ${snapshotIndex}`).toBe('done');
	}
	expect(seenFates).toContain(over ? 'given up' : 'resumed');
});

test('an export fails if its file cannot be closed, as on a full remote disk', async () => {
	using space = makeWorkspace();
	const path = space.path('all.ndjson');
	effects.closingFails = true;
	const ended = await runExport(space, path, false).catch((error: unknown) => error);
	expect(ended).toMatchObject({code: 'file_failed', message: expect.stringContaining('disk is full')});
	expect(existsSync(path)).toBe(false);
	effects.closingFails = false;
	expect(await runExport(space, path, false)).toMatchObject({done: keyCount, earlierFate: 'resumed'});
	expect(readContent(path)).toBe(expectedContent);
});
