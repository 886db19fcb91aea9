import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {gunzipSync} from 'node:zlib';
import {createScratchFolder} from './ledge.ts';

const fixtures = join(import.meta.dirname, '../fixtures/before');

/**
 * What the version before the redesign left behind, in a folder of its own: five interrupted jobs, drafts, a
 * migration in progress and the simulated world of all of them (`state`), and the files that the jobs read
 * and write (`project`).
 */
export function unpackEarlierState(): {
	readonly work: string;
	readonly state: string;
	readonly env: {LEDGE_STATE_DIR: string};
} {
	const folder = createScratchFolder();
	for (const entry of readdirSync(fixtures, {recursive: true, withFileTypes: true})) {
		if (!entry.isFile()) continue;
		const from = join(entry.parentPath, entry.name);
		const isPacked = entry.name.endsWith('.gz');
		const bytes = isPacked ? gunzipSync(readFileSync(from)) : readFileSync(from);
		const to = join(folder, from.slice(fixtures.length).replace(/\.gz$/, ''));
		mkdirSync(dirname(to), {recursive: true, mode: 0o700});
		writeFileSync(to, fillPlaceholders(bytes, folder), {mode: 0o600});
	}
	const state = join(folder, 'state');
	return {work: join(folder, 'project'), state, env: {LEDGE_STATE_DIR: state}};
}

/** An hour after that version ended: milliseconds since the epoch. */
export const anHourAfterwards = Date.parse('2026-11-22T16:00:00Z');

/** Fills in the folder of the test, and the time of drafts, two hours ago; binary files stay as they are. */
function fillPlaceholders(bytes: Buffer, folder: string): Buffer {
	const text = bytes.toString();
	return Buffer.from(text).equals(bytes) && !text.includes('\0')
		? Buffer.from(text.replaceAll('<folder>', folder).replace('<saved>', String(Date.now() - 7_200_000)))
		: bytes;
}
