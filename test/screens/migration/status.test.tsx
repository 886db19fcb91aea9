import {describe, expect, test} from 'vitest';
import {getTheme} from '../../../source/components/theme.ts';
import type {MigrationRecord} from '../../../source/migration/journal/record.ts';
import {buildComparisonRows} from '../../../source/screens/managed-edit/table.ts';
import {buildMigrationView, measureScrollRange} from '../../../source/screens/migration/view/layout.ts';
import {formatMigrationStatus} from '../../../source/screens/migration/view/status.ts';
import {Migration} from '../../../source/screens/migration/view/view.tsx';
import {createTestApp, draw} from '../support/drawn.tsx';
import {backup, buildPut, migrationWith, minutes, now} from '../support/migration.ts';
import {createTestStore} from '../support/store.ts';

const area = {columns: 80, marks: getTheme('dark', true).marks, now};
const formatStatus = (record: Partial<MigrationRecord>) =>
	formatMigrationStatus(migrationWith({record}), area);

describe('the status line', () => {
	test('says that nothing has been sent, and which backup there is', () => {
		expect(formatStatus({})).toBe('nothing has been sent · backup of 31 objects written 2 min ago');
	});

	test('says that there is no backup', () => {
		expect(formatMigrationStatus(migrationWith({backup: undefined}), area)).toBe(
			'nothing has been sent · no backup yet',
		);
	});

	test.each([
		['refused', 'rejected 3 min ago: nothing changed'],
		['given up', 'sent 3 min ago, had no effect'],
		['lost', 'response lost, sent 3 min ago: outcome unknown'],
		['accepted', 'sent 3 min ago: it cannot be undone'],
	] as const)('reports a PUT that was %s', (came, sentence) => {
		expect(formatStatus({put: buildPut('pending', {came})})).toContain(sentence);
	});

	test('says that validation leaves the previous version on', () => {
		expect(formatStatus({put: buildPut('validation', {came: 'accepted'})})).toContain(
			'previous version still on',
		);
	});

	test('says that the outcome is unknown if the response to a PUT is not in the journal', () => {
		expect(formatStatus({put: buildPut('pending')})).toContain('sent 3 min ago: outcome unknown');
	});

	test('says that a request being sent cannot be cancelled', () => {
		const sending = migrationWith({step: 'deploy', phase: {name: 'sending', mode: 'pending'}});
		expect(formatMigrationStatus(sending, area)).toContain('cannot be cancelled');
	});

	test('says that a completed migration cannot be undone', () => {
		expect(formatStatus({state: 'complete', put: buildPut('pending', {came: 'accepted'})})).toContain(
			'complete: it cannot be undone',
		);
	});

	const puts = (['validation', 'pending'] as const).flatMap(mode =>
		(['refused', 'given up', 'lost', 'accepted', undefined] as const).map(came => ({mode, came})),
	);

	test.each(
		puts.flatMap(one => [60, 80].map(columns => ({...one, columns}))),
	)('fits into $columns columns after a $mode PUT that was $came', ({mode, came, columns}) => {
		const record = {put: buildPut(mode, {came, at: now - minutes(119)})};
		const migration = migrationWith({record, backup: {...backup, objects: 624, at: now - minutes(119)}});
		expect(formatMigrationStatus(migration, {...area, columns}).length).toBeLessThanOrEqual(columns - 2);
	});

	test('leaves nothing out at 80 columns while validating', () => {
		expect(formatStatus({put: buildPut('validation', {came: 'accepted'})})).toBe(
			'validating, sent 3 min ago: previous version still on · backup 2 min ago',
		);
	});

	test('is ASCII if the terminal draws nothing else', () => {
		const {marks} = getTheme('dark', false);
		expect(formatMigrationStatus(migrationWith(), {...area, marks})).toBe(
			'nothing has been sent . backup of 31 objects written 2 min ago',
		);
	});
});

describe('a comparison', () => {
	const {marks} = getTheme('dark', true);

	test('breaks long texts inside their columns, with the mark only before the first row', () => {
		const rows = buildComparisonRows(
			'Exceptions',
			['now', 'after'],
			[{what: 'page rule shop.example/static/*', now: 'WAF off', after: 'has no effect', mark: 'warning'}],
			40,
			marks,
		).map(row => row.map(({text}) => text).join(''));
		expect(rows).toEqual([
			'  Exceptions      now       after',
			'! page rule       WAF off   has no',
			'  shop.example/s            effect',
			'  tatic/*',
		]);
	});

	test('marks losses differently from warnings', () => {
		const [, row] = buildComparisonRows(
			'x',
			['now', 'after'],
			[{what: 'a', now: 'b', after: 'c', mark: 'lost'}],
			40,
			marks,
		);
		expect(row?.[0]).toEqual({text: '× ', look: 'danger'});
	});
});

describe('scrolling', () => {
	const {marks} = getTheme('dark', true);

	test('ends when the last row is visible', () => {
		const view = buildMigrationView(migrationWith(), {columns: 60, rows: 15}, marks, now);
		const {lastTop, visibleRows} = measureScrollRange(view);
		expect(lastTop + visibleRows).toBe(view.body.rows.length);
	});

	test('is disabled if everything is visible', () => {
		expect(
			measureScrollRange(buildMigrationView(migrationWith(), {columns: 200, rows: 60}, marks, now)).lastTop,
		).toBe(0);
	});
});

describe('a terminal without colours or UTF-8', () => {
	test('has ASCII marks for everything, with the same meaning', () => {
		const {marks} = getTheme('none', false);
		const {body, tail} = buildMigrationView(
			migrationWith({step: 'path'}),
			{columns: 80, rows: 24},
			marks,
			now,
		);
		for (const row of [...body.rows, ...tail]) for (const {text} of row) expect(text).toMatch(/^[ -~]*$/);
		expect(tail.flatMap(row => row.map(({text}) => text)).join('')).toContain('> ');
	});

	test('has distinct marks for destruction, warnings and confirmations', async () => {
		const app = createTestApp(createTestStore());
		app.store.setState({
			migration: {...app.store.getState().migration, data: migrationWith({step: 'confirm'})},
		});
		const drawn = draw(app, <Migration />, {columns: 80, rows: 24}, 'none');
		await drawn.until(rows => rows.join('').includes('cannot be undone'));
		expect(drawn.rows().join('\n')).toMatch(/! This turns off the previous managed rules/);
	});
});

describe('while the service is at work', () => {
	test('rows do not change with a later response within the same minute', () => {
		const {marks} = getTheme('dark', true);
		const drawAfter = (seconds: number) => {
			const migration = migrationWith({
				step: 'watch',
				phase: {name: 'watching'},
				watchStatus: {since: now - minutes(9), at: now - seconds * 1000},
				record: {state: 'finishing'},
			});
			return buildMigrationView(migration, {columns: 80, rows: 24}, marks, now).body.rows;
		};
		expect(drawAfter(10)).toEqual(drawAfter(40));
	});
});
