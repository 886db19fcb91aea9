import {
	appendFileSync,
	existsSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	renameSync,
	rmSync,
	statSync,
	truncateSync,
	writeFileSync,
} from 'node:fs';
import {open} from 'node:fs/promises';
import {join} from 'node:path';
import {gunzipSync} from 'node:zlib';
import {afterEach, describe, expect, test, vi} from 'vitest';
import {Failure} from '../../../source/failure.ts';
import {toBulkEntry} from '../../../source/kv/transfer/entry.ts';
import {exportCodec, startExport} from '../../../source/kv/transfer/export-job.ts';
import {RefusedLines} from '../../../source/kv/transfer/refused-lines.ts';
import {listJobs, openJob} from '../../../source/state/jobs.ts';
import {MemoryStore} from '../support/memory-store.ts';
import {failureOf, makeWorkspace, type Workspace} from '../support/workspace.ts';

const never = new AbortController().signal;
const keys = 60;

function filled(): MemoryStore {
	const store = new MemoryStore({batch: {keysPerRead: 7, concurrency: 2}});
	for (let at = 0; at < keys; at++)
		store.stored.set(`k${String(at).padStart(3, '0')}`, {bytes: Buffer.from(`value ${at}`)});
	return store;
}

const expected = [...filled().stored]
	.map(([key, stored]) => `${JSON.stringify(toBulkEntry({key, ...stored}))}\n`)
	.join('');

/** A clock that goes on by a second whenever it is looked at: something is written down at every step. */
function clock(): () => number {
	let time = 0;
	return () => (time += 1000);
}

const begin = ({environment}: Workspace, path: string, store = filled(), over = false) =>
	startExport(
		store,
		{path, over},
		{
			signal: never,
			environment,
			recorded: {title: 'export', target: {place: 'simulated'}, options: {path, over}},
			elapsed: clock(),
		},
	);

async function goOn({environment}: Workspace, store = filled()) {
	const [job] = await listJobs(environment);
	const resumed = await openJob(environment, job?.id ?? '', exportCodec);
	const {options} = resumed.record.header;
	return startExport(store, options, {signal: never, environment, resumed, elapsed: clock()}).finished;
}

const journalOf = ({state}: Workspace): string => {
	const [name = ''] = readdirSync(join(state, 'jobs')).filter(one => one.endsWith('.ndjson'));
	return join(state, 'jobs', name);
};

const contentOf = (path: string): string => {
	const bytes = readFileSync(path);
	return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
};

/** What a killed export leaves: its journal and `.part`, with lines behind what is recorded. */
async function killedInTheMiddle(space: Workspace, path: string): Promise<void> {
	const store = filled();
	let left = 5;
	vi.spyOn(store, 'getMany').mockImplementation(async (names, signal) => {
		if (left-- === 0) throw new TypeError('killed');
		return MemoryStore.prototype.getMany.call(store, names, signal);
	});
	await failureOf(begin(space, path, store).finished);
	appendFileSync(`${path}.part`, '{"key":"half a li');
}

/** What an export leaves that is killed behind the rename: everything but the last line of its journal. */
async function killedAtTheEnd(space: Workspace, path: string): Promise<string> {
	await begin(space, path).finished;
	const journal = journalOf(space);
	const whole = readFileSync(journal, 'utf8');
	expect(whole.trimEnd().split('\n').at(-1)).toContain('"done"');
	return whole;
}

afterEach(() => vi.restoreAllMocks());

