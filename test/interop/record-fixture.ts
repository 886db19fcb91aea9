// Writes test/kv/local/fixtures/wrangler-state anew with the real peer: `node test/interop/record-fixture.ts`.
import {cpSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {createInteropFolder, installPeer} from './peer.ts';
import {run} from './process.ts';

const target = fileURLToPath(new URL('../kv/local/fixtures/wrangler-state', import.meta.url));

/** The latest expiry the peer takes: seconds in 31 bits, January 2038. Tests set their own clock. */
const farFuture = 2_147_483_647;

const entries = [
	{key: 'text', value: 'hello'},
	{key: 'empty', value: ''},
	{key: 'binary', value: Buffer.from([0, 255, 254, 10, 13, 0, 128]).toString('base64'), base64: true},
	{key: 'described', value: 'with metadata', metadata: {name: 'имя', deep: {list: [1, null, true]}}},
	{key: 'expiring', value: 'until 2038', expiration: farFuture},
	{key: 'everything', value: 'all of it', expiration: farFuture, metadata: {v: 1}},
	{key: 'ключ/é 😀?#%41', value: 'unicode'},
	{key: 'a\u0000b', value: 'NUL in the key'},
	{key: '\uffff', value: 'last of the plane'},
	{key: `long:${'x'.repeat(507)}`, value: '512 bytes of key'},
	{key: 'deleted', value: 'gone'},
	{key: 'overwritten', value: 'old'},
];

const peer = await installPeer();
const {folder, remove} = createInteropFolder();
try {
	const wrangler = async (...words: string[]) => {
		const all = [peer.program, 'kv', ...words, '--local', '--persist-to', 'state'];
		const result = await run(process.execPath, all, {cwd: folder, env: peer.env});
		if (result.code !== 0) throw new Error(`${words.join(' ')}: ${result.err}`);
	};
	writeFileSync(join(folder, 'entries.json'), JSON.stringify(entries));
	for (const id of ['nsid1', 'имя é', '../../evil']) {
		const namespaceOptions = ['--namespace-id', id];
		if (id === 'nsid1') {
			await wrangler('bulk', 'put', 'entries.json', ...namespaceOptions);
			await wrangler('key', 'put', 'overwritten', 'new', ...namespaceOptions);
			await wrangler('key', 'delete', 'deleted', ...namespaceOptions);
		} else await wrangler('key', 'put', 'k', `value in ${id}`, ...namespaceOptions);
	}
	rmSync(target, {recursive: true, force: true});
	// The shared memory is left out: whoever opens a database first makes it anew from the log.
	const filter = (file: string) => !file.endsWith('-shm');
	cpSync(join(folder, 'state', 'v3', 'kv'), join(target, 'v3', 'kv'), {recursive: true, filter});
} finally {
	remove();
}
