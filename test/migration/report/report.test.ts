import {describe, expect, test} from 'vitest';
import {
	computeFingerprint,
	formatFingerprint,
	type ManagedConfiguration,
} from '../../../source/migration/configuration/configuration.ts';
import {managedRulesets, thresholdRuleId} from '../../../source/migration/configuration/mapping.ts';
import type {Verification} from '../../../source/migration/flow/verification.ts';
import {buildMigrationReport, type ReportParts} from '../../../source/migration/report/report.ts';
import {snapshotPartNames as snapshotParts} from '../../../source/migration/zone/snapshot.ts';
import type {JsonObject} from '../../../source/text/json.ts';
import {buildBareSnapshot} from '../../support/snapshot.ts';

const {platform, owasp} = managedRulesets;
const zone = {
	id: 'f'.repeat(32),
	name: 'one.example',
	plan: 'enterprise',
	label: 'Acme › zone one.example',
	account: 'Acme',
} as const;

const override: JsonObject = {
	id: 'o1',
	urls: ['one.example/shop/*'],
	groups: {g1: 'disable'},
	rules: {w1: 'simulate'},
	rewrite_action: {challenge: 'block'},
	paused: true,
	priority: 7,
	description: 'the shop',
};

const configuration: ManagedConfiguration = {
	name: 'default',
	rules: [
		{action: 'execute', expression: 'true', action_parameters: {id: platform.id}},
		{
			action: 'execute',
			expression: 'true',
			action_parameters: {
				id: owasp.id,
				overrides: {
					categories: [
						{category: 'paranoia-level-3', enabled: false},
						{category: 'paranoia-level-4', enabled: false},
					],
					rules: [{id: thresholdRuleId, score_threshold: 40, action: 'log'}],
				},
			},
		},
	],
};

const snapshot = buildBareSnapshot({
	place: 'https://api.example',
	zone,
	check: {compatible: true, migration_state: 'start'},
	waf: {id: 'waf', value: 'on'},
	packages: [
		{
			package: {
				id: 'p2',
				name: 'OWASP ModSecurity Core Rule Set',
				detection_mode: 'anomaly',
				sensitivity: 'high',
				action_mode: 'simulate',
			},
			groups: [{id: 'g2', name: 'OWASP XSS Attacks', mode: 'off', rules_count: 9, modified_rules_count: 0}],
			rules: [],
		},
		{
			package: {id: 'p1', name: 'Managed rules', detection_mode: 'traditional'},
			groups: [{id: 'g1', name: 'Joomla', mode: 'on', rules_count: 1, modified_rules_count: 0}],
			rules: [
				{
					id: 'w1',
					description: 'Block evil *things*',
					group: {id: 'g1', name: 'Joomla'},
					mode: 'default',
					default_mode: 'block',
				},
			],
		},
	],
	pageRules: [
		{
			id: 'page1',
			targets: [{target: 'url', constraint: {operator: 'matches', value: 'one.example/static/*'}}],
			actions: [{id: 'disable_security'}],
			status: 'active',
			priority: 1,
		},
	],
	proposed: {name: 'default', rules: configuration.rules},
	unread: [{what: 'settings', why: 'The token may not.'}],
});

const verification: Verification = {
	stage: 'complete',
	fingerprint: computeFingerprint(configuration),
	managedRulesets: [
		{id: platform.id, name: platform.name, activity: 'on'},
		{id: owasp.id, name: owasp.name, activity: 'off', level: 2, threshold: 40},
	],
	sameAsReviewed: true,
	differences: [],
	newWaf: 'enabled',
	oldWaf: 'disabled',
	findings: [],
};

const at = Date.parse('2026-11-21T04:00:00Z');
const parts: ReportParts = {
	zone,
	snapshot,
	configuration,
	verification,
	at,
	deletedOverrides: [override],
	record: {
		state: 'complete',
		goal: 'pending',
		reviewed: {fingerprint: computeFingerprint(configuration), proposed: undefined, rules: 2, at},
		put: {
			mode: 'pending',
			fingerprint: computeFingerprint(configuration),
			at,
			before: {stage: 'previous', version: undefined, fingerprint: undefined},
			came: 'accepted',
		},
		backup: {folder: '/state/back_up-1', objects: 31, at},
		completed: at,
	},
};

/** The text of a part of the report, up to the next one. */
function partOf(report: string, title: string): string {
	const [, after = ''] = report.split(`\n## ${title}\n`);
	return after.split('\n## ')[0] ?? '';
}