describe.each(['all.ndjson', 'all.ndjson.gz'])('an export into %s', name => {
	test('killed between its renaming and the end of the journal is complete, and says so', async () => {
		using space = makeWorkspace();
		const path = space.path(name);
		const whole = await killedAtTheEnd(space, path);
		writeFileSync(journalOf(space), whole.replace(/[^\n]*"done"[^\n]*\n$/, ''));
		const before = statSync(path);
		expect(await goOn(space)).toMatchObject({done: keys, gone: 0});
		expect(statSync(path).mtimeMs).toBe(before.mtimeMs);
		expect(contentOf(path)).toBe(expected);
		expect(await listJobs(space.environment)).toMatchObject([{record: {status: 'done', done: keys}}]);
	});

	test('resumes from a journal truncated at any byte of its last lines', async () => {
		using space = makeWorkspace();
		const path = space.path(name);
		const whole = Buffer.from(await killedAtTheEnd(space, path));
		const written = readFileSync(path);
		const events = whole.toString().split('\n').slice(1, -1);
		const tail = Buffer.byteLength(`${events.slice(-3).join('\n')}\n`);
		for (let length = whole.length - tail; length < whole.length; length += 13) {
			writeFileSync(journalOf(space), whole.subarray(0, length));
			rmSync(path);
			writeFileSync(`${path}.part`, written);
			expect(await goOn(space)).toMatchObject({done: keys});
			expect(contentOf(path)).toBe(expected);
		}
	});

	test.each([
		['cut short', (part: string) => truncateSync(part, 40)],
		['removed', (part: string) => rmSync(part)],
		['the beginning of another one', (part: string) => writeFileSync(part, Buffer.alloc(5000, 'x'))],
	])('whose beginning is %s is not resumed, and nothing is written', async (_what, does) => {
		using space = makeWorkspace();
		const path = space.path(name);
		await killedInTheMiddle(space, path);
		does(`${path}.part`);
		const left = existsSync(`${path}.part`) ? readFileSync(`${path}.part`) : undefined;
		expect(await failureOf(goOn(space))).toMatchObject({code: 'changed_meanwhile'});
		expect(existsSync(path)).toBe(false);
		expect(existsSync(`${path}.part`) ? readFileSync(`${path}.part`) : undefined).toEqual(left);
	});

	test('whose name was taken meanwhile leaves that file, and completes once it is moved away', async () => {
		using space = makeWorkspace();
		const path = space.path(name);
		await killedInTheMiddle(space, path);
		writeFileSync(path, 'mine');
		const failure = await failureOf(goOn(space));
		expect(failure).toMatchObject({code: 'file_exists', details: {left: `${keys} keys are exported.`}});
		expect(readFileSync(path, 'utf8')).toBe('mine');
		renameSync(path, space.path('mine'));
		expect(await goOn(space)).toMatchObject({done: keys});
		expect(contentOf(path)).toBe(expected);
	});

	// Which file a handle is of, only /proc tells.
	test.runIf(process.platform === 'linux').each([
		['write', 'ENOSPC'],
		['datasync', 'ENOSPC'],
		['datasync', 'EDQUOT'],
		['datasync', 'EIO'],
	] as const)(
		'whose disk fails in %s with %s reports exactly how much of it is kept',
		async (method, code) => {
			using space = makeWorkspace();
			const path = space.path(name);
			const probe = await open(space.path('probe'), 'w');
			const owner = Object.getPrototypeOf(probe);
			await probe.close();
			for (const after of [0, 1, 2, 4]) {
				let left = after;
				const isGone = () => left-- <= 0;
				const real = owner[method];
				Object.defineProperty(owner, method, {
					configurable: true,
					writable: true,
					async value(this: {readonly fd: number}, ...given: unknown[]) {
						const path = readlinkSync(`/proc/self/fd/${this.fd}`);
						if (!path.includes('.part') || !isGone()) return Reflect.apply(real, this, given);
						throw Object.assign(new Error('of the disk'), {code});
					},
				});
				let ended: unknown;
				try {
					ended = await begin(space, path, filled(), true).finished.catch((error: unknown) => error);
				} finally {
					Object.defineProperty(owner, method, {configurable: true, writable: true, value: real});
				}
				if (!(ended instanceof Failure)) {
					// So late that nothing of it was in the way any more.
					expect(ended).toMatchObject({done: keys});
					expect(contentOf(path)).toBe(expected);
				} else {
					expect(ended).toMatchObject({code: 'file_failed'});
					const said = Number(/(\d+) keys are exported/.exec(ended.details.left ?? '')?.[1]);
					const [job] = await listJobs(space.environment);
					expect(said).toBe(job && 'record' in job ? job.record.done : 0);
					expect(existsSync(path)).toBe(false);
					if (job) await goOn(space);
					else await begin(space, path, filled(), true).finished;
					expect(contentOf(path)).toBe(expected);
				}
				rmSync(space.state, {recursive: true, force: true});
				rmSync(path, {force: true});
				rmSync(`${path}.part`, {force: true});
			}
		},
	);

	test.each([
		'write',
		'datasync',
	] as const)('on a full disk (%s) stops, and resumes without a gap', async method => {
		using space = makeWorkspace();
		const path = space.path(name);
		const probe = await open(space.path('probe'), 'w');
		const handle = Object.getPrototypeOf(probe);
		await probe.close();
		for (const after of [0, 1, 2, 4]) {
			let left = after;
			const real = handle[method];
			// Room again at once: what was lost must be missed all the same.
			const full = vi.spyOn(handle, method).mockImplementation(function (this: unknown, ...given) {
				if (left-- !== 0) return Reflect.apply(real, this, given);
				return Promise.reject(Object.assign(new Error('no space left'), {code: 'ENOSPC'}));
			});
			const ended = await begin(space, path, filled(), true).finished.catch((error: unknown) => error);
			full.mockRestore();
			if (ended instanceof Error) {
				expect(ended).toMatchObject({code: 'file_failed', message: expect.stringContaining('disk is full')});
				const [job] = await listJobs(space.environment);
				if (job) await goOn(space);
				else await begin(space, path, filled(), true).finished;
			}
			expect(contentOf(path)).toBe(expected);
			expect(existsSync(`${path}.part`)).toBe(false);
			rmSync(space.state, {recursive: true, force: true});
			rmSync(path);
		}
	});
});

