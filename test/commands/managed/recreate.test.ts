import {readdirSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {computeFingerprint} from '../../../source/migration/configuration/configuration.ts';
import {managedRulesets} from '../../../source/migration/configuration/mapping.ts';
import {ledge} from '../../support/run.ts';
import {type ManagedTestZone, openManagedZone} from './support.ts';

const {platform, owasp} = managedRulesets;
const zone = 'acme.example';

type Item = {
	readonly item: number;
	readonly what: string;
	readonly id: string;
	readonly state: string;
	readonly next: string | null;
	readonly step: {readonly query?: string; readonly ruleset?: string};
};

/** Migrates a zone without its exceptions, so that something of every kind is left behind. */
async function migrateZone() {
	const managedZone = await openManagedZone();
	const env = {
		...managedZone.service.env,
		LEDGE_STATE_DIR: join(managedZone.cwd, 'state'),
		LEDGE_TIME_SCALE: '0.01',
	};
	const runMigration = async (...words: readonly string[]) => {
		const ended = await ledge(['migration', ...words, '--zone', zone], {cwd: managedZone.cwd, env});
		expect(ended.code, ended.stderr).toBe(0);
		return ended.stdout;
	};
	const proposed = JSON.parse(await runMigration('config'));
	const rules = proposed.rules.filter(({action}: {action: string}) => action !== 'skip');
	const configuration = {...proposed, rules};
	writeFileSync(join(managedZone.cwd, 'c.json'), JSON.stringify(configuration));
	await runMigration('plan', 'c.json');
	const fingerprint = computeFingerprint(configuration);
	await runMigration('deploy', 'c.json', '--fingerprint', fingerprint, '--confirm', zone);
	// Drops the writes of the migration itself.
	managedZone.takeWrites();
	const run: ManagedTestZone['run'] = (words, more) => managedZone.run(words, {zone, ...more});
	const list = async (): Promise<readonly Item[]> => {
		const {stdout, stderr} = await run(['recreate', '--json']);
		if (stdout === '') throw new Error(stderr);
		return JSON.parse(stdout).items;
	};
	return {...managedZone, run, list};
}

const findItem = (items: readonly Item[], state: string, what: RegExp): Item => {
	const found = items.find(one => one.state === state && what.test(one.what));
	if (!found) throw new Error(`Nothing ${what} is "${state}" in ${JSON.stringify(items, undefined, 1)}`);
	return found;
};

describe('managed recreate', () => {
	test('lists what the migration left behind from the backup, and how to recreate each item', async () => {
		const {run, list, takeWrites} = await migrateZone();
		const items = await list();
		expect(findItem(items, 'edits', /firewall rule/).next).toContain('managed recreate --zone-id');
		expect(findItem(items, 'edits', /page rule/).next).toContain('--item');
		const group = findItem(items, 'choice', /OWASP/);
		expect(group.next).toContain('managed catalogue');
		expect(group.next).toContain(owasp.id);
		const shown = await run(['recreate']);
		expect(shown.code, shown.stderr).toBe(0);
		expect(shown.stdout).toMatch(/^ITEM +STATE +WHAT +SETTING +NEXT\n/);
		expect(shown.stdout).toMatch(/one change +firewall rule/);
		expect(shown.stdout).toMatch(/choose rules +OWASP/);
		expect(takeWrites()).toEqual([]);
	});

	test('creates an exception with one call and marks it as created', async () => {
		const {run, list, takeWrites} = await migrateZone();
		const {item, id} = findItem(await list(), 'edits', /firewall rule/);
		const words = ['recreate', '--item', String(item), '--confirm', zone];
		const dryRun = await run([...words, '--dry-run']);
		expect(dryRun.stderr).toContain('will send');
		expect(takeWrites()).toEqual([]);
		const ended = await run(words);
		expect(ended.code, ended.stderr).toBe(0);
		expect(takeWrites()).toEqual([
			expect.objectContaining({
				method: 'POST',
				body: expect.objectContaining({action: 'skip', action_parameters: {ruleset: 'current'}}),
			}),
		]);
		expect((await list()).find(one => one.id === id)).toMatchObject({item, state: 'recreated', next: null});
		const again = await run(words);
		expect(again.stderr).toContain('No difference, so nothing was sent.');
		expect(takeWrites()).toEqual([]);
	});

	test('asks which rules to use for an OWASP setting, and turns them off', async () => {
		const {run, list, takeWrites, json} = await migrateZone();
		const {item} = findItem(await list(), 'choice', /OWASP/);
		const words = ['recreate', '--item', String(item), '--confirm', zone];
		const refused = await run(words);
		expect(refused.code).toBe(2);
		expect(refused.stderr).toContain(`--item ${item} --rule ID`);
		expect(takeWrites()).toEqual([]);
		const [rule] = await json<{id: string}[]>(['catalogue', '942100', '--ruleset', 'owasp']);
		const ended = await run([...words, '--rule', rule?.id ?? '']);
		expect(ended.code, ended.stderr).toBe(0);
		const [write] = takeWrites();
		expect(JSON.stringify(write?.body)).toContain(`{"id":"${rule?.id}","enabled":false}`);
		const unknown = await run([...words, '--rule', 'f'.repeat(32)]);
		expect(unknown.code).toBe(3);
		const other = await run([...words, '--rule', `${platform.id}:${rule?.id}`]);
		expect(other.stderr).toContain('has no rule');
		expect(takeWrites()).toEqual([]);
	});

	test.each<[string, readonly string[], number, string]>([
		['a number that is not in the list', ['--item', '999'], 3, 'There is no item 999'],
		['a rule without an item', ['--rule', 'x'], 2, '--rule requires --item.'],
		['an item of 0', ['--item', '0'], 2, '--item'],
		['an item in a read-only run', ['--item', '1', '--read-only'], 2, 'recreating what the migration'],
	])('%s is refused', async (_what, words, code, says) => {
		const {run, takeWrites} = await migrateZone();
		const ended = await run(['recreate', ...words]);
		expect(ended.code).toBe(code);
		expect(ended.stderr).toContain(says);
		expect(takeWrites()).toEqual([]);
	});

	test('without a backup reports that nothing is known, not that nothing was left behind', async () => {
		const {run} = await openManagedZone();
		for (const words of [['recreate'], ['recreate', '--item', '1', '--confirm', 'done.acme.example']]) {
			const ended = await run(words);
			expect(ended.code).toBe(3);
			expect(ended.stdout).toBe('');
			expect(ended.stderr).toContain('It is unknown here what the migration of');
			expect(ended.stderr).toContain('has no backup from before the migration');
		}
	});

	test('names damaged backups, and keeps the list complete if a review is lost', async () => {
		const {run, list, cwd} = await migrateZone();
		const before = await list();
		const migrationsFolder = join(cwd, 'state', 'migrations');
		const [origin = ''] = readdirSync(migrationsFolder);
		const [zoneFolderName = ''] = readdirSync(join(migrationsFolder, origin));
		const folder = join(migrationsFolder, origin, zoneFolderName);
		for (const name of readdirSync(folder).filter(one => one.startsWith('reviewed-')))
			rmSync(join(folder, name));
		const ids = (await list()).map(({id}) => id);
		expect(ids).toEqual(expect.arrayContaining(before.map(({id}) => id)));
		for (const name of readdirSync(folder).filter(one => one.startsWith('backup-')))
			writeFileSync(join(folder, name, 'snapshot.json'), '{');
		const ended = await run(['recreate']);
		expect(ended.code).toBe(3);
		expect(ended.stderr).toMatch(/has no complete backup .* damaged/s);
	});
});
