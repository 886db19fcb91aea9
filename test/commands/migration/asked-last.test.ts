import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {computeFingerprint} from '../../../source/migration/configuration/configuration.ts';
import type {MigrationMode} from '../../../source/migration/machine/stage.ts';
import {edited, type MigratingZone, migratingZone, proposed} from '../../support/migration.ts';

const commands = {validation: 'validate', pending: 'deploy'} as const satisfies Record<MigrationMode, string>;
const modes = Object.keys(commands) as MigrationMode[];
const other = {validation: 'pending', pending: 'validation'} as const satisfies Record<
	MigrationMode,
	MigrationMode
>;
const word = {validation: 'validation', pending: 'deployment'} as const satisfies Record<
	MigrationMode,
	string
>;
const file = ['c.json', '--fingerprint', computeFingerprint(proposed)];
const fileEdited = ['edited.json', '--fingerprint', computeFingerprint(edited)];

/** How a PUT that was asked for came not to be sent. */
const endings: Readonly<
	Record<string, {readonly words: (name: string) => readonly string[]; readonly fault?: string}>
> = {
	'could not look at the zone': {words: name => ['--confirm', name], fault: 'status=403 path=/waf_migration'},
	'could not back up': {words: name => ['--confirm', name], fault: 'status=403 path=/waf/packages'},
};

/** Asks for a PUT that does not go. */
async function ask(
	zone: MigratingZone,
	mode: MigrationMode,
	how: string,
	words: readonly string[],
): Promise<void> {
	const ending = endings[how];
	zone.faults(ending?.fault ?? '');
	const ended = await zone.run([commands[mode], ...words, ...(ending?.words(zone.name) ?? [])]);
	zone.faults('');
	expect(ended.code, ended.stderr).not.toBe(0);
	expect(zone.writes()).toEqual([]);
}

/** What a plan keeps when it is shown, and the first PUT that was asked for. */
async function begun(mode: MigrationMode): Promise<MigratingZone> {
	const zone = await migratingZone({plan: 'enterprise'});
	expect((await zone.run(['plan', 'c.json'])).code).toBe(0);
	await ask(zone, mode, 'could not back up', file);
	return zone;
}

describe.each(modes)('after an unsent request for "%s"', mode => {
	test.each([
		['a file', file],
		['what was reviewed', []],
	] as const)('for %s, resuming sends no other PUT', async (_of, words) => {
		await Promise.all(
			Object.keys(endings).map(async how => {
				const zone = await begun(other[mode]);
				await ask(zone, mode, how, words);
				const resumed = await zone.run(['resume', '--confirm', zone.name, '--no-watch']);
				expect(resumed.code, resumed.stderr).toBe(0);
				expect(zone.writes(), how).toEqual([`PUT ${mode}`]);
				expect(resumed.stderr).toContain(`Sending the ${word[mode]} now`);
			}),
		);
	});

	test('for an unreviewed file, resuming sends nothing', async () => {
		const zone = await begun('pending');
		await ask(zone, mode, 'could not look at the zone', fileEdited);
		const resumed = await zone.run(['resume', '--confirm', zone.name]);
		expect(resumed.code).toBe(2);
		expect(resumed.stderr).toContain('was not reviewed');
		expect(zone.writes()).toEqual([]);
	});
});

describe('an unconfirmed request', () => {
	test.each([
		['a file', fileEdited],
		['the fingerprint of a plan', ['--fingerprint', computeFingerprint(edited)]],
		['what was reviewed', []],
	] as const)('does not change the earlier request: %s', async (_of, words) => {
		const zone = await begun('pending');
		expect((await zone.run(['plan', 'edited.json'])).code).toBe(0);
		const before = readFileSync(join(zone.folder(), 'journal.ndjson'), 'utf8');
		for (const more of [[], ['--confirm', 'other.example']])
			expect((await zone.run(['validate', ...words, ...more])).code).toBe(2);
		expect(readFileSync(join(zone.folder(), 'journal.ndjson'), 'utf8')).toBe(before);
		const resumed = await zone.run(['resume', '--confirm', zone.name, '--no-watch']);
		expect(resumed.code, resumed.stderr).toBe(0);
		expect(zone.writes()).toEqual(['PUT pending']);
		expect((await zone.end()).fingerprint).toBe(computeFingerprint(proposed));
	});
});
