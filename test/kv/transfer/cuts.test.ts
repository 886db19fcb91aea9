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

const neverAborted = new AbortController().signal;
const keyCount = 60;

function createFilledStore(): MemoryStore {
	const store = new MemoryStore({batch: {keysPerRead: 7, concurrency: 2}});
	for (let at = 0; at < keyCount; at++)
		store.stored.set(`k${String(at).padStart(3, '0')}`, {bytes: Buffer.from(`value ${at}`)});
	return store;
}

const expectedText = [...createFilledStore().stored]
	.map(([key, stored]) => `${JSON.stringify(toBulkEntry({key, ...stored}))}\n`)
	.join('');

/** A clock that advances by a second per call, so that progress is recorded at every step. */
function clock(): () => number {
	let time = 0;
	return () => (time += 1000);
}

const startExportJob = ({environment}: Workspace, path: string, store = createFilledStore(), over = false) =>
	startExport(
		store,
		{path, over},
		{
			signal: neverAborted,
			environment,
			recorded: {title: 'export', target: {place: 'simulated'}, options: {path, over}},
			elapsed: clock(),
		},
	);

async function resumeJob({environment}: Workspace, store = createFilledStore()) {
	const [job] = await listJobs(environment);
	const resumed = await openJob(environment, job?.id ?? '', exportCodec);
	const {options} = resumed.record.header;
	return startExport(store, options, {signal: neverAborted, environment, resumed, elapsed: clock()}).finished;
}

const getJournalPath = ({state}: Workspace): string => {
	const [name = ''] = readdirSync(join(state, 'jobs')).filter(one => one.endsWith('.ndjson'));
	return join(state, 'jobs', name);
};

const readContent = (path: string): string => {
	const bytes = readFileSync(path);
	return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
};

/** Leaves what a killed export leaves: its journal, and a `.part` file with more than is recorded. */
async function killInTheMiddle(space: Workspace, path: string): Promise<void> {
	const store = createFilledStore();
	let readsLeft = 5;
	vi.spyOn(store, 'getMany').mockImplementation(async (names, signal) => {
		if (readsLeft-- === 0) throw new TypeError('killed');
		return MemoryStore.prototype.getMany.call(store, names, signal);
	});
	await failureOf(startExportJob(space, path, store).finished);
	appendFileSync(`${path}.part`, '{"key":"half a li');
}

/**
 * Completes an export, and returns its journal. An export that is killed after the rename of its file leaves
 * the same, but for the last line of the journal.
 */
async function completeExport(space: Workspace, path: string): Promise<string> {
	await startExportJob(space, path).finished;
	const journal = getJournalPath(space);
	const journalText = readFileSync(journal, 'utf8');
	expect(journalText.trimEnd().split('\n').at(-1)).toContain('"done"');
	return journalText;
}

afterEach(() => vi.restoreAllMocks());

