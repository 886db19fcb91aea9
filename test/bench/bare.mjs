// What "empty" means in the budgets: a Node script without any library that does the same to the same files.
import {createHash, createHmac, randomBytes} from 'node:crypto';
import {closeSync, mkdirSync, openSync, readFileSync, unlinkSync, writeSync} from 'node:fs';
import {DatabaseSync} from 'node:sqlite';

const [job, root, id, key, value] = process.argv.slice(2);
const secret = createHash('sha256').update('miniflare-KVNamespaceObject').digest();
const first = createHmac('sha256', secret).update(id).digest().subarray(0, 16);
const second = createHmac('sha256', secret).update(first).digest().subarray(0, 16);
const blobs = `${root}/v3/kv/${id}/blobs`;

if (job === 'files') {
	mkdirSync(blobs, {recursive: true});
	for (let index = 0; index < Number(key); index++) {
		const file = openSync(`${blobs}/${randomBytes(40).toString('hex')}`, 'wx');
		writeSync(file, `value-${index}`);
		closeSync(file);
	}
} else {
	const folder = `${root}/v3/kv/miniflare-KVNamespaceObject`;
	const database = new DatabaseSync(`${folder}/${Buffer.concat([first, second]).toString('hex')}.sqlite`);
	database.exec('PRAGMA busy_timeout = 5000');
	const find = database.prepare('SELECT blob_id FROM _mf_entries WHERE key = ?');
	if (job === 'get') {
		process.stdout.write(readFileSync(`${blobs}/${find.get(key).blob_id}`));
	} else if (job === 'list') {
		const entries = database.prepare('SELECT key AS name FROM _mf_entries ORDER BY key').all();
		process.stdout.write(`${JSON.stringify(entries, null, 2)}\n`);
	} else if (job === 'export') {
		for (const {key: name, blob_id: blob} of database
			.prepare('SELECT key, blob_id FROM _mf_entries ORDER BY key')
			.all())
			process.stdout.write(
				`${JSON.stringify({key: name, value: readFileSync(`${blobs}/${blob}`, 'utf8')})}\n`,
			);
	} else if (job === 'put') {
		const blob = randomBytes(40).toString('hex');
		const file = openSync(`${blobs}/${blob}`, 'wx');
		writeSync(file, value);
		closeSync(file);
		const old = find.get(key);
		database.exec('BEGIN IMMEDIATE');
		database.prepare('INSERT OR REPLACE INTO _mf_entries VALUES (?, ?, NULL, NULL)').run(key, blob);
		database.exec('COMMIT');
		if (old) unlinkSync(`${blobs}/${old.blob_id}`);
	} else if (job === 'delete') {
		const old = find.get(key);
		if (old) {
			database.prepare('DELETE FROM _mf_entries WHERE key = ?').run(key);
			unlinkSync(`${blobs}/${old.blob_id}`);
		}
	}
	database.close();
}
