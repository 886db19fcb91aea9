import {describe, expect, test} from 'vitest';
import {getTheme} from '../../../source/components/theme.ts';
import {Failure} from '../../../source/failure.ts';
import {formatFingerprint} from '../../../source/migration/configuration/configuration.ts';
import type {MigrationRecord} from '../../../source/migration/journal/record.ts';
import type {MigrationState} from '../../../source/screens/migration/state.ts';
import {buildMigrationView} from '../../../source/screens/migration/view/layout.ts';
import {formatMigrationStatus} from '../../../source/screens/migration/view/status.ts';
import {configuration, digits, migrationWith, minutes, now, plan, put, seen} from '../support/migration.ts';

const {marks} = getTheme('dark', true);
const others = 'b'.repeat(16);

/** All that a step says, its lines joined. */
function textOf(migration: MigrationState): string {
	const {body, tail} = buildMigrationView(migration, {columns: 120, rows: 60}, marks, now);
	return [...body.rows, ...(body.side ?? []), ...tail]
		.map(row => row.map(({text}) => text).join(''))
		.join(' ')
		.replaceAll(/\s+/g, ' ');
}

const validating = (record: Partial<MigrationRecord>, fingerprint = digits) =>
	migrationWith({
		step: 'watch',
		record: {
			state: 'validating',
			validatingSince: now - minutes(9),
			seen: {...seen, stage: 'validation', entryPoint: {id: 'e', version: '2', fingerprint, rules: 3}},
			...record,
		},
	});

const begun = put('validation', {came: 'accepted', fingerprint: others, at: now - minutes(9)});
const again = put('validation', {
	came: 'accepted',
	at: now - 2000,
	before: {stage: 'validation', version: '1', fingerprint: others},
});

describe('validation', () => {
	test('has the reviewed configuration if ledge began it', () => {
		const text = textOf(validating({put: {...begun, fingerprint: digits}}));
		expect(text).toContain('✓ Both versions are active');
		expect(text).toContain('the new one first, for 9 min, with the configuration you reviewed.');
	});

	test('reports that other rules were replaced by the reviewed ones when they were sent', () => {
		expect(textOf(validating({put: again}))).toContain(
			'The configuration you reviewed is active, sent just now.',
		);
	});

	test('warns if the active rules differ from the reviewed ones', () => {
		const text = textOf(validating({put: begun}, others));
		expect(text).toContain('! Both versions are active');
		expect(text).toContain('The reviewed configuration was never validated');
		expect(text).toContain(formatFingerprint(others));
		expect(text).not.toContain('with the configuration you reviewed');
	});

	test('warns of that when marked as ready, too, and at the point of no return', () => {
		const ready = validating({put: begun, state: 'ready to update'}, others);
		expect(textOf(ready)).toContain('never validated');
		expect(textOf({...ready, step: 'confirm'})).toContain('never validated');
		const same = validating({put: begun, state: 'ready to update'});
		expect(textOf({...same, step: 'confirm'})).not.toContain('never validated');
	});

	test('begun by someone else is shown with the time it was first seen', () => {
		const text = textOf(validating({put: undefined, validatingSince: now - 1000}));
		expect(text).toContain('(first seen just now)');
		expect(text).not.toContain('since just now');
	});

	test('shows edits against the active configuration, not against a proposal', () => {
		const reviewing = {...validating({}), step: 'review', plan, configuration} as const;
		expect(textOf(reviewing)).toContain('now edited');
		expect(textOf({...reviewing, step: 'edit'})).toContain('1 difference from the current configuration');
		expect(textOf(migrationWith({step: 'edit'}))).toContain('1 difference from the proposal');
	});
});

describe('turning off the previous version', () => {
	const finishing = (record: Partial<MigrationRecord>, more: Partial<MigrationState> = {}) =>
		migrationWith({
			step: 'watch',
			phase: {name: 'watching'},
			...more,
			record: {state: 'finishing', seen: {...seen, stage: 'pending'}, ...record},
		});
	const statusOf = (migration: MigrationState) => formatMigrationStatus(migration, {columns: 80, marks, now});

	test('is not reported as sent from here if someone else began it', () => {
		const theirs = finishing({});
		expect(textOf(theirs)).toContain('Someone is turning the previous version off');
		expect(textOf(theirs)).not.toContain('Accepted by the service');
		expect(statusOf(theirs)).toContain('not sent from here: it cannot be undone');
	});

	test.each(['accepted', 'lost', undefined] as const)('is reported as ours if the PUT was %s', came => {
		const ours = finishing({put: put('pending', {came})});
		expect(textOf(ours)).toContain('Accepted by the service');
		expect(statusOf(ours)).toContain('sent 3 min ago: it cannot be undone');
	});

	test('says since when the service has been unreachable, and why', () => {
		const failure = new Failure('unreachable', 'The service cannot be reached.');
		const text = textOf(
			finishing(
				{put: put('pending', {came: 'accepted'})},
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
	const done = (record: Partial<MigrationRecord>) =>
		textOf(
			migrationWith({step: 'done', record: {state: 'complete', completed: now - minutes(2), ...record}}),
		);

	test('is shown with the time it was first seen if ledge turned it on', () => {
		expect(done({put: put('pending', {came: 'accepted'})})).toContain('first seen 2 min ago');
	});

	test('is not reported as compared if nothing counts as reviewed any more', () => {
		const verification = {
			stage: 'complete',
			fingerprint: others,
			managedRulesets: [],
			sameAsReviewed: false,
			differences: [],
			newWaf: 'enabled',
			oldWaf: 'disabled',
			findings: [],
		} as const;
		const text = textOf(
			migrationWith({step: 'done', verification, record: {state: 'complete', reviewed: undefined}}),
		);
		expect(text).toContain('Read but not compared');
	});

	test('has no time if someone else turned it on', () => {
		expect(done({})).not.toContain('first seen');
	});
});
