import {existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {run} from './process.ts';
import {createInteropEnvironment} from './programs.ts';

const version = '4.164.0';

export type Peer = {
	/** The script to run with Node. */
	readonly program: string;
	readonly version: string;
	/** An environment without credentials, in which it sends no metrics. */
	readonly env: Readonly<Record<string, string>>;
};

/**
 * wrangler itself, installed outside the repository unless it is there already (228 MB): under
 * `LEDGE_SCRATCH`, or in the temporary folder.
 */
export async function installPeer(): Promise<Peer> {
	const folder = findScratchFolder(`wrangler-${version}`);
	const home = join(folder, 'home');
	const peer = {
		program: join(folder, 'node_modules', 'wrangler', 'bin', 'wrangler.js'),
		version,
		env: createInteropEnvironment(home),
	};
	mkdirSync(home, {recursive: true});
	if (existsSync(peer.program)) return peer;
	process.stdout.write(`installing wrangler ${version} into ${folder}\n`);
	writeFileSync(join(folder, 'package.json'), '{"name": "peer", "private": true}\n');
	const words = ['install', '--no-audit', '--no-fund', `wrangler@${version}`];
	const result = await run('npm', words, {cwd: folder, env: process.env});
	if (result.code !== 0) throw new Error(`wrangler could not be installed:\n${result.err}`);
	return peer;
}

/** Returns a folder that stays between runs. */
export const findScratchFolder = (name: string): string =>
	join(process.env.LEDGE_SCRATCH || join(tmpdir(), 'ledge-scratch'), name);

/** Creates a folder for one run; `remove` deletes it. */
export function createInteropFolder(): {folder: string; remove: () => void} {
	const folder = mkdtempSync(join(tmpdir(), 'ledge-interop-'));
	return {folder, remove: () => rmSync(folder, {recursive: true, force: true})};
}
