import {readFileSync} from 'node:fs';
import {afterEach, describe, expect, test} from 'vitest';
import {createNamespace} from '../../../source/kv/namespaces.ts';
import {openRemoteStore} from '../../../source/kv/remote-store.ts';
import type {KvStore} from '../../../source/kv/store.ts';
import {type CopyOptions, copyCodec, startCopy} from '../../../source/kv/transfer/copy-job.ts';
import {compareStores} from '../../../source/kv/transfer/difference.ts';
import {formatEntryLine, toBulkEntry} from '../../../source/kv/transfer/entry.ts';
import {exportCodec, startExport} from '../../../source/kv/transfer/export-job.ts';
import {searchStore} from '../../../source/kv/transfer/search.ts';
import {requireSingleAccount} from '../../../source/service/accounts.ts';
import {connectSimulated} from '../../../source/service/connect.ts';
import {createSimulator, type Simulator} from '../../../source/simulator/simulator.ts';
import {listJobs, openJob} from '../../../source/state/jobs.ts';
import {neverAbortedSignal} from '../../service/scripted-transport.ts';
import {MemoryStore} from '../support/memory-store.ts';
import {failureOf, makeWorkspace, type Workspace} from '../support/workspace.ts';

const simulators: Simulator[] = [];

afterEach(() => {
	for (const one of simulators.splice(0)) one.close();
});

const keyCount = 130;
const futureExpiration = Math.floor(Date.now() / 1000) + 1_000_000;

const entries = Array.from({length: keyCount}, (_, at) => ({
	key: `k${String(at).padStart(4, '0')}`,
	bytes: at % 40 === 0 ? Buffer.from([0xff, at]) : Buffer.from(`value ${at}`),
	...(at % 4 === 0 && {metadata: {at}}),
	...(at % 6 === 0 && {expiration: futureExpiration + at}),
}));

function createFilledStore(): MemoryStore {
	const store = new MemoryStore();
	for (const {key, ...stored} of entries) store.stored.set(key, stored);
	return store;
}

const formatContents = (store: MemoryStore) =>
	new Map(
		[...store.stored].map(([key, {bytes, ...rest}]) => [
			key,
			{...rest, hex: Buffer.from(bytes).toString('hex')},
		]),
	);

/** Opens a namespace of a simulated service; `setFaults` replaces the faults of the service. */
async function openNamespace(fill: boolean): Promise<{store: KvStore; setFaults(text: string): void}> {
	const simulator = createSimulator({samples: false});
	simulators.push(simulator);
	const client = connectSimulated(request => simulator.fetch(request), {
		userAgent: 'test',
		environment: {LEDGE_TIME_SCALE: '0.003'},
	});
	const {id: account} = await requireSingleAccount(client, neverAbortedSignal);
	const {id} = await createNamespace(client, account, {title: 'T'}, neverAbortedSignal);
	const store = openRemoteStore({client, account, namespace: id, label: 'T', isSimulated: true});
	if (fill) await store.putMany(entries.map(toBulkEntry), neverAbortedSignal);
	return {store, setFaults: text => simulator.faults.replace(`short-list=40\n${text}`)};
}

const toRecordedJob = <Options>(options: Options) => ({title: 'job', target: {place: 'simulated'}, options});

/**
 * A clock that starts 900,000 s before the first expiration, so that no key expires, and advances by a second
 * per call, so that progress is recorded at every step.
 */
function clock(): () => number {
	let time = futureExpiration * 1000 - 900_000_000;
	return () => (time += 1000);
}

const expectedResult = {done: keyCount, gone: 0, expired: 0, kept: 0, refused: 0};

/**
 * Each does one kind of work and checks its result, or fails with what stopped the work. Called again, export
 * and copy resume their job, and diff and search start again.
 */
const workByKind: Readonly<
	Record<
		string,
		(space: Workspace, store: KvStore, target: MemoryStore, now: () => number) => Promise<unknown>
	>
> = {
	async export({environment, path}, store, _target, now) {
		const exportOptions = {path: path('all.ndjson'), over: false};
		const options = {signal: neverAbortedSignal, environment, now, elapsed: now};
		const [job] = await listJobs(environment);
		const runningJob = job
			? startExport(store, exportOptions, {
					...options,
					resumed: await openJob(environment, job.id, exportCodec),
				})
			: startExport(store, exportOptions, {...options, recorded: toRecordedJob(exportOptions)});
		expect(await runningJob.finished).toMatchObject(expectedResult);
		expect(readFileSync(exportOptions.path, 'utf8')).toBe(entries.map(formatEntryLine).join(''));
	},
	async copy({environment, path}, store, target, now) {
		const copyOptions: CopyOptions = {from: {place: 'x'}, onlyMissing: false, failed: path('failed')};
		const options = {signal: neverAbortedSignal, environment, now, elapsed: now, wait: async () => {}};
		const [job] = await listJobs(environment);
		const runningJob = job
			? startCopy(store, target, copyOptions, {
					...options,
					resumed: await openJob(environment, job.id, copyCodec),
				})
			: startCopy(store, target, copyOptions, {...options, recorded: toRecordedJob(copyOptions)});
		expect(await runningJob.finished).toMatchObject(expectedResult);
		expect(formatContents(target)).toEqual(formatContents(createFilledStore()));
	},
	async diff(_space, store) {
		let same = 0;
		for await (const piece of compareStores(store, createFilledStore(), {}, neverAbortedSignal)) {
			expect(piece).toMatchObject({differences: [], missingCount: 0});
			same += piece.sameCount;
		}
		expect(same).toBe(keyCount);
	},
	async search(_space, store) {
		const search = {pattern: 'value', isRegex: false, ignoresCase: false, within: 'values'} as const;
		const found = await Array.fromAsync(searchStore(store, search, neverAbortedSignal));
		expect(found.flatMap(({hits}) => hits.map(({key}) => key))).toEqual(
			entries.filter(({bytes}) => bytes[0] !== 0xff).map(({key}) => key),
		);
	},
};

