import {describe, expect, test} from 'vitest';
import {Failure} from '../../../source/failure.ts';
import {formatFingerprint} from '../../../source/migration/configuration/configuration.ts';
import {createBuffer} from '../../../source/text/buffer/buffer.ts';
import {
	backup,
	buildPut,
	configurationFingerprint,
	migrationWith,
	plan,
	previousObservation,
	rehearsal,
	zone,
} from '../support/migration.ts';
import {
	drawMigrationRows,
	joinWithoutBlanks,
	type Situations,
	sizes,
	testSituations,
} from '../support/migration-rows.tsx';

const failure = new Failure('not_eligible', 'The zone is not eligible.', {
	why: 'It has an override.',
	next: 'Delete it.',
});

const situations: Situations = {
	path: {migration: migrationWith({step: 'path'}), shows: ['Validation first', 'Direct', 'cannot be undone']},
	'path without Enterprise': {
		migration: migrationWith({step: 'path', zone: {...zone, plan: 'pro'}}),
		shows: ['Enterprise plan only; this zone is on the pro plan.'],
	},
	rehearse: {
		migration: migrationWith({step: 'rehearse'}),
		shows: ['simulated service', zone.name, 'only read'],
	},
	rehearsing: {
		migration: migrationWith({step: 'rehearse', phase: {name: 'rehearsing', step: 'turning off'}}),
		shows: ['Rehearsing: turning off', 'Nothing reaches the zone'],
	},
	rehearsed: {
		migration: migrationWith({step: 'rehearse', rehearsal}),
		shows: [
			'✓ Rehearsed: 3 rules as planned, 1 change to the proposal',
			'deployed directly',
			formatFingerprint(configurationFingerprint),
		],
	},
	'rehearsed otherwise': {
		migration: migrationWith({
			step: 'rehearse',
			rehearsal: {
				...rehearsal,
				sameAsPlanned: false,
				ended: 'moved on',
				refused: 'The ruleset is unknown.',
				differences: [{about: 'rule 2', before: 'on', after: 'off'}],
			},
		}),
		shows: [
			'× Rehearsed: not as planned, it ended "moved on"',
			'The ruleset is unknown.',
			'rule 2',
			'planned',
			'actual',
			'turned off',
		],
	},
	confirm: {
		migration: migrationWith({step: 'confirm'}),
		shows: [
			`turns off the previous managed rules for ${zone.name} and cannot be undone`,
			'waf_migration=pending&phase_two=1',
			`3 rules, fingerprint ${formatFingerprint(configurationFingerprint)}`,
			backup.folder,
			'31 objects',
			"Type the zone's name",
		],
	},
	'confirm validation': {
		migration: migrationWith({step: 'confirm', goal: 'validation'}),
		shows: ['in front of the live traffic', zone.name, 'No rollback', 'waf_migration=validation&phase_two=1'],
	},
	'confirm what was not reviewed': {
		migration: migrationWith({step: 'confirm', record: {state: 'eligible', reviewed: undefined}}),
		shows: ['configuration was not reviewed'],
	},
	'confirm what leaves less on than it seems': {
		migration: migrationWith({
			step: 'confirm',
			findings: [
				{severity: 'warning', rule: 2, sentence: 'OWASP is off: none of its rules run.', lessens: true},
				{severity: 'warning', rule: 1, sentence: 'It stays at version "3".'},
			],
		}),
		shows: ['OWASP is off: none of its rules run.'],
	},
	'confirm what was edited to block less': {
		migration: migrationWith({
			step: 'confirm',
			plan: {...plan, reductions: ['OWASP: score threshold 40 → 60, blocks less.']},
		}),
		shows: ['OWASP: score threshold 40 → 60, blocks less.'],
	},
	'confirm what was never validated': {
		migration: migrationWith({
			step: 'confirm',
			record: {
				state: 'ready to update',
				seen: {
					...previousObservation,
					stage: 'validation',
					entryPoint: {id: 'e', version: '2', fingerprint: 'b'.repeat(16), rules: 1},
				},
			},
		}),
		shows: ['cannot be undone', 'never validated', formatFingerprint('b'.repeat(16)), "Type the zone's name"],
	},
	'confirm what deploys nothing': {
		migration: migrationWith({
			step: 'confirm',
			expectedInput: 'word about protection',
			configuration: {name: 'default', rules: []},
		}),
		shows: ['This deploys no managed ruleset: no managed rules would remain.', '"unprotected"'],
	},
	sending: {
		migration: migrationWith({
			step: 'deploy',
			phase: {name: 'sending', mode: 'pending'},
			record: {state: 'sending deploy', put: buildPut('pending')},
		}),
		shows: [
			'turns the previous version off',
			'Cannot be cancelled',
			formatFingerprint(configurationFingerprint),
		],
	},
	'in doubt': {
		migration: migrationWith({
			step: 'deploy',
			phase: {name: 'looking', until: Date.UTC(2026, 10, 21, 3, 15), stopsOnLeaving: true},
			record: {
				state: 'deploy in doubt',
				put: buildPut('pending', {came: 'lost', why: 'the connection was reset'}),
			},
		}),
		shows: ['03:15 UTC', 'Nothing is sent again', 'esc stops it', 'the connection was reset'],
	},
	'doubt that nobody settled': {
		migration: migrationWith({
			step: 'deploy',
			record: {state: 'deploy in doubt', put: buildPut('pending', {came: 'lost'})},
		}),
		shows: ['response to the last PUT was lost', 'never sent again automatically', 'Read the current state'],
	},
	refused: {
		migration: migrationWith({
			step: 'deploy',
			record: {state: 'not taken', put: buildPut('pending', {came: 'refused', why: 'unknown field "x"'})},
		}),
		shows: ['rejected it: nothing changed', 'unknown field "x"'],
	},
	'never arrived': {
		migration: migrationWith({
			step: 'deploy',
			record: {state: 'not taken', put: buildPut('pending', {came: 'given up'})},
		}),
		shows: ['seen within five minutes', 'new confirmation'],
	},
	failure: {
		migration: migrationWith({step: 'confirm', failure}),
		shows: ['The zone is not eligible.', 'It has an override.', 'Delete it.'],
	},
	'confirm with a backup that lacks something': {
		migration: migrationWith({
			step: 'confirm',
			expectedInput: 'word about the backup',
			failure: new Failure('unconfirmed', 'The backup is incomplete; nothing was sent.', {
				why: 'Not read: the URI-based overrides (403)',
			}),
		}),
		shows: ['the URI-based overrides (403)', '"incomplete"'],
	},
};

