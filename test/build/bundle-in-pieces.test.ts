import {mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {bundleInPieces, type PieceLayout} from '../../source/build/bundle-in-pieces.ts';

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'ledge-pieces-'));
	mkdirSync(join(folder, 'source'));
	mkdirSync(join(folder, 'dist'));
	symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
});
afterEach(() => rmSync(folder, {recursive: true}));

const layout: PieceLayout = {
	first: {file: 'first.cjs', entry: 'source/entry.ts', functions: ['main'], alsoNeeded: []},
	chooseFile: (source, isAtStart) =>
		isAtStart && !/late/.test(source) ? 'first.cjs' : /late/.test(source) ? 'late.cjs' : 'shared.cjs',
	shared: 'shared.cjs',
};

/** Bundles these files, the first of which is `entry.ts`, and returns what its `main` returns. */
async function run(files: Readonly<Record<string, string>>): Promise<unknown> {
	for (const [name, text] of Object.entries(files))
		writeFileSync(join(folder, 'source', name), text.replaceAll(/^\t+/gm, ''));
	await bundleInPieces(
		{
			bundle: true,
			platform: 'node',
			logLevel: 'silent',
			absWorkingDir: folder,
			outdir: join(folder, 'dist'),
		},
		layout,
	);
	const require = createRequire(join(folder, 'dist', 'first.cjs'));
	return (require('./first.cjs') as {main(...given: number[]): unknown}).main(20, 22);
}

const readBundle = (name: string): string => readFileSync(join(folder, 'dist', name), 'latin1');

test('a dynamic import is bundled separately and shares common files', async () => {
	const found = await run({
		'entry.ts': `import {count, counted} from './state.ts';
			export const main = async (one: number, other: number) => {
				count();
				const {late} = await import('./late.ts');
				return [late(one, other), counted()];
			};`,
		'late.ts': `import {basename} from 'node:path';
			import fs from 'node:fs';
			import {count} from './state.ts';
			export function late(one: number, other: number) { count(); return basename('/a/late ') + (one + other) + typeof fs.readFileSync; }`,
		'state.ts': `const state = {times: 0}; export const count = () => void state.times++; export const counted = () => state.times;`,
	});
	expect(found).toEqual(['late 42function', 2]);
	expect(readBundle('late.cjs')).toContain('late ');
	expect(readBundle('first.cjs')).not.toContain('late ');
});

test('a file is evaluated on first use, immediately and once', async () => {
	const found = await run({
		'entry.ts': `import {answer, times, sum, all, Counter} from './called.ts';
			export class Twice extends Counter { count() { return super.count() * 2; } }
			export function main(one: number, other: number) {
				const before = globalThis.readTimes;
				return [before, sum(one, other), [...all(), ...all()], times(), new Twice().count(), answer, globalThis.readTimes];
			}
			declare global { var readTimes: number | undefined }`,
		'called.ts': `globalThis.readTimes = (globalThis.readTimes ?? 0) + 1;
			let calls = 0;
			export const answer = 42;
			export type Sum = number;
			export function sum(one: number, other: number): Sum { calls++; return one + other; }
			export function* all() { calls++; yield 1; }
			export class Counter { count() { return calls; } }
			export const times = (): number => calls;`,
	});
	expect(found).toEqual([1, 42, [1, 1], 3, 6, 42, 1]);
});

test('a file used only inside calls is evaluated at the first use', async () => {
	const found = await run({
		'entry.ts': `import {many} from './many.ts';
			import {pair} from './pair.ts';
			export const main = (one: number, other: number) => [globalThis.wasRead, ...pair(one, other), ...many, globalThis.wasRead];`,
		'many.ts': `globalThis.wasRead = 7; export const many = [...[1, 2]];`,
		'pair.ts': `import {many} from './many.ts'; export const pair = (one: number, other: number) => [...many, \`import_many.\${one}\`, other];`,
	});
	expect(found).toEqual([undefined, 1, 2, 'import_many.20', 22, 1, 2, 7]);
});

test('local variables of any name do not hide imports', async () => {
	const found = await run({
		'entry.ts': `import {sum} from './called.ts';
			import {product} from './late.ts';
			export function main(one: number, other: number) {
				const [piece, require, module, exports, pieces, loaded] = [one, other, 1, 2, 3, 4];
				return [sum(piece, require), product(piece, require), module + exports + pieces + loaded];
			}`,
		'called.ts': `export const sum = (one: number, other: number) => one + other;`,
		'late.ts': `export const product = (one: number, other: number) => one * other;`,
	});
	expect(found).toEqual([42, 440, 10]);
});

test('files that import each other form one piece', async () => {
	const found = await run({
		'entry.ts': `import {isEven} from './even.ts'; export const main = (one: number) => isEven(one);`,
		'even.ts': `import {isOdd} from './odd.ts'; export const isEven = (n: number): boolean => n === 0 || isOdd(n - 1);`,
		'odd.ts': `import {isEven} from './even.ts'; export const isOdd = (n: number): boolean => n !== 0 && isEven(n - 1);`,
	});
	expect(found).toBe(true);
});

test('the build fails on a reassigned export, as other pieces would not see it', async () => {
	const files = {
		'entry.ts': `import {state} from './state.ts'; export const main = async () => [(await import('./late.ts')).change(), state];`,
		'late.ts': `import {change} from './state.ts'; export {change};`,
		'state.ts': `export let state = 1; export const change = () => { state = 2; };`,
	};
	await expect(run(files)).rejects.toThrow('state is assigned again');
});
