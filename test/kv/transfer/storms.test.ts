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
import {never} from '../../service/scripted-transport.ts';
import {MemoryStore} from '../support/memory-store.ts';
import {failureOf, makeWorkspace, type Workspace} from '../support/workspace.ts';

const opened: Simulator[] = [];

afterEach(() => {
	for (const one of opened.splice(0)) one.close();
});

const count = 130;
const later = Math.floor(Date.now() / 1000) + 1_000_000;

const entries = Array.from({length: count}, (_, at) => ({
	key: `k${String(at).padStart(4, '0')}`,
	bytes: at % 40 === 0 ? Buffer.from([0xff, at]) : Buffer.from(`value ${at}`),
	...(at % 4 === 0 && {metadata: {at}}),
	...(at % 6 === 0 && {expiration: later + at}),
}));

function inMemory(): MemoryStore {
	const store = new MemoryStore();
	for (const {key, ...stored} of entries) store.stored.set(key, stored);
	return store;
}

const hex = (store: MemoryStore) =>
	new Map(
		[...store.stored].map(([key, {bytes, ...rest}]) => [
			key,
			{...rest, hex: Buffer.from(bytes).toString('hex')},
		]),
	);

/** A namespace of a service that does what faults say. */
async function namespace(fill: boolean): Promise<{store: KvStore; faults(text: string): void}> {
	const simulator = createSimulator({samples: false});
	opened.push(simulator);
	const client = connectSimulated(request => simulator.fetch(request), {
		userAgent: 'test',
		environment: {LEDGE_TIME_SCALE: '0.003'},
	});
	const {id: account} = await requireSingleAccount(client, never);
	const {id} = await createNamespace(client, account, 'T', never);
	const store = openRemoteStore({client, account, namespace: id, label: 'T', isSimulated: true});
	if (fill) await store.putMany(entries.map(toBulkEntry), never);
	return {store, faults: text => simulator.faults.replace(`short-list=40\n${text}`)};
}

const recorded = <Options>(options: Options) => ({title: 'job', target: {place: 'simulated'}, options});

/** A clock that goes on by a second whenever it is looked at: something is written down at every step. */
function clock(): () => number {
	let time = later * 1000 - 900_000_000;
	return () => (time += 1000);
}

const all = {done: count, gone: 0, expired: 0, kept: 0, refused: 0};

/** Each fails with what stopped it; called again it goes on, and ends only when everything is right. */
const works: Readonly<
	Record<
		string,
		(space: Workspace, store: KvStore, target: MemoryStore, now: () => number) => Promise<unknown>
	>
> = {
	async export({environment, path}, store, _target, now) {
		const exporting = {path: path('all.ndjson'), over: false};
		const options = {signal: never, environment, now, elapsed: now};
		const [job] = await listJobs(environment);
		const going = job
			? startExport(store, exporting, {...options, resumed: await openJob(environment, job.id, exportCodec)})
			: startExport(store, exporting, {...options, recorded: recorded(exporting)});
		expect(await going.finished).toMatchObject(all);
		expect(readFileSync(exporting.path, 'utf8')).toBe(entries.map(formatEntryLine).join(''));
	},
	async copy({environment, path}, store, target, now) {
		const copying: CopyOptions = {from: {place: 'x'}, onlyMissing: false, failed: path('failed')};
		const options = {signal: never, environment, now, elapsed: now, wait: async () => {}};
		const [job] = await listJobs(environment);
		const going = job
			? startCopy(store, target, copying, {
					...options,
					resumed: await openJob(environment, job.id, copyCodec),
				})
			: startCopy(store, target, copying, {...options, recorded: recorded(copying)});
		expect(await going.finished).toMatchObject(all);
		expect(hex(target)).toEqual(hex(inMemory()));
	},
	async diff(_space, store) {
		let same = 0;
		for await (const piece of compareStores(store, inMemory(), {}, never)) {
			expect(piece).toMatchObject({differences: [], missingCount: 0});
			same += piece.sameCount;
		}
		expect(same).toBe(count);
	},
	async search(_space, store) {
		const what = {pattern: 'value', isRegex: false, ignoresCase: false, within: 'values'} as const;
		const found = await Array.fromAsync(searchStore(store, what, never));
		expect(found.flatMap(({hits}) => hits.map(({key}) => key))).toEqual(
			entries.filter(({bytes}) => bytes[0] !== 0xff).map(({key}) => key),
		);
	},
};

