import {execFileSync} from 'node:child_process';
import {cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';

/** An example of a page: its title, the sample, and what it prints. */
type Example = {readonly title: string; readonly sample: string; readonly output: string};

const root = join(import.meta.dirname, '../../..');
const folder = 'source/firewall/expression';

/** Reads the examples of a page: the sections with a sample, and its output below. */
const readExamples = (page: string): readonly Example[] =>
	readFileSync(join(root, folder, page), 'utf8')
		.split(/^#+ /m)
		.flatMap(section => {
			const [, sample, output] = /^```ts\n([\s\S]*?)^```\n\n```text\n([\s\S]*?)^```$/m.exec(section) ?? [];
			const [title = ''] = section.split('\n');
			return sample === undefined || output === undefined ? [] : [{title, sample, output}];
		});

const examples = [...readExamples('readme.md'), ...readExamples('examples.md')];

/** A folder with the module and `source/text`, and nothing else of ledge. */
let copy = '';
/** What each example prints, in order. */
let outputs: readonly string[] = [];

const node = (...words: string[]): string =>
	execFileSync(process.execPath, words, {cwd: copy, encoding: 'utf8'});

beforeAll(() => {
	mkdirSync(join(root, 'build'), {recursive: true});
	copy = mkdtempSync(join(root, 'build/expression-'));
	for (const path of [folder, 'source/text']) cpSync(join(root, path), join(copy, path), {recursive: true});
	const files = examples.map((_, index) => `./example-${index + 1}.ts`);
	for (const [index, {sample}] of examples.entries())
		writeFileSync(join(copy, folder, files[index] ?? ''), sample);
	// One process for all, since each would load the module again.
	const separator = '=== next example ===';
	const main = files.map(file => `await import('${file}');\nconsole.log('${separator}');\n`).join('');
	writeFileSync(join(copy, folder, 'examples.ts'), main);
	outputs = node('--experimental-strip-types', join(folder, 'examples.ts')).split(`${separator}\n`);
}, 120_000);

afterAll(() => rmSync(copy, {recursive: true}));

test('the pages have the example of the readme and twenty more', () => {
	expect(examples.map(({title}) => title)).toHaveLength(21);
	expect(new Set(examples.map(({title}) => title)).size).toBe(21);
});

describe('an example, run with the module alone', () => {
	test.for(
		examples.map(({title, output}, index) => [title, output, index] as const),
	)('%s: prints the output shown there', ([, output, index]) => {
		expect(outputs[index]).toBe(output);
	});
});

test('the module alone, with its examples, has no type errors', () => {
	writeFileSync(
		join(copy, 'tsconfig.json'),
		JSON.stringify({extends: '../../tsconfig.json', include: [folder]}),
	);
	expect(node(join(root, 'node_modules/typescript/bin/tsc'), '-p', '.', '--pretty', 'false')).toBe('');
}, 120_000);
