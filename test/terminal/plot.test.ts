import {execFileSync} from 'node:child_process';
import {join} from 'node:path';
import {beforeAll, describe, expect, test} from 'vitest';
import {createScratchFolder, createUnconfiguredEnvironment} from '../support/ledge.ts';
import {computeDots, readDots, readPlot} from '../text/plot/reading.ts';
import type {Cell, Colour} from './screen/cells.ts';
import {Emulator} from './screen/emulator.ts';
import {bundleProgram} from './support/in-terminal.ts';
import {type looks, type Pictures, plots, sizes} from './support/sample-plots.ts';

type Look = (typeof looks)[number];
type Size = (typeof sizes)[number];

let pictures: Pictures;
beforeAll(async () => {
	const program = await bundleProgram('plot-program');
	const env = createUnconfiguredEnvironment(createScratchFolder(), {FORCE_COLOR: '1'});
	pictures = JSON.parse(
		execFileSync(process.execPath, [program], {env, encoding: 'utf8', maxBuffer: 2 ** 26}),
	);
});

/** Reads what a terminal of this size shows of a picture. */
async function readShown(name: string, look: Look, {columns, rows}: Size) {
	const bytes = pictures[`${name} ${look} ${columns}x${rows}`];
	if (bytes === undefined) throw new Error(`${name} was not drawn`);
	const emulator = new Emulator({columns, rows, widths: 'graphemes'});
	await emulator.write(Buffer.from(bytes.replaceAll('\n', '\r\n')));
	const screenState = {
		lines: emulator.lines(),
		cells: emulator.frame().rows,
		wrapped: emulator.wrapped(),
		scrolled: emulator.history(),
	};
	emulator.dispose();
	return screenState;
}

const colours: Readonly<Record<'dark' | 'light', readonly Colour[]>> = {
	dark: ['cyan', 'magenta', 'green'],
	light: ['blue', 'magenta', 'green'],
};

const findCells = (cells: readonly (readonly Cell[])[], pattern: RegExp): Cell[] =>
	cells.flat().filter(({text}) => pattern.test(text));

describe.each(sizes)('in $columns columns and $rows rows', size => {
	const fileOf = (name: string) =>
		join(import.meta.dirname, 'plots', `${size.columns}x${size.rows}-${name}.txt`);

	test.each([
		'one',
		'lines',
		'stacked',
		'bars',
		'bars in 3 rows',
	])('%s fits and matches its known picture', async name => {
		const texts: string[] = [];
		for (const look of ['dark', 'light', 'none', 'ascii'] as const) {
			const {lines, wrapped, scrolled} = await readShown(name, look, size);
			expect({wrapped, scrolled}).toEqual({wrapped: [], scrolled: []});
			if (look === 'ascii' && !name.startsWith('bars')) expect(lines.join('')).toMatch(/^[ -~]*$/);
			const text = lines.join('\n').trimEnd();
			if (look === 'light') expect(text).toBe(texts[0]);
			else texts.push(text);
		}
		const [coloured, none, ascii] = texts;
		await expect(
			`with colours\n\n${coloured}\n\nwithout colours\n\n${none}\n\nin ASCII\n\n${ascii}\n`,
		).toMatchFileSnapshot(fileOf(name.replaceAll(' ', '-')));
	});

	test('a line has the dots of its values', async () => {
		for (const look of ['dark', 'light', 'none'] as const) {
			const {lines} = await readShown('one', look, size);
			const rows = lines.map(line => [{text: line.padEnd(size.columns), tone: 'text' as const}]);
			const {area, top} = readPlot(rows);
			const dots = readDots(area);
			expect(top).toBe(2000);
			expect(dots).toEqual(computeDots(plots.one.series[0]?.values ?? [], top, dots.length, area.length * 4));
		}
	});

	test.each(['dark', 'light'] as const)('series have the colours of the %s theme', async look => {
		const [a, b, c] = colours[look];
		const {cells} = await readShown('lines', look, size);
		for (const row of cells) {
			const end = row[size.columns - 1];
			if (end && /[abc]/.test(end.text)) expect(end.foreground).toBe({a, b, c}[end.text as 'a' | 'b' | 'c']);
		}
		expect(new Set(findCells(cells, /[\u2801-\u28ff]/).map(({foreground}) => foreground))).toEqual(
			new Set([a, b, c]),
		);
		const stacked = findCells((await readShown('stacked', look, size)).cells, /[▁-█]/);
		expect(new Set(stacked.map(({foreground}) => foreground))).toEqual(new Set([a, b, c]));
		const backgrounds = new Set(stacked.map(({background}) => background));
		for (const background of backgrounds) expect(['default', b, c]).toContain(background);
		expect(backgrounds.size).toBe(3);
		expect(findCells(cells, /[│┤└─┬]/).every(({dim, foreground}) => dim && foreground === 'default')).toBe(
			true,
		);
	});

	test.each(['none', 'ascii'] as const)('nothing is coloured with %s', async look => {
		for (const name of ['lines', 'stacked', 'bars', 'sparkline']) {
			const {cells} = await readShown(name, look, size);
			for (const {foreground, background, bold, dim, inverse} of cells.flat())
				expect({foreground, background, bold, dim, inverse}).toEqual({
					foreground: 'default',
					background: 'default',
					bold: false,
					dim: false,
					inverse: false,
				});
		}
	});
});

test('a screen reader gets the figures and nothing that is drawn', async () => {
	const [, , size] = sizes;
	expect((await readShown('stacked', 'spoken', size)).lines.slice(0, 2)).toEqual([
		'time UTC, highest of 2 values',
		'2026-11-22   reads 760   writes 220   deletes 30',
	]);
	expect((await readShown('bars', 'spoken', size)).lines.slice(0, 3)).toEqual([
		'SQL injection   previous 1,200   new 1,350   block',
		'Cross-site scripting   previous 310   new 0   log',
		'Anomaly \\x1b[31mscore\\u202e 名前   previous 5   new 77   challenge',
	]);
	expect((await readShown('sparkline', 'spoken', size)).lines.join('')).toBe('');
});
