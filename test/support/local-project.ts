import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {openLocalStore} from '../../source/kv/local/store.ts';
import {createScratchFolder} from './ledge.ts';

/** Creates a project with one binding, DATA, and these values in its local data. */
export async function createLocalProject(
	values: Readonly<Record<string, string | Uint8Array>>,
): Promise<string> {
	const cwd = createScratchFolder();
	writeFileSync(
		join(cwd, 'wrangler.toml'),
		'name = "local"\nkv_namespaces = [{binding = "DATA", id = "data"}]\n',
	);
	using store = openLocalStore({root: join(cwd, '.wrangler/state/v3'), namespace: 'data'});
	for (const [key, value] of Object.entries(values))
		await store.put(
			key,
			typeof value === 'string' ? Buffer.from(value) : value,
			{},
			AbortSignal.timeout(20_000),
		);
	return cwd;
}