describe('the steps from the path to the outcome of the PUT', () => testSituations(situations));

describe('the point of no return', () => {
	test.each([
		'pending',
		'validation',
	] as const)('shows everything that matters at once at 60×15 (%s)', async goal => {
		const size = sizes[0];
		const text = joinWithoutBlanks(
			await drawMigrationRows(migrationWith({step: 'confirm', goal}), size),
			size,
		);
		for (const wanted of [
			zone.name,
			goal === 'pending' ? 'cannot be undone' : 'No rollback',
			`waf_migration=${goal}`,
			formatFingerprint(configurationFingerprint),
			'31 objects',
			"Type the zone's name",
		])
			expect(text).toContain(wanted.replaceAll(/\s/g, ''));
	});

	test('has the typed text below the question', async () => {
		const rows = await drawMigrationRows(
			migrationWith({step: 'confirm', typedBuffer: createBuffer('shop.ex', {singleLine: true})}),
		);
		const questionIndex = rows.findIndex(row => row.includes("Type the zone's name"));
		expect(rows[questionIndex + 1]).toContain('shop.ex');
	});

	test('asks nothing while another process holds the zone', async () => {
		const heldFailure = new Failure('job_running', 'Another process is using this zone.');
		expect(
			(
				await drawMigrationRows(
					migrationWith({step: 'confirm', access: {name: 'held', failure: heldFailure}}),
				)
			).join(''),
		).not.toContain('Type');
	});
});
