import {readdirSync} from 'node:fs';
import {expect, test} from 'vitest';
import {getNamespacePaths} from '../../../source/kv/local/naming.ts';
import {endOf, startScript} from './child.ts';
import {bytes, names, never, openForTest, temporaryRoot, textOf} from './temporary.ts';

test('four processes write at once without errors, lost data or leftover blobs', async () => {
	const root = temporaryRoot();
	const batches = 40;
	const children = ['a', 'b', 'c', 'd'].map(run =>
		startScript('batch-writer.ts', [root, 'N', run, `${batches}`]),
	);
	for (const end of await Promise.all(children.map(endOf)))
		expect(end).toEqual({code: 0, signal: null, said: ''});
	const store = openForTest({root});
	const all = names(store.listEntries());
	expect(all.filter(name => !name.startsWith('shared:'))).toHaveLength(4 * batches * 40);
	for (const name of all.filter(name => name.endsWith(':0')))
		expect(await store.get(name, never)).toBeDefined();
	expect(readdirSync(getNamespacePaths(root, 'N').blobs)).toHaveLength(all.length);
}, 120_000);

test('a reader never sees a missing value while another process overwrites it', async () => {
	const root = temporaryRoot();
	const writer = openForTest({root});
	await writer.putMany(
		Array.from({length: 20}, (_, index) => ({key: `shared:${index}`, value: 'first'})),
		never,
	);
	const child = startScript('batch-writer.ts', [root, 'N', 'w', '60']);
	let running = true;
	const ended = endOf(child).finally(() => {
		running = false;
	});
	const reader = openForTest({root});
	const seen = new Set<string | undefined>();
	let turn = 0;
	while (running) {
		seen.add(textOf(await reader.get(`shared:${turn++ % 20}`, never)));
		if (turn % 50 === 0) await new Promise(resolve => setImmediate(resolve));
	}
	expect(await ended).toEqual({code: 0, signal: null, said: ''});
	expect(seen).not.toContain(undefined);
	expect(seen.size).toBeGreaterThan(5);
}, 60_000);

test('two stores in one process write and read the same keys', async () => {
	const root = temporaryRoot();
	const one = openForTest({root});
	const other = openForTest({root});
	await Promise.all(
		Array.from({length: 200}, (_, index) =>
			(index % 2 === 0 ? one : other).put(`k${index % 10}`, bytes(`${index}`), {}, never),
		),
	);
	for (const name of names(one.listEntries()))
		expect(textOf(await other.get(name, never))).toBe(textOf(await one.get(name, never)));
	expect(readdirSync(getNamespacePaths(root, 'N').blobs)).toHaveLength(10);
});
