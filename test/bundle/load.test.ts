import {execFileSync} from 'node:child_process';
import {
	chmodSync,
	chownSync,
	copyFileSync,
	lstatSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	realpathSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {chooser} from '../firewall/expression/any-expression.ts';

const {codeIn, safeFolder} = createRequire(import.meta.url)('../../source/load.cjs') as {
	codeIn(kept: string, stamp: string): Buffer | undefined;
	safeFolder(env: Readonly<Record<string, string | undefined>>): string | undefined;
};

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'ledge-load-'));
	mkdirSync(join(folder, 'cache'));
	for (const file of ['load.cjs', 'parts.cjs', 'v8-flags.cjs'])
		copyFileSync(resolve(import.meta.dirname, '../../source', file), join(folder, file));
	writeFileSync(
		join(folder, 'start.cjs'),
		`const load = require('./load.cjs').loaderOf(${JSON.stringify(join(folder, 'cache'))}, 'kv');
		load('bundle.cjs').main();`,
	);
});
afterEach(() => rmSync(folder, {recursive: true}));

/** A bundle with the stamp of the build: its first line. */
const bundle = (stamp: string, main: string, name = 'bundle.cjs') =>
	writeFileSync(
		join(folder, name),
		`// ${stamp.repeat(32)}\n(function(require,module,exports,__filename,__dirname){'use strict';module.exports={main(){${main}}};\n})`,
	);

const start = (): string => execFileSync(process.execPath, [join(folder, 'start.cjs')], {encoding: 'utf8'});

/** The one file of cached code. */
function kept(): string {
	const files = readdirSync(join(folder, 'cache'));
	expect(files).toHaveLength(1);
	return join(folder, 'cache', files[0] ?? '');
}

test('the code of a bundle is cached once, and the next start uses it', () => {
	bundle('a', `process.stdout.write('ran')`);
	expect(start()).toBe('ran');
	const {ino} = statSync(kept());
	expect(start()).toBe('ran');
	expect(statSync(kept()).ino).toBe(ino);
});

test('code is cached once too for a program that sets flags of V8, before it loads a bundle or after', () => {
	bundle(
		'a',
		`require('./v8-flags.cjs').setFlag('--semi-space-growth-factor', 1);
		require('./other.cjs').main();
		require('./v8-flags.cjs').setFlag('--expose-gc');`,
	);
	bundle('a', `process.stdout.write('ran')`, 'other.cjs');
	expect(start()).toBe('ran');
	const numbers = () =>
		readdirSync(join(folder, 'cache')).map(name => statSync(join(folder, 'cache', name)).ino);
	const before = numbers();
	expect(before).toHaveLength(2);
	expect(start()).toBe('ran');
	expect(numbers()).toEqual(before);
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
	['changed', (code: Buffer) => code.fill(0x55, code.length >> 2, code.length >> 1)],
] as const)('cached code that is %s is not run, and is cached again', (_what, damage) => {
	bundle('a', `process.stdout.write('ran')`);
	start();
	const whole = readFileSync(kept());
	writeFileSync(kept(), damage(Buffer.from(whole)));
	expect(start()).toBe('ran');
	expect(readFileSync(kept()).toString('latin1', whole.length - 36)).toBe(`// ${'a'.repeat(32)}\n`);
	expect(readFileSync(kept())).toHaveLength(whole.length);
});

test('a bundle that another one requires is loaded in the same way, once', () => {
	bundle('a', `require('./other.cjs').main();require('./other.cjs').main()`);
	bundle('a', `process.stdout.write(String(this.times=(this.times??0)+1))`, 'other.cjs');
	expect(start()).toBe('12');
	expect(readdirSync(join(folder, 'cache'))).toHaveLength(2);
});

test('a bundle of another build is not loaded: what it has under a name may be something else', () => {
	bundle('a', `try{require('./other.cjs').main()}catch(error){process.stdout.write(error.name)}`);
	bundle('b', `process.stdout.write('other')`, 'other.cjs');
	expect(start()).toBe('ReplacedError');
});

