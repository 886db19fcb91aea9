import {existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {Readable} from 'node:stream';
import {gzipSync} from 'node:zlib';
import {expect, test} from 'vitest';
import {startRehearsalService} from '../../source/commands/shell/rehearsal-service.ts';
import {createSession} from '../../source/session/session.ts';
import {openNamedStore} from '../../source/session/stores.ts';

test('a compressed file that is not an export leaves no copy behind', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'ledge-'));
	try {
		const path = join(folder, 'keys.ndjson.gz');
		writeFileSync(path, gzipSync('{"key":"a"}\n'));
		const session = createSession(
			{},
			{
				cwd: () => folder,
				env: {LEDGE_STATE_DIR: join(folder, 'state')},
				events: {record() {}, waiting() {}, warn() {}},
				startSimulated: () => Promise.reject(new TypeError('It is not needed.')),
				startRehearsal: startRehearsalService,
			},
		);
		const use = {side: 'from', stdin: Readable.from([])} as const;
		const {signal} = new AbortController();
		await expect(openNamedStore(session, {kind: 'file', path}, use, signal)).rejects.toMatchObject({
			code: 'input_malformed',
		});
		const copies = join(folder, 'state', 'inputs');
		expect(existsSync(copies) ? readdirSync(copies) : []).toEqual([]);
	} finally {
		rmSync(folder, {recursive: true});
	}
});

test('~ in the folder of a local store is the home folder', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'ledge-'));
	try {
		const session = createSession(
			{},
			{
				cwd: () => folder,
				env: {LEDGE_STATE_DIR: join(folder, 'state'), HOME: join(folder, 'home')},
				events: {record() {}, waiting() {}, warn() {}},
				startSimulated: () => Promise.reject(new TypeError('It is not needed.')),
				startRehearsal: startRehearsalService,
			},
		);
		const use = {side: 'to', write: true, stdin: Readable.from([])} as const;
		const {signal} = new AbortController();
		const name = {kind: 'local', name: 'CONFIG', folder: '~/shop'} as const;
		const {store} = await openNamedStore(session, name, use, signal);
		await store.put('k', Buffer.from('v'), {}, signal);
		store[Symbol.dispose]();
		expect(existsSync(join(folder, 'home', 'shop', 'v3'))).toBe(true);
		expect(existsSync(join(folder, '~'))).toBe(false);
	} finally {
		rmSync(folder, {recursive: true});
	}
});
