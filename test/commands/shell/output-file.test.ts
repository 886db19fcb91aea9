import {
	chmodSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {claimOutputFile, writeOutputFile} from '../../../source/commands/shell/output-file.ts';

/** What `fsync` fails with, if it does. */
const disk = vi.hoisted(() => ({failsWith: undefined as string | undefined}));

vi.mock('node:fs', async original => {
	const real = await original<typeof import('node:fs')>();
	return {
		...real,
		fsyncSync(file: number) {
			if (disk.failsWith) throw Object.assign(new Error('of the disk'), {code: disk.failsWith});
			real.fsyncSync(file);
		},
	};
});

let folder: string;
let path: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'ledge-'));
	path = join(folder, 'out.json');
});
afterEach(() => {
	disk.failsWith = undefined;
	rmSync(folder, {recursive: true});
});

const catchFailure = (does: () => unknown): unknown => {
	try {
		does();
	} catch (error) {
		return error;
	}
	throw new TypeError('It did not fail.');
};

test('a second process writing the same file is refused at the start and told which process has it', () => {
	const first = claimOutputFile(path, false);
	expect(catchFailure(() => claimOutputFile(path, true))).toMatchObject({
		code: 'job_running',
		details: {why: expect.stringContaining(String(process.pid))},
	});
	writeOutputFile(path, 'first', false);
	first?.[Symbol.dispose]();
	expect(catchFailure(() => claimOutputFile(path, false))).toMatchObject({code: 'file_exists'});
	{
		using _claim = claimOutputFile(path, true);
		writeOutputFile(path, 'second', true);
	}
	expect(readFileSync(path, 'utf8')).toBe('second');
	expect(readdirSync(folder)).toEqual(['out.json']);
});

test('a link and its target count as one file', () => {
	writeFileSync(path, 'before');
	symlinkSync(path, join(folder, 'link'));
	using _claim = claimOutputFile(join(folder, 'link'), true);
	expect(catchFailure(() => claimOutputFile(path, true))).toMatchObject({code: 'job_running'});
	writeOutputFile(join(folder, 'link'), 'after', true);
	expect(readFileSync(path, 'utf8')).toBe('after');
});

test.each([
	'ENOSPC',
	'EDQUOT',
	'EIO',
])('on a disk that fails with %s only at sync, nothing is written or lost', code => {
	disk.failsWith = code;
	expect(catchFailure(() => writeOutputFile(path, 'new', false))).toMatchObject({code: 'file_failed'});
	expect(readdirSync(folder)).toEqual([]);
	writeFileSync(path, 'of yesterday');
	expect(catchFailure(() => writeOutputFile(path, 'new', true))).toMatchObject({code: 'file_failed'});
	expect(readFileSync(path, 'utf8')).toBe('of yesterday');
	expect(readdirSync(folder)).toEqual(['out.json']);
});

test('an overwritten file keeps its mode', () => {
	writeFileSync(path, 'before');
	chmodSync(path, 0o640);
	writeOutputFile(path, 'after', true);
	expect(statSync(path).mode & 0o777).toBe(0o640);
});

test('a file created in the meantime is not replaced', () => {
	using _claim = claimOutputFile(path, false);
	writeFileSync(path, 'mine');
	expect(catchFailure(() => writeOutputFile(path, 'new', false))).toMatchObject({code: 'file_exists'});
	expect(readFileSync(path, 'utf8')).toBe('mine');
	expect(readdirSync(folder).filter(name => !name.includes('lock'))).toEqual(['out.json']);
});

test('the longest possible file name can be claimed', () => {
	const longPath = join(folder, 'n'.repeat(255));
	using _claim = claimOutputFile(longPath, false);
	writeOutputFile(longPath, 'x', false);
	expect(readFileSync(longPath, 'utf8')).toBe('x');
});

test('a device is written to directly', () => {
	using _claim = claimOutputFile('/dev/null', true);
	writeOutputFile('/dev/null', 'x', true);
	expect(statSync('/dev/null').isFile()).toBe(false);
});
