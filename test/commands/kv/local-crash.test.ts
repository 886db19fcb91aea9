import {existsSync, readdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {describe, expect, test} from 'vitest';
import {listKeyPages} from '../../../source/kv/keys.ts';
import {openLocalStore} from '../../../source/kv/local/store.ts';
import {formatInteger} from '../../../source/text/figures.ts';
import {createScratchFolder, ledge, startLedge} from '../../support/ledge.ts';
import {drawRandomShare, randomKillCount as kills} from '../../support/random-kills.ts';

const entryCount = 5000;
const neverAborted = new AbortController().signal;

/** Writes entries whose values contain their keys, so that a value under a wrong key is noticed. */
function writeBulkFile(folder: string, name: string): string {
	const entries = Array.from({length: entryCount}, (_, index) => ({
		key: `${name}-${index}`,
		value: `value of ${name}-${index}`,
	}));
	const file = join(folder, `${name}.json`);
	writeFileSync(file, JSON.stringify(entries));
	return file;
}

const getNamespaceOptions = (folder: string, namespace: string) => [
	'--local',
	'--persist-to',
	folder,
	'--namespace-id',
	namespace,
];

function checkIntegrity(folder: string): string[] {
	const store = join(folder, 'v3/kv/miniflare-KVNamespaceObject');
	// A run that was killed early has created nothing yet.
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

/** Returns the names of all keys, and expects each to have its own value. */
async function readAllKeys(folder: string, namespace: string): Promise<string[]> {
	using store = openLocalStore({root: join(folder, 'v3'), namespace});
	const names: string[] = [];
	for await (const page of listKeyPages(store, {}, neverAborted))
		names.push(...page.entries.map(entry => entry.name));
	for (const name of names) {
		const found = await store.get(name, neverAborted);
		expect(found && Buffer.from(found.bytes).toString()).toBe(`value of ${name}`);
	}
	return names;
}

/** A moment in a run: after this many batches, and then this share of the time that the last one took. */
type Moment = {readonly batches: number; readonly share: number};

/** Starts a local bulk put, kills it at a moment, and returns how many entries it had acknowledged. */
async function runAndKillBulkPut(
	folder: string,
	file: string,
	namespace: string,
	{batches, share}: Moment,
): Promise<{acknowledged: number; killed: boolean}> {
	const words = ['kv', 'bulk', 'put', file, ...getNamespaceOptions(folder, namespace), '--progress', 'json'];
	const child = startLedge(words, {cwd: folder});
	let output = '';
	let lastOutputTime = performance.now();
	let timer: NodeJS.Timeout | undefined;
	const getAcknowledgedLines = () =>
		output.split('\n').filter(line => line.endsWith('}') && line.includes('"acknowledged"'));
	child.stderr?.on('data', piece => {
		output += piece;
		const now = performance.now();
		if (getAcknowledgedLines().length >= batches)
			timer ??= setTimeout(() => child.kill('SIGKILL'), share * (now - lastOutputTime));
		lastOutputTime = now;
	});
	const signal = await new Promise<NodeJS.Signals | null>(done => child.on('close', (_code, by) => done(by)));
	clearTimeout(timer);
	return {
		acknowledged: getAcknowledgedLines().reduce((sum, line) => sum + JSON.parse(line).entries, 0),
		killed: signal === 'SIGKILL',
	};
}

const pickMoment = (): Moment => ({batches: Math.floor(drawRandomShare() * 5), share: drawRandomShare()});

describe('local data', () => {
	test(`survives kill -9 during a bulk put, ${kills} times at random moments`, {
		timeout: 300_000,
	}, async () => {
		const folder = createScratchFolder();
		const file = writeBulkFile(folder, 'k');
		let killedCount = 0;
		let killedMidwayCount = 0;
		for (let turn = 0; turn < kills; turn++) {
			// Three namespaces in turn, so that half-written ones are overwritten, too.
			const namespace = `N${turn % 3}`;
			const run = await runAndKillBulkPut(folder, file, namespace, pickMoment());
			expect(checkIntegrity(folder).every(one => one === 'ok')).toBe(true);
			const names = await readAllKeys(folder, namespace);
			expect(names.length).toBeGreaterThanOrEqual(run.acknowledged);
			if (run.killed) killedCount++;
			if (run.killed && run.acknowledged > 0 && run.acknowledged < entryCount) killedMidwayCount++;
		}
		expect(killedCount).toBeGreaterThan(kills / 2);
		expect(killedMidwayCount).toBeGreaterThan(Math.floor(kills / 16));
	});

	test('a killed bulk put resumes where it stopped, with the same result', async () => {
		const folder = createScratchFolder();
		const file = writeBulkFile(folder, 'r');
		const run = await runAndKillBulkPut(folder, file, 'N', {batches: 2, share: 0});
		const [unfinished] = JSON.parse((await ledge(['jobs', '--json'], {cwd: folder})).stdout) as {
			job: string;
		}[];
		const words = unfinished
			? ['jobs', 'resume', unfinished.job]
			: ['kv', 'bulk', 'put', file, ...getNamespaceOptions(folder, 'N')];
		if (run.killed) expect((await ledge(words, {cwd: folder})).code).toBe(0);
		expect(await readAllKeys(folder, 'N')).toHaveLength(entryCount);
	});

	test('four concurrent writers lose nothing and do not fail', {timeout: 120_000}, async () => {
		const folder = createScratchFolder();
		const files = ['a', 'b', 'c', 'd'].map(name => writeBulkFile(folder, name));
		const ended = await Promise.all(
			files.map(file => ledge(['kv', 'bulk', 'put', file, ...getNamespaceOptions(folder, 'N')])),
		);
		expect(ended.map(one => [one.code, one.stderr])).toEqual(
			files.map(() => [0, `Wrote ${formatInteger(entryCount)} keys in namespace N.\n`]),
		);
		expect(await readAllKeys(folder, 'N')).toHaveLength(4 * entryCount);
		const check = await ledge(['kv', 'local', 'check', '--persist-to', folder, '--json']);
		expect(JSON.parse(check.stdout)).toMatchObject({lost: [], orphans: [], young: 0});
	});
});
