import {describe, expect, test} from 'vitest';
import {getTheme} from '../../../source/components/theme.ts';
import {Failure} from '../../../source/failure.ts';
import {
	type MigrationPhase,
	type MigrationState,
	migrationSteps,
} from '../../../source/screens/migration/state.ts';
import {buildMigrationView} from '../../../source/screens/migration/view/layout.ts';
import {formatUtcMoment} from '../../../source/screens/migration/view/rows.ts';
import {Migration} from '../../../source/screens/migration/view/view.tsx';
import {listHintedActions} from '../../../source/screens/shell/action-lists.ts';
import {createTestApp, draw} from '../support/drawn.tsx';
import {buildPut, configuration, migrationWith, minutes, previousObservation} from '../support/migration.ts';
import {createTestStore} from '../support/store.ts';

const size = {columns: 80, rows: 24};
const {marks} = getTheme('dark', true);

const buildView = (migration: MigrationState, now = Date.now(), viewport = size) =>
	buildMigrationView(migration, viewport, marks, now);

/** The text of each row of a step, and of the rows below them (`tail`). */
function buildStepText(migration: MigrationState, now?: number, viewport = size) {
	const {body, tail} = buildView(migration, now, viewport);
	const toTexts = (rows: typeof tail) => rows.map(row => row.map(({text}) => text).join(''));
	return {rows: toTexts(body.rows), tail: toTexts(tail)};
}

describe('work in progress', () => {
	const reading: MigrationPhase = {name: 'reading', what: 'rules', objectCount: 17};

	test.each(
		migrationSteps.filter(step => step !== 'deploy' && step !== 'done'),
	)('leaves the text of the step unchanged: %s', step => {
		const before = buildStepText(migrationWith({step}));
		const during = buildStepText(migrationWith({step, phase: reading}));
		expect(during.rows).toEqual(before.rows);
		expect(during.tail.join('\n')).toContain('Reading rules, 17 objects so far');
	});

	test('replaces the step while something is sent, without mentioning the previous PUT', () => {
		const record = {state: 'validating', put: buildPut('validation', {came: 'accepted'})} as const;
		const buildRowsText = (phase: MigrationPhase) =>
			buildStepText(migrationWith({step: 'deploy', phase, record})).rows.join('\n');
		expect(buildRowsText({name: 'backing up', objectCount: 3})).toContain('Nothing has been sent yet');
		expect(buildRowsText({name: 'backing up', objectCount: 3})).not.toContain('waf_migration=validation');
		expect(buildRowsText({name: 'sending', mode: 'pending'})).toContain('turns the previous version off');
		expect(buildRowsText({name: 'sending', mode: 'pending'})).not.toContain('waf_migration=validation');
	});

	test('does not mention esc if it cannot be stopped before a PUT', () => {
		const {rows} = buildStepText(
			migrationWith({step: 'deploy', phase: reading, record: {state: 'reviewed'}}),
		);
		expect(rows.join('\n')).not.toContain('esc');
	});

	test('does not report a missing result while it is being read', () => {
		const buildDoneText = (phase: MigrationPhase) =>
			buildStepText(migrationWith({step: 'done', phase, record: {state: 'complete'}})).rows.join('\n');
		expect(buildDoneText(reading)).not.toContain('not verified');
		expect(buildDoneText({name: 'asking'})).toContain('not verified');
	});
});

test('watching changes one row a minute', () => {
	const since = Date.now() - minutes(3);
	const watching = migrationWith({
		step: 'watch',
		phase: {name: 'watching'},
		watchStatus: {since, at: since + minutes(3)},
		record: {
			state: 'finishing',
			seen: {...previousObservation, stage: 'pending', at: since},
			put: buildPut('pending'),
		},
	});
	const later = {...watching, watchStatus: {since, at: since + minutes(4)}};
	const before = buildStepText(watching, since + minutes(3)).rows;
	const after = buildStepText(later, since + minutes(4)).rows;
	expect(after.filter((row, index) => row !== before[index])).toHaveLength(1);
});

test('a time on another day has its date', () => {
	const moment = Date.UTC(2026, 10, 21, 3, 10);
	expect(formatUtcMoment(moment, moment + minutes(60))).toBe('03:10 UTC');
	expect(formatUtcMoment(moment, moment + minutes(60 * 24))).toBe('2026-11-21 03:10 UTC');
});

