import {closeSync, mkdtempSync, openSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test, vi} from 'vitest';
import {syncStream} from '../../source/terminal/sync-stream.ts';

const disk = vi.hoisted(() => ({failsWith: undefined as string | undefined, synced: 0}));

vi.mock('node:fs', async original => {
	const real = await original<typeof import('node:fs')>();
	return {
		...real,
		fsyncSync(file: number) {
			if (disk.failsWith) throw Object.assign(new Error('of the disk'), {code: disk.failsWith});
			disk.synced++;
			real.fsyncSync(file);
		},
	};
});

test('a file is synced to the disk or fails, and pipes and devices are skipped', () => {
	const folder = mkdtempSync(join(tmpdir(), 'ledge-'));
	const fd = openSync(join(folder, 'out'), 'w');
	const device = openSync('/dev/null', 'w');
	onTestFinished(() => {
		closeSync(fd);
		closeSync(device);
		rmSync(folder, {recursive: true});
	});
	syncStream({fd});
	expect(disk.synced).toBe(1);
	disk.failsWith = 'EDQUOT';
	expect(() => syncStream({fd})).toThrow(expect.objectContaining({code: 'file_failed'}));
	syncStream({fd: device});
	syncStream({});
});
