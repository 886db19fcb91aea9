import {mkdtempSync, readdirSync, type writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, expect, test, vi} from 'vitest';
import {takeLock} from '../../source/state/lock.ts';

const disk = vi.hoisted(() => ({isFull: false}));

vi.mock('node:fs', async original => {
	const real = await original<typeof import('node:fs')>();
	return {
		...real,
		writeFileSync: (...given: Parameters<typeof writeFileSync>) => {
			if (!disk.isFull) return real.writeFileSync(...given);
			real.writeFileSync(given[0], '', given[2]);
			throw Object.assign(new Error('no space left'), {code: 'ENOSPC'});
		},
	};
});

afterEach(() => {
	disk.isFull = false;
});

test('a lock that cannot be written on a full disk leaves nothing, and the next one is taken', () => {
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