describe('paths', () => {
	const home = '/home/ada';
	const folder = `${home}/.local/state/ledge/backup-1`;

	test.each(['confirm', 'done', 'deploy'] as const)('start with ~ if in the home folder: %s', step => {
		const migration = migrationWith({
			step,
			home,
			reportPath: `${folder}/report.md`,
			record: {state: step === 'done' ? 'complete' : 'deploy in doubt', put: buildPut('pending')},
		});
		const {backup} = migration;
		const {rows} = buildStepText({...migration, ...(backup && {backup: {...backup, folder}})}, undefined, {
			columns: 200,
			rows: 60,
		});
		const text = rows.join('\n');
		expect(text).toContain('~/.local/state/ledge/backup-1');
		expect(text).not.toContain(home);
	});
});

describe('read-only mode', () => {
	const why = new Failure('read_only', 'Refused: ledge is read-only.', {next: 'Leave out --read-only.'});
	const access = {name: 'read only', failure: why, isResumed: false} as const;

	test.each([size, {columns: 60, rows: 15}])('is mentioned first, and no name is asked for: %o', viewport => {
		const {rows, tail} = buildStepText(migrationWith({step: 'confirm', access}), undefined, viewport);
		expect(rows.slice(0, 4).join('\n')).toMatch(/read-only/);
		expect(tail).toEqual([]);
	});

	test('is mentioned before anything is read', () => {
		const {rows} = buildStepText(
			migrationWith({step: 'zone', access, record: {state: 'unread'}}),
			undefined,
			{
				columns: 60,
				rows: 15,
			},
		);
		expect(rows[0]).toContain('ledge is read-only');
	});
});

test('a zone whose journal another process holds shows its state', () => {
	const why = new Failure('job_running', 'Another process is using this zone.');
	const access = {name: 'held', failure: why} as const;
	const {rows, tail} = buildStepText(migrationWith({step: 'zone', access, record: {state: 'complete'}}));
	expect(rows.join('\n')).toContain('the migration is complete');
	expect(tail.join('\n')).toContain('Try again');
});

test('a paranoia level is not invented if the configuration has none', () => {
	const rules = configuration.rules.map(rule => {
		const {overrides: _, ...parameters} = rule.action_parameters ?? {};
		return {...rule, action_parameters: parameters};
	});
	const {rows} = buildStepText(migrationWith({step: 'edit', configuration: {...configuration, rules}}));
	expect(rows.join('\n')).toContain('paranoia level default');
});

describe('the screen during a short operation', () => {
	test('keeps showing the previous content, with its keys', async () => {
		const testStore = createTestStore();
		const app = createTestApp(testStore);
		const drawnMigration = migrationWith({step: 'zone'});
		const actualMigration = migrationWith({step: 'zone', phase: {name: 'reading', what: 'the zone'}});
		app.store.setState({
			migration: {
				...app.store.getState().migration,
				data: actualMigration,
				throttle: {actualMigration, drawnMigration},
			},
			navigation: {...app.store.getState().navigation, stack: ['home', 'migration']},
		});
		const screen = draw(app, <Migration />, size);
		await screen.until(rows => rows.some(row => row !== ''));
		expect(screen.rows().join('\n')).not.toContain('Reading');
		app.store.setState({migration: {...app.store.getState().migration, throttle: undefined}});
		await screen.until(rows => rows.some(row => row.includes('Reading the zone')));
	});

	test('offers esc to stop a read, but not a write', () => {
		const testStore = createTestStore();
		const app = createTestApp(testStore);
		const buildWork = (kind: 'read' | 'write') => [{id: 1, label: 'it', kind, startedAt: 0, cancel() {}}];
		const getEscHint = (kind: 'read' | 'write') => {
			app.store.setState({
				migration: {
					...app.store.getState().migration,
					data: migrationWith({step: 'zone', phase: {name: 'reading', what: 'the zone'}}),
				},
				navigation: {...app.store.getState().navigation, stack: ['home', 'migration']},
				work: {...app.store.getState().work, list: buildWork(kind)},
			});
			return listHintedActions(app.actions, testStore.state()).find(({keys}) => keys.includes('esc'))?.hint;
		};
		expect(getEscHint('read')).toBe('stop');
		expect(getEscHint('write')).toBe('back');
	});
});
