import {execFileSync} from 'node:child_process';
import {
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
import {afterEach, beforeEach, expect, test} from 'vitest';

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'ledge-load-'));
	mkdirSync(join(folder, 'cache'));
	copyFileSync(resolve(import.meta.dirname, '../source/load.cjs'), join(folder, 'load.cjs'));
	writeFileSync(
		join(folder, 'start.cjs'),
		`const load = require('./load.cjs').loaderOf(${JSON.stringify(join(folder, 'cache'))}, 'kv');
		load(${JSON.stringify(join(folder, 'bundle.cjs'))}).main();`,
	);
});
afterEach(() => rmSync(folder, {recursive: true}));

/** A bundle with the stamp of the build: its first line. */
const bundle = (stamp: string, main: string, name = 'bundle.cjs') =>
	writeFileSync(join(folder, name), `// ${stamp.repeat(32)}\n'use strict';module.exports={main(){${main}}};`);

const start = (): string => execFileSync(process.execPath, [join(folder, 'start.cjs')], {encoding: 'utf8'});

/** The one file in which code is kept. */
function kept(): string {
	const files = readdirSync(join(folder, 'cache'));
	expect(files).toHaveLength(1);
	return join(folder, 'cache', files[0] ?? '');
}

test('the code of a bundle is kept once, and the next start goes on with it', () => {
	bundle('a', `process.stdout.write('ran')`);
	expect(start()).toBe('ran');
	const {ino} = statSync(kept());
	expect(start()).toBe('ran');
	expect(statSync(kept()).ino).toBe(ino);
});

test('another bundle of the same length does not run as the one before', () => {
	bundle('a', `process.stdout.write('one')`);
	start();
	bundle('b', `process.stdout.write('two')`);
	expect(start()).toBe('two');
	expect(start()).toBe('two');
});

test.each([
	['torn', (code: Buffer) => code.subarray(0, code.length / 2)],
	['empty', () => Buffer.alloc(0)],
	['changed', (code: Buffer) => code.fill(0x55, code.length / 3, code.length / 2)],
] as const)('kept code that is %s is not run, and is kept anew', (_what, damage) => {
	bundle('a', `process.stdout.write('ran')`);
	start();
	const whole = readFileSync(kept());
	writeFileSync(kept(), damage(Buffer.from(whole)));
	expect(start()).toBe('ran');
	expect(readFileSync(kept()).subarray(-44).toString('latin1', 0, 36)).toBe(`// ${'a'.repeat(32)}\n`);
	expect(readFileSync(kept())).toHaveLength(whole.length);
});

test('what a bundle asks for beside itself is loaded in the same way, once', () => {
	bundle('a', `require('./other.cjs').main();require('./other.cjs').main()`);
	bundle('b', `process.stdout.write(String(this.times=(this.times??0)+1))`, 'other.cjs');
	expect(start()).toBe('12');
	expect(readdirSync(join(folder, 'cache'))).toHaveLength(2);
});

test('a program that fails leaves no code: it ran other functions than one that works', () => {
	bundle('a', `process.exit(1)`);
	expect(start).toThrow();
	expect(readdirSync(join(folder, 'cache'))).toEqual([]);
});

test('a program that goes on keeps its code before it ends', () => {
	bundle(
		'a',
		`const fs=require('node:fs');
		const look=()=>fs.readdirSync(${JSON.stringify(join(folder, 'cache'))}).some(name=>/[0-9a-z]$/.test(name))
			?process.kill(process.pid,'SIGKILL'):setTimeout(look,20);
		look()`,
	);
	expect(start).toThrow(expect.objectContaining({signal: 'SIGKILL'}));
	expect(kept()).toMatch(/bundle/);
});
