import {Box, Text} from 'ink';
import {memo, type ReactElement} from 'react';
import {type BarChart, buildBarRows, formatBars} from '../text/plot/bars.ts';
import type {PlotRow, PlotTarget, PlotTone, TimePlot} from '../text/plot/plot.ts';
import {drawSparkline} from '../text/plot/sparkline.ts';
import {buildPlotTable} from '../text/plot/table.ts';
import {buildTimePlotRows} from '../text/plot/time-plot.ts';
import {Lines} from './lines.tsx';
import {type Theme, useTheme} from './theme.ts';

type Size = {readonly columns: number; readonly rows: number};

/** Maximum rows of a plot for screen readers. */
const maxSpokenRows = 24;

/** Draws a plot over time in exactly `rows` rows; its figures for screen readers. */
export const Plot = memo(({plot, columns, rows}: Size & {readonly plot: TimePlot}): ReactElement => {
	const theme = useTheme();
	if (theme.isSpoken) return <Lines lines={formatSpokenPlot(plot, rows)} rows={rows} />;
	return <PlotRows rows={buildTimePlotRows(plot, createPlotTarget(theme, {columns, rows}))} />;
});

/** Formats the figures of a plot, each with its name, since lines are read separately. */
function formatSpokenPlot(plot: TimePlot, rows: number): string[] {
	const {headings, rows: figures} = buildPlotTable(plot, Math.min(rows - 1, maxSpokenRows));
	const [time = '', ...names] = headings;
	const lines = figures.map(([begin = '', ...values]) =>
		[begin, ...values.map((value, at) => `${names[at]} ${value}`)].join('   '),
	);
	return [time, ...(lines.length > 0 ? lines : ['no data'])];
}

/** Draws the bars that fit; the last row reports how many are left out. */
export const Bars = memo(({bars, columns, rows}: Size & {readonly bars: BarChart}): ReactElement => {
	const theme = useTheme();
	if (theme.isSpoken) return <Lines lines={formatBars(bars)} rows={rows} />;
	const barRows = buildBarRows(bars, createPlotTarget(theme, {columns, rows}));
	if (barRows.length <= rows) return <PlotRows rows={barRows} />;
	const hiddenRowCount = barRows.length - rows + 1;
	return (
		<PlotRows rows={[...barRows.slice(0, rows - 1), [{text: `${hiddenRowCount} more rows`, tone: 'axis'}]]} />
	);
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
		return <Text {...series[0]}>{drawSparkline(values, columns, isAscii(marks))}</Text>;
	},
);

/** True for the ASCII marks of a theme, recognised by their bar. */
const isAscii = ({bar: [full]}: Theme['marks']): boolean => full === '#';

const createPlotTarget = ({name, marks}: Theme, size: Size): PlotTarget => ({
	...size,
	isAscii: isAscii(marks),
	isColored: name !== 'none',
});

const isSeries = (tone: PlotTone): tone is Extract<PlotTone, object> => typeof tone === 'object';

/** Draws rows in the colours of the theme. */
const PlotRows = ({rows}: {readonly rows: readonly PlotRow[]}): ReactElement => {
	const theme = useTheme();
	const getSeriesLook = (series: number) => theme.series[series % Math.max(1, theme.series.length)];
	const lineElements: ReactElement[] = [];
	for (const row of rows) {
		const spans: ReactElement[] = [];
		for (const {text, tone, background} of row) {
			const look = isSeries(tone) ? getSeriesLook(tone.series) : tone === 'axis' ? theme.dim : undefined;
			const ground = background && getSeriesLook(background.series)?.color;
			spans.push(
				<Text key={spans.length} {...look} {...(ground !== undefined && {backgroundColor: ground})}>
					{text}
				</Text>,
			);
		}
		lineElements.push(
			<Text key={lineElements.length} wrap="truncate">
				{spans.length > 0 ? spans : ' '}
			</Text>,
		);
	}
	return (
		<Box flexDirection="column" flexShrink={0}>
			{lineElements}
		</Box>
	);
};
