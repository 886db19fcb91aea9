import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {build} from 'esbuild';
import {describe, expect, test} from 'vitest';
import {findForeignImports, findInnerImports, type Module} from './modules.ts';
import {readSource, readTree} from './tree.ts';

const root = resolve(import.meta.dirname, '../..');
const tree = readTree(root, ['source']);
const testTree = readTree(root, ['test', 'esbuild.config.ts']);

const expressions: Module = {
	folder: 'source/firewall/expression/',
	entries: ['source/firewall/expression/expressions.ts'],
	tests: 'test/firewall/expression/',
	uses: [],
};

const simulator: Module = {
	folder: 'source/simulator/',
	// The language of queries is a bundle of its own, loaded with the first query.
	entries: ['source/simulator/simulator.ts', 'source/simulator/analytics/graphql-language.ts'],
	tests: 'test/simulator/',
	uses: expressions.entries,
};

describe.each([expressions, simulator])('the module $folder', module => {
	test('imports only its own folder and source/text', () => {
		expect(findForeignImports(tree, module)).toEqual([]);
	});

	test('is imported only through its entry', () => {
		const all = [...tree.values(), ...testTree.values()];
		expect(findInnerImports(all, module)).toEqual([]);
	});

	test('has a readme sample that prints the output shown there', async () => {
		const readme = readFileSync(join(root, module.folder, 'readme.md'), 'utf8');
		const [, sample = '', printed] = /```ts\n(.*?)```\n\n```text\n(.*?)```/s.exec(readme) ?? [];
		expect(await run(sample, join(root, module.folder))).toBe(printed);
	});
});

test('planted imports are reported', () => {
	const planted = (path: string, to: string) =>
		[path, readSource(path, `import type {A} from '${to}';`)] as const;
	const inner = planted('source/firewall/expression/planted.ts', '../limits.ts');
	const below = planted('source/text/fuzzy.ts', '../failure.ts');
	expect(findForeignImports(new Map([...tree, inner, below]), expressions)).toEqual([
		'source/firewall/expression/planted.ts -> source/firewall/limits.ts',
		'source/text/fuzzy.ts -> source/failure.ts',
	]);
	const [, outer] = planted('source/kv/planted.ts', '../firewall/expression/analyse.ts');
	expect(findInnerImports([outer], expressions)).toEqual(['source/kv/planted.ts']);
});

/** Runs a sample as if it were a file of `folder`, and returns what it prints. */
async function run(sample: string, folder: string): Promise<string> {
	const sampleFolder = mkdtempSync(join(tmpdir(), 'sample-'));
	try {
		const outfile = join(sampleFolder, 'sample.mjs');
		const stdin = {contents: sample, resolveDir: folder, loader: 'ts'} as const;
		await build({stdin, outfile, bundle: true, format: 'esm', platform: 'node'});
		return execFileSync(process.execPath, [outfile], {encoding: 'utf8'});
	} finally {
		rmSync(sampleFolder, {recursive: true});
	}
}
