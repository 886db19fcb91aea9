import {describe, expect, test} from 'vitest';
import {Failure} from '../../../source/failure.ts';
import {managedRulesets} from '../../../source/migration/configuration/mapping.ts';
import {migrationSteps} from '../../../source/screens/migration/state.ts';
import {measureColumns} from '../../../source/text/columns.ts';
import {
	backup,
	blockedEligibility,
	buildPut,
	configuration,
	migrationWith,
	override,
	plan,
	previousObservation,
	rehearsal,
	snapshot,
	verification,
	zone,
} from '../support/migration.ts';
import {drawMigrationRows, sizes} from '../support/migration-rows.tsx';

test.each(
	migrationSteps.flatMap(step => sizes.map(size => ({step, size, ...size}))),
)('the $step step is named, at $columns×$rows', async ({step, size}) => {
	const rows = await drawMigrationRows(migrationWith({step}), size);
	expect(rows.join('\n')).toMatch(
		size.rows === 15
			? new RegExp(`step ${migrationSteps.indexOf(step) + 1} of 11 · ${step}`)
			: new RegExp(`[●×] ${step}`),
	);
});

describe('the way ahead', () => {
	test('all steps are listed beside the text at 80×24, with the border before deployment', async () => {
		const rows = await drawMigrationRows(
			migrationWith({step: 'review', record: {state: 'eligible', reviewed: undefined}}),
		);
		const marks = rows.map(row => row.slice(0, 20).trim()).filter(Boolean);
		expect(marks).toEqual([
			'✓ zone',
			'✓ eligibility',
			'✓ blockers',
			'● review',
			'○ edit',
			'○ path',
			'○ rehearse',
			'○ confirm',
			'─ no documented ─',
			'─ rollback ─',
			'○ deploy',
			'○ watch',
			'○ done',
		]);
	});

	test('a wide screen has the comparison with the losses and changes beside it', async () => {
		const rows = await drawMigrationRows(migrationWith({step: 'review'}), sizes[2]);
		const findRowIndex = (text: string) => rows.findIndex(row => row.includes(text));
		expect(findRowIndex('OWASP Core')).toBeGreaterThanOrEqual(0);
		expect(rows[0]).toContain('PL1 for Medium and Low');
		expect(rows.join('\n')).toContain('Your unsent changes');
	});

	test('scrolling reaches the end of the comparison, and says how many rows remain until then', async () => {
		const small = sizes[0];
		const first = await drawMigrationRows(migrationWith({step: 'review'}), small);
		expect(first.join('\n')).toMatch(/… \d+ more rows/);
		const last = await drawMigrationRows(migrationWith({step: 'review', top: 1000}), small);
		expect(last.join('\n')).not.toMatch(/more rows/);
	});
});

describe('data from others', () => {
	const hostile = '\u001b[2J\u202egnp.exe\r\n\u0007名前\u009b31m';

	test.each(sizes)('cannot affect the terminal and keeps its rows, at $columns×$rows', async size => {
		const states = [
			migrationWith({step: 'zone', zone: {...zone, name: hostile, account: hostile}}),
			migrationWith({
				step: 'eligibility',
				record: {
					state: 'unknown stage',
					seen: {
						...previousObservation,
						stage: 'unknown',
						check: {compatible: false, state: hostile},
						status: {state: hostile, newWaf: hostile, oldWaf: hostile, created: hostile, source: hostile},
					},
				},
				snapshot: {...snapshot, unread: [{what: hostile, why: hostile}]},
			}),
			migrationWith({
				step: 'blockers',
				snapshot: {...snapshot, overrides: [{...override, description: hostile, urls: [hostile]}]},
				eligibility: {
					...blockedEligibility,
					blockers: blockedEligibility.blockers.map(one => ({...one, sentence: hostile, next: hostile})),
				},
			}),
			migrationWith({
				step: 'review',
				plan: {
					...plan,
					sections: [{title: hostile, rows: [{what: hostile, now: hostile, after: hostile}]}],
					warnings: [hostile],
					notMigrated: [{what: hostile, id: hostile, setting: hostile, next: hostile}],
				},
			}),
			migrationWith({
				step: 'edit',
				configuration: {
					name: hostile,
					rules: [
						...configuration.rules,
						{action: hostile, expression: hostile, description: hostile, action_parameters: {id: hostile}},
					],
				},
				cursor: 9,
			}),
			migrationWith({
				step: 'review',
				view: 'json',
				configuration: {name: hostile, rules: [{action: 'log', expression: hostile}]},
			}),
			migrationWith({
				step: 'rehearse',
				rehearsal: {...rehearsal, sameAsPlanned: false, steps: [hostile]},
			}),
			migrationWith({step: 'confirm', zone: {...zone, name: hostile}, backup: {...backup, folder: hostile}}),
			migrationWith({
				step: 'deploy',
				record: {state: 'not taken', put: buildPut('pending', {came: 'refused', why: hostile})},
			}),
			migrationWith({
				step: 'done',
				verification: {
					...verification,
					newWaf: hostile,
					managedRulesets: [{...managedRulesets.owasp, name: hostile, activity: 'on'}],
				},
				reportPath: hostile,
				record: {state: 'complete'},
			}),
			migrationWith({
				step: 'watch',
				failure: new Failure('refused_by_service', hostile, {why: hostile, next: hostile}),
			}),
		];
		for (const migration of states) {
			const rows = await drawMigrationRows(migration, size);
			expect(Math.max(...rows.map(measureColumns))).toBeLessThanOrEqual(size.columns);
			expect(rows.length).toBeLessThanOrEqual(size.rows - 4);
			expect(rows.join('')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
		}
	});
});
