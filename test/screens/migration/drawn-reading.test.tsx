import {describe, expect, test} from 'vitest';
import {formatFingerprint} from '../../../source/migration/configuration/configuration.ts';
import {
	blockedEligibility,
	configurationFingerprint,
	migrationWith,
	override,
	previousObservation,
	zone,
} from '../support/migration.ts';
import {
	drawMigrationRows,
	joinWithoutBlanks,
	type Situations,
	sizes,
	testSituations,
} from '../support/migration-rows.tsx';

const situations: Situations = {
	zone: {migration: migrationWith({step: 'zone'}), shows: [zone.name, zone.id, 'enterprise', 'Acme']},
	'a zone taken up again': {
		migration: migrationWith({step: 'zone', access: {name: 'open', isResumed: true}}),
		shows: [zone.name, formatFingerprint(configurationFingerprint), 'but not sent', 'Continue'],
	},
	reading: {
		migration: migrationWith({step: 'zone', phase: {name: 'reading', what: 'rules', objectCount: 17}}),
		shows: ['Reading rules', '17 objects', 'esc stops it'],
	},
	eligibility: {
		migration: migrationWith({step: 'eligibility'}),
		shows: [
			'can migrate',
			'previous managed rules only',
			'"start"',
			'version 7',
			'12 firewall rules',
			'311 bytes',
		],
	},
	'not eligible': {
		migration: migrationWith({
			step: 'eligibility',
			eligibility: blockedEligibility,
			record: {state: 'blocked'},
		}),
		shows: ['not eligible', 'until 2 blockers are resolved', '201', '5,000'],
	},
	'not eligible for one reason': {
		migration: migrationWith({
			step: 'eligibility',
			snapshot: undefined,
			eligibility: {
				eligible: false,
				stage: 'previous',
				blockers: [
					{
						kind: 'plan',
						hinders: true,
						sentence: 'The zone is on the Free plan, which never had the previous managed rules.',
						ids: [],
						next: '',
					},
				],
				unread: {},
				counts: {overrides: undefined, firewallRules: undefined, longestExpression: undefined},
			},
			record: {state: 'blocked', seen: undefined},
		}),
		shows: ['shop.example is not eligible: The zone is on the Free plan'],
	},
	'moved on': {
		migration: migrationWith({step: 'eligibility', record: {state: 'moved on'}}),
		shows: ['was changed elsewhere', zone.name, 'I have seen'],
	},
	'unknown stage': {
		migration: migrationWith({
			step: 'eligibility',
			record: {
				state: 'unknown stage',
				seen: {
					...previousObservation,
					stage: 'unknown',
					check: {compatible: true, state: 'warp'},
					status: undefined,
				},
			},
		}),
		shows: ['reports an unknown state', 'writes nothing', '"warp"'],
	},
	blockers: {
		migration: migrationWith({step: 'blockers', eligibility: blockedEligibility, cursor: 1}),
		shows: [override.id, 'card payments', '372e67954025e0ba6aaa6d586b9e0b59', 'Ask the support', 'backup'],
	},
	'no blockers': {migration: migrationWith({step: 'blockers'}), shows: ['Nothing blocks', zone.name]},
	'deleting an override': {
		migration: migrationWith({
			step: 'blockers',
			eligibility: blockedEligibility,
			phase: {name: 'deleting', what: `deleting override ${override.id}`},
		}),
		shows: ['Deleting override', override.id],
	},
};

describe('the steps from the zone to its blockers', () => testSituations(situations));

test.each(
	sizes.slice(1),
)('deleted overrides come with the full command to restore them, at $columns×$rows', async size => {
	const rows = await drawMigrationRows(
		migrationWith({step: 'blockers', eligibility: blockedEligibility}),
		size,
	);
	expect(joinWithoutBlanks(rows, size)).toContain(
		`ledge migration overrides restore backup-2026-11-21T0308Z --zone-id ${zone.id}`.replaceAll(/\s/g, ''),
	);
});

test('limits are shown beside counts, and not if nothing was counted', async () => {
	const freeZone = situations['not eligible for one reason']?.migration;
	if (!freeZone) throw new Error('There is no such situation.');
	expect((await drawMigrationRows(freeZone)).join()).not.toContain('not read');
	expect((await drawMigrationRows(migrationWith({step: 'eligibility'}))).join()).toContain('200 at most');
});