const stages = {listing: 'path=/keys', 'bulk reading': 'path=/bulk/get', 'single reading': 'path=/values/'};

const passing: Readonly<Record<string, string>> = {
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

const lasting: Readonly<Record<string, readonly [faults: string, code: string]>> = {
	'429': ['status=429', 'rate_limited'],
	'429 for too long': ['status=429 retry-after=3600', 'rate_limited'],
	'503': ['status=503', 'service_failed'],
	'502 as a page': ['html=502', 'service_failed'],
	'a cut': ['reset=30', 'connection_lost'],
	'no JSON': ['html=200', 'answer_malformed'],
};

const table = Object.keys(works).flatMap(work =>
	Object.entries(stages).map(([stage, where]) => [work, stage, where] as const),
);

describe.each(table)('%s, during the %s', (work, stage, where) => {
	test('survives temporary faults: nothing is lost, nothing comes twice', async () => {
		const {store, faults} = await namespace(true);
		for (const fault of Object.values(passing)) {
			using space = makeWorkspace();
			faults(`${fault} after=1 ${where}`);
			await works[work]?.(space, store, new MemoryStore(), Date.now);
		}
	});

	test('stops on lasting faults, says why, and resumes where it was', async () => {
		const {store, faults} = await namespace(true);
		for (const [fault, code] of Object.values(lasting)) {
			// A value is bytes of any kind: a page with a 200 is one, for all that can be told.
			if (stage === 'single reading' && fault === 'html=200') continue;
			using space = makeWorkspace();
			const target = new MemoryStore();
			faults(`${fault} after=1 ${where}`);
			expect(
				await failureOf(works[work]?.(space, store, target, clock()) ?? Promise.resolve()),
			).toMatchObject({code});
			faults('');
			await works[work]?.(space, store, target, clock());
		}
	});
});

describe('a copy into the service, during bulk writes', () => {
	const copying: CopyOptions = {from: {place: 'x'}, onlyMissing: false, failed: ''};

	async function copied(space: Workspace, store: KvStore): Promise<void> {
		const {environment} = space;
		const options = {signal: never, environment, now: clock(), elapsed: clock(), wait: async () => {}};
		const [job] = await listJobs(environment);
		const asked = {...copying, failed: space.path('failed')};
		const going = job
			? startCopy(inMemory(), store, asked, {
					...options,
					resumed: await openJob(environment, job.id, copyCodec),
				})
			: startCopy(inMemory(), store, asked, {...options, recorded: recorded(asked)});
		expect(await going.finished).toMatchObject(all);
		const compared = await Array.fromAsync(compareStores(inMemory(), store, {}, never));
		expect(compared.flatMap(({differences}) => differences)).toEqual([]);
	}

	test('survives temporary faults', async () => {
		const where = 'method=PUT path=/bulk';
		for (const fault of [
			...Object.values(passing),
			'status=413 times=2',
			'status=524 times=2',
			'refuse-keys=k0003 times=2',
		]) {
			using space = makeWorkspace();
			const {store, faults} = await namespace(false);
			faults(`${fault} ${where}`);
			await copied(space, store);
		}
	});

	test('stops on lasting faults, and resumes', async () => {
		for (const [fault, code] of Object.values(lasting)) {
			using space = makeWorkspace();
			const {store, faults} = await namespace(false);
			faults(`${fault} method=PUT path=/bulk`);
			expect(await failureOf(copied(space, store))).toMatchObject({code});
			faults('');
			await copied(space, store);
		}
	});
});
