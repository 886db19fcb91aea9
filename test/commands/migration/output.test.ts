import {readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {computeFingerprint} from '../../../source/migration/configuration/configuration.ts';
import {createMigratingZone, editedConfiguration, proposedConfiguration} from '../../support/migration.ts';

describe.each([
	['export to JSON', ['export', 'edited.json', '--format', 'json']],
	['export to Terraform', ['export', 'edited.json', '--format', 'terraform']],
	['steps of an export', ['export', '--steps']],
])('the %s', (_what, words) => {
	test('is written to a file as to standard output, and replaces no file without consent', async () => {
		const zone = await createMigratingZone();
		const printed = await zone.run(words);
		expect(printed.code, printed.stderr).toBe(0);
		const written = await zone.run([...words, '--output', 'out', '--json']);
		expect(written.code, written.stderr).toBe(0);
		const text = readFileSync(join(zone.cwd, 'out'), 'utf8');
		expect(text).toBe(printed.stdout);
		expect(JSON.parse(written.stdout)).toMatchObject({file: 'out', bytes: Buffer.byteLength(text)});
		writeFileSync(join(zone.cwd, 'out'), 'mine');
		expect((await zone.run([...words, '--output', 'out'])).code).toBe(2);
		expect(readFileSync(join(zone.cwd, 'out'), 'utf8')).toBe('mine');
		expect((await zone.run([...words, '--output', 'out', '--yes'])).code).toBe(0);
		expect(readFileSync(join(zone.cwd, 'out'), 'utf8')).toBe(text);
		expect(zone.writes()).toEqual([]);
	});
});

test('an export to JSON can be read by plan', async () => {
	const zone = await createMigratingZone();
	await zone.run(['export', 'edited.json', '--output', 'again.json']);
	const {stdout} = await zone.run(['plan', 'again.json', '--json']);
	expect(JSON.parse(stdout).fingerprint).toBe(computeFingerprint(editedConfiguration));
});

test('a dry run of a backup lists its contents, also as JSON, and writes none', async () => {
	const zone = await createMigratingZone();
	const ended = await zone.run(['backup', '--dry-run', '--json']);
	expect(ended.code, ended.stderr).toBe(0);
	expect(JSON.parse(ended.stdout)).toMatchObject({backup: null, objects: expect.any(Number), unread: []});
	expect(zone.files()).toEqual([]);
});

describe('a report', () => {
	test("is written to a file as it is kept in the zone's folder", async () => {
		const zone = await createMigratingZone();
		await zone.send('deploy');
		const written = await zone.run(['report', '--output', 'report.md']);
		expect(written).toMatchObject({code: 0, stdout: ''});
		const kept = readFileSync(join(zone.folder(), 'report.md'), 'utf8');
		expect(readFileSync(join(zone.cwd, 'report.md'), 'utf8')).toBe(kept);
		expect((await zone.run(['report', '--output', 'report.md'])).code).toBe(2);
	});

	test('is rebuilt from the current deployment', async () => {
		const zone = await createMigratingZone();
		await zone.send('deploy');
		await zone.ask('PUT', '/rulesets/phases/http_request_firewall_managed/entrypoint', editedConfiguration);
		const ended = await zone.run(['report', '--json']);
		expect(ended.code, ended.stderr).toBe(0);
		const {verified, report} = JSON.parse(ended.stdout);
		expect(verified).toBe(true);
		expect(report).toContain('The deployed configuration differs from the reviewed one.');
		expect(readFileSync(join(zone.folder(), 'report.md'), 'utf8')).toBe(report);
	});

	test('shows the kept one with its time if the zone cannot be read', async () => {
		const zone = await createMigratingZone();
		await zone.send('deploy');
		const kept = readFileSync(join(zone.folder(), 'report.md'), 'utf8');
		zone.setFaults('status=500');
		const ended = await zone.run(['report']);
		expect(ended.code, ended.stderr).toBe(0);
		expect(ended.stdout).toBe(kept);
		expect(ended.stderr).toMatch(/Showing the report of \d{4}-\d\d-\d\dT[^:]+:\d\d:/);
		const {verified, report} = JSON.parse((await zone.run(['report', '--json'])).stdout);
		expect({verified, report}).toEqual({verified: false, report: kept});
	});

	test('is written despite a damaged older backup, and says so', async () => {
		const zone = await createMigratingZone();
		await zone.run(['backup']);
		const [older = ''] = zone.files().filter(path => path.endsWith('snapshot.json'));
		writeFileSync(older, '{"version":');
		const sent = await zone.send('deploy');
		expect(sent.code, sent.stderr).toBe(0);
		const {stdout} = await zone.run(['report']);
		expect(stdout).toContain(`The backup \`${dirname(older)}\` is damaged.`);
	});

	test('uses a backup not named in the journal if someone else migrated the zone', async () => {
		const zone = await createMigratingZone();
		expect((await zone.run(['backup'])).code).toBe(0);
		await zone.putElsewhere('pending');
		const ended = await zone.run(['report']);
		expect(ended.code, ended.stderr).toBe(0);
		expect(ended.stdout).toContain('Sent: nothing by this installation of ledge');
		expect(ended.stdout).toContain('OWASP ModSecurity Core Rule Set group');
	});
});

describe('watching the status without a terminal', () => {
	test('prints one line for each change, however often it checks', async () => {
		const zone = await createMigratingZone({plan: 'enterprise', migrationSeconds: 2});
		expect((await zone.send('deploy', {words: ['--no-watch']})).code).toBe(0);
		zone.takeCallCount();
		const watched = await zone.run(['status', '--watch']);
		expect(watched.code, watched.stderr).toBe(0);
		expect(zone.takeCallCount()).toBeGreaterThan(9);
		const lines = watched.stderr.trim().split('\n');
		expect(lines).toHaveLength(2);
		expect(lines[0]).toContain('the previous version is being turned off');
		expect(lines[1]).toContain('new version only');
		expect(watched.stdout).toContain('new version only');
		expect(watched.stdout).not.toMatch(/[\r\u001b]/);
	});

	test('waits for an unreachable service, and says so once', async () => {
		const zone = await createMigratingZone({plan: 'enterprise', migrationSeconds: 4});
		expect((await zone.send('deploy', {words: ['--no-watch']})).code).toBe(0);
		let statusReadCount = 0;
		const isStatus = ({path}: {readonly path: string}) => path.endsWith('/waf_migration/status');
		zone.onCall({
			when: 'after',
			is: call => isStatus(call) && ++statusReadCount > 1,
			does: async () => {
				zone.setFaults('status=500 times=20 path=waf_migration');
			},
		});
		const watched = await zone.run(['status', '--watch']);
		expect(watched.code, watched.stderr).toBe(0);
		expect(watched.stderr.match(/Unreachable since .*, still trying/g)).toHaveLength(1);
		expect(watched.stdout).toContain('new version only');
	});

	test('ends at once if nothing is in progress', async () => {
		const zone = await createMigratingZone();
		const watched = await zone.run(['status', '--watch', '--json']);
		expect(watched).toMatchObject({code: 0, stderr: ''});
		expect(JSON.parse(watched.stdout)).toMatchObject({state: 'eligible', seen: {stage: 'previous'}});
	});
});

test('the errors of the simulated service in a rehearsal are printed', async () => {
	const zone = await createMigratingZone();
	const rules = proposedConfiguration.rules.map(rule =>
		rule.action === 'execute'
			? {...rule, action_parameters: {...rule.action_parameters, oddity: true}}
			: rule,
	);
	writeFileSync(join(zone.cwd, 'odd.json'), JSON.stringify({...proposedConfiguration, rules}));
	const ended = await zone.run(['rehearse', 'odd.json']);
	expect(ended.code, ended.stderr).toBe(1);
	expect(ended.stdout).toContain(`the simulated service rejected what was sent`);
	expect(ended.stdout).toContain('unknown parameter oddity');
	expect(zone.writes()).toEqual([]);
});
