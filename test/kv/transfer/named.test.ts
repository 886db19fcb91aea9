import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {Failure} from '../../../source/failure.ts';
import {keysFormat} from '../../../source/kv/bulk/entries.ts';
import {openKeyNamesInput} from '../../../source/kv/bulk/names-input.ts';
import {recheckInput} from '../../../source/kv/bulk/resume.ts';
import type {StoredValue} from '../../../source/kv/store.ts';
import {startCopy} from '../../../source/kv/transfer/copy-job.ts';
import {compareStores} from '../../../source/kv/transfer/difference.ts';
import {exportCodec, startExport} from '../../../source/kv/transfer/export-job.ts';
import {type KeyNames, readKeyNames} from '../../../source/kv/transfer/names.ts';
import {listJobs, openJob} from '../../../source/state/jobs.ts';
import {compareKeys} from '../../../source/text/utf8-order.ts';
import {MemoryStore} from '../support/memory-store.ts';
import {makeWorkspace, type Workspace} from '../support/workspace.ts';

const neverAborted = new AbortController().signal;
const futureExpiration = Math.floor(Date.now() / 1000) + 1_000_000;

function storeOf(values: Readonly<Record<string, Partial<StoredValue>>>): MemoryStore {
	const store = new MemoryStore({batch: {keysPerRead: 3, concurrency: 2, entries: 4}});
	for (const [key, value] of Object.entries(values))
		store.stored.set(key, {bytes: Buffer.from(`value of ${key}`), ...value});
	return store;
}

async function namesOf(space: Workspace, ...names: readonly string[]): Promise<KeyNames> {
	async function* groups() {
		yield [];
		yield names.toSorted(compareKeys);
	}
	const {environment} = space;
	return readKeyNames(
		await openKeyNamesInput(groups(), {environment, signal: neverAborted, label: 'names'}),
		neverAborted,
	);
}

const readExportedKeys = (path: string): string[] =>
	readFileSync(path, 'utf8')
		.split('\n')
		.filter(Boolean)
		.map(line => JSON.parse(line).key);

function startExportJob(space: Workspace, store: MemoryStore, path: string, names: KeyNames) {
	let time = 0;
	return startExport(
		store,
		{path, over: false},
		{
			signal: neverAborted,
			environment: space.environment,
			recorded: {title: 'export', target: {place: 'simulated'}, options: {path, over: false}},
			names,
			elapsed: () => (time += 1000),
		},
	);
}

const listInputs = (space: Workspace): string[] => {
	const folder = join(space.state, 'inputs');
	return existsSync(folder) ? readdirSync(folder) : [];
};

