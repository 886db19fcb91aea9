import {readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {openMigrationJournal} from '../../../source/migration/journal/journal.ts';
import {type MigratingZone, migratingZone, override} from '../../support/migration.ts';

const overrides = [override('1'.repeat(32)), override('2'.repeat(32)), override('3'.repeat(32))];
const ids = overrides.map(({id}) => String(id));

/** Has the zone open in another process, as a screen does; what it returns ends that. */
async function held(zone: MigratingZone): Promise<() => Promise<void>> {
	const target = {place: new URL(zone.url).origin, zone: {id: zone.id, name: zone.name}};
	const journal = await openMigrationJournal({LEDGE_STATE_DIR: zone.state}, target);
	return () => journal.close();
}

const json = async (zone: MigratingZone, ...words: readonly string[]) => {
	const ended = await zone.run([...words, '--json']);
	expect(ended.code, ended.stderr).toBe(0);
	return JSON.parse(ended.stdout);
};

describe('overrides deleted as blockers', () => {
	const lost = async (zone: MigratingZone): Promise<readonly {id: string; next: string}[]> =>
		(await json(zone, 'plan')).notMigrated.filter(({what}: {what: string}) =>
			what.startsWith('URI override'),
		);

	test('stay on the list of items to recreate until they are restored', async () => {
		const zone = await migratingZone({plan: 'enterprise', overrides});
		const {0: deleted} = await json(zone, 'overrides', 'delete', ...ids, '--yes');
		const left = await lost(zone);
		expect(left.map(({id}) => id)).toEqual(ids);
		expect(left[0]?.next).toContain('It was deleted; the backup contains it.');
		expect((await json(zone, 'status')).deletedOverrides).toEqual(ids);
		await json(zone, 'overrides', 'restore', deleted.backup, '--confirm', zone.name);
		expect((await json(zone, 'status')).deletedOverrides).toEqual([]);
		const again = await zone.run(['plan', '--json']);
		const named = JSON.parse(again.stdout).notMigrated.filter(({what}: {what: string}) =>
			what.startsWith('URI'),
		);
		expect(named).toHaveLength(ids.length);
		expect(named.every(({next}: {next: string}) => next.startsWith('Delete it first'))).toBe(true);
	});
});

describe('while another process has the zone open', () => {
	test('a report can be read', async () => {
		const zone = await migratingZone();
		expect((await zone.run(['backup'])).code).toBe(0);
		expect((await zone.send('deploy')).code).toBe(0);
		const release = await held(zone);
		const ended = await zone.run(['report']);
		await release();
		expect(ended.code, ended.stderr).toBe(0);
		expect(ended.stdout).toContain('# Migration of the managed rules of shop.example');
		expect(ended.stderr).not.toContain('Showing the report of');
	});

	test('a backup can be made', async () => {
		const zone = await migratingZone();
		const release = await held(zone);
		const ended = await zone.run(['backup']);
		await release();
		expect(ended.code, ended.stderr).toBe(0);
		expect(readFileSync(`${ended.stdout.trim()}/snapshot.json`, 'utf8')).toContain('"digest"');
	});
});

test('the status names a backup made by a command', async () => {
	const zone = await migratingZone();
	const {backup} = await json(zone, 'backup');
	expect((await json(zone, 'status')).backup).toBe(backup);
});
