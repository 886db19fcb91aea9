import {readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {openMigrationJournal} from '../../../source/migration/journal/journal.ts';
import {buildOverride, createMigratingZone, type MigratingZone} from '../../support/migration.ts';

const overrides = [
	buildOverride('1'.repeat(32)),
	buildOverride('2'.repeat(32)),
	buildOverride('3'.repeat(32)),
];
const ids = overrides.map(({id}) => String(id));

/** Holds the zone open, as a screen in another process does. The returned function releases it. */
async function holdZone(zone: MigratingZone): Promise<() => Promise<void>> {
	const target = {place: new URL(zone.url).origin, zone: {id: zone.id, name: zone.name}};
	const journal = await openMigrationJournal({LEDGE_STATE_DIR: zone.state}, target);
	return () => journal.close();
}

const runJson = async (zone: MigratingZone, ...words: readonly string[]) => {
	const ended = await zone.run([...words, '--json']);
	expect(ended.code, ended.stderr).toBe(0);
	return JSON.parse(ended.stdout);
};

describe('overrides deleted as blockers', () => {
	const listLostOverrides = async (zone: MigratingZone): Promise<readonly {id: string; next: string}[]> =>
		(await runJson(zone, 'plan')).notMigrated.filter(({what}: {what: string}) =>
			what.startsWith('URI override'),
		);

	test('stay on the list of items to recreate until they are restored', async () => {
		const zone = await createMigratingZone({plan: 'enterprise', overrides});
		const {0: deleted} = await runJson(zone, 'overrides', 'delete', ...ids, '--yes');
		const lostOverrides = await listLostOverrides(zone);
		expect(lostOverrides.map(({id}) => id)).toEqual(ids);
		expect(lostOverrides[0]?.next).toContain('It was deleted; the backup contains it.');
		expect((await runJson(zone, 'status')).deletedOverrides).toEqual(ids);
		await runJson(zone, 'overrides', 'restore', deleted.backup, '--confirm', zone.name);
		expect((await runJson(zone, 'status')).deletedOverrides).toEqual([]);
		const again = await zone.run(['plan', '--json']);
		const listed = JSON.parse(again.stdout).notMigrated.filter(({what}: {what: string}) =>
			what.startsWith('URI'),
		);
		expect(listed).toHaveLength(ids.length);
		expect(listed.every(({next}: {next: string}) => next.startsWith('Delete it first'))).toBe(true);
	});
});

describe('while another process has the zone open', () => {
	test('a report can be read', async () => {
		const zone = await createMigratingZone();
		expect((await zone.run(['backup'])).code).toBe(0);
		expect((await zone.send('deploy')).code).toBe(0);
		const release = await holdZone(zone);
		const ended = await zone.run(['report']);
		await release();
		expect(ended.code, ended.stderr).toBe(0);
		expect(ended.stdout).toContain('# Migration of the managed rules of shop.example');
		expect(ended.stderr).not.toContain('Showing the report of');
	});

	test('a backup can be made', async () => {
		const zone = await createMigratingZone();
		const release = await holdZone(zone);
		const ended = await zone.run(['backup']);
		await release();
		expect(ended.code, ended.stderr).toBe(0);
		expect(readFileSync(`${ended.stdout.trim()}/snapshot.json`, 'utf8')).toContain('"digest"');
	});
});

test('the status names a backup made by a command', async () => {
	const zone = await createMigratingZone();
	const {backup} = await runJson(zone, 'backup');
	expect((await runJson(zone, 'status')).backup).toBe(backup);
});