describe.each(['all.ndjson', 'all.ndjson.gz'])('an export into %s', name => {
	test('killed between the rename of its file and the end of its journal is complete, and reports that when resumed', async () => {
		using space = makeWorkspace();
		const path = space.path(name);
		const journalText = await completeExport(space, path);
		writeFileSync(getJournalPath(space), journalText.replace(/[^\n]*"done"[^\n]*\n$/, ''));
		const before = statSync(path);
		expect(await resumeJob(space)).toMatchObject({done: keyCount, gone: 0});
		expect(statSync(path).mtimeMs).toBe(before.mtimeMs);
		expect(readContent(path)).toBe(expectedText);
		expect(await listJobs(space.environment)).toMatchObject([{record: {status: 'done', done: keyCount}}]);
	});

	test('resumes from a journal truncated anywhere in its last lines', async () => {
		using space = makeWorkspace();
		const path = space.path(name);
		const journalBytes = Buffer.from(await completeExport(space, path));
		const written = readFileSync(path);
		const events = journalBytes.toString().split('\n').slice(1, -1);
		const tail = Buffer.byteLength(`${events.slice(-3).join('\n')}\n`);
		for (let length = journalBytes.length - tail; length < journalBytes.length; length += 13) {
			writeFileSync(getJournalPath(space), journalBytes.subarray(0, length));
			rmSync(path);
			writeFileSync(`${path}.part`, written);
			expect(await resumeJob(space)).toMatchObject({done: keyCount});
			expect(readContent(path)).toBe(expectedText);
		}
	});

	test.each([
		['cut short', (part: string) => truncateSync(part, 40)],
		['removed', (part: string) => rmSync(part)],
		['replaced by other bytes', (part: string) => writeFileSync(part, Buffer.alloc(5000, 'x'))],
	])('whose beginning is %s is not resumed, and nothing is written', async (_what, damagePart) => {
		using space = makeWorkspace();
		const path = space.path(name);
		await killInTheMiddle(space, path);
		damagePart(`${path}.part`);
		const partBefore = existsSync(`${path}.part`) ? readFileSync(`${path}.part`) : undefined;
		expect(await failureOf(resumeJob(space))).toMatchObject({code: 'changed_meanwhile'});
		expect(existsSync(path)).toBe(false);
		expect(existsSync(`${path}.part`) ? readFileSync(`${path}.part`) : undefined).toEqual(partBefore);
	});

	test('whose name was taken meanwhile leaves that file, and completes once it is moved away', async () => {
		using space = makeWorkspace();
		const path = space.path(name);
		await killInTheMiddle(space, path);
		writeFileSync(path, 'mine');
		const failure = await failureOf(resumeJob(space));
		expect(failure).toMatchObject({code: 'file_exists', details: {left: `${keyCount} keys are exported.`}});
		expect(readFileSync(path, 'utf8')).toBe('mine');
		renameSync(path, space.path('mine'));
		expect(await resumeJob(space)).toMatchObject({done: keyCount});
		expect(readContent(path)).toBe(expectedText);
	});

	// Only /proc shows which file a handle belongs to.
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
			const fileHandlePrototype = Object.getPrototypeOf(probe);
			await probe.close();
			for (const callsBeforeFailure of [0, 1, 2, 4]) {
				let callsLeft = callsBeforeFailure;
				const shouldFail = () => callsLeft-- <= 0;
				const real = fileHandlePrototype[method];
				Object.defineProperty(fileHandlePrototype, method, {
					configurable: true,
					writable: true,
					async value(this: {readonly fd: number}, ...given: unknown[]) {
						const openPath = readlinkSync(`/proc/self/fd/${this.fd}`);
						if (!openPath.includes('.part') || !shouldFail()) return Reflect.apply(real, this, given);
						throw Object.assign(new Error('of the disk'), {code});
					},
				});
				let outcome: unknown;
				try {
					outcome = await startExportJob(space, path, createFilledStore(), true).finished.catch(
						(error: unknown) => error,
					);
				} finally {
					Object.defineProperty(fileHandlePrototype, method, {
						configurable: true,
						writable: true,
						value: real,
					});
				}
				if (!(outcome instanceof Failure)) {
					// The failure came too late to matter.
					expect(outcome).toMatchObject({done: keyCount});
					expect(readContent(path)).toBe(expectedText);
				} else {
					expect(outcome).toMatchObject({code: 'file_failed'});
					const reportedCount = Number(/(\d+) keys are exported/.exec(outcome.details.left ?? '')?.[1]);
					const [job] = await listJobs(space.environment);
					expect(reportedCount).toBe(job && 'record' in job ? job.record.done : 0);
					expect(existsSync(path)).toBe(false);
					if (job) await resumeJob(space);
					else await startExportJob(space, path, createFilledStore(), true).finished;
					expect(readContent(path)).toBe(expectedText);
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
		const fileHandlePrototype = Object.getPrototypeOf(probe);
		await probe.close();
		for (const callsBeforeFailure of [0, 1, 2, 4]) {
			let callsLeft = callsBeforeFailure;
			const real = fileHandlePrototype[method];
			// Only one call fails: its lost bytes must be noticed although there is room again.
			const full = vi.spyOn(fileHandlePrototype, method).mockImplementation(function (
				this: unknown,
				...given
			) {
				if (callsLeft-- !== 0) return Reflect.apply(real, this, given);
				return Promise.reject(Object.assign(new Error('no space left'), {code: 'ENOSPC'}));
			});
			const outcome = await startExportJob(space, path, createFilledStore(), true).finished.catch(
				(error: unknown) => error,
			);
			full.mockRestore();
			if (outcome instanceof Error) {
				expect(outcome).toMatchObject({
					code: 'file_failed',
					message: expect.stringContaining('disk is full'),
				});
				const [job] = await listJobs(space.environment);
				if (job) await resumeJob(space);
				else await startExportJob(space, path, createFilledStore(), true).finished;
			}
			expect(readContent(path)).toBe(expectedText);
			expect(existsSync(`${path}.part`)).toBe(false);
			rmSync(space.state, {recursive: true, force: true});
			rmSync(path);
		}
	});
});

test('a job whose journal cannot be written for a while completes, and is finally recorded as done', async () => {
	using space = makeWorkspace();
	const path = space.path('all.ndjson');
	const probe = await open(space.path('probe'), 'w');
	const fileHandlePrototype = Object.getPrototypeOf(probe);
	await probe.close();
	let appendCount = 0;
	const real = fileHandlePrototype.appendFile;
	vi.spyOn(fileHandlePrototype, 'appendFile').mockImplementation(async function (this: unknown, ...given) {
		if (appendCount++ > 0) return Reflect.apply(real, this, given);
		// Half a line, as a full disk leaves it.
		await Reflect.apply(real, this, [(given[0] as Buffer).subarray(0, 10)]);
		throw Object.assign(new Error('no space left'), {code: 'ENOSPC'});
	});
	const result = await startExportJob(space, path).finished;
	expect(result).toMatchObject({
		done: keyCount,
		recordingFailure: {message: expect.stringContaining('disk is full')},
	});
	expect(readContent(path)).toBe(expectedText);
	expect(await listJobs(space.environment)).toMatchObject([{record: {status: 'done', done: keyCount}}]);
});

describe('the file of rejected entries', () => {
	test('has each line once and complete after an interruption in the middle of a line', async () => {
		using space = makeWorkspace();
		const path = space.path('failed.ndjson');
		const lines = new RefusedLines(path);
		await Promise.all(['a', 'b'].map(key => lines.add({key, value: 'x'.repeat(300_000)})));
		await lines.close();
		const contentBefore = readFileSync(path, 'utf8');
		appendFileSync(path, '{"key":"c","val');
		const reopenedLines = new RefusedLines(path);
		await Promise.all(['b', 'c'].map(key => reopenedLines.add({key, value: 'x'.repeat(300_000)})));
		await reopenedLines.close();
		const contentAfter = readFileSync(path, 'utf8');
		expect(contentAfter.startsWith(contentBefore)).toBe(true);
		expect(
			contentAfter
				.trimEnd()
				.split('\n')
				.map(line => JSON.parse(line).key),
		).toEqual(['a', 'b', 'c']);
		expect(statSync(path).mode & 0o777).toBe(0o600);
	});
});
