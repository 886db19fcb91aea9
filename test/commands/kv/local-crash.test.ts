import {existsSync, readdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {describe, expect, test} from 'vitest';
import {listKeyPages} from '../../../source/kv/keys.ts';
import {openLocalStore} from '../../../source/kv/local/store.ts';
import {formatInteger} from '../../../source/text/figures.ts';
import {ledge, scratch, startLedge} from '../../support/ledge.ts';
import {randomKills as kills, randomShare} from '../../support/random-kills.ts';

const entriesTogether = 5000;
const never = new AbortController().signal;

/** Entries whose values tell their keys, so that a value under a wrong key is seen. */
function bulkFile(folder: string, name: string): string {
	const entries = Array.from({length: entriesTogether}, (_, index) => ({
		key: `${name}-${index}`,
		value: `value of ${name}-${index}`,
	}));
	const file = join(folder, `${name}.json`);
	writeFileSync(file, JSON.stringify(entries));
	return file;
}

const where = (folder: string, namespace: string) => [
	'--local',
	'--persist-to',
	folder,
	'--namespace-id',
	namespace,
];

function integrity(folder: string): string[] {
	const store = join(folder, 'v3/kv/miniflare-KVNamespaceObject');
	// A run that was killed early has made nothing yet.
	if (!existsSync(store)) return [];
	return readdirSync(store)
		.filter(name => name.endsWith('.sqlite'))
		.map(name => {
			const database = new DatabaseSync(join(store, name));
			try {
				return String(database.prepare('PRAGMA integrity_check').get()?.integrity_check);
			} finally {
				database.close();
			}
		});
}

/** Reads every listed key, and gives those that are listed; one without its value fails. */
async function readable(folder: string, namespace: string): Promise<string[]> {
	using store = openLocalStore({root: join(folder, 'v3'), namespace});
	const names: string[] = [];
	for await (const page of listKeyPages(store, {}, never))
		names.push(...page.entries.map(entry => entry.name));
	for (const name of names) {
		const found = await store.get(name, never);
		expect(found && Buffer.from(found.bytes).toString()).toBe(`value of ${name}`);
	}
	return names;
}

/** A moment in a run: after so many batches, and then after a share of the time that the last one took. */
type Moment = {readonly batches: number; readonly share: number};

/** Starts a local bulk put, kills it at a moment, and gives how many entries it had acknowledged. */
async function killedBulk(
	folder: string,
	file: string,
	namespace: string,
	{batches, share}: Moment,
): Promise<{acknowledged: number; killed: boolean}> {
	const words = ['kv', 'bulk', 'put', file, ...where(folder, namespace), '--progress', 'json'];
	const child = startLedge(words, {cwd: folder});
	let said = '';
	let last = performance.now();
	let timer: NodeJS.Timeout | undefined;
	const acknowledged = () =>
		said.split('\n').filter(line => line.endsWith('}') && line.includes('"acknowledged"'));
	child.stderr?.on('data', piece => {
		said += piece;
		const now = performance.now();
		if (acknowledged().length >= batches)
			timer ??= setTimeout(() => child.kill('SIGKILL'), share * (now - last));
		last = now;
	});
	const signal = await new Promise<NodeJS.Signals | null>(done => child.on('close', (_code, by) => done(by)));
	clearTimeout(timer);
	return {
		acknowledged: acknowledged().reduce((sum, line) => sum + JSON.parse(line).entries, 0),
		killed: signal === 'SIGKILL',
	};
}

const anyMoment = (): Moment => ({batches: Math.floor(randomShare() * 5), share: randomShare()});

describe('local data', () => {
	test(`survives kill -9 during a bulk put, ${kills} times at random moments`, {
		timeout: 300_000,
	}, async () => {
		const folder = scratch();
		const file = bulkFile(folder, 'k');
		let killed = 0;
		let inTheMiddle = 0;
		for (let turn = 0; turn < kills; turn++) {
			// Three namespaces in turn: half-written ones are written over, too.
			const namespace = `N${turn % 3}`;
			const run = await killedBulk(folder, file, namespace, anyMoment());
			expect(integrity(folder).every(one => one === 'ok')).toBe(true);
			const names = await readable(folder, namespace);
			expect(names.length).toBeGreaterThanOrEqual(run.acknowledged);
			if (run.killed) killed++;
			if (run.killed && run.acknowledged > 0 && run.acknowledged < entriesTogether) inTheMiddle++;
		}
		expect(killed).toBeGreaterThan(kills / 2);
		expect(inTheMiddle).toBeGreaterThan(Math.floor(kills / 16));
	});

	test('a killed bulk put resumes where it stopped, with the same result', async () => {
		const folder = scratch();
		const file = bulkFile(folder, 'r');
		const run = await killedBulk(folder, file, 'N', {batches: 2, share: 0});
		const [unfinished] = JSON.parse((await ledge(['jobs', '--json'], {cwd: folder})).stdout) as {
			job: string;
		}[];
		const words = unfinished
			? ['jobs', 'resume', unfinished.job]
			: ['kv', 'bulk', 'put', file, ...where(folder, 'N')];
		if (run.killed) expect((await ledge(words, {cwd: folder})).code).toBe(0);
		expect(await readable(folder, 'N')).toHaveLength(entriesTogether);
	});

	test('four concurrent writers lose nothing and do not fail', {timeout: 120_000}, async () => {
		const folder = scratch();
		const files = ['a', 'b', 'c', 'd'].map(name => bulkFile(folder, name));
		const ended = await Promise.all(
			files.map(file => ledge(['kv', 'bulk', 'put', file, ...where(folder, 'N')])),
		);
		expect(ended.map(one => [one.code, one.stderr])).toEqual(
			files.map(() => [0, `Wrote ${formatInteger(entriesTogether)} keys in namespace N.\n`]),
		);
		expect(await readable(folder, 'N')).toHaveLength(4 * entriesTogether);
		const check = await ledge(['kv', 'local', 'check', '--persist-to', folder, '--json']);
		expect(JSON.parse(check.stdout)).toMatchObject({lost: [], orphans: [], young: 0});
	});
});
