import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {limits} from '../../source/kv/limits.ts';
import {getNamespacePaths} from '../../source/kv/local/naming.ts';
import {openLocalStore} from '../../source/kv/local/store.ts';
import type {Row} from './row.ts';
import {
	firstFrameRow,
	keyRows,
	type Opening,
	pageSizes,
	screenChangeRow,
	screenMemoryRow,
	slowestKeyRow,
	stepSizes,
	waitingRow,
} from './screens.ts';

/**
 * The screens on a namespace of `count` keys: the first frame, a step, a page, and what is held in memory.
 */
export async function screenRows(folder: string, count: number, turnCount: number): Promise<Row[]> {
	const cwd = join(folder, 'screens');
	await fillNamespace(cwd, count);
	const home: Opening = {words: ['--local'], cwd, ready: 'Local data', leave: ['q']};
	const keyList: Opening = {
		...home,
		steps: [
			{key: 'enter', shows: 'BIG'},
			{key: 'enter', shows: 'item:'},
			{key: 't', shows: `${count.toLocaleString('en-US')} keys`},
		],
	};
	const simulated: Opening = {words: ['--simulate'], cwd, ready: 'Acme (simulated)', leave: ['ctrl-c']};
	const slow: Opening = {
		...simulated,
		env: {LEDGE_SIMULATE_FAULTS: 'latency=8000 path=namespaces'},
		leave: ['esc', 'ctrl-c'],
	};
	return [
		await firstFrameRow(turnCount, home),
		...(await keyRows(`a step in a list of ${count} keys`, ['down'], turnCount * 10, keyList, stepSizes)),
		...(await keyRows(`a page of ${count} keys`, ['pagedown'], turnCount * 5, keyList, pageSizes)),
		await screenMemoryRow(
			`memory after the end and the beginning of ${count} keys, and a filter`,
			['end', 'home', '/', '9', '9', 'enter', 'pagedown'],
			keyList,
		),
		...(await valueRows(join(folder, 'values'))),
		await screenChangeRow(simulated, [
			'enter',
			'enter',
			'enter',
			'esc',
			'esc',
			'esc',
			'?',
			'esc',
			':',
			'esc',
			'9',
		]),
		await waitingRow(slow, 'enter', /loading namespaces.* 1 s/),
	];
}

/** Values of the maximum size: each key must be answered at once, even while the value is being prepared. */
async function valueRows(cwd: string): Promise<Row[]> {
	const items = Array.from({length: 33_000}, (_, number) => ({number, name: `item ${number}`}));
	const values = {
		'1 line of 25 MiB': Buffer.alloc(limits.valueBytes, 'abcdefghij'),
		'JSON of 100000 lines': Buffer.from(JSON.stringify(items)),
	};
	makeProject(cwd);
	{
		using store = openLocalStore({root: join(cwd, '.wrangler/state/v3'), namespace: 'big'});
		for (const [key, value] of Object.entries(values))
			await store.put(key, value, {}, AbortSignal.timeout(60_000));
	}
	const rows: Row[] = [];
	for (const [index, what] of Object.keys(values).entries()) {
		rows.push(
			await slowestKeyRow(
				`on a value that is ${what}`,
				[
					'down',
					'down',
					'pagedown',
					'end',
					'home',
					'pagedown',
					'up',
					'tab',
					'down',
					'end',
					'home',
					'tab',
					'down',
				],
				{
					words: ['--local'],
					cwd,
					ready: 'Local data',
					steps: [
						{key: 'enter', shows: 'BIG'},
						{key: 'enter', shows: '2 keys'},
						{key: index === 0 ? 'home' : 'end', shows: `▸  ${what}`},
						{key: 'enter', shows: /\d+ bytes/},
					],
					leave: ['q'],
				},
			),
		);
	}
	return rows;
}

function makeProject(cwd: string): void {
	mkdirSync(cwd, {recursive: true});
	writeFileSync(
		join(cwd, 'wrangler.toml'),
		'name = "bench"\nkv_namespaces = [{binding = "BIG", id = "big"}]\n',
	);
}

/** Creates a project with `count` local keys. They share a value, since only their list is used. */
async function fillNamespace(cwd: string, count: number): Promise<void> {
	mkdirSync(cwd, {recursive: true});
	writeFileSync(
		join(cwd, 'wrangler.toml'),
		'name = "bench"\nkv_namespaces = [{binding = "BIG", id = "big"}]\n',
	);
	const root = join(cwd, '.wrangler/state/v3');
	{
		using store = openLocalStore({root, namespace: 'big'});
		await store.put('first', Buffer.from('{"v":1}'), {}, AbortSignal.timeout(10_000));
	}
	// Node 22.13 cannot dispose of a database.
	const sql = new DatabaseSync(getNamespacePaths(root, 'big').database);
	try {
		sql.exec(`INSERT INTO _mf_entries (key, blob_id, expiration, metadata)
			WITH RECURSIVE items (number) AS (SELECT 0 UNION ALL SELECT number + 1 FROM items WHERE number < ${count - 2})
			SELECT printf('item:%07d:%x', number, number * 7919 % 1000003), first.blob_id, NULL, NULL
			FROM items, _mf_entries AS first WHERE first.key = 'first'`);
	} finally {
		sql.close();
	}
}
