import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {computeFingerprint} from '../../../source/migration/configuration/configuration.ts';
import type {MigrationMode} from '../../../source/migration/machine/stage.ts';
import {
	createMigratingZone,
	editedConfiguration,
	type MigratingZone,
	proposedConfiguration,
} from '../../support/migration.ts';

const commands = {validation: 'validate', pending: 'deploy'} as const satisfies Record<MigrationMode, string>;
const modes = Object.keys(commands) as MigrationMode[];
const otherMode = {validation: 'pending', pending: 'validation'} as const satisfies Record<
	MigrationMode,
	MigrationMode
>;
const modeText = {validation: 'validation', pending: 'deployment'} as const satisfies Record<
	MigrationMode,
	string
>;
const fileArguments = ['c.json', '--fingerprint', computeFingerprint(proposedConfiguration)];
const editedFileArguments = ['edited.json', '--fingerprint', computeFingerprint(editedConfiguration)];

/** Ways in which a requested PUT is not sent: the further arguments, and the fault of the service. */
const unsentCases: Readonly<
	Record<string, {readonly words: (name: string) => readonly string[]; readonly fault?: string}>
> = {
	'could not look at the zone': {words: name => ['--confirm', name], fault: 'status=403 path=/waf_migration'},
	'could not back up': {words: name => ['--confirm', name], fault: 'status=403 path=/waf/packages'},
};

/** Requests a PUT that is not sent. */
async function requestUnsentPut(
	zone: MigratingZone,
	mode: MigrationMode,
	caseName: string,
	words: readonly string[],
): Promise<void> {
	const unsentCase = unsentCases[caseName];
	zone.setFaults(unsentCase?.fault ?? '');
	const ended = await zone.run([commands[mode], ...words, ...(unsentCase?.words(zone.name) ?? [])]);
	zone.setFaults('');
	expect(ended.code, ended.stderr).not.toBe(0);
	expect(zone.writes()).toEqual([]);
}

/** Creates a zone with a reviewed plan and a first request for a PUT in this mode, which was not sent. */
async function createRequestedZone(mode: MigrationMode): Promise<MigratingZone> {
	const zone = await createMigratingZone({plan: 'enterprise'});
	expect((await zone.run(['plan', 'c.json'])).code).toBe(0);
	await requestUnsentPut(zone, mode, 'could not back up', fileArguments);
	return zone;
}

describe.each(modes)('after an unsent request for "%s"', mode => {
	test.each([
		['a file', fileArguments],
		['what was reviewed', []],
	] as const)('for %s, resuming sends only this PUT', async (_of, words) => {
		await Promise.all(
			Object.keys(unsentCases).map(async caseName => {
				const zone = await createRequestedZone(otherMode[mode]);
				await requestUnsentPut(zone, mode, caseName, words);
				const resumed = await zone.run(['resume', '--confirm', zone.name, '--no-watch']);
				expect(resumed.code, resumed.stderr).toBe(0);
				expect(zone.writes(), caseName).toEqual([`PUT ${mode}`]);
				expect(resumed.stderr).toContain(`Sending the ${modeText[mode]} now`);
			}),
		);
	});

	test('for an unreviewed file, resuming sends nothing', async () => {
		const zone = await createRequestedZone('pending');
		await requestUnsentPut(zone, mode, 'could not look at the zone', editedFileArguments);
		const resumed = await zone.run(['resume', '--confirm', zone.name]);
		expect(resumed.code).toBe(2);
		expect(resumed.stderr).toContain('was not reviewed');
		expect(zone.writes()).toEqual([]);
	});
});

describe('an unconfirmed request', () => {
	test.each([
		['a file', editedFileArguments],
		['the fingerprint of a plan', ['--fingerprint', computeFingerprint(editedConfiguration)]],
		['what was reviewed', []],
	] as const)('does not change the earlier request: %s', async (_of, words) => {
		const zone = await createRequestedZone('pending');
		expect((await zone.run(['plan', 'edited.json'])).code).toBe(0);
		const before = readFileSync(join(zone.folder(), 'journal.ndjson'), 'utf8');
		for (const more of [[], ['--confirm', 'other.example']])
			expect((await zone.run(['validate', ...words, ...more])).code).toBe(2);
		expect(readFileSync(join(zone.folder(), 'journal.ndjson'), 'utf8')).toBe(before);
		const resumed = await zone.run(['resume', '--confirm', zone.name, '--no-watch']);
		expect(resumed.code, resumed.stderr).toBe(0);
		expect(zone.writes()).toEqual(['PUT pending']);
		expect((await zone.readFinalState()).fingerprint).toBe(computeFingerprint(proposedConfiguration));
	});
});
