import {readdirSync} from 'node:fs';
import {DatabaseSync} from 'node:sqlite';
import {expect, test} from 'vitest';
import {getNamespacePaths} from '../../../source/kv/local/naming.ts';
import {openLocalStore} from '../../../source/kv/local/store.ts';
import {randomKills as kills, randomShare} from '../../support/random-kills.ts';
import {endOf, linesOf, startScript} from './child.ts';
import {names, never, temporaryRoot, textOf} from './temporary.ts';

function integrityOf(file: string): unknown[] {
	const database = new DatabaseSync(file, {readOnly: true});
	try {
		return database.prepare('PRAGMA integrity_check').all();
	} finally {
		database.close();
	}
}

/** Runs the writer until it has acknowledged some batches, and kills it a random moment later; gives how many it had acknowledged. */
async function killedInTheMiddle(root: string, run: number): Promise<number> {
	const child = startScript('batch-writer.ts', [root, 'N', `${run}`]);
	const ended = endOf(child);
	const wanted = 2 + Math.floor(randomShare() * 5);
	let acknowledged = 0;
	let first = 0;
	for await (const line of linesOf(child)) {
		acknowledged = Number(line) + 1;
		if (acknowledged === 1) first = performance.now();
		// The moment falls anywhere in a batch, however long the disk takes for one today.
		const batch = (performance.now() - first) / (acknowledged - 1);
		if (acknowledged === wanted) setTimeout(() => child.kill('SIGKILL'), randomShare() * 2 * batch);
	}
	expect(await ended).toMatchObject({signal: 'SIGKILL', said: ''});
	return acknowledged;
}

test('a process killed at any moment loses no acknowledged write and leaves nothing unreadable', async () => {
	const root = temporaryRoot();
	const place = getNamespacePaths(root, 'N');
	for (let run = 0; run < kills; run++) {
		const acknowledged = await killedInTheMiddle(root, run);
		using store = openLocalStore({root, namespace: 'N'});
		const found = new Map<string, string | undefined>();
		for (const name of names(store.listEntries())) found.set(name, textOf(await store.get(name, never)));

		expect([...found].filter(([, value]) => value === undefined)).toEqual([]);
		const counts = new Map<string, number>();
		for (const [name, value] of found)
			if (!name.startsWith('shared:')) counts.set(`${value}`, (counts.get(`${value}`) ?? 0) + 1);
		for (let batch = 0; batch < acknowledged; batch++) expect(counts.get(`${run}:${batch}`)).toBe(40);
		// A batch is there whole or not at all; and the shared keys are of one batch, the last one.
		expect([...counts.values()].every(count => count === 40)).toBe(true);
		const shared = new Set(
			[...found].filter(([name]) => name.startsWith('shared:')).map(([, value]) => value),
		);
		expect(shared.size).toBe(1);
		expect(integrityOf(place.database)).toEqual([{integrity_check: 'ok'}]);
	}
	// What a killed process leaves behind are orphans, at most the batch it was writing and the one it replaced.
	using store = openLocalStore({root, namespace: 'N'});
	const orphans = readdirSync(place.blobs).length - names(store.listEntries()).length;
	expect(orphans).toBeLessThanOrEqual(kills * 80);
}, 180_000);
