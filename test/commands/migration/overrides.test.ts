import {readFileSync, writeFileSync} from 'node:fs';
import {basename, join} from 'node:path';
import {expect, test} from 'vitest';
import {serializeBackup} from '../../../source/migration/journal/backup.ts';
import {buildOverride, createMigratingZone, isPrivate, parseCommands} from '../../support/migration.ts';

const ids = ['de677e5818985db1285d0e80225f06e5', 'ff677e5818985db1285d0e80225f06e5'] as const;
const parts = {plan: 'enterprise', overrides: ids.map(buildOverride)} as const;

test('overrides are deleted only after a backup, which can restore them', async () => {
	const zone = await createMigratingZone(parts);
	const unconfirmed = await zone.run(['overrides', 'delete', ids[0]]);
	expect(unconfirmed.code).toBe(2);
	expect(zone.writes()).toEqual([]);
	expect(zone.files().filter(path => path.includes('backup-'))).toEqual([]);
	const deleted = await zone.run(['overrides', 'delete', ...ids, '--yes', '--json']);
	expect(deleted.code, deleted.stderr).toBe(0);
	const [{backup}] = JSON.parse(deleted.stdout);
	expect(JSON.parse(readFileSync(join(backup, 'overrides.json'), 'utf8'))).toHaveLength(2);
	expect(zone.files().filter(path => !isPrivate(path))).toEqual([]);
	expect((await zone.run(['check'])).code).toBe(0);
	const words = ['overrides', 'restore', backup, '--id', ids[1], '--json'];
	const restored = await zone.run([...words, '--confirm', zone.name]);
	expect(restored.code, restored.stderr).toBe(0);
	expect(JSON.parse((await zone.run(['overrides', 'list', '--json'])).stdout)).toMatchObject([
		{urls: buildOverride(ids[1]).urls, rules: buildOverride(ids[1]).rules},
	]);
	expect((await zone.run(['check'])).code).toBe(5);
	expect(zone.writes().map(write => write.split(' ')[0])).toEqual(['DELETE', 'DELETE', 'POST']);
});

test('a dry run of a deletion shows each request and makes no backup', async () => {
	const zone = await createMigratingZone(parts);
	const ended = await zone.run(['overrides', 'delete', ids[0], '--dry-run', '--json']);
	expect(ended.code, ended.stderr).toBe(0);
	expect(JSON.parse(ended.stdout)).toMatchObject([{method: 'DELETE'}]);
	expect(zone.writes()).toEqual([]);
	expect(zone.files()).toEqual([]);
});

test('overrides to be deleted or restored are listed in a table, one per line', async () => {
	const zone = await createMigratingZone(parts);
	const deleted = await zone.run(['overrides', 'delete', ...ids, '--yes']);
	for (const lineStart of ['ID +URLS', ...ids])
		expect(deleted.stderr).toMatch(new RegExp(`^${lineStart} `, 'm'));
	expect(deleted.stderr).not.toContain('\\n');
	const backup = basename(/Backed up the zone to (.*)\.$/m.exec(deleted.stderr)?.[1] ?? '');
	const restored = await zone.run(['overrides', 'restore', backup, '--confirm', zone.name]);
	expect(restored.code, restored.stderr).toBe(0);
	for (const id of ids) expect(restored.stderr).toMatch(new RegExp(`^${id} `, 'm'));
});

test('restoring asks only about missing overrides, and about nothing if none are missing', async () => {
	const zone = await createMigratingZone(parts);
	const deleted = await zone.run(['overrides', 'delete', ids[0], '--yes', '--json']);
	const [{backup}] = JSON.parse(deleted.stdout);
	const unanswered = await zone.run(['overrides', 'restore', backup]);
	expect(unanswered.code).toBe(2);
	expect(unanswered.stderr).toContain('1 in the backup already exists.');
	expect(unanswered.stderr).not.toMatch(new RegExp(`^${ids[1]} `, 'm'));
	await zone.run(['overrides', 'restore', backup, '--confirm', zone.name]);
	const again = await zone.run(['overrides', 'restore', backup]);
	expect(again.code, again.stderr).toBe(0);
	expect(again.stderr).toContain(`Override ${ids[1]} already exists.`);
	expect(zone.writes().map(write => write.split(' ')[0])).toEqual(['DELETE', 'POST']);
});

test('restoring an override that weakens the rules asks for the zone name', async () => {
	const zone = await createMigratingZone(parts);
	const deleted = await zone.run(['overrides', 'delete', ids[0], '--yes', '--json']);
	const [{backup}] = JSON.parse(deleted.stdout);
	const before = zone.writes().length;
	const refused = await zone.run(['overrides', 'restore', backup, '--yes']);
	expect(refused.code).toBe(2);
	expect(refused.stderr).toContain(
		'Restoring override "override de67" lowers protection at shop.example/de67/*. It changes rule 100015 from ',
	);
	expect((await zone.run(['overrides', 'restore', backup, '--confirm', 'shop'])).code).toBe(2);
	expect(zone.writes()).toHaveLength(before);
	const restored = await zone.run(['overrides', 'restore', backup, '--confirm', zone.name]);
	expect(restored.code, restored.stderr).toBe(0);
	expect(zone.writes().slice(before)).toEqual([expect.stringMatching(/^POST /)]);
});

