import {Box, Text} from 'ink';
import {memo, type ReactElement} from 'react';
import {type Bars as BarValues, barRows, barTexts} from '../text/plot/bars.ts';
import type {PlotPlace, PlotRow, TimePlot, Tone} from '../text/plot/plot.ts';
import {sparkline} from '../text/plot/sparkline.ts';
import {plotTable} from '../text/plot/table.ts';
import {timePlotRows} from '../text/plot/time-plot.ts';
import {Lines} from './lines.tsx';
import {type Theme, useTheme} from './theme.ts';

type Size = {readonly columns: number; readonly rows: number};

/** Maximum rows of a plot for screen readers. */
const spokenRows = 24;

/** Draws a plot over time in exactly `rows` rows; its figures for screen readers. */
export const Plot = memo(({plot, columns, rows}: Size & {readonly plot: TimePlot}): ReactElement => {
	const theme = useTheme();
	if (theme.isSpoken) return <Lines lines={spokenPlot(plot, rows)} rows={rows} />;
	return <PlotRows rows={timePlotRows(plot, placeIn(theme, {columns, rows}))} />;
});

/** Formats the figures of a plot, each with its name, since lines are read separately. */
function spokenPlot(plot: TimePlot, rows: number): string[] {
	const {headings, rows: figures} = plotTable(plot, Math.min(rows - 1, spokenRows));
	const [time = '', ...names] = headings;
	const lines = figures.map(([begin = '', ...values]) =>
		[begin, ...values.map((value, at) => `${names[at]} ${value}`)].join('   '),
	);
	return [time, ...(lines.length > 0 ? lines : ['no data'])];
}

/** Draws the bars that fit; the last row reports how many are left out. */
export const Bars = memo(({bars, columns, rows}: Size & {readonly bars: BarValues}): ReactElement => {
	const theme = useTheme();
	if (theme.isSpoken) return <Lines lines={barTexts(bars)} rows={rows} />;
	const drawn = barRows(bars, placeIn(theme, {columns, rows}));
	if (drawn.length <= rows) return <PlotRows rows={drawn} />;
	const left = drawn.length - rows + 1;
	return <PlotRows rows={[...drawn.slice(0, rows - 1), [{text: `${left} more rows`, tone: 'axis'}]]} />;
});

/** Draws values in one row of at most `columns` columns; nothing for screen readers. */
export const Sparkline = memo(
	({
		values,
		columns,
	}: {
		readonly values: readonly (number | undefined)[];
		readonly columns: number;
	}): ReactElement | null => {
		const {isSpoken, marks, series} = useTheme();
		if (isSpoken) return null;
		return <Text {...series[0]}>{sparkline(values, columns, isAscii(marks))}</Text>;
	},
);

const isAscii = ({bar: [full]}: Theme['marks']): boolean => full === '#';

const placeIn = ({name, marks}: Theme, size: Size): PlotPlace => ({
	...size,
	isAscii: isAscii(marks),
	isColoured: name !== 'none',
});

const isSeries = (tone: Tone): tone is Extract<Tone, object> => typeof tone === 'object';

/** Draws rows in the colours of the theme. */
const PlotRows = ({rows}: {readonly rows: readonly PlotRow[]}): ReactElement => {
	const theme = useTheme();
	const lookOf = (series: number) => theme.series[series % Math.max(1, theme.series.length)];
	const drawn: ReactElement[] = [];
	for (const row of rows) {
		const spans: ReactElement[] = [];
		for (const {text, tone, behind} of row) {
			const look = isSeries(tone) ? lookOf(tone.series) : tone === 'axis' ? theme.dim : undefined;
			const ground = behind && lookOf(behind.series)?.color;
			spans.push(
				<Text key={spans.length} {...look} {...(ground !== undefined && {backgroundColor: ground})}>
					{text}
				</Text>,
			);
		}
		drawn.push(
			<Text key={drawn.length} wrap="truncate">
				{spans.length > 0 ? spans : ' '}
			</Text>,
		);
	}
	return (
		<Box flexDirection="column" flexShrink={0}>
			{drawn}
		</Box>
	);
};
