import type {BarChart} from '../../../source/text/plot/bars.ts';
import type {TimePlot} from '../../../source/text/plot/plot.ts';

const firstStart = Date.parse('2026-11-22T15:00:00Z');
const fiveMinutes = 300_000;

/** Whole numbers that rise and fall: the same on every machine. */
const wave = (length: number, height: number, period: number, shift: number): number[] =>
	Array.from({length}, (_, at) => {
		const phase = (at + shift) % period;
		return Math.round((height * Math.min(phase, period - phase) * 2) / period);
	});

const withGap = (values: readonly number[]): (number | undefined)[] =>
	values.map((value, at) => (at >= 100 && at < 110 ? undefined : value));

const one: TimePlot = {
	series: [{name: 'reads', values: withGap(wave(288, 1900, 150, 30))}],
	firstStart,
	step: fiveMinutes,
	unit: 'count',
};

const lines: TimePlot = {
	...one,
	series: [
		{name: 'reads', values: withGap(wave(288, 1900, 150, 30))},
		{name: 'writes', values: withGap(wave(288, 900, 90, 10))},
		{name: 'deletes', values: withGap(wave(288, 300, 200, 100))},
	],
};

const stacked: TimePlot = {
	...lines,
	step: 86_400_000,
	form: 'columns',
	series: lines.series.map(({name, values}) => ({name, values: values.slice(90, 121)})),
};

export const plots = {one, lines, stacked} as const;

export const bars: BarChart = {
	unit: 'count',
	names: ['previous', 'new'],
	bars: [
		{label: 'SQL injection', value: 1200, comparedValue: 1350, note: 'block'},
		{label: 'Cross-site scripting', value: 310, comparedValue: 0, note: 'log'},
		{label: 'Anomaly \u001b[31mscore\u202e 名前', value: 5, comparedValue: 77, note: 'challenge'},
	],
};

export const sizes = [
	{columns: 60, rows: 15},
	{columns: 80, rows: 24},
	{columns: 200, rows: 60},
] as const;

export const looks = ['dark', 'light', 'none', 'ascii', 'spoken'] as const;

export type Pictures = Readonly<Record<string, string>>;