describe('the report', () => {
	const report = buildMigrationReport(parts);

	test('lists the parts that the credential may not read, and never counts them as empty', () => {
		const unread = (what: string) => ({what, why: 'The token may not.', isForbidden: true as const});
		const names = [snapshotParts.overrides, snapshotParts.pageRules];
		const incompleteSnapshot = {...snapshot, overrides: [], pageRules: [], unread: names.map(unread)};
		const text = buildMigrationReport({...parts, snapshot: incompleteSnapshot, deletedOverrides: []});
		const recreateSection = partOf(text, 'To recreate manually');
		expect(recreateSection).toContain('URI-based overrides: not allowed to read.');
		expect(recreateSection).toContain('page rules: not allowed to read.');
		expect(recreateSection).not.toContain('Nothing found.');
		expect(partOf(text, 'Before and after the migration')).toContain('the page rules | not allowed to read');
	});

	test('says what was sent and when, and where the backup is', () => {
		expect(report).toContain(`fingerprint ${formatFingerprint(computeFingerprint(configuration))}`);
		expect(report).toContain('`waf_migration=pending`');
		expect(report).toContain('Backup: `/state/back_up-1` (31 objects, 2026-11-21T04:00:00.000Z)');
	});

	test('lists each managed ruleset, and says that there is no global switch', () => {
		const activeSection = partOf(report, 'What is active now');
		expect(activeSection).toContain('no global switch');
		expect(activeSection).toContain(`| ${platform.name} (${platform.id}) | yes | yes | – | – |`);
		expect(activeSection).toContain(
			`| ${owasp.name} (${owasp.id}) | yes | no | PL2 | Medium, 40 or higher |`,
		);
	});

	test('compares the previous settings with their new form', () => {
		expect(partOf(report, 'Before and after the migration')).toMatch(/\| [^|]*High[^|]* \| [^|]*PL2/i);
	});

	test('has everything needed to recreate a deleted override', () => {
		const recreateSection = partOf(report, 'To recreate manually');
		for (const needed of [
			'Override o1: the shop',
			'one.example/shop/\\*',
			'group "Joomla" (g1): disable',
			'rule "Block evil \\*things\\*" (w1): simulate',
			'action challenge became block',
			'paused, priority 7',
			'http.request.full_uri wildcard "*://one.example/shop/*"',
		])
			expect(recreateSection).toContain(needed);
	});

	test('lists the OWASP groups that are not migrated', () => {
		expect(partOf(report, 'To recreate manually')).toContain('g2');
	});

	test('lists page rules that no longer have an effect', () => {
		expect(partOf(report, 'Before and after the migration')).toMatch(
			/page rule one\.example\/static\/\\\* \| Disable Security \| no exception, and it no longer affects/,
		);
	});

	test('says whether the deployed configuration is the reviewed one', () => {
		expect(partOf(report, 'What was reviewed, and what is deployed')).toBe('\nThey are the same.\n');
		const differing = buildMigrationReport({
			...parts,
			verification: {
				...verification,
				sameAsReviewed: false,
				differences: [{about: 'rule 1', before: 'on', after: 'off'}],
			},
		});
		expect(partOf(differing, 'What was reviewed, and what is deployed')).toContain('| rule 1 | on | off |');
	});

	test('writes paths in a form that can be pasted', () => {
		const folder = '/home/o/.ledge/simulated_/a_b_/backup-1';
		const pathReport = buildMigrationReport({
			...parts,
			record: {...parts.record, backup: {folder, objects: 1, at: parts.at}},
			snapshot: {...snapshot, place: 'https://api.example/_x_'},
			damagedBackups: [`${folder}_`],
		});
		for (const path of [folder, `${folder}_`, 'https://api.example/_x_'])
			expect(pathReport).toContain(`\`${path}\``);
	});

	test('says how to continue with Terraform, and which parts could not be read', () => {
		expect(partOf(report, 'Terraform')).toContain(`ledge migration export --steps --zone-id ${zone.id}`);
		expect(partOf(report, 'Terraform')).toContain('only up to provider version 3.35');
		expect(partOf(report, 'What could not be read before the migration')).toContain(
			'settings: The token may not.',
		);
	});

	test('also exists for a migration done by someone else', () => {
		const foreignReport = buildMigrationReport({
			...parts,
			record: {state: 'complete'},
			configuration: undefined,
		});
		expect(foreignReport).toContain('Sent: nothing by this installation of ledge');
		expect(foreignReport).toContain('Backup: none made by this installation of ledge');
		expect(partOf(foreignReport, 'To recreate manually')).toContain('Override o1');
	});

	test('uses the active configuration to show what became of the settings if nothing was reviewed', () => {
		const verificationWithDeployed = {...verification, deployed: configuration};
		const {deletedOverrides: _, ...partsWithoutOverrides} = parts;
		const foreignReport = buildMigrationReport({
			...partsWithoutOverrides,
			verification: verificationWithDeployed,
			configuration: undefined,
		});
		expect(partOf(foreignReport, 'To recreate manually')).toContain('OWASP XSS Attacks');
		expect(foreignReport).toContain('Before and after the migration');
	});

	test('lets no hostile text start a heading or end a code block or a cell', () => {
		const hostile = '\n## Owned\n```\n| <script>alert(1)</script> [x](http://evil.example) **b** @all';
		const hostileReport = buildMigrationReport({
			...parts,
			zone: {...zone, name: hostile, account: hostile},
			configuration: {
				name: 'default',
				rules: configuration.rules.map(rule => ({
					...rule,
					description: hostile,
					expression: `ssl ${hostile}`,
				})),
			},
			deletedOverrides: [{...override, description: hostile, urls: [hostile]}],
			verification: {
				...verification,
				findings: [hostile],
				sameAsReviewed: false,
				differences: [{about: hostile, before: hostile, after: hostile}],
			},
		});
		const linesOutsideCode = withoutCode(hostileReport);
		const headings = linesOutsideCode.filter(line => /^ *#{1,6} /.test(line));
		expect(headings.filter(line => line.includes('Owned'))).toEqual([
			expect.stringMatching(/^# Migration of the managed rules of /),
			expect.stringMatching(/^#### Override o1: /),
		]);
		expect(linesOutsideCode.join('\n')).not.toMatch(/<script|[^\\]\[x\]|http:\/\/evil|@all/);
	});
});

/** The lines outside code blocks. */
function withoutCode(report: string): string[] {
	let fence: string | undefined;
	return report.split('\n').filter(line => {
		const [mark] = /^`{3,}/.exec(line) ?? [];
		if (fence === undefined && mark) {
			fence = mark;
			return false;
		}
		if (fence !== undefined && line === fence) {
			fence = undefined;
			return false;
		}
		return fence === undefined;
	});
}
