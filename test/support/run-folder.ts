import {execFileSync} from 'node:child_process';
import {chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

/** Linux keeps the files of this folder in memory. */
const memoryFolder = '/dev/shm';
const neededBytes = 4 * 2 ** 30;

/**
 * One folder for the temporary files of a whole run, removed with everything in it. Most tests write files, and wait
 * for the disk where these are not in memory.
 */
export function setup(): () => void {
	const folder = createMemoryFolder() ?? mkdtempSync(join(tmpdir(), 'ledge-'));
	// Some tests act as a user who may write nothing, and still have to reach their files.
	chmodSync(folder, 0o755);
	process.env.TMPDIR = folder;
	return () => rmSync(folder, {recursive: true, force: true});
}

/**
 * Creates a folder in memory; undefined if there is too little memory or programs there cannot be executed.
 */
function createMemoryFolder(): string | undefined {
	let folder: string | undefined;
	try {
		const {bavail, bsize} = statfsSync(memoryFolder);
		if (bavail * bsize < neededBytes) return undefined;
		folder = mkdtempSync(join(memoryFolder, 'ledge-'));
		const script = join(folder, 'script');
		writeFileSync(script, '#!/bin/sh\n', {mode: 0o700});
		execFileSync(script);
		return folder;
	} catch {
		if (folder !== undefined) rmSync(folder, {recursive: true});
		return undefined;
	}
}