test('a journal that cannot be written for a while stops nothing, and finally says that the job is done', async () => {
	using space = makeWorkspace();
	const path = space.path('all.ndjson');
	const probe = await open(space.path('probe'), 'w');
	const handle = Object.getPrototypeOf(probe);
	await probe.close();
	let times = 0;
	const real = handle.appendFile;
	vi.spyOn(handle, 'appendFile').mockImplementation(async function (this: unknown, ...given) {
		if (times++ > 0) return Reflect.apply(real, this, given);
		// Half a line, as a full disk leaves it.
		await Reflect.apply(real, this, [(given[0] as Buffer).subarray(0, 10)]);
		throw Object.assign(new Error('no space left'), {code: 'ENOSPC'});
	});
	const result = await begin(space, path).finished;
	expect(result).toMatchObject({
		done: keys,
		recordingFailure: {message: expect.stringContaining('disk is full')},
	});
	expect(contentOf(path)).toBe(expected);
	expect(await listJobs(space.environment)).toMatchObject([{record: {status: 'done', done: keys}}]);
});

describe('the file of rejected entries', () => {
	test('has each line once and complete, whatever an interruption left of it', async () => {
		using space = makeWorkspace();
		const path = space.path('failed.ndjson');
		const lines = new RefusedLines(path);
		await Promise.all(['a', 'b'].map(key => lines.add({key, value: 'x'.repeat(300_000)})));
		await lines.close();
		const before = readFileSync(path, 'utf8');
		appendFileSync(path, '{"key":"c","val');
		const again = new RefusedLines(path);
		await Promise.all(['b', 'c'].map(key => again.add({key, value: 'x'.repeat(300_000)})));
		await again.close();
		const after = readFileSync(path, 'utf8');
		expect(after.startsWith(before)).toBe(true);
		expect(
			after
				.trimEnd()
				.split('\n')
				.map(line => JSON.parse(line).key),
		).toEqual(['a', 'b', 'c']);
		expect(statSync(path).mode & 0o777).toBe(0o600);
	});
});
