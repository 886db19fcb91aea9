import {execFileSync} from 'node:child_process';
import {readdirSync, statSync} from 'node:fs';
import {join, resolve} from 'node:path';
import type {Row} from './row.ts';

const checkout = resolve(import.meta.dirname, '../..');

/** What an installed ledge takes: packed, installed into an empty folder, counted file by file. */
export async function sizeRow(folder: string): Promise<Row[]> {
	const npm = (words: string[], cwd: string) =>
		execFileSync('npm', words, {cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore']});
	const packed =
		npm(['pack', '--silent', '--pack-destination', folder], checkout).trim().split('\n').at(-1) ?? '';
	npm(
		['install', '--silent', '--no-save', '--prefix', join(folder, 'installed'), join(folder, packed)],
		folder,
	);
	const bytes = sizeOf(join(folder, 'installed', 'node_modules'));
	return [
		{
			what: 'installed size, packed and installed into an empty folder',
			measured: `${(bytes / 1e6).toFixed(1)} MB`,
			budget: '≤ 25 MB',
			within: bytes <= 25e6,
		},
	];
}

function sizeOf(path: string): number {
	const stats = statSync(path);
	return stats.isDirectory()
		? readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
		: stats.size;
}
