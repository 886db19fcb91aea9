import {describe, expect, test} from 'vitest';
import {getTheme} from '../../../source/components/theme.ts';
import {Failure} from '../../../source/failure.ts';
import {formatFingerprint} from '../../../source/migration/configuration/configuration.ts';
import type {MigrationRecord} from '../../../source/migration/journal/record.ts';
import type {MigrationState} from '../../../source/screens/migration/state.ts';
import {buildMigrationView} from '../../../source/screens/migration/view/layout.ts';
import {formatMigrationStatus} from '../../../source/screens/migration/view/status.ts';
import {
	buildPut,
	configuration,
	configurationFingerprint,
	migrationWith,
	minutes,
	now,
	plan,
	previousObservation,
} from '../support/migration.ts';

const {marks} = getTheme('dark', true);
const otherFingerprint = 'b'.repeat(16);

/** The whole text of a step, its rows joined. */
function buildStepText(migration: MigrationState): string {
	const {body, tail} = buildMigrationView(migration, {columns: 120, rows: 60}, marks, now);
	return [...body.rows, ...(body.side ?? []), ...tail]
		.map(row => row.map(({text}) => text).join(''))
		.join(' ')
		.replaceAll(/\s+/g, ' ');
}

const buildValidating = (record: Partial<MigrationRecord>, fingerprint = configurationFingerprint) =>
	migrationWith({
		step: 'watch',
		record: {
			state: 'validating',
			validatingSince: now - minutes(9),
			seen: {
				...previousObservation,
				stage: 'validation',
				entryPoint: {id: 'e', version: '2', fingerprint, rules: 3},
			},
			...record,
		},
	});

const earlierPut = buildPut('validation', {
	came: 'accepted',
	fingerprint: otherFingerprint,
	at: now - minutes(9),
});
const replacingPut = buildPut('validation', {
	came: 'accepted',
	at: now - 2000,
	before: {stage: 'validation', version: '1', fingerprint: otherFingerprint},
});

describe('validation', () => {
	test('has the reviewed configuration if ledge began it', () => {
		const text = buildStepText(
			buildValidating({put: {...earlierPut, fingerprint: configurationFingerprint}}),
		);
		expect(text).toContain('✓ Both versions are active');
		expect(text).toContain('the new one first, for 9 min, with the configuration you reviewed.');
	});

	test('reports that other rules were replaced by the reviewed ones when they were sent', () => {
		expect(buildStepText(buildValidating({put: replacingPut}))).toContain(
			'The configuration you reviewed is active, sent just now.',
		);
	});

	test('warns if the active rules differ from the reviewed ones', () => {
		const text = buildStepText(buildValidating({put: earlierPut}, otherFingerprint));
		expect(text).toContain('! Both versions are active');
		expect(text).toContain('The reviewed configuration was never validated');
		expect(text).toContain(formatFingerprint(otherFingerprint));
		expect(text).not.toContain('with the configuration you reviewed');
	});

	test('warns of unvalidated rules also when marked as ready and in the confirmation', () => {
		const ready = buildValidating({put: earlierPut, state: 'ready to update'}, otherFingerprint);
		expect(buildStepText(ready)).toContain('never validated');
		expect(buildStepText({...ready, step: 'confirm'})).toContain('never validated');
		const same = buildValidating({put: earlierPut, state: 'ready to update'});
		expect(buildStepText({...same, step: 'confirm'})).not.toContain('never validated');
	});

	test('begun by someone else is shown with the time it was first seen', () => {
		const text = buildStepText(buildValidating({put: undefined, validatingSince: now - 1000}));
		expect(text).toContain('(first seen just now)');
		expect(text).not.toContain('since just now');
	});

	test('shows edits against the active configuration, not against a proposal', () => {
		const reviewing = {...buildValidating({}), step: 'review', plan, configuration} as const;
		expect(buildStepText(reviewing)).toContain('current after');
		expect(buildStepText({...reviewing, step: 'edit'})).toContain('1 change to the current configuration');
		expect(buildStepText(migrationWith({step: 'edit'}))).toContain('1 change to the proposal');
	});
});

describe('turning off the previous version', () => {
	const buildFinishing = (record: Partial<MigrationRecord>, more: Partial<MigrationState> = {}) =>
		migrationWith({
			step: 'watch',
			phase: {name: 'watching'},
			...more,
			record: {state: 'finishing', seen: {...previousObservation, stage: 'pending'}, ...record},
		});
	const formatStatus = (migration: MigrationState) =>
		formatMigrationStatus(migration, {columns: 80, marks, now});

	test('is not reported as sent from here if someone else began it', () => {
		const theirMigration = buildFinishing({});
		expect(buildStepText(theirMigration)).toContain('Someone is turning the previous version off');
		expect(buildStepText(theirMigration)).not.toContain('Accepted by the service');
		expect(formatStatus(theirMigration)).toContain('not sent from here: it cannot be undone');
	});

	test.each(['accepted', 'lost', undefined] as const)('is reported as ours if the PUT was %s', came => {
		const ourMigration = buildFinishing({put: buildPut('pending', {came})});
		expect(buildStepText(ourMigration)).toContain('Accepted by the service');
		expect(formatStatus(ourMigration)).toContain('sent 3 min ago: it cannot be undone');
	});

	test('says since when the service has been unreachable, and why', () => {
		const failure = new Failure('unreachable', 'The service cannot be reached.');
		const text = buildStepText(
			buildFinishing(
				{put: buildPut('pending', {came: 'accepted'})},
				{
					watchStatus: {
						since: now - minutes(9),
						at: now - minutes(4),
						outage: {since: now - minutes(3), failure},
					},
				},
			),
		);
		expect(text).toContain('! Unreachable since 03:07 UTC, still trying. The service cannot be reached.');
	});
});

describe('the new version alone', () => {
	const buildDoneText = (record: Partial<MigrationRecord>) =>
		buildStepText(
			migrationWith({step: 'done', record: {state: 'complete', completed: now - minutes(2), ...record}}),
		);

	test('is shown with the time it was first seen if ledge turned it on', () => {
		expect(buildDoneText({put: buildPut('pending', {came: 'accepted'})})).toContain('first seen 2 min ago');
	});

	test('is not reported as compared if nothing counts as reviewed any more', () => {
		const verification = {
			stage: 'complete',
			fingerprint: otherFingerprint,
			managedRulesets: [],
			sameAsReviewed: false,
			differences: [],
			newWaf: 'enabled',
			oldWaf: 'disabled',
			findings: [],
		} as const;
		const text = buildStepText(
			migrationWith({step: 'done', verification, record: {state: 'complete', reviewed: undefined}}),
		);
		expect(text).toContain('Read but not compared');
	});

	test('has no time if someone else turned it on', () => {
		expect(buildDoneText({})).not.toContain('first seen');
	});
});
