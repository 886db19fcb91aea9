import {execFileSync} from 'node:child_process';
import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {analyse, maxExpressionLength} from '../../source/firewall/expression/expressions.ts';
import {plainEnvironment} from '../support/program.ts';
import {median, program} from './measure.ts';
import {measurePace, pacedRow} from './pace.ts';
import type {Row} from './row.ts';
import {keyRows, type Opening, percentile99, type Size} from './screens.ts';

/** A key in an expression is drawn within a frame of 60 a second, and better. */
const typingSizes: readonly Size[] = [
	{columns: 80, rows: 24, bytes: 500, median: 8, p99: 12},
	{columns: 200, rows: 60, median: 16, p99: 25},
];

/** An expression as long as one may be, but for what is typed in it. */
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
async function checkingRow(times: number): Promise<Row> {
	const pace = await measurePace();
	const text = longExpression();
	const figures: number[] = [];
	// The first tenth warms up and does not count.
	for (let turn = -Math.ceil(times / 10); turn < times; turn++) {
		const start = performance.now();
		analyse(`${text} or http.request.uri.query contains "${turn}"`, {plan: 'pro'});
		if (turn >= 0) figures.push(performance.now() - start);
	}
	const [middle, most] = [median(figures), 2];
	return pacedRow(
		'checking an expression of 4 KB',
		`${middle.toFixed(2)} ms, 99 %: ${percentile99(figures).toFixed(2)} ms`,
		`${most} ms`,
		pace,
		by => middle <= most * by,
	);
}

/** Typing in the wizard, in an expression of 4 KB, from the key to the last byte of what is drawn. */
export async function wizardRows(cwd: string, times: number): Promise<Row[]> {
	mkdirSync(cwd, {recursive: true});
	const world = ['--simulate', '--state', join(cwd, 'world.sqlite')];
	const zone = [...world, '--zone-id', '8311e2d173ef02ba0404f6be43393fec'];
	execFileSync(
		process.execPath,
		[program, 'firewall', 'filter', 'create', ...zone, '--expression', longExpression(), '--yes'],
		{cwd, env: plainEnvironment(cwd), stdio: 'ignore'},
	);
	const wizard = (state: string): Opening => ({
		words: zone,
		cwd,
		env: {LEDGE_STATE_DIR: join(cwd, state)},
		ready: /Account +Acme/,
		way: [
			{key: 'F', shows: '1 filter'},
			{key: 'tab', shows: 'used by no firewall rule'},
			{key: 'e', shows: 'of 4,096 characters'},
		],
		leave: ['esc', 'y', 'ctrl-c'],
	});
	const rows: Row[] = [await checkingRow(times)];
	for (const size of typingSizes) {
		// What is typed is kept as a draft, which the next screen would offer.
		const opening = wizard(`state-${size.columns}`);
		rows.push(
			...(await keyRows('a key typed into an expression of 4 KB', ['a', 'backspace'], times, opening, [
				size,
			])),
		);
	}
	return rows;
}
