import {readFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {describe, expect, test} from 'vitest';
import {findLayer, layers} from './layers.ts';
import {
	duplicateExports,
	findDependentComponents,
	findFileCycles,
	findFolderCycles,
	findMisplacedDrawing,
	findNamesRepeatingFolder,
	largeFolders,
	longFiles,
	participleNames,
	simulatorImports,
	unusedExports,
	upwardImports,
} from './rules.ts';
import {allowedTextReaders, findSearchedSentences} from './sentences.ts';
import {folderOf, readSource, readTree, type Tree} from './tree.ts';

const root = resolve(import.meta.dirname, '../..');
const tree = readTree(root, ['source']);
const testTree = readTree(root, ['test', 'esbuild.config.ts']);

describe('the source code', () => {
	test('imports values only from lower layers', () => {
		expect(upwardImports(tree)).toEqual([]);
	});

	test('has no circular imports between folders', () => {
		expect(findFolderCycles(tree)).toEqual([]);
	});

	test('has no circular imports between files, including types', () => {
		expect(findFileCycles(tree)).toEqual([]);
	});

	test('uses Ink only in components and in the views of screens', () => {
		expect(findMisplacedDrawing(tree)).toEqual([]);
	});

	test('starts the simulator only from the allowed places', () => {
		expect(simulatorImports(tree)).toEqual([]);
	});

	test('has components that do not depend on ledge', () => {
		expect(findDependentComponents(tree)).toEqual([]);
	});

	test('exports only symbols that another file uses', () => {
		expect(
			unusedExports(tree, testTree),
			'Use it, or leave out `export`. Actions go into the definition of their screen.',
		).toEqual([]);
	});

	test('exports no name from two files, and names no function by a participle', () => {
		expect(duplicateExports(tree)).toEqual([]);
		expect(participleNames(tree)).toEqual([]);
	});

	test('has folders and files of readable size', () => {
		expect(largeFolders(tree, 40)).toEqual([]);
		expect(longFiles(tree, 400)).toEqual([]);
	});

	test('does not repeat the folder name in file names', () => {
		expect(findNamesRepeatingFolder(tree)).toEqual([]);
	});

	test('makes decisions from data, never from the wording of messages', () => {
		const found = [...tree.keys()].flatMap(path =>
			findSearchedSentences(path, readFileSync(join(root, path), 'utf8')).map(code => [path, code] as const),
		);
		expect(found.filter(([path]) => !(path in allowedTextReaders))).toEqual([]);
		const listed = new Set(found.map(([path]) => path));
		expect(Object.keys(allowedTextReaders).filter(path => !listed.has(path))).toEqual([]);
	});

	test('has one layer for each folder', () => {
		const folders = new Set([...tree.keys()].map(folderOf));
		expect(
			[...folders].filter(folder => findLayer(folder) === -1),
			'Add the folder to test/architecture/layers.ts, after the folders that it imports.',
		).toEqual([]);
		expect(layers.filter(layer => layer !== 'entry' && !folders.has(layer))).toEqual([]);
	});
});

/** The source with these files added or replaced. */
function addPlanted(texts: Readonly<Record<string, string>>): Tree {
	return new Map([
		...tree,
		...Object.entries(texts).map(([path, text]) => [path, readSource(path, text)] as const),
	]);
}

/** What a rule reports once these files are added, and does not report of the actual source. */
const findNewViolations = (
	rule: (tree: Tree) => readonly string[],
	texts: Readonly<Record<string, string>>,
): string[] => {
	const before = new Set(rule(tree));
	return rule(addPlanted(texts)).filter(line => !before.has(line));
};

describe('a planted violation is found:', () => {
	test('an import from a higher layer', () => {
		const text = `import {run} from '../commands/run.ts';\nexport const one = run;\n`;
		expect(findNewViolations(upwardImports, {'source/kv/planted.ts': text})).toEqual(['kv -> commands']);
		const types = `import type {Output} from '../commands/run.ts';\nexport type One = Output;\n`;
		expect(findNewViolations(upwardImports, {'source/kv/planted.ts': types})).toEqual([]);
	});

	test('two files that import types from each other', () => {
		const texts = {
			'source/kv/one.ts': `import type {Two} from './two.ts';\nexport type One = Two[];\n`,
			'source/kv/two.ts': `import type {One} from './one.ts';\nexport type Two = {one?: One};\n`,
		};
		expect(findNewViolations(findFileCycles, texts)).toEqual(['source/kv/one.ts source/kv/two.ts']);
	});

	test('two folders that import each other', () => {
		const [one, other] = ['source/kv/local/planted.ts', 'source/kv/planted.ts'];
		const texts = {
			[one]: `export {other} from '../planted.ts';\n`,
			[other]: `export {one as other} from './local/planted.ts';\n`,
		};
		expect(findNewViolations(findFolderCycles, texts)).toEqual(['kv kv/local']);
	});

	test('Ink below the screens, and React in the state of a screen', () => {
		const text = `import {Box} from 'ink';\nexport const one = Box;\n`;
		expect(findNewViolations(findMisplacedDrawing, {'source/firewall/planted.ts': text})).toEqual([
			'source/firewall/planted.ts imports ink',
		]);
		const state = `import {useState} from 'react';\nexport const one = useState;\n`;
		expect(findNewViolations(findMisplacedDrawing, {'source/screens/keys/planted.ts': state})).toHaveLength(
			1,
		);
		expect(findNewViolations(findMisplacedDrawing, {'source/screens/keys/planted.tsx': state})).toEqual([]);
	});

	test('the simulator in a command that talks to the service', () => {
		const text = `const {listen} = await import('../../simulator/listen.ts');\nexport const one = listen;\n`;
		expect(findNewViolations(simulatorImports, {'source/commands/kv/planted.ts': text})).toEqual([
			'source/commands/kv/planted.ts',
		]);
	});

	test('an unused export', () => {
		const text = `export const used = 1;\nexport const unused = used;\n`;
		const user = `import {used} from './planted.ts';\nconst one = used;\nexport default one;\n`;
		const texts = {'source/text/planted.ts': text, 'source/text/user.ts': user};
		expect(findNewViolations(plantedTree => unusedExports(plantedTree, testTree), texts)).toEqual([
			'source/text/planted.ts: unused',
			'source/text/user.ts: default',
		]);
	});

	test('a name that two files export, and functions named by a participle', () => {
		const [one, other] = ['source/text/planted.ts', 'source/kv/planted.ts'];
		const texts = {
			[one]: 'export type Planted = 1;\n',
			[other]: `export type Planted = 2;\nexport {cutEnd} from '../text/cut.ts';\n`,
			'source/screens/keys/view.tsx': 'export type Planted = 3;\n',
		};
		expect(findNewViolations(duplicateExports, texts)).toEqual([
			`Planted: ${[other, one].sort().reverse().join(' ')}`,
		]);
		const functions = 'function sought() {}\nexport const outer = () => {\n\tconst stored = () => 1;\n};\n';
		const verbs = 'const need = () => 1;\nfunction readStored() {}\n';
		expect(findNewViolations(participleNames, {[one]: functions + verbs})).toEqual([
			`${one}: sought`,
			`${one}: stored`,
		]);
	});

	test('a component that depends on the firewall', () => {
		const text = `import type {Filter} from '../firewall/rules/filter.ts';\nexport type One = Filter;\n`;
		expect(findNewViolations(findDependentComponents, {'source/components/planted.ts': text})).toHaveLength(
			1,
		);
	});

	test('a long file, a crowded folder, and a name that repeats its folder', () => {
		const lines = '// line\n'.repeat(401);
		expect(
			findNewViolations(plantedTree => longFiles(plantedTree, 400), {'source/text/planted.ts': lines}),
		).toHaveLength(1);
		const crowd = Object.fromEntries(Array.from({length: 41}, (_, at) => [`source/new/one${at}.ts`, '']));
		expect(findNewViolations(plantedTree => largeFolders(plantedTree, 40), crowd)).toEqual([
			'source/new: 41',
		]);
		expect(findNewViolations(findNamesRepeatingFolder, {'source/text/text-planted.ts': ''})).toHaveLength(1);
	});

	test('a decision based on the wording of a message', () => {
		const findSentences = (code: string) =>
			findSearchedSentences('source/kv/planted.ts', `export const one = ${code};`);
		for (const code of [
			"label.includes('custom rule')",
			"why.startsWith('It is at')",
			'label.endsWith(` of the zone`)',
			'/^Nothing was sent/.test(left)',
			"title.split(' into the ')",
			"next === 'Try again in a moment.'",
		])
			expect(findSentences(code)).toEqual([`1: ${code}`]);
		for (const code of ["kind === 'custom rule'", "path.startsWith('/zones')", "words.split(' ')"])
			expect(findSentences(code)).toEqual([]);
	});

	test('a folder without a layer', () => {
		const text = `import {cutEnd} from '../text/cut.ts';\nexport const one = cutEnd;\n`;
		expect(findNewViolations(upwardImports, {'source/helpers/planted.ts': text})).toEqual([
			'helpers is not a layer',
		]);
	});
});
