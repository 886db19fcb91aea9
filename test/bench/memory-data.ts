import {closeSync, mkdirSync, openSync, writeFileSync, writeSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {getNamespacePaths} from '../../source/kv/local/naming.ts';
import {openLocalStore} from '../../source/kv/local/store.ts';
import {createSimulator} from '../../source/simulator/simulator.ts';

/** The name of key number `index`: 24 bytes. Names sort in the order of the numbers. */
export const nameOf = (index: number): string => `session:${String(index).padStart(8, '0')}:profile`;

const nameInSql = "printf('session:%08d:profile', number)";
const numbersSql = (count: number) =>
	`WITH RECURSIVE numbers (number) AS (SELECT 0 UNION ALL SELECT number + 1 FROM numbers WHERE number < ${count - 1})`;

/**
 * The namespaces of the simulated service by title, which says what the measured jobs do to them. `isFilled`:
 * `makeWorld` fills them with keys, before any job.
 */
export const namespaces = {
	FULL: {id: '1'.repeat(32), isFilled: true},
	DELETED: {id: '3'.repeat(32), isFilled: true},
	CLEARED: {id: '4'.repeat(32), isFilled: true},
	RENAMED: {id: '5'.repeat(32), isFilled: true},
	WRITTEN: {id: '6'.repeat(32), isFilled: false},
	IMPORTED: {id: '7'.repeat(32), isFilled: false},
	FROM_LOCAL: {id: '8'.repeat(32), isFilled: false},
	FROM_REMOTE: {id: '9'.repeat(32), isFilled: false},
	EMPTY: {id: 'a'.repeat(32), isFilled: false},
} as const;

/** Creates the state file of a simulated service, with `count` keys in each namespace to be filled. */
export function makeWorld(file: string, count: number): string {
	createSimulator({state: file, samples: false}).close();
	const sql = new DatabaseSync(file);
	try {
		sql.exec('PRAGMA synchronous = OFF');
		const add = sql.prepare('INSERT INTO namespaces (id, title) VALUES (?, ?)');
		for (const [title, {id, isFilled}] of Object.entries(namespaces)) {
			const {lastInsertRowid} = add.run(id, title);
			if (isFilled)
				sql.exec(`INSERT INTO entries (namespace, key, expiration, metadata, value)
					${numbersSql(count)} SELECT ${lastInsertRowid}, CAST(${nameInSql} AS BLOB), NULL,
					iif(number % 10 = 0, json_object('number', number), NULL), CAST('value of a key ' || number AS BLOB)
					FROM numbers`);
		}
	} finally {
		sql.close();
	}
	return file;
}

/**
 * Creates a project with two local namespaces of `count` keys. All keys of a namespace share one value, which
 * differs between MINE and OTHERS.
 */
export async function makeProject(folder: string, count: number): Promise<string> {
	mkdirSync(folder, {recursive: true});
	const bindings = ['MINE', 'OTHERS'];
	const entries = bindings.map(name => `{binding = "${name}", id = "${name}"}`).join(', ');
	writeFileSync(join(folder, 'wrangler.toml'), `name = "bench"\nkv_namespaces = [${entries}]\n`);
	const root = join(folder, '.wrangler/state/v3');
	for (const namespace of bindings) {
		{
			using store = openLocalStore({root, namespace});
			await store.put(
				'first',
				Buffer.from(namespace === 'OTHERS' ? 'other' : 'value'),
				{},
				AbortSignal.timeout(10_000),
			);
		}
		// Node 22.13 cannot dispose of a database.
		const sql = new DatabaseSync(getNamespacePaths(root, namespace).database);
		try {
			sql.exec(`INSERT INTO _mf_entries (key, blob_id, expiration, metadata)
				${numbersSql(count)} SELECT ${nameInSql}, first.blob_id, NULL, iif(number % 10 = 0, json_object('number', number), NULL)
				FROM numbers, _mf_entries AS first WHERE first.key = 'first'`);
			sql.exec("DELETE FROM _mf_entries WHERE key = 'first'");
		} finally {
			sql.close();
		}
	}
	return folder;
}

/** Writes a file of `count` lines of JSON, each built from its index. */
export function writeLines(file: string, count: number, lineOf: (index: number) => unknown): string {
	const out = openSync(file, 'w');
	let lines = '';
	for (let index = 0; index < count; index++) {
		lines += `${JSON.stringify(lineOf(index))}\n`;
		if (lines.length < 1_000_000 && index < count - 1) continue;
		writeSync(out, lines);
		lines = '';
	}
	closeSync(out);
	return file;
}

export const entryOf = (index: number) => ({
	key: nameOf(index),
	value: `value of a key ${index}`,
	...(index % 10 === 0 && {metadata: {number: index}}),
});
