// Prints the sample plots in all sizes and looks, as bytes for a terminal, as JSON.
import {Box, renderToString} from 'ink';
import {Bars, Plot, Sparkline} from '../../../source/components/plot.tsx';
import {spokenTheme} from '../../../source/components/spoken.ts';
import {getTheme, type Theme, ThemeContext} from '../../../source/components/theme.ts';
import {bars, looks, plots, sizes} from './sample-plots.ts';

const themes: Readonly<Record<(typeof looks)[number], Theme>> = {
	dark: getTheme('dark', true),
	light: getTheme('light', true),
	none: getTheme('none', true),
	ascii: getTheme('none', false),
	spoken: spokenTheme,
};

const pictures: Record<string, string> = {};
for (const size of sizes)
	for (const look of looks) {
		const elements = {
			...Object.fromEntries(
				Object.entries(plots).map(([name, plot]) => [name, <Plot key={name} plot={plot} {...size} />]),
			),
			bars: <Bars bars={bars} {...size} />,
			'bars in 3 rows': <Bars bars={bars} {...size} rows={3} />,
			sparkline: <Sparkline values={plots.one.series[0]?.values ?? []} columns={20} />,
		};
		for (const [name, element] of Object.entries(elements))
			pictures[`${name} ${look} ${size.columns}x${size.rows}`] = renderToString(
				<ThemeContext value={themes[look]}>
					<Box flexDirection="column">{element}</Box>
				</ThemeContext>,
				{columns: size.columns},
			);
	}
process.stdout.write(JSON.stringify(pictures));
