import {execFileSync} from 'node:child_process';
import {
	chmodSync,
	chownSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	realpathSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';

const {findCacheFolder} = createRequire(import.meta.url)('../../source/cache-folder.cjs') as {
	findCacheFolder(env: Readonly<Record<string, string | undefined>>): string | undefined;
};

let base: string;
beforeEach(() => {
	base = join(realpathSync(mkdtempSync(join(tmpdir(), 'ledge-cache-'))), 'base');
	mkdirSync(base, {mode: 0o700});
});
afterEach(() => rmSync(dirname(base), {recursive: true}));

const nobody = 65_534;
const asRoot = process.getuid?.() === 0;
const findInBase = () => findCacheFolder({XDG_CACHE_HOME: join(base, 'deep')});

test('the cache folder is created for this user only, and found again', () => {
	expect(findInBase()).toBe(join(base, 'deep', 'ledge'));
	expect(statSync(join(base, 'deep', 'ledge')).mode & 0o777).toBe(0o700);
	expect(findInBase()).toBe(join(base, 'deep', 'ledge'));
});

test('the cache folder defaults to the one in HOME', () => {
	expect(findCacheFolder({HOME: base})).toBe(join(base, '.cache', 'ledge'));
	expect(findCacheFolder({})).toBeUndefined();
	expect(findCacheFolder({XDG_CACHE_HOME: 'relative'})).toBeUndefined();
});

test.each([
	'/proc/ledge',
	'/proc/self/ledge/cache',
	'/dev/null/cache',
])('there is no cache folder at %s', path => {
	expect(findCacheFolder({XDG_CACHE_HOME: path})).toBeUndefined();
});

test('links to the cache folder are resolved', () => {
	mkdirSync(join(base, 'elsewhere'));
	symlinkSync('../base/./elsewhere', join(base, 'deep'));
	expect(findInBase()).toBe(join(base, 'elsewhere', 'ledge'));
	symlinkSync(join(base, 'deep'), join(base, 'further'));
	expect(findCacheFolder({XDG_CACHE_HOME: join(base, 'further')})).toBe(join(base, 'elsewhere', 'ledge'));
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
])('the cache folder is not used if it would be %s', (_what, arrange) => {
	arrange();
	expect(findInBase()).toBeUndefined();
});

test('the cache folder is created in a sticky folder, where others cannot replace it', () => {
	chmodSync(base, 0o1777);
	expect(findInBase()).toBe(join(base, 'deep', 'ledge'));
});

// Only root can create files of another user.
test.runIf(asRoot).each<readonly [string, () => void]>([
	['in a folder of another user, such as the HOME that sudo keeps', () => chownSync(base, nobody, nobody)],
	[
		'in a folder that another user created first in a sticky folder',
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
])('the cache folder is neither created nor used if it would be %s', (_what, arrange) => {
	arrange();
	const before = readdirSync(base, {recursive: true});
	expect(findInBase()).toBeUndefined();
	expect(readdirSync(base, {recursive: true})).toEqual(before);
});

test.runIf(asRoot)('the cache folder is not used behind a link owned by another user', () => {
	mkdirSync(join(base, 'mine'));
	chmodSync(base, 0o1777);
	symlinkSync('mine', join(base, 'deep'));
	execFileSync('chown', ['-h', `${nobody}`, join(base, 'deep')]);
	expect(findInBase()).toBeUndefined();
});
