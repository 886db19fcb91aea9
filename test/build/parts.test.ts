import {execFileSync} from 'node:child_process';
import {
	chmodSync,
	copyFileSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {createUnconfiguredEnvironment, program} from '../support/program.ts';
import {Screen} from '../terminal/screen/screen.ts';

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'ledge-parts-'));
	mkdirSync(join(folder, 'cache'));
	mkdirSync(join(folder, 'shared'));
});
afterEach(() => rmSync(folder, {recursive: true}));

/** The files that Node keeps below a folder. */
const listFiles = (name: string): string[] =>
	readdirSync(join(folder, name), {recursive: true, withFileTypes: true})
		.filter(entry => entry.isFile())
		.map(entry => join(entry.parentPath, entry.name))
		.sort();

describe('bundles', () => {
	beforeEach(() => {
		copyFileSync(resolve(import.meta.dirname, '../../source/parts.cjs'), join(folder, 'parts.cjs'));
		writeFileSync(
			join(folder, 'start.cjs'),
			`require('node:module').enableCompileCache(${JSON.stringify(join(folder, 'cache'))});
			const parts = require('./parts.cjs');
			parts.load('bundle.cjs').main(parts);`,
		);
	});

	/** Writes a bundle that names a build in its first line. */
	const writeBundle = (build: string, main: string, name = 'bundle.cjs') =>
		writeFileSync(
			join(folder, name),
			`// ${build}\nmodule.exports=(function(require,module,exports){'use strict';module.exports={main(parts){${main}}};\n})`,
		);

	const start = (): string => execFileSync(process.execPath, [join(folder, 'start.cjs')], {encoding: 'utf8'});

	test('run with the code that Node cached at the first start', () => {
		writeBundle('a', `process.stdout.write('ran')`);
		expect(start()).toBe('ran');
		const inodes = listFiles('cache').map(file => statSync(file).ino);
		expect(inodes).not.toEqual([]);
		expect(start()).toBe('ran');
		expect(listFiles('cache').map(file => statSync(file).ino)).toEqual(inodes);
	});

	test('of the same length do not share cached code', () => {
		writeBundle('a', `process.stdout.write('one')`);
		expect(start()).toBe('one');
		writeBundle('b', `process.stdout.write('two')`);
		expect(start()).toBe('two');
		expect(start()).toBe('two');
	});

	test('run from source if the cached code is damaged', () => {
		writeBundle('a', `process.stdout.write('ran')`);
		start();
		for (const file of listFiles('cache')) {
			const bytes = readFileSync(file);
			writeFileSync(file, bytes.fill(0x55, bytes.length >> 1, (bytes.length >> 1) + 8));
		}
		expect(start()).toBe('ran');
	});

	test('are loaded once', () => {
		writeBundle('a', `require('./other.cjs').main();require('./other.cjs').main()`);
		writeBundle('a', `process.stdout.write(String(this.times=(this.times??0)+1))`, 'other.cjs');
		expect(start()).toBe('12');
	});

	test('from another build are not loaded', () => {
		writeBundle('a', `try{require('./other.cjs').main()}catch(error){process.stdout.write(error.name)}`);
		writeBundle('b', `process.stdout.write('other')`, 'other.cjs');
		expect(start()).toBe('ReplacedError');
	});

	test('that are held open are loaded even after another build replaced them', () => {
		writeBundle('a', `process.stdout.write('own')`, 'other.cjs');
		writeBundle(
			'a',
			`parts.hold();
			const fs=require('node:fs');
			fs.rmSync(${JSON.stringify(join(folder, 'other.cjs'))});
			fs.writeFileSync(${JSON.stringify(join(folder, 'other.cjs'))},"// b\\nthrow new Error('another')");
			require('./other.cjs').main();`,
		);
		expect(start()).toBe('own');
	});
});

describe('the compile cache', () => {
	/** An environment in which only `more` names a folder for the cache; by default, Node uses `shared`. */
	const environment = (more: Readonly<Record<string, string>>): Record<string, string> => {
		const {XDG_CACHE_HOME: _, ...rest} = createUnconfiguredEnvironment(folder, {
			TMPDIR: join(folder, 'shared'),
		});
		return {...rest, ...more};
	};

	const run = (more: Readonly<Record<string, string>>) =>
		execFileSync(process.execPath, [program, 'kv', 'key', '--help'], {
			encoding: 'utf8',
			cwd: folder,
			env: environment(more),
		});

	test("is in the user's cache folder", () => {
		run({XDG_CACHE_HOME: join(folder, 'cache')});
		expect(listFiles('cache/ledge')).not.toEqual([]);
		expect(statSync(join(folder, 'cache', 'ledge')).mode & 0o777).toBe(0o700);
		expect(listFiles('shared')).toEqual([]);
	});

	test.each([
		['others can write to the cache folder', {XDG_CACHE_HOME: 'open'}],
		['the cache folder is a relative path', {XDG_CACHE_HOME: 'cache'}],
		['there is no HOME', {HOME: ''}],
	])('is off if %s', (_when, more) => {
		mkdirSync(join(folder, 'open'));
		chmodSync(join(folder, 'open'), 0o777);
		const {XDG_CACHE_HOME: cache} = more as {XDG_CACHE_HOME?: string};
		expect(run(cache === 'open' ? {XDG_CACHE_HOME: join(folder, cache)} : more)).toContain('ledge kv key');
		expect([...listFiles('open'), ...listFiles('shared'), ...listFiles('cache')]).toEqual([]);
	});

	test('covers cli.cjs and screens.cjs at the second start of the screens', async () => {
		const errors = join(folder, 'errors');
		const command = ['sh', '-c', `exec "${process.execPath}" "${program}" --simulate 2>"${errors}"`];
		const env = environment({
			XDG_CACHE_HOME: join(folder, 'cache'),
			NODE_DEBUG_NATIVE: 'COMPILE_CACHE',
		});
		const readCacheLog = async (): Promise<string> => {
			await using screen = new Screen({command, cwd: folder, env});
			await screen.waitFor('Nothing you do here reaches a real account.');
			screen.press('ctrl-c');
			await screen.waitForEnd();
			return readFileSync(errors, 'utf8');
		};
		await readCacheLog();
		const cacheLog = await readCacheLog();
		// A V8 flag changes with the first frame, and code loaded about then may be cached with either value.
		for (const name of ['cli.cjs', 'screens.cjs'])
			expect(cacheLog).toMatch(new RegExp(`/${name} was accepted`));
	});
});
