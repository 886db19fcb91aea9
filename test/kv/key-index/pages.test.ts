import {mkdtempSync, readdirSync, readlinkSync, rmSync, statSync, type writeSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setImmediate as turn} from 'node:timers/promises';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {Failure} from '../../../source/failure.ts';
import {FilteredRows} from '../../../source/kv/key-index/filtered-rows.ts';
import {KeyIndex} from '../../../source/kv/key-index/key-index.ts';
import {Pages} from '../../../source/kv/key-index/pages.ts';
import {FlatRows, type KeyRows} from '../../../source/kv/key-index/rows.ts';
import {TreeRows} from '../../../source/kv/key-index/tree-rows.ts';
import {GeneratedKeys} from '../../../source/simulator/simulator.ts';

const disk = vi.hoisted(() => ({writesLeft: Number.POSITIVE_INFINITY}));

vi.mock('node:fs', async original => {
	const real = await original<typeof import('node:fs')>();
	return {
		...real,
		writeSync: (...args: Parameters<typeof writeSync>) => {
			if (disk.writesLeft <= 0) throw Object.assign(new Error('no space left'), {code: 'ENOSPC'});
			disk.writesLeft--;
			return real.writeSync(...args);
		},
	};
});

let folder: string;

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'ledge-pages-'));
});
afterEach(() => {
	disk.writesLeft = Number.POSITIVE_INFINITY;
	rmSync(folder, {recursive: true});
});

function createPages(directory: () => string) {
	const failures: Error[] = [];
	const pages = new Pages({
		pageBytes: 4096,
		maxBytes: 65_536,
		directory,
		onFailure: failure => failures.push(failure),
	});
	return {pages, failures};
}

const count = 30_000;
const keys = new GeneratedKeys(count);

/** Creates an index of the generated keys, added page by page as a listing brings them. */
function createListedIndex(pages?: Pages): KeyIndex {
	const index = new KeyIndex(pages);
	for (let from = 0; from < count; from += 1000)
		index.append(Array.from({length: 1000}, (_, number) => ({name: keys.getName(from + number)})));
	index.finish();
	return index;
}

/** Reads the number of rows, the last row, and every 97th row. */
function sampleRows(rows: KeyRows): unknown[] {
	while (!rows.advance());
	const shown = [rows.count, rows.at(rows.count - 1)];
	for (let row = 0; row < rows.count; row += 97) shown.push(rows.at(row));
	return shown;
}

/** Queries an index with many keys in every way, before and after changes to it. */
function queryAndChange(index: KeyIndex): unknown[] {
	const tree = new TreeRows(index, ['user:', 'log/', 'log/2031-03-04/']);
	const results = [
		sampleRows(new FlatRows(index)),
		sampleRows(new FilteredRows(index, '77')),
		sampleRows(tree),
	];
	index.removeAll(['user:00000077:profile', keys.getName(0), keys.getName(12_345)]);
	index.putAll([{name: 'log/2031-03-04/new', expiration: 7}, {name: 'a'}]);
	index.selectRange(100, 25_000, true);
	results.push(
		sampleRows(tree),
		sampleRows(new FilteredRows(index, 'new')),
		[...index.listSelectedNames()].slice(-3),
	);
	return results;
}

test('an index on disk gives the same results as one in memory, and its file has no name in the folder', () => {
	const {pages, failures} = createPages(() => folder);
	const index = createListedIndex(pages);
	expect(pages.bytesInFile).toBeGreaterThan(500_000);
	expect(readdirSync(folder)).toEqual([]);
	expect(queryAndChange(index)).toEqual(queryAndChange(createListedIndex()));
	expect(failures).toEqual([]);
});

test.runIf(process.platform === 'linux')('no other user may read the file', () => {
	const {pages} = createPages(() => folder);
	createListedIndex(pages);
	const files = readdirSync('/proc/self/fd').filter(file => readLinkTarget(file).startsWith(folder));
	expect(files.map(file => statSync(`/proc/self/fd/${file}`).mode & 0o777)).toEqual([0o600]);
});

test.each([
	['from the start', 0],
	['in the middle', 40],
])('a full disk %s is reported once, and the rest stays in memory', async (_when, writesLeft) => {
	disk.writesLeft = writesLeft;
	const {pages, failures} = createPages(() => folder);
	const index = createListedIndex(pages);
	await turn();
	expect(failures.map(({message}) => message)).toEqual([
		'The disk is full: the key list cannot be saved to disk.',
	]);
	expect(pages.bytesInFile).toBeLessThanOrEqual((writesLeft + 1) * pages.pageBytes);
	expect(queryAndChange(index)).toEqual(queryAndChange(createListedIndex()));
	expect(readdirSync(folder)).toEqual([]);
});

test('without a folder for the file, everything stays in memory', async () => {
	const {pages, failures} = createPages(() => {
		throw new Failure('file_failed', 'There is no place to store state.');
	});
	const index = createListedIndex(pages);
	await turn();
	expect(failures.map(({message}) => message)).toEqual(['There is no place to store state.']);
	expect(queryAndChange(index)).toEqual(queryAndChange(createListedIndex()));
});

test.each([
	['few', 2],
	['as many as are read', 64],
	['many', 90],
])('a page being read stays valid while 63 others are read, with room for %s pages in memory', (_how, resident) => {
	const pages = new Pages({pageBytes: 64, maxBytes: 64 * resident, directory: () => folder});
	const all = Array.from({length: 200}, (_, number) => {
		const page = pages.createPage();
		pages.getWritableBytes(page).fill(number);
		return page;
	});
	let random = 1;
	const drawNumber = () => {
		random = (random * 48_271) % 2_147_483_647;
		return random % all.length;
	};
	for (let round = 0; round < 300; round++) {
		const number = drawNumber();
		const [page] = all.slice(number);
		if (!page) throw new Error('There is such a page.');
		// Reads some others first: accesses before that of the page must not make it invalid earlier.
		for (let look = 0; look < round % 64; look++) pages.getBytes(all[drawNumber()] ?? page);
		const bytes = pages.getBytes(page);
		for (let look = 0; look < 63; look++) pages.getBytes(all[drawNumber()] ?? page);
		expect(new Set(bytes)).toEqual(new Set([number]));
	}
});

function readLinkTarget(file: string): string {
	try {
		return readlinkSync(`/proc/self/fd/${file}`);
	} catch {
		return '';
	}
}
