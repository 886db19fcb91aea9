import {describe, expect, test} from 'vitest';
import {Failure} from '../../../source/failure.ts';
import {managedRulesets} from '../../../source/migration/configuration/mapping.ts';
import {
	backup,
	buildPut,
	configuration,
	migrationWith,
	minutes,
	previousObservation,
	verification,
	zone,
} from '../support/migration.ts';
import {drawMigrationRows, type Situations, sizes, testSituations} from '../support/migration-rows.tsx';

const situations: Situations = {
	validating: {
		migration: migrationWith({
			step: 'watch',
			record: {
				state: 'validating',
				validatingSince: Date.now() - minutes(12),
				seen: {...previousObservation, stage: 'validation'},
				put: buildPut('validation', {came: 'accepted'}),
			},
		}),
		shows: [
			'Both versions are active',
			zone.name,
			'12 min',
			'activity log',
			'security events',
			'Mark validation as done',
		],
	},
	'validating other rules than were sent': {
		migration: migrationWith({
			step: 'watch',
			record: {
				state: 'validating',
				seen: {
					...previousObservation,
					stage: 'validation',
					entryPoint: {id: 'e', version: '2', fingerprint: 'b'.repeat(16), rules: 1},
				},
				put: buildPut('validation', {came: 'accepted'}),
			},
		}),
		shows: ['Both versions are active', 'differs from what was reviewed and sent'],
	},
	'ready to update': {
		migration: migrationWith({
			step: 'watch',
			record: {state: 'ready to update', seen: {...previousObservation, stage: 'validation'}},
		}),
		shows: ['cannot be undone', 'Turn off previous version'],
	},
	finishing: {
		migration: migrationWith({
			step: 'watch',
			phase: {name: 'watching'},
			watchStatus: {since: Date.now() - minutes(9), at: Date.now() - minutes(1)},
			record: {
				state: 'finishing',
				seen: {
					...previousObservation,
					stage: 'pending',
					status: {
						state: 'pending',
						newWaf: 'enabled',
						oldWaf: 'enabled',
						created: undefined,
						source: undefined,
					},
				},
			},
		}),
		shows: [
			'being turned off',
			zone.name,
			'minutes to an hour',
			'"pending"',
			'started 9 min ago',
			'You can close ledge',
		],
	},
	'finishing, and out of reach': {
		migration: migrationWith({
			step: 'watch',
			phase: {name: 'watching'},
			watchStatus: {
				since: Date.now() - minutes(9),
				at: Date.now() - minutes(4),
				outage: {
					since: Date.UTC(2026, 10, 21, 3, 7),
					failure: new Failure('unreachable', 'The service cannot be reached.'),
				},
			},
			record: {state: 'finishing', seen: {...previousObservation, stage: 'pending'}},
		}),
		shows: ['Someone is turning', 'Unreachable since', '03:07 UTC', 'still trying', 'cannot be reached.'],
	},
	done: {
		migration: migrationWith({
			step: 'done',
			verification,
			reportPath: '/home/ada/.local/state/ledge/report.md',
			record: {
				state: 'complete',
				seen: {...previousObservation, stage: 'complete'},
				put: buildPut('pending', {came: 'accepted'}),
			},
		}),
		shows: [
			'is migrated: only the new version is active',
			'OWASP Core Ruleset, deployed, enabled, PL2, score threshold Medium, 40 or higher',
			'Managed Ruleset, deployed, not enabled',
			'Exposed Credentials Check, not deployed',
			'no longer have a global switch',
			'de677e5818985db1285d0e80225f06e5',
			'/home/ada/.local/state/ledge/report.md',
			`ledge migration export --format terraform --zone-id ${zone.id}`,
			backup.folder,
		],
	},
	'done otherwise': {
		migration: migrationWith({
			step: 'done',
			verification: {
				...verification,
				sameAsReviewed: false,
				differences: [{about: 'rule 3', before: 'off', after: 'on'}],
				findings: ['The deployed configuration differs from the reviewed one.'],
			},
			record: {state: 'complete'},
		}),
		shows: ['differs from the reviewed one', 'rule 3'],
	},
	'what is not in the journal': {
		migration: migrationWith({
			step: 'watch',
			journalFailure: new Failure('file_failed', 'The journal could not be written.', {
				why: 'The disk is full.',
			}),
			record: {state: 'validating'},
		}),
		shows: [
			'The journal could not be written.',
			'The disk is full.',
			'not in the journal',
			'Mark validation as done',
		],
	},
};

describe('the watch step and the end', () => testSituations(situations));

describe('the final deployment', () => {
	const drawDeployment = (reviewedConfiguration: typeof configuration) =>
		drawMigrationRows(
			migrationWith({
				step: 'done',
				verification,
				configuration: reviewedConfiguration,
				record: {state: 'complete'},
			}),
			sizes[2],
		);
	const findMark = (rows: readonly string[], name: string) =>
		rows
			.find(row => row.includes(name))
			?.slice(31)
			.trim()[0];

	test('does not warn of rulesets not meant to be deployed', async () => {
		const rows = await drawDeployment(configuration);
		expect(findMark(rows, 'Exposed Credentials Check, not deployed')).toBe('–');
		expect(findMark(rows, 'Managed Ruleset, deployed, not enabled')).toBe('–');
	});

	test('warns of a ruleset reviewed as deployed that is not', async () => {
		const rule = {
			action: 'execute',
			expression: 'true',
			action_parameters: {id: managedRulesets.credentials.id},
		};
		const rows = await drawDeployment({...configuration, rules: [...configuration.rules, rule]});
		expect(findMark(rows, 'Exposed Credentials Check, not deployed')).toBe('!');
	});

	test('reports what is wrong', async () => {
		const findings = ['No managed ruleset is on.'];
		const rows = await drawMigrationRows(
			migrationWith({
				step: 'done',
				verification: {...verification, findings},
				record: {state: 'complete'},
			}),
			sizes[2],
		);
		expect(rows.join('\n')).toContain('! No managed ruleset is on.');
	});
});
