import {execFileSync} from 'node:child_process';
import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {analyse, maxExpressionLength} from '../../source/firewall/expression/expressions.ts';
import {createUnconfiguredEnvironment} from '../support/program.ts';
import {bundleFile, median} from './measure.ts';
import {measurePace, pacedRow} from './pace.ts';
import type {Row} from './row.ts';
import {keyRows, type Opening, percentile99, type Size} from './screens.ts';

/** Budgets for a key typed into an expression. The median is below a frame at 60 a second (16.7 ms). */
const typingSizes: readonly Size[] = [
	{columns: 80, rows: 24, bytes: 500, median: 8, p99: 12},
	{columns: 200, rows: 60, median: 16, p99: 25},
];

/** An expression of almost the maximum length, which leaves room for what is typed. */
function longExpression(): string {
	const conditions: string[] = [];
	for (let number = 0, length = 0; length < maxExpressionLength - 100; number++) {
		const condition = `http.request.uri.path contains "/path-${number}"`;
		conditions.push(condition);
		length += condition.length + 4;
	}
	return conditions.join(' or ');
}

/** Checking an expression of 4 KB whole, in this process, as at every key. */
async function checkingRow(turnCount: number): Promise<Row> {
	const pace = await measurePace();
	const text = longExpression();
	const figures: number[] = [];
	// The first tenth warms up and does not count.
	for (let turn = -Math.ceil(turnCount / 10); turn < turnCount; turn++) {
		const start = performance.now();
		analyse(`${text} or http.request.uri.query contains "${turn}"`, {plan: 'pro'});
		if (turn >= 0) figures.push(performance.now() - start);
	}
	const [medianTime, maxMilliseconds] = [median(figures), 2];
	return pacedRow(
		'checking an expression of 4 KB',
		`${medianTime.toFixed(2)} ms, 99 %: ${percentile99(figures).toFixed(2)} ms`,
		`${maxMilliseconds} ms`,
		pace,
		factor => medianTime <= maxMilliseconds * factor,
	);
}

/** Typing in the wizard, in an expression of 4 KB, from the key to the last byte of what is drawn. */
export async function wizardRows(cwd: string, turnCount: number): Promise<Row[]> {
	mkdirSync(cwd, {recursive: true});
	const worldOptions = ['--simulate', '--state', join(cwd, 'world.sqlite')];
	const zoneOptions = [...worldOptions, '--zone-id', '8311e2d173ef02ba0404f6be43393fec'];
	execFileSync(
		process.execPath,
		[bundleFile, 'firewall', 'filter', 'create', ...zoneOptions, '--expression', longExpression(), '--yes'],
		{cwd, env: createUnconfiguredEnvironment(cwd), stdio: 'ignore'},
	);
	const openingOf = (state: string): Opening => ({
		words: zoneOptions,
		cwd,
		env: {LEDGE_STATE_DIR: join(cwd, state)},
		ready: /Account +Acme/,
		steps: [
			{key: '2', shows: '1 filter'},
			{key: 'tab', shows: 'used by no firewall rule'},
			{key: 'e', shows: 'of 4,096 characters'},
		],
		leave: ['esc', 'y', 'ctrl-c'],
	});
	const rows: Row[] = [await checkingRow(turnCount)];
	for (const size of typingSizes) {
		// What is typed is kept as a draft, which the next screen would offer.
		const opening = openingOf(`state-${size.columns}`);
		rows.push(
			...(await keyRows('a key typed into an expression of 4 KB', ['a', 'backspace'], turnCount, opening, [
				size,
			])),
		);
	}
	return rows;
}
