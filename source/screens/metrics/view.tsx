import {Box, Text} from 'ink';
import {type ReactElement, useMemo} from 'react';
import {buildStorePanels, type Panel, panelNames} from '../../analytics/store-panels.ts';
import {Lines} from '../../components/lines.tsx';
import {wrapParagraphs} from '../../components/paragraphs.ts';
import {Plot} from '../../components/plot.tsx';
import {useTheme} from '../../components/theme.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {toDrawable} from '../../text/columns.ts';
import {cutEnd} from '../../text/cut.ts';
import {Empty} from '../shell/empty.tsx';
import {useLedge} from '../shell/use-ledge.ts';
import {computePanelLayout} from './layout.ts';

const margins = 2;

/** The Metrics screen: as many of the four plots as fit. */
export function Metrics(): ReactElement {
	const metrics = useLedge(state => state.metrics.data);
	const viewport = useLedge(state => state.navigation.viewport);
	const result = metrics?.lastResult?.result;
	const panels = useMemo(() => (result ? buildStorePanels(result) : []), [result]);
	if (!metrics || !result) return <Empty isUnread />;
	if (!result.value)
		return <Empty title={panels[0]?.missingLines.join('\n') ?? ''} next="ctrl-r tries again" />;
	const {firstIndex, count, panelsAcross, columns, rows} = computePanelLayout(viewport, metrics.top);
	const visiblePanels = panels.slice(firstIndex, firstIndex + count);
	const panelRows = Array.from({length: Math.ceil(visiblePanels.length / panelsAcross)}, (_, index) =>
		visiblePanels.slice(index * panelsAcross, (index + 1) * panelsAcross),
	);
	return (
		<>
			{panelRows.map(panelRow => (
				<Box key={panelRow[0]?.title} height={rows} flexShrink={0}>
					{panelRow.map(panel => (
						<PanelBox key={panel.title} panel={panel} columns={columns} rows={rows} />
					))}
				</Box>
			))}
		</>
	);
}

function PanelBox({
	panel: {title, facts, plot, missingLines},
	columns,
	rows,
}: {
	readonly panel: Panel;
	readonly columns: number;
	readonly rows: number;
}): ReactElement {
	const {current, warning, dim, isSpoken} = useTheme();
	const width = columns - margins;
	const messages = wrapParagraphs(missingLines, width - 1).slice(0, plot ? 1 : rows - 2);
	const plotRows = rows - 1 - messages.length;
	return (
		<Box flexDirection="column" width={columns} paddingLeft={1} height={rows} overflow="hidden">
			<Text wrap="truncate">
				<Text {...current}>{title}</Text>
				<Text {...dim}>{`  ${cutEnd(toDrawable(facts), Math.max(0, width - title.length - 2))}`}</Text>
			</Text>
			{messages.length > 0 && (
				<Text {...warning} wrap="truncate">
					{messages.join('\n')}
				</Text>
			)}
			{plot && (
				<Plot plot={plot} columns={width} rows={plotRows > 9 && !isSpoken ? plotRows - 1 : plotRows} />
			)}
			{!plot && messages.length === 0 && <Lines lines={['no data']} rows={1} dim />}
		</Box>
	);
}

/** Status line: period, whether figures are estimates, and which plots are visible. */
export function formatMetricsStatus({
	metrics: {data: metrics},
	navigation: {viewport},
}: StateWith<'metrics'> & StateWith<'navigation', 'viewport'>): string {
	if (!metrics?.lastResult?.result.value) return '';
	const {days, result} = metrics.lastResult;
	const {firstIndex, count} = computePanelLayout(viewport, metrics.top);
	const operations = result.value?.operations;
	const step = operations && (operations.step < 86_400_000 ? 'hourly' : 'daily');
	return [
		days === 1 ? '24 hours' : `${days} days`,
		...(step === undefined ? [] : [step]),
		'keys and size: 31 days',
		...(operations?.isEstimate ? ['operations are estimates'] : []),
		...(count < panelNames.length
			? [`plots ${firstIndex + 1}${count > 1 ? `-${firstIndex + count}` : ''} of ${panelNames.length}`]
			: []),
	].join('   ');
}
