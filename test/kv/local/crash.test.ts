import {readdirSync} from 'node:fs';
import {DatabaseSync} from 'node:sqlite';
import {expect, test} from 'vitest';
import {getNamespacePaths} from '../../../source/kv/local/naming.ts';
import {openLocalStore} from '../../../source/kv/local/store.ts';
import {drawRandomShare, randomKillCount as kills} from '../../support/random-kills.ts';
import {readOutputLines, startScript, waitForExit} from './child.ts';
import {names, neverAborted, temporaryRoot, textOf} from './temporary.ts';

function integrityOf(file: string): unknown[] {
	const database = new DatabaseSync(file, {readOnly: true});
	try {
		return database.prepare('PRAGMA integrity_check').all();
	} finally {
		database.close();
	}
}

/**
 * Runs the writer until it has acknowledged some batches, and kills it a random moment later. Returns how
 * many it had acknowledged.
 */
async function killInTheMiddle(root: string, run: number): Promise<number> {
	const child = startScript('batch-writer.ts', [root, 'N', `${run}`]);
	const ended = waitForExit(child);
	const killAfterCount = 2 + Math.floor(drawRandomShare() * 5);
	let acknowledgedCount = 0;
	let firstAt = 0;
	for await (const line of readOutputLines(child)) {
		acknowledgedCount = Number(line) + 1;
		if (acknowledgedCount === 1) firstAt = performance.now();
		// The moment falls anywhere in a batch, however long the disk takes for one.
		const batchMs = (performance.now() - firstAt) / (acknowledgedCount - 1);
		if (acknowledgedCount === killAfterCount)
			setTimeout(() => child.kill('SIGKILL'), drawRandomShare() * 2 * batchMs);
	}
	expect(await ended).toMatchObject({signal: 'SIGKILL', stderr: ''});
	return acknowledgedCount;
}

test('a process killed at any moment loses no acknowledged write and leaves nothing unreadable', async () => {
	const root = temporaryRoot();
	const paths = getNamespacePaths(root, 'N');
	for (let run = 0; run < kills; run++) {
		const acknowledgedCount = await killInTheMiddle(root, run);
		using store = openLocalStore({root, namespace: 'N'});
		const found = new Map<string, string | undefined>();
		for (const name of names(store.listEntries()))
			found.set(name, textOf(await store.get(name, neverAborted)));

		expect([...found].filter(([, value]) => value === undefined)).toEqual([]);
		const counts = new Map<string, number>();
		for (const [name, value] of found)
			if (!name.startsWith('shared:')) counts.set(`${value}`, (counts.get(`${value}`) ?? 0) + 1);
		for (let batch = 0; batch < acknowledgedCount; batch++) expect(counts.get(`${run}:${batch}`)).toBe(40);
		// Each batch is complete or missing, and all shared keys are of one batch.
		expect([...counts.values()].every(count => count === 40)).toBe(true);
		const shared = new Set(
			[...found].filter(([name]) => name.startsWith('shared:')).map(([, value]) => value),
		);
		expect(shared.size).toBe(1);
		expect(integrityOf(paths.database)).toEqual([{integrity_check: 'ok'}]);
	}
	// A killed process leaves at most 80 orphans: 60 of the batch it wrote, and 20 that it replaced.
	using store = openLocalStore({root, namespace: 'N'});
	const orphanCount = readdirSync(paths.blobs).length - names(store.listEntries()).length;
	expect(orphanCount).toBeLessThanOrEqual(kills * 80);
}, 180_000);
