import {describe, expect, test} from 'vitest';
import {analyse} from '../../../source/firewall/expression/expressions.ts';
import {readMigrationRecord} from '../../../source/migration/journal/journal.ts';
import {analyticsProblems} from '../../../source/simulator/simulator.ts';
import {createMigratingZone} from '../../support/migration.ts';
import {createVirtualClock, ledge} from '../../support/run.ts';

const noon = Date.UTC(2027, 2, 10, 12);

/** Runs `migration events` in a sample zone that has long been in validation. */
const runEvents = (words: readonly string[] = [], faults = '', zone = 'check.acme.example') =>
	ledge(['--simulate', '--zone', zone, 'migration', 'events', ...words], {
		clock: createVirtualClock(noon),
		env: {LEDGE_SIMULATE_FAULTS: faults},
	});

const parseError = (stderr: string) => JSON.parse(stderr.trim().split('\n').at(-1) ?? '').error;

describe('events of both versions', () => {
	test('have a stable JSON shape, with an exception for each candidate', async () => {
		const {code, stdout, stderr} = await runEvents(['--json']);
		expect(code, stderr).toBe(0);
		const found = JSON.parse(stdout);
		expect(Object.keys(found).sort()).toEqual([
			'before',
			'begun',
			'begunKnown',
			'candidates',
			'comparedBy',
			'estimated',
			'missing',
			'onlyNew',
			'onlyPrevious',
			'rise',
			'rules',
			'simulated',
			'since',
			'stage',
			'until',
			'versions',
			'zone',
		]);
		expect(found).toMatchObject({
			begunKnown: false,
			before: null,
			estimated: false,
			missing: [],
			rise: null,
			stage: 'validation',
			until: new Date(noon).toISOString(),
			zone: {name: 'check.acme.example', plan: 'enterprise'},
		});
		const [first] = found.candidates;
		expect(first).toMatchObject({
			path: '/api/import',
			host: 'check.acme.example',
			addresses: 3,
			addressesStoppedByOtherRules: 0,
			countries: 3,
			exception: {action: 'skip', action_parameters: {rules: {[first.ruleset]: [first.rule]}}},
		});
		expect(first.name).toContain('Log4j');
		const {errors} = analyse(first.exception.expression, {
			phase: 'http_request_firewall_managed',
			isMigrated: true,
		});
		expect(errors).toEqual([]);
		for (const version of ['new', 'previous'] as const) {
			const rules = found.rules.filter((rule: {version: string}) => rule.version === version);
			const stopped = rules.reduce((sum: number, rule: {stopped: number}) => sum + rule.stopped, 0);
			expect(found.versions[version].stopped).toBe(stopped);
			expect(stopped).toBeGreaterThan(0);
		}
	});

	test('are printed as tables, with facts about each candidate but no verdict', async () => {
		const {code, stdout, stderr} = await runEvents();
		expect(code, stderr).toBe(0);
		expect(stdout).toContain('The new rules run first: what they stop never reaches the previous ones.');
		expect(stdout).toMatch(
			/Candidates for exceptions, from the new rules:\n.*Log4j.* at check\.acme\.example\/api\/import\n/,
		);
		expect(stdout).toMatch(/from 3 addresses; in 3 countries; at most [\d,]+ from one address/);
		expect(stdout).not.toMatch(/about [\d,]+ request/);
	});

	test('are marked as estimates if sampled', async () => {
		const {stdout} = await runEvents([], 'sample-interval=10');
		expect(stdout).toMatch(/new managed rules +stopped about [\d,]+ requests, logged about/);
		expect(stdout).toMatch(/^new +about [\d,]+ .*block about [\d,]+ +Apache Log4j/m);
		expect(stdout).toMatch(/^about [\d,]+ +about [\d,]+ +check\.acme\.example\/api\/import/m);
		expect(JSON.parse((await runEvents(['--json'], 'sample-interval=10')).stdout).estimated).toBe(true);
	});

	test('name rules as the list of security events does if the zone has no name for them', async () => {
		const {stdout} = await runEvents();
		expect(stdout).toMatch(/^previous .* Inbound Anomaly Score Exceeded \(981176\)$/m);
		expect(stdout).toMatch(/check\.acme\.example\/search +Inbound Anomaly Score Exceeded \(981176\)$/m);
	});

	test('are refused for a zone that is not in validation, with the next step', async () => {
		const {code, stderr} = await runEvents(['--json'], '', 'acme.example');
		expect(code).not.toBe(0);
		expect(parseError(stderr)).toMatchObject({code: 'not_found'});
		expect(parseError(stderr).next).toContain('migration status');
	});
});