describe('named keys', () => {
	test('are exported alone, and missing ones are counted', async () => {
		using space = makeWorkspace();
		const path = join(space.folder, 'some.ndjson');
		const names = await namesOf(space, 'b', 'd', 'nowhere');
		const result = await startExportJob(space, storeOf({a: {}, b: {}, c: {}, d: {}}), path, names).finished;
		expect(readExportedKeys(path)).toEqual(['b', 'd']);
		expect(result).toMatchObject({done: 2, gone: 1});
		names.input[Symbol.dispose]();
		expect(listInputs(space)).toEqual([]);
	});

	test('stopped anywhere and resumed, give the same export as without a stop', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.nat({max: 8}), {minLength: 1, maxLength: 3}),
				fc.uniqueArray(fc.nat({max: 60}), {minLength: 1}),
				async ([firstCut = 0, ...laterCuts], chosen) => {
					using space = makeWorkspace();
					const path = join(space.folder, 'some.ndjson');
					let callsBeforeCut = firstCut;
					const store = new MemoryStore({
						batch: {keysPerRead: 3, concurrency: 2},
						faults: {
							before() {
								if (callsBeforeCut-- === 0) throw new Failure('connection_lost', 'The line is cut.');
							},
						},
					});
					for (let at = 0; at <= 60; at++) store.stored.set(`k${at}`, {bytes: Buffer.from(`${at}`)});
					const wanted = chosen.map(at => `k${at}`).toSorted(compareKeys);
					let names = await namesOf(space, ...wanted);
					let job = startExportJob(space, store, path, names);
					for (const cut of [...laterCuts, Number.POSITIVE_INFINITY]) {
						await job.finished.catch(() => {});
						names.input[Symbol.dispose]();
						const [recordedJob] = await listJobs(space.environment);
						callsBeforeCut = cut;
						if (!recordedJob) {
							names = await namesOf(space, ...wanted);
							job = startExportJob(space, store, path, names);
						} else if ('record' in recordedJob && recordedJob.record.status !== 'done') {
							const {header} = recordedJob.record;
							if (!header.input) throw new Error('The names are not recorded.');
							names = await recheckInput(recordedJob.id, header.input, keysFormat, {
								now: 0,
								signal: neverAborted,
							});
							const resumed = await openJob(space.environment, recordedJob.id, exportCodec);
							const options = {signal: neverAborted, environment: space.environment, resumed, names};
							job = startExport(store, {path, over: false}, options);
						}
					}
					await job.finished;
					names.input[Symbol.dispose]();
					expect(readExportedKeys(path)).toEqual(wanted);
					expect(listInputs(space)).toEqual([]);
				},
			),
			{numRuns: 30},
		);
	});

	test('keep metadata and expiry if a store returns only values', async () => {
		using space = makeWorkspace();
		const path = join(space.folder, 'some.ndjson');
		const store = storeOf({a: {metadata: {owner: 'ann'}, expiration: futureExpiration}, b: {}});
		const originalGetMany = store.getMany.bind(store);
		store.getMany = async (keys, signal) =>
			new Map(
				[...(await originalGetMany(keys, signal))].map(([key, {bytes}]) => [key, {bytes, valueOnly: true}]),
			);
		await startExportJob(space, store, path, await namesOf(space, 'a', 'b')).finished;
		expect(
			readFileSync(path, 'utf8')
				.split('\n')
				.filter(Boolean)
				.map(line => JSON.parse(line)),
		).toEqual([
			{key: 'a', value: 'value of a', metadata: {owner: 'ann'}, expiration: futureExpiration},
			{key: 'b', value: 'value of b'},
		]);
	});

	test('are copied alone, or with "only missing" only those that the other store lacks', async () => {
		using space = makeWorkspace();
		const to = storeOf({b: {bytes: Buffer.from('theirs')}, z: {}});
		const result = await startCopy(
			storeOf({a: {}, b: {}, c: {}, d: {}}),
			to,
			{from: {place: 'simulated'}, onlyMissing: true, failed: space.path('failed.ndjson')},
			{
				signal: neverAborted,
				environment: space.environment,
				names: await namesOf(space, 'b', 'c', 'd'),
				wait: async () => {},
			},
		).finished;
		expect([...to.stored.keys()].toSorted()).toEqual(['b', 'c', 'd', 'z']);
		expect(Buffer.from(to.stored.get('b')?.bytes ?? []).toString()).toBe('theirs');
		expect(result).toMatchObject({done: 2, kept: 1});
	});

	test('are compared alone, whichever store has them', async () => {
		using space = makeWorkspace();
		const one = storeOf({a: {}, b: {}, c: {}, x: {}});
		const other = storeOf({a: {}, b: {metadata: 1}, d: {}, y: {}});
		const names = await namesOf(space, 'a', 'b', 'c', 'd', 'e');
		const found: string[] = [];
		let [same, gone] = [0, 0];
		for await (const piece of compareStores(one, other, {names}, neverAborted)) {
			found.push(...piece.differences.map(({kind, key}) => `${key} ${kind}`));
			same += piece.sameCount;
			gone += piece.missingCount;
		}
		expect({found, same, gone}).toEqual({
			found: ['b differs', 'c only in one', 'd only in other'],
			same: 1,
			gone: 1,
		});
	});
});
