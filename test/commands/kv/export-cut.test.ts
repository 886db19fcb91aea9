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

/** What is called after each effect on a file, or on the names in a folder. */
const effects = vi.hoisted(() => ({happened: () => {}, closingFails: false}));

vi.mock('node:fs', async original => {
	const real = await original<typeof import('node:fs')>();
	const reported = <Given extends unknown[], Result>(does: (...given: Given) => Result) =>
		((...given: Given) => {
			const result = does(...given);
			effects.happened();
			return result;
		}) as never;
	return {
		...real,
		mkdirSync: reported(real.mkdirSync),
		openSync: reported(real.openSync),
		writeSync: reported(real.writeSync as (...given: unknown[]) => number),
		writeFileSync: reported(real.writeFileSync),
		renameSync: reported(real.renameSync),
		rmSync: reported(real.rmSync),
	};
});

vi.mock('node:fs/promises', async original => {
	const real = await original<typeof import('node:fs/promises')>();
	const reported = <Given extends unknown[], Result>(does: (...given: Given) => Promise<Result>) =>
		(async (...given: Given) => {
			const result = await does(...given);
			effects.happened();
			return result;
		}) as never;
	const opened = async (path: string, ...given: never[]) => {
		const file = await real.open(path, ...given);
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
		open: reported(opened),
		rename: reported(real.rename),
		truncate: reported(real.truncate),
	};
});

const never = new AbortController().signal;
const keys = 40;

function filled(): MemoryStore {
	const store = new MemoryStore({batch: {keysPerRead: 8, concurrency: 2}});
	for (let at = 0; at < keys; at++)
		store.stored.set(`k${String(at).padStart(3, '0')}`, {bytes: Buffer.from(`value ${at}`)});
	return store;
}

const expected = [...filled().stored]
	.map(([key, stored]) => `${JSON.stringify(toBulkEntry({key, ...stored}))}\n`)
	.join('');

const contentOf = (path: string): string => {
	const bytes = readFileSync(path);
	return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
};

/** The command, as often as it is run. */
async function exported(space: Workspace, path: string, over: boolean) {
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
	const opened = {store: filled(), target: {place: 'simulated', namespace: 'one'}};
	await using ready = await prepareExport(session, opened, {path, over}, never);
	const {done} = await ready.start(() => {}, never).finished;
	return {done, earlier: ready.earlier?.fate};
}

/** What a process that is killed at this moment leaves: its locks are those of a process that is gone. */
function leftBehind(folder: string): void {
	for (const entry of readdirSync(folder, {recursive: true, withFileTypes: true})) {
		if (!entry.isFile() || !/\.lock\.\d+$/.test(entry.name)) continue;
		const file = join(entry.parentPath, entry.name);
		const text = readFileSync(file, 'utf8');
		if (text !== '') writeFileSync(file, JSON.stringify({...JSON.parse(text), pid: 2 ** 22 + 1}));
	}
}

let moments: string;
let count = 0;

beforeEach(async () => {
	// A second goes by whenever someone looks: everything is recorded at once.
	let time = 0;
	vi.spyOn(performance, 'now').mockImplementation(() => (time += 1000));
	const probe = await open('/dev/null', 'r');
	const handle = Object.getPrototypeOf(probe);
	await probe.close();
	for (const method of ['write', 'appendFile', 'datasync', 'truncate'] as const) {
		const real = handle[method];
		vi.spyOn(handle, method).mockImplementation(async function (this: unknown, ...given) {
			const result = await Reflect.apply(real, this, given);
			effects.happened();
			return result;
		});
	}
});

afterEach(() => {
	effects.happened = () => {};
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
	using kept = makeWorkspace();
	moments = kept.folder;
	count = 0;
	const path = space.path(name);
	effects.happened = () => {
		const happened = effects.happened;
		effects.happened = () => {};
		cpSync(space.folder, join(moments, String(count++)), {recursive: true});
		effects.happened = happened;
	};
	await exported(space, path, over);
	effects.happened = () => {};
	expect(count).toBeGreaterThan(20);
	const seen = new Set<string | undefined>();
	for (let at = 0; at < count; at++) {
		rmSync(space.folder, {recursive: true});
		mkdirSync(space.folder);
		cpSync(join(moments, String(at)), space.folder, {recursive: true});
		leftBehind(space.folder);
		const isWhole =
			existsSync(path) &&
			!existsSync(`${path}.part`) &&
			(await listJobs(space.environment)).every(job => 'record' in job && job.record.status === 'done');
		// Nothing is left of it but its file: the next one is another export, and asks before it writes over that.
		if (isWhole && !over) {
			expect(contentOf(path)).toBe(expected);
			continue;
		}
		const again = await exported(space, path, over);
		seen.add(again.earlier);
		expect(again.done, `after effect ${at}`).toBe(keys);
		expect(contentOf(path)).toBe(expected);
		expect(readdirSync(space.folder).filter(file => !file.startsWith('.'))).toEqual([name, 'state'].sort());
		for (const job of await listJobs(space.environment))
			expect('record' in job && job.record.status, `after effect ${at}`).toBe('done');
	}
	expect(seen).toContain(over ? 'given up' : 'resumed');
});

test('an export fails if its file cannot be closed, as on a full remote disk', async () => {
	using space = makeWorkspace();
	const path = space.path('all.ndjson');
	effects.closingFails = true;
	const ended = await exported(space, path, false).catch((error: unknown) => error);
	expect(ended).toMatchObject({code: 'file_failed', message: expect.stringContaining('disk is full')});
	expect(existsSync(path)).toBe(false);
	effects.closingFails = false;
	expect(await exported(space, path, false)).toMatchObject({done: keys, earlier: 'resumed'});
	expect(contentOf(path)).toBe(expected);
});