const stages = {listing: 'path=/keys', 'bulk reading': 'path=/bulk/get', 'single reading': 'path=/values/'};

const temporaryFaults: Readonly<Record<string, string>> = {
	'429': 'status=429 times=3',
	'429 with retry-after': 'status=429 retry-after=2 times=3',
	'500': 'status=500 times=3',
	'502': 'status=502 times=3',
	'503': 'status=503 retry-after=1 times=3',
	'a lost answer': 'lost-answer times=2',
	'an answer cut at its beginning': 'reset=0 times=2',
	'an answer cut in the middle': 'reset=30 times=2',
	'no response in time': 'hang times=1',
};

const lastingFaults: Readonly<Record<string, readonly [faults: string, code: string]>> = {
	'429': ['status=429', 'rate_limited'],
	'429 for too long': ['status=429 retry-after=3600', 'rate_limited'],
	'503': ['status=503', 'service_failed'],
	'502 as a page': ['html=502', 'service_failed'],
	'a cut': ['reset=30', 'connection_lost'],
	'no JSON': ['html=200', 'answer_malformed'],
};

const cases = Object.keys(workByKind).flatMap(work =>
	Object.entries(stages).map(([stage, where]) => [work, stage, where] as const),
);

describe.each(cases)('%s, during the %s', (work, stage, where) => {
	test('survives temporary faults: nothing is lost, nothing comes twice', async () => {
		const {store, setFaults} = await openNamespace(true);
		for (const fault of Object.values(temporaryFaults)) {
			using space = makeWorkspace();
			setFaults(`${fault} after=1 ${where}`);
			await workByKind[work]?.(space, store, new MemoryStore(), Date.now);
		}
	});

	test('stops on lasting faults, says why, and resumes where it was', async () => {
		const {store, setFaults} = await openNamespace(true);
		for (const [fault, code] of Object.values(lastingFaults)) {
			// A value can be any bytes, so a page with status 200 cannot be told from a value.
			if (stage === 'single reading' && fault === 'html=200') continue;
			using space = makeWorkspace();
			const target = new MemoryStore();
			setFaults(`${fault} after=1 ${where}`);
			expect(
				await failureOf(workByKind[work]?.(space, store, target, clock()) ?? Promise.resolve()),
			).toMatchObject({code});
			setFaults('');
			await workByKind[work]?.(space, store, target, clock());
		}
	});
});

describe('a copy into the service, during bulk writes', () => {
	const baseOptions: CopyOptions = {from: {place: 'x'}, onlyMissing: false, failed: ''};

	async function copyAll(space: Workspace, store: KvStore): Promise<void> {
		const {environment} = space;
		const options = {
			signal: neverAbortedSignal,
			environment,
			now: clock(),
			elapsed: clock(),
			wait: async () => {},
		};
		const [job] = await listJobs(environment);
		const copyOptions = {...baseOptions, failed: space.path('failed')};
		const runningJob = job
			? startCopy(createFilledStore(), store, copyOptions, {
					...options,
					resumed: await openJob(environment, job.id, copyCodec),
				})
			: startCopy(createFilledStore(), store, copyOptions, {
					...options,
					recorded: toRecordedJob(copyOptions),
				});
		expect(await runningJob.finished).toMatchObject(expectedResult);
		const compared = await Array.fromAsync(compareStores(createFilledStore(), store, {}, neverAbortedSignal));
		expect(compared.flatMap(({differences}) => differences)).toEqual([]);
	}

	test('survives temporary faults', async () => {
		const where = 'method=PUT path=/bulk';
		for (const fault of [
			...Object.values(temporaryFaults),
			'status=413 times=2',
			'status=524 times=2',
			'refuse-keys=k0003 times=2',
		]) {
			using space = makeWorkspace();
			const {store, setFaults} = await openNamespace(false);
			setFaults(`${fault} ${where}`);
			await copyAll(space, store);
		}
	});

	test('stops on lasting faults, and resumes', async () => {
		for (const [fault, code] of Object.values(lastingFaults)) {
			using space = makeWorkspace();
			const {store, setFaults} = await openNamespace(false);
			setFaults(`${fault} method=PUT path=/bulk`);
			expect(await failureOf(copyAll(space, store))).toMatchObject({code});
			setFaults('');
			await copyAll(space, store);
		}
	});
});
