import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {commandsIn, isPrivate, migratingZone, override} from '../support/migration.ts';

const ids = ['de677e5818985db1285d0e80225f06e5', 'ff677e5818985db1285d0e80225f06e5'] as const;
const parts = {plan: 'enterprise', overrides: ids.map(override)} as const;

test('overrides are deleted only after a backup, which brings them back', async () => {
	const zone = await migratingZone(parts);
	const unconfirmed = await zone.run(['overrides', 'delete', ids[0]]);
	expect(unconfirmed.code).toBe(2);
	expect(zone.writes()).toEqual([]);
	const deleted = await zone.run(['overrides', 'delete', ...ids, '--yes', '--json']);
	expect(deleted.code, deleted.stderr).toBe(0);
	const [{backup}] = JSON.parse(deleted.stdout);
	expect(JSON.parse(readFileSync(join(backup, 'overrides.json'), 'utf8'))).toHaveLength(2);
	expect(zone.files().filter(path => !isPrivate(path))).toEqual([]);
	expect((await zone.run(['check'])).code).toBe(0);
	const restored = await zone.run(['overrides', 'restore', backup, '--id', ids[1], '--yes', '--json']);
	expect(restored.code, restored.stderr).toBe(0);
	expect(JSON.parse((await zone.run(['overrides', 'list', '--json'])).stdout)).toMatchObject([
		{urls: override(ids[1]).urls, rules: override(ids[1]).rules},
	]);
	expect((await zone.run(['check'])).code).toBe(5);
	expect(zone.writes().map(write => write.split(' ')[0])).toEqual(['DELETE', 'DELETE', 'POST']);
});

test('a dry run of a deletion shows each request, and backs nothing up', async () => {
	const zone = await migratingZone(parts);
	const ended = await zone.run(['overrides', 'delete', ids[0], '--dry-run', '--json']);
	expect(ended.code, ended.stderr).toBe(0);
	expect(JSON.parse(ended.stdout)).toMatchObject([{method: 'DELETE'}]);
	expect(zone.writes()).toEqual([]);
	expect(zone.files()).toEqual([]);
});

test('read-only, nothing is deleted and nothing restored', async () => {
	const zone = await migratingZone(parts);
	const env = {LEDGE_READ_ONLY: '1'};
	expect((await zone.run(['overrides', 'delete', ids[0], '--yes'], {env})).code).toBe(2);
	expect((await zone.run(['overrides', 'restore', 'any', '--yes'], {env})).code).toBe(2);
	expect(zone.writes()).toEqual([]);
});

test('an override that is not there counts as deleted', async () => {
	const zone = await migratingZone(parts);
	const ended = await zone.run(['overrides', 'delete', 'a'.repeat(32), '--yes']);
	expect(ended.code, ended.stderr).toBe(0);
	expect(zone.writes()).toEqual([]);
});

test('the deletion is in the audit log', async () => {
	const zone = await migratingZone(parts);
	await zone.run(['overrides', 'delete', ids[0], '--yes']);
	expect(readFileSync(join(zone.state, 'audit.ndjson'), 'utf8')).toContain(ids[0]);
});

test('advice names commands with the zone in them', async () => {
	const zone = await migratingZone(parts);
	const {stderr} = await zone.send('deploy');
	for (const words of commandsIn(stderr)) expect(words).toContain(zone.id);
	expect(commandsIn(stderr)).not.toEqual([]);
});
