import {readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {Failure} from '../../../source/failure.ts';
import {checkInput} from '../../../source/kv/bulk/check.ts';
import {keysFormat} from '../../../source/kv/bulk/entries.ts';
import {openInput} from '../../../source/kv/bulk/input.ts';
import {startBulk} from '../../../source/kv/bulk/job.ts';
import {deleteWork} from '../../../source/kv/bulk/work.ts';
import {MemoryStore} from '../support/memory-store.ts';
import {failureOf, makeWorkspace, streamOf, type Workspace} from '../support/workspace.ts';

const signal = new AbortController().signal;

async function run(space: Workspace, store: MemoryStore, content: string) {
	const path = space.writeFile('names.json', content);
	const input = await openInput(path, {environment: space.environment, stdin: streamOf(''), signal});
	return startBulk(deleteWork, store, await checkInput(input, keysFormat, {now: 0, signal}), {
		signal,
		environment: space.environment,
		cwd: space.folder,
		target: {place: 'local:/x', namespace: 'memory'},
		wait: async () => {},
	}).finished;
}

function createFilledStore(
	count: number,
	options: ConstructorParameters<typeof MemoryStore>[0] = {},
): MemoryStore {
	const store = new MemoryStore(options);
	for (let number = 1; number <= count; number++) store.stored.set(`k${number}`, {bytes: Buffer.from('v')});
	return store;
}

const createNames = (count: number): string[] => Array.from({length: count}, (_, at) => `k${at + 1}`);

describe('bulk delete', () => {
	test('deletes all named keys in any form, even if they do not exist', async () => {
		using space = makeWorkspace();
		const store = createFilledStore(5);
		const lines = ['"k1"', '{"name":"k2","expiration":1}', '{"key":"k3","value":"v"}', '"absent"'];
		expect(await run(space, store, lines.join('\n'))).toMatchObject({entries: 4, done: 4, refused: 0});
		expect([...store.stored.keys()]).toEqual(['k4', 'k5']);
	});

	test('sends a repeated key once per batch, and counts each entry', async () => {
		using space = makeWorkspace();
		const store = createFilledStore(2);
		expect(await run(space, store, '["k1","k2","k1"]')).toMatchObject({entries: 3, done: 3});
		expect(store.batches).toEqual([['k1', 'k2']]);
	});

	test('writes keys that stay rejected into a file, each as a JSON string on its own line', async () => {
		using space = makeWorkspace();
		const store = createFilledStore(12_000, {
			faults: {
				refuse: new Map([
					['k7', 9],
					['k11000', 9],
				]),
			},
		});
		const result = await run(space, store, JSON.stringify(createNames(12_000)));
		expect(result).toMatchObject({done: 11_998, refused: 2, requests: 4});
		expect(readFileSync(result.failedFile ?? '', 'utf8')).toBe('"k7"\n"k11000"\n');
		expect([...store.stored.keys()]).toEqual(['k7', 'k11000']);
	});

	test('reports what was deleted and what is left when it stops', async () => {
		using space = makeWorkspace();
		let batches = 0;
		const store = createFilledStore(100, {
			kind: 'local',
			batch: {entries: 10, concurrency: 1},
			faults: {
				before() {
					if (++batches > 3) throw new Failure('local_store_busy', 'Busy.');
				},
			},
		});
		expect(await failureOf(run(space, store, JSON.stringify(createNames(100))))).toMatchObject({
			code: 'local_store_busy',
			details: {left: '30 of 100 entries are deleted, 70 are left.'},
		});
	});
});
