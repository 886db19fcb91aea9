import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {getNamespacePaths} from '../../source/kv/local/naming.ts';
import {openLocalStore} from '../../source/kv/local/store.ts';
import {scratch} from './ledge.ts';

/** The first number whose key differs. */
export const first = 300;

export const keyOf = (number: number): string => `item-${String(number).padStart(6, '0')}`;

/** Of each five differing keys three have other values, one is only left, and one only right. */
const isLeft = (at: number) => at % 5 !== 3;
const isRight = (at: number) => at % 5 !== 4;

export type TwoNamespaces = {
	/** The folder of a project whose binding DATA has the namespace `left`, and `right` for its preview. */
	readonly cwd: string;
	/** The numbers of the keys that differ. */
	readonly numbers: readonly number[];
	stored(namespace: 'left' | 'right', key: string): Promise<string | undefined>;
};

/** Two namespaces of local data that differ in each so many keys, from the first one on. */
export async function twoNamespaces(keyCount: number, between: number): Promise<TwoNamespaces> {
	const cwd = scratch();
	const signal = AbortSignal.timeout(60_000);
	const root = join(cwd, '.wrangler/state/v3');
	const numbers = Array.from(
		{length: Math.ceil((keyCount - first) / between)},
		(_, at) => first + at * between,
	);
	const openStore = (namespace: string) => openLocalStore({root, namespace});

	/** All keys but those that are to differ; they share one value, as only those that differ are written to. */
	async function fillSame(namespace: string): Promise<void> {
		{
			using store = openStore(namespace);
			await store.put('same', Buffer.from('the same'), {}, signal);
		}
		// Node 22.13 cannot dispose of a database.
		const sql = new DatabaseSync(getNamespacePaths(root, namespace).database);
		try {
			sql.exec(`INSERT INTO _mf_entries (key, blob_id, expiration, metadata)
				WITH RECURSIVE items (number) AS (SELECT 0 UNION ALL SELECT number + 1 FROM items WHERE number < ${keyCount - 2})
				SELECT printf('item-%06d', number), same.blob_id, NULL, NULL FROM items, _mf_entries AS same
				WHERE same.key = 'same' AND (number < ${first} OR (number - ${first}) % ${between} <> 0)`);
		} finally {
			sql.close();
		}
	}

	writeFileSync(
		join(cwd, 'wrangler.toml'),
		'name = "local"\nkv_namespaces = [{binding = "DATA", id = "left", preview_id = "right"}]\n',
	);
	for (const [namespace, has] of [
		['left', isLeft],
		['right', isRight],
	] as const) {
		await fillSame(namespace);
		using store = openStore(namespace);
		for (const [at, number] of numbers.entries())
			if (has(at)) await store.put(keyOf(number), Buffer.from(`${namespace} ${number}`), {}, signal);
	}
	return {
		cwd,
		numbers,
		async stored(namespace, key) {
			using store = openStore(namespace);
			const found = await store.get(key, signal);
			return found && Buffer.from(found.bytes).toString();
		},
	};
}