test.runIf(process.platform === 'linux')(
	'a program that goes on has its own bundles to its end, whatever is installed meanwhile',
	() => {
		bundle('a', `process.stdout.write('own')`, 'other.cjs');
		bundle(
			'a',
			`const fs=require('node:fs');
		const holds=()=>fs.readdirSync('/proc/self/fd').some(fd=>{try{return fs.readlinkSync('/proc/self/fd/'+fd).endsWith('other.cjs')}catch{}});
		const look=()=>{
			if(!holds())return setTimeout(look,20);
			fs.rmSync(__dirname+'/other.cjs');
			fs.writeFileSync(__dirname+'/other.cjs',"// ${'b'.repeat(32)}\\n(function(){throw new Error('another')})");
			require('./other.cjs').main();
		};
		look()`,
		);
		expect(start()).toBe('own');
	},
);

test('a program that fails leaves no code: it ran other functions than one that works', () => {
	bundle('a', `process.exit(1)`);
	expect(start).toThrow();
	expect(readdirSync(join(folder, 'cache'))).toEqual([]);
});

test('a program that keeps running caches its code before it ends', () => {
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

/** A stamp as the build writes it: the first line of a bundle. */
const stampOf = (letter: string) => `// ${letter.repeat(32)}\n`;

test('no damage to kept code is overlooked, wherever it is and however small', () => {
	bundle('a', `process.stdout.write('ran')`);
	start();
	const file = kept();
	const whole = readFileSync(file);
	expect(codeIn(file, stampOf('a'))).toEqual(whole.subarray(0, whole.length / 2 - 36));
	const choose = chooser(6);
	for (let time = 0; time < 400; time++) {
		const damaged = Buffer.from(whole);
		for (let bytes = 1 + choose(64); bytes > 0; bytes--) damaged[choose(whole.length)] = choose(256);
		if (damaged.equals(whole)) continue;
		writeFileSync(file, damaged);
		expect(codeIn(file, stampOf('a'))).toBeUndefined();
	}
});

describe('a file in the place of kept code', () => {
	/** Cached code of another program, disguised as that of the bundle: V8 runs it if it is read. */
	function plant(): {kept: string; planted: string} {
		bundle('a', `process.stdout.write('two')`);
		start();
		const planted = join(folder, 'planted');
		copyFileSync(kept(), planted);
		bundle('a', `process.stdout.write('one')`);
		return {kept: kept(), planted};
	}

	test('is run when it is a file of this user (what the checks below prevent is real)', () => {
		plant();
		expect(start()).toBe('two');
	});

	test.each<readonly [string, (kept: string, planted: string) => void]>([
		['a link', (kept, planted) => symlinkSync(planted, kept)],
		['a pipe that nobody writes to', kept => execFileSync('mkfifo', [kept])],
		['a folder', kept => mkdirSync(kept)],
		[
			'a file that others may write',
			(kept, planted) => {
				copyFileSync(planted, kept);
				chmodSync(kept, 0o666);
			},
		],
	])('is not read when it is %s', (_what, put) => {
		const {kept, planted} = plant();
		rmSync(kept);
		put(kept, planted);
		expect(start()).toBe('one');
		expect(start()).toBe('one');
	});

	test.runIf(process.getuid?.() === 0)('is not read when it belongs to someone else', () => {
		const {kept} = plant();
		chownSync(kept, 65_534, 65_534);
		expect(start()).toBe('one');
	});

	test.each([
		'openSync',
		'fstatSync',
		'readSync',
		'closeSync',
	])('is not read when it is swapped around %s', call => {
		const {kept, planted} = plant();
		// A file with the right code first; a link to the planted code replaces it before and after a call.
		rmSync(kept);
		expect(start()).toBe('one');
		const script = readFileSync(join(folder, 'start.cjs'), 'utf8');
		for (const when of ['before', 'after']) {
			writeFileSync(
				join(folder, 'start.cjs'),
				`const fs = require('node:fs');
				const kept = ${JSON.stringify(kept)};
				const {openSync, rmSync, symlinkSync} = fs;
				let opened;
				fs.openSync = (...given) => {
					const descriptor = openSync(...given);
					if (given[0] === kept) opened = descriptor;
					return descriptor;
				};
				const {${call}: watched} = fs;
				const swap = moment => {
					if (moment !== '${when}') return;
					rmSync(kept);
					symlinkSync(${JSON.stringify(planted)}, kept);
				};
				fs.${call} = (...given) => {
					const isIt = given[0] === ('${call}' === 'openSync' ? kept : opened);
					if (isIt) swap('before');
					const answer = watched(...given);
					if (isIt) swap('after');
					return answer;
				};
				${script}`,
			);
			expect(start()).toBe('one');
			expect(lstatSync(kept).isSymbolicLink()).toBe(when === 'after' || call !== 'openSync');
			writeFileSync(join(folder, 'start.cjs'), script);
			rmSync(kept);
			expect(start()).toBe('one');
		}
	});
});

describe('the folder for kept code', () => {
	const nobody = 65_534;
	const asRoot = process.getuid?.() === 0;
	let base: string;
	beforeEach(() => {
		base = join(realpathSync(folder), 'base');
		mkdirSync(base, {mode: 0o700});
	});
	const found = () => safeFolder({XDG_CACHE_HOME: join(base, 'deep')});

	test('is made, for this user alone, and found again', () => {
		expect(found()).toBe(join(base, 'deep', 'ledge'));
		expect(statSync(join(base, 'deep', 'ledge')).mode & 0o777).toBe(0o700);
		expect(found()).toBe(join(base, 'deep', 'ledge'));
	});

	test('is in the HOME of this user where no other is named', () => {
		expect(safeFolder({HOME: base})).toBe(join(base, '.cache', 'ledge'));
		expect(safeFolder({})).toBeUndefined();
		expect(safeFolder({XDG_CACHE_HOME: 'relative'})).toBeUndefined();
		expect(safeFolder({HOME: base, NODE_DISABLE_COMPILE_CACHE: '1'})).toBeUndefined();
	});

	test.each(['/proc/ledge', '/proc/self/ledge/cache', '/dev/null/cache'])('is none at %s', place => {
		expect(safeFolder({XDG_CACHE_HOME: place})).toBeUndefined();
	});

	test('is reached through links, and its path has none', () => {
		mkdirSync(join(base, 'elsewhere'));
		symlinkSync('../base/./elsewhere', join(base, 'deep'));
		expect(found()).toBe(join(base, 'elsewhere', 'ledge'));
		symlinkSync(join(base, 'deep'), join(base, 'further'));
		expect(safeFolder({XDG_CACHE_HOME: join(base, 'further')})).toBe(join(base, 'elsewhere', 'ledge'));
	});

	test.each<readonly [string, () => void]>([
		['in a folder that its group may write', () => chmodSync(base, 0o770)],
		['in a folder that all may write', () => chmodSync(base, 0o707)],
		[
			'writable by others itself',
			() => {
				mkdirSync(join(base, 'deep', 'ledge'), {recursive: true});
				chmodSync(join(base, 'deep', 'ledge'), 0o1777);
			},
		],
		['a file', () => writeFileSync(join(base, 'deep'), '')],
		['behind links that go round in a circle', () => symlinkSync('deep', join(base, 'deep'))],
		[
			'behind a link into a folder that all may write',
			() => {
				mkdirSync(join(base, 'open'));
				mkdirSync(join(base, 'open', 'deep'));
				chmodSync(join(base, 'open'), 0o777);
				symlinkSync(join(base, 'open', 'deep'), join(base, 'deep'));
			},
		],
	])('is not used when it would be %s', (_what, arrange) => {
		arrange();
		expect(found()).toBeUndefined();
	});

	test('is made in a folder with the sticky bit, where others cannot replace it', () => {
		chmodSync(base, 0o1777);
		expect(found()).toBe(join(base, 'deep', 'ledge'));
	});

	// Only root can create files of another user.
	test.runIf(asRoot).each<readonly [string, () => void]>([
		[
			'in a folder of another user, such as the HOME of whom root works for',
			() => chownSync(base, nobody, nobody),
		],
		[
			'in a folder that another user has made under a name that all may take',
			() => {
				chmodSync(base, 0o1777);
				mkdirSync(join(base, 'deep'));
				chownSync(join(base, 'deep'), nobody, nobody);
			},
		],
		[
			'of another user itself',
			() => {
				mkdirSync(join(base, 'deep', 'ledge'), {recursive: true});
				chownSync(join(base, 'deep', 'ledge'), nobody, nobody);
			},
		],
	])('is not used, and nothing is made, when it would be %s', (_what, arrange) => {
		arrange();
		const before = readdirSync(base, {recursive: true});
		expect(found()).toBeUndefined();
		expect(readdirSync(base, {recursive: true})).toEqual(before);
	});

	test.runIf(asRoot)('is not used behind a link of another user', () => {
		mkdirSync(join(base, 'mine'));
		chmodSync(base, 0o1777);
		symlinkSync('mine', join(base, 'deep'));
		execFileSync('chown', ['-h', `${nobody}`, join(base, 'deep')]);
		expect(found()).toBeUndefined();
	});
});
