import {mkdtempSync, readdirSync, type writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, expect, test, vi} from 'vitest';
import {takeLock} from '../../source/state/lock.ts';

const disk = vi.hoisted(() => ({isFull: false}));

vi.mock('node:fs', async original => {
	const realFileSystem = await original<typeof import('node:fs')>();
	return {
		...realFileSystem,
		writeFileSync: (...writeArguments: Parameters<typeof writeFileSync>) => {
			if (!disk.isFull) return realFileSystem.writeFileSync(...writeArguments);
			realFileSystem.writeFileSync(writeArguments[0], '', writeArguments[2]);
			throw Object.assign(new Error('no space left'), {code: 'ENOSPC'});
		},
	};
});

afterEach(() => {
	disk.isFull = false;
});

test('a lock that cannot be written on a full disk leaves no file, and can be taken later', () => {
	const folder = mkdtempSync(join(tmpdir(), 'ledge-lock-'));
	disk.isFull = true;
	expect(() => takeLock(join(folder, 'journal'))).toThrow('disk is full');
	expect(readdirSync(folder)).toEqual([]);
	disk.isFull = false;
	takeLock(join(folder, 'journal'))[Symbol.dispose]();
});

test("someone else's lock stays in place on a full disk", () => {
	const folder = mkdtempSync(join(tmpdir(), 'ledge-lock-'));
	using _held = takeLock(join(folder, 'journal'));
	disk.isFull = true;
	expect(() => takeLock(join(folder, 'journal'))).toThrow('Another process');
	expect(readdirSync(folder)).toHaveLength(1);
});
