import {readdirSync} from 'node:fs';
import {expect, test} from 'vitest';
import {getNamespacePaths} from '../../../source/kv/local/naming.ts';
import {startScript, waitForExit} from './child.ts';
import {bytes, names, neverAborted, openForTest, temporaryRoot, textOf} from './temporary.ts';

test('four processes write at once without errors, lost data or leftover blobs', async () => {
	const root = temporaryRoot();
	const batchCount = 40;
	const children = ['a', 'b', 'c', 'd'].map(writerName =>
		startScript('batch-writer.ts', [root, 'N', writerName, `${batchCount}`]),
	);
	for (const exitResult of await Promise.all(children.map(waitForExit)))
		expect(exitResult).toEqual({code: 0, signal: null, stderr: ''});
	const store = openForTest({root});
	const allNames = names(store.listEntries());
	// Each batch of each writer has 40 new keys (batch-writer.ts).
	expect(allNames.filter(name => !name.startsWith('shared:'))).toHaveLength(4 * batchCount * 40);
	// One key of each batch, WRITER:BATCH:0, and one shared key.
	for (const name of allNames.filter(name => name.endsWith(':0')))
		expect(await store.get(name, neverAborted)).toBeDefined();
	expect(readdirSync(getNamespacePaths(root, 'N').blobs)).toHaveLength(allNames.length);
}, 120_000);

test('a reader never sees a missing value while another process overwrites it', async () => {
	const root = temporaryRoot();
	const writer = openForTest({root});
	await writer.putMany(
		Array.from({length: 20}, (_, index) => ({key: `shared:${index}`, value: 'first'})),
		neverAborted,
	);
	const child = startScript('batch-writer.ts', [root, 'N', 'w', '60']);
	let running = true;
	const ended = waitForExit(child).finally(() => {
		running = false;
	});
	const reader = openForTest({root});
	const seen = new Set<string | undefined>();
	let turn = 0;
	while (running) {
		seen.add(textOf(await reader.get(`shared:${turn++ % 20}`, neverAborted)));
		if (turn % 50 === 0) await new Promise(resolve => setImmediate(resolve));
	}
	expect(await ended).toEqual({code: 0, signal: null, stderr: ''});
	expect(seen).not.toContain(undefined);
	expect(seen.size).toBeGreaterThan(5);
}, 60_000);

test('two stores in one process write and read the same keys', async () => {
	const root = temporaryRoot();
	const one = openForTest({root});
	const other = openForTest({root});
	await Promise.all(
		Array.from({length: 200}, (_, index) =>
			(index % 2 === 0 ? one : other).put(`k${index % 10}`, bytes(`${index}`), {}, neverAborted),
		),
	);
	for (const name of names(one.listEntries()))
		expect(textOf(await other.get(name, neverAborted))).toBe(textOf(await one.get(name, neverAborted)));
	expect(readdirSync(getNamespacePaths(root, 'N').blobs)).toHaveLength(10);
});