test('restoring an override that weakens nothing asks for a yes', async () => {
	const strict = {...buildOverride(ids[0]), rules: {'100015': 'block'}, rewrite_action: {}};
	const zone = await createMigratingZone({plan: 'enterprise', overrides: [strict]});
	const deleted = await zone.run(['overrides', 'delete', ids[0], '--confirm', zone.name, '--json']);
	const [{backup}] = JSON.parse(deleted.stdout);
	const restored = await zone.run(['overrides', 'restore', backup, '--yes']);
	expect(restored.code, restored.stderr).toBe(0);
});

test('a backup of another zone is refused before anything is shown or asked', async () => {
	const zone = await createMigratingZone(parts);
	await zone.run(['backup']);
	const [snapshotPath] = zone.files().filter(path => path.endsWith('snapshot.json'));
	const foreign = JSON.parse(readFileSync(snapshotPath ?? '', 'utf8')).snapshot;
	foreign.zone.id = 'f'.repeat(32);
	writeFileSync(join(zone.cwd, 'foreign.json'), serializeBackup(foreign));
	const ended = await zone.run(['overrides', 'restore', 'foreign.json']);
	expect(ended).toMatchObject({code: 2, stdout: ''});
	expect(ended.stderr).toMatch(/^error: The backup is not of zone/m);
	expect(ended.stderr).not.toContain('URLS');
});

test('a plan without overrides is reported as such, without an error from the service', async () => {
	const zone = await createMigratingZone({plan: 'pro'});
	for (const words of [['list'], ['delete', ids[0], '--yes']]) {
		const ended = await zone.run(['overrides', ...words]);
		expect(ended.code).toBe(5);
		expect(ended.stderr).toMatch(/^error: .* has no URI-based overrides/m);
	}
});

test('a migrated zone no longer has overrides', async () => {
	const zone = await createMigratingZone({plan: 'enterprise', stage: 'complete'});
	const ended = await zone.run(['overrides', 'list', '--json']);
	expect(ended.code).toBe(5);
	expect(JSON.parse(ended.stderr).error.code).toBe('already_migrated');
});

test('read-only mode refuses to delete and restore overrides', async () => {
	const zone = await createMigratingZone(parts);
	const env = {LEDGE_READ_ONLY: '1'};
	expect((await zone.run(['overrides', 'delete', ids[0], '--yes'], {env})).code).toBe(2);
	expect((await zone.run(['overrides', 'restore', 'any', '--yes'], {env})).code).toBe(2);
	expect(zone.writes()).toEqual([]);
});

test('deleting a missing override succeeds', async () => {
	const zone = await createMigratingZone(parts);
	const ended = await zone.run(['overrides', 'delete', 'a'.repeat(32), '--yes']);
	expect(ended.code, ended.stderr).toBe(0);
	expect(zone.writes()).toEqual([]);
});

test('a deletion is written to the audit log', async () => {
	const zone = await createMigratingZone(parts);
	await zone.run(['overrides', 'delete', ids[0], '--yes']);
	expect(readFileSync(join(zone.state, 'audit.ndjson'), 'utf8')).toContain(ids[0]);
});

test('suggested commands include the zone', async () => {
	const zone = await createMigratingZone(parts);
	const {stderr} = await zone.send('deploy');
	for (const words of parseCommands(stderr)) expect(words).toContain(zone.id);
	expect(parseCommands(stderr)).not.toEqual([]);
});

test('an override changed by someone else since it was shown is not deleted', async () => {
	const zone = await createMigratingZone(parts);
	let listCount = 0;
	zone.onCall({
		// The first listing is shown; the second one is for the backup.
		is: ({method, path}) => method === 'GET' && path.endsWith('/waf/overrides') && ++listCount === 2,
		when: 'before',
		does: () =>
			zone.ask('PUT', `/firewall/waf/overrides/${ids[0]}`, {
				...buildOverride(ids[0]),
				rewrite_action: {default: 'disable'},
			}),
	});
	const deleted = await zone.run(['overrides', 'delete', ids[0], '--yes', '--json']);
	expect(deleted.code, deleted.stderr).toBe(1);
	expect(JSON.parse(deleted.stderr.trim().split('\n').at(-1) ?? '').error.code).toBe('changed_meanwhile');
	expect(zone.writes().filter(write => write.startsWith('DELETE'))).toEqual([]);
});

test('a backup made without permission to read overrides says so', async () => {
	const zone = await createMigratingZone(parts);
	zone.setFaults('method=GET path=firewall/waf/overrides status=403');
	const backup = await zone.run(['backup', '--json']);
	zone.setFaults('');
	const restored = await zone.run(['overrides', 'restore', JSON.parse(backup.stdout).backup, '--yes']);
	expect(restored.code, restored.stderr).toBe(3);
	expect(restored.stderr).toContain('could not be read when the backup');
});
