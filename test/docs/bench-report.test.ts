import {expect, test} from 'vitest';
import {conditions, formatBenchRow, report, summarizeRows} from '../bench/report.ts';
import {type Row, ratioRow} from '../bench/row.ts';

const withinBudget = ratioRow('a start', 1.5, 1.6, '30 ms');
const overBudget = ratioRow('a list', 2.25, 1.6, '45 ms');
const unmeasured = ratioRow('an export', Number.NaN, 1.6, 'no figure');
const withoutBudget: Row = {what: 'the size', measured: '9 MB'};

test('a row over budget is marked in the output and in the table', () => {
	expect([withinBudget, overBudget, withoutBudget].map(formatBenchRow)).toEqual([
		'✓ a start: 1.50 × (30 ms) (budget ≤ 1.6 ×)\n',
		'× a list: 2.25 × (45 ms) (budget ≤ 1.6 ×, over)\n',
		'✓ the size: 9 MB\n',
	]);
	expect(report([withinBudget, overBudget, withoutBudget], 'Measured then.')).toBe(
		[
			'Measured then.',
			'',
			'| what | measured | budget |',
			'| --- | --- | --- |',
			'| a start | 1.50 × (30 ms) | ≤ 1.6 × |',
			'| a list | 2.25 × (45 ms) | ≤ 1.6 × **over** |',
			'| the size | 9 MB |  |',
		].join('\n'),
	);
});

test('the report names the date, the Node version and the machine', () => {
	expect(conditions(new Date('2026-11-22T23:59:00Z'), '24.21.0', 'linux x64, 2 cores')).toBe(
		'Measured on 2026-11-22 with Node 24.21.0 on linux x64, 2 cores.',
	);
});

test('rows over budget are listed at the end, and the bench fails', () => {
	expect(summarizeRows([withinBudget, overBudget, withoutBudget, unmeasured])).toEqual({
		text: '\n2 of 4 rows are over budget:\n× a list: 2.25 × (45 ms) (budget ≤ 1.6 ×, over)\n× an export: NaN × (no figure) (budget ≤ 1.6 ×, over)\n',
		code: 1,
	});
	expect(summarizeRows([overBudget]).text).toMatch(/^\n1 of 1 rows is over budget:\n/);
});

test('the bench succeeds if every row is within budget, and fails without rows', () => {
	expect(summarizeRows([withinBudget, withoutBudget])).toEqual({
		text: 'All 2 rows are within their budgets.\n',
		code: 0,
	});
	expect(summarizeRows([]).code).toBe(1);
});
