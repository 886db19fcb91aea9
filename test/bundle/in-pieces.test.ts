import {mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {inPieces, type Sharing} from '../../source/bundle/in-pieces.ts';
import {lateModules} from '../../source/bundle/late-modules.ts';

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'ledge-pieces-'));
	mkdirSync(join(folder, 'source'));
	mkdirSync(join(folder, 'dist'));
	symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
});
afterEach(() => rmSync(folder, {recursive: true}));

const sharing: Sharing = {
	first: {file: 'first.cjs', entry: 'source/entry.ts', with: []},
	fileFor: source => (/late/.test(source) ? 'late.cjs' : 'shared.cjs'),
	shared: 'shared.cjs',
};

/** Bundles these files, the first of which is `entry.ts`, and returns what its `main` returns. */
async function run(files: Readonly<Record<string, string>>): Promise<unknown> {
	for (const [name, text] of Object.entries(files))
		writeFileSync(join(folder, 'source', name), text.replaceAll(/^\t+/gm, ''));
	await inPieces(
		{
			bundle: true,
			platform: 'node',
			logLevel: 'silent',
			absWorkingDir: folder,
			outdir: join(folder, 'dist'),
			plugins: [lateModules((file, importer) => /called/.test(file) && /entry|late/.test(importer))],
		},
		sharing,
	);
	const require = createRequire(join(folder, 'dist', 'first.cjs'));
	return (require('./first.cjs') as {main(...given: number[]): unknown}).main(20, 22);
}

const text = (name: string): string => readFileSync(join(folder, 'dist', name), 'latin1');

test('what is imported late is in another file, and shares what both import', async () => {
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
	expect(text('late.cjs')).toContain('late ');
	expect(text('first.cjs')).not.toContain('late ');
});

test('a file of functions alone is read when the first of them is called, at once and once', async () => {
	const found = await run({
		'entry.ts': `import {times, sum, all} from './called.ts';
			export function main(one: number, other: number) {
				const before = globalThis.readTimes;
				return [before, sum(one, other), [...all()], times(), globalThis.readTimes];
			}
			declare global { var readTimes: number | undefined }
			globalThis.readTimes = 0;`,
		'called.ts': `globalThis.readTimes = (globalThis.readTimes ?? 0) + 1;
			let calls = 0;
			export type Sum = number;
			export function sum(one: number, other: number): Sum { calls++; return one + other; }
			export function* all() { calls++; yield 1; }
			export const times = (): number => calls;`,
	});
	expect(found).toEqual([0, 42, [1], 2, 1]);
});

test('a file with anything but functions is read at once', async () => {
	const found = await run({
		'entry.ts': `import {answer, sum} from './called.ts'; export const main = () => [globalThis.wasRead, answer, sum(1, 2)];`,
		'called.ts': `globalThis.wasRead = true; export const answer = 42; export const sum = (one: number, other: number) => one + other;`,
	});
	expect(found).toEqual([true, 42, 3]);
});

test('an export that is assigned again would not be seen by other pieces: the build fails', async () => {
	const files = {
		'entry.ts': `import {state} from './state.ts'; export const main = async () => [(await import('./late.ts')).change(), state];`,
		'late.ts': `import {change} from './state.ts'; export {change};`,
		'state.ts': `export let state = 1; export const change = () => { state = 2; };`,
	};
	await expect(run(files)).rejects.toThrow('state is assigned again');
});
