import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {getNamespacePaths} from '../../source/kv/local/naming.ts';
import {openLocalStore} from '../../source/kv/local/store.ts';
import {createScratchFolder} from './ledge.ts';

/** The first number whose key differs. */
export const firstDifferingNumber = 300;

export const keyOf = (number: number): string => `item-${String(number).padStart(6, '0')}`;

/** Of each five differing keys three have other values, one is only left, and one only right. */
const existsLeft = (index: number) => index % 5 !== 3;
const existsRight = (index: number) => index % 5 !== 4;

export type TwoNamespaces = {
	/** The folder of a project whose binding DATA has the namespace `left`, and `right` for its preview. */
	readonly cwd: string;
	/** The numbers of the keys that differ. */
	readonly numbers: readonly number[];
	readValue(namespace: 'left' | 'right', key: string): Promise<string | undefined>;
};

/**
 * Creates two local namespaces that differ in every `interval`th key, from number `firstDifferingNumber` on.
 */
export async function createTwoNamespaces(keyCount: number, interval: number): Promise<TwoNamespaces> {
	const cwd = createScratchFolder();
	const signal = AbortSignal.timeout(60_000);
	const root = join(cwd, '.wrangler/state/v3');
	const numbers = Array.from(
		{length: Math.ceil((keyCount - firstDifferingNumber) / interval)},
		(_, index) => firstDifferingNumber + index * interval,
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
				WHERE same.key = 'same' AND (number < ${firstDifferingNumber} OR (number - ${firstDifferingNumber}) % ${interval} <> 0)`);
		} finally {
			sql.close();
		}
	}

	writeFileSync(
		join(cwd, 'wrangler.toml'),
		'name = "local"\nkv_namespaces = [{binding = "DATA", id = "left", preview_id = "right"}]\n',
	);
	for (const [namespace, exists] of [
		['left', existsLeft],
		['right', existsRight],
	] as const) {
		await fillSame(namespace);
		using store = openStore(namespace);
		for (const [index, number] of numbers.entries())
			if (exists(index)) await store.put(keyOf(number), Buffer.from(`${namespace} ${number}`), {}, signal);
	}
	return {
		cwd,
		numbers,
		async readValue(namespace, key) {
			using store = openStore(namespace);
			const found = await store.get(key, signal);
			return found && Buffer.from(found.bytes).toString();
		},
	};
}