describe('missing event data', () => {
	test.each(analyticsProblems)('%s: the command fails and says what is missing', async name => {
		const {code, stderr} = await runEvents(['--json'], `analytics=${name}`);
		expect(code).not.toBe(0);
		expect(parseError(stderr).what).toMatch(/^Security events /);
	});

	test.each([
		['status=403 path=graphql', /require the permission Zone Analytics: Read/],
		['status=404 path=graphql', /are not available from this service/],
		['lacks-dataset=firewallEventsAdaptiveGroups', /are not available from this service/],
	])('%s: the command fails and gives the reason', async (faults, message) => {
		const {code, stderr} = await runEvents(['--json'], faults);
		expect(code).not.toBe(0);
		expect(parseError(stderr).what).toMatch(message);
	});

	test('is named, and the rest is compared', async () => {
		const {code, stdout} = await runEvents(['--json'], 'lacks-dimension=clientIP');
		expect(code).toBe(0);
		const {candidates, missing} = JSON.parse(stdout);
		expect(missing).toEqual([
			{kind: 'unknown field', what: 'Security events lack clientIP on this service.', why: null, next: null},
		]);
		expect(candidates[0]).toMatchObject({addresses: null, addressesStoppedByOtherRules: null, countries: 3});
	});

	test('on paths prevents a comparison, and no section looks empty', async () => {
		const {stdout} = await runEvents([], 'lacks-dimension=clientRequestPath');
		expect(stdout).toContain('Rules and paths could not be read: the versions are not compared.');
		expect(stdout).not.toMatch(/alone: none|Candidates/);
	});

	test('on single events leaves a comparison by path', async () => {
		const {stdout} = await runEvents(['--json'], 'lacks-dataset=firewallEventsAdaptive');
		expect(JSON.parse(stdout).comparedBy).toBe('paths');
	});
});

test('the events of the validation are in the journal and in the report after the deploy', async () => {
	const zone = await createMigratingZone({plan: 'enterprise', migrationSeconds: 0.1});
	expect((await zone.send('validate')).code).toBe(0);
	const found = await zone.run(['events', '--json']);
	expect(found.code, found.stderr).toBe(0);
	expect(JSON.parse(found.stdout)).toMatchObject({
		begunKnown: true,
		versions: {new: {stopped: 0, logged: 0, skipped: 0}},
		candidates: [],
	});
	expect((await zone.run(['events'])).stdout).toContain('Figures lag by a few minutes.');
	const record = () =>
		readMigrationRecord(
			{LEDGE_STATE_DIR: zone.state},
			{place: new URL(zone.url).origin, zone: {id: zone.id, name: zone.name}},
		);
	expect(record()).toMatchObject({state: 'validating', validation: {stopped: {new: 0, previous: 0}}});
	expect(record()?.firstValidated).toBe(record()?.put?.fingerprint);
	const sent = await zone.send('deploy');
	expect(sent.code, sent.stderr).toBe(0);
	const report = await zone.run(['report']);
	expect(report.stdout).toContain('## What validation showed');
	expect(report.stdout).toContain('| New managed rules | 0 | 0 | 0 |');
	expect(report.stdout).toContain('Exceptions added during validation: none.');
	const after = await zone.run(['events', '--json']);
	expect(JSON.parse(after.stdout)).toMatchObject({stage: 'complete', rise: null});
	expect(zone.writes()).toEqual(['PUT validation', 'PUT pending']);
});
