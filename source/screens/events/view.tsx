import {Box} from 'ink';
import {type ReactElement, useMemo} from 'react';
import {formatEventAction, formatEventSource} from '../../analytics/event-words.ts';
import type {SecurityEvent} from '../../analytics/events.ts';
import {
	type AnalyticsProblem,
	describeMissing,
	formatMissingLine,
	securityEventsSubject,
	singleEventsSubject,
} from '../../analytics/problem.ts';
import {fitBesideList, getBodyRows} from '../../components/layout.ts';
import {Plot} from '../../components/plot.tsx';
import type {EventPlot} from '../../events/overview.ts';
import {nameKey} from '../../keyboard/named-keys.ts';
import {buildDashboardLink} from '../../settings/dashboard.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {toDrawable} from '../../text/columns.ts';
import {cutEnd} from '../../text/cut.ts';
import {formatInteger, formatQuantity} from '../../text/figures.ts';
import type {TimePlot} from '../../text/plot/plot.ts';
import {getDetailColumns} from '../list/detail.ts';
import {type Column, Table} from '../list/table.tsx';
import {RowLine, ScrolledRows} from '../rows/lines.tsx';
import type {Piece} from '../rows/rows.ts';
import {Empty} from '../shell/empty.tsx';
import {useLedge} from '../shell/use-ledge.ts';
import {buildEventRows} from './detail-rows.ts';
import {type EventList, type EventRow, type EventsState, eventList, eventLists, spans} from './state.ts';

/** The security events of a zone: a plot and one of the lists, or one event in full. */
export function Events(): ReactElement {
	const state = useLedge(state => state.events.data);
	const {columns, rows} = useLedge(state => state.navigation.viewport);
	const service = useLedge(state => state.connection.data?.address.value);
	const detail = useMemo(
		() =>
			state
				? buildEventRows(
						state,
						getDetailColumns(columns),
						buildDashboardLink(service, state.zone, '/security/events'),
					)
				: [],
		[state, columns, service],
	);
	const plot = useMemo(() => state && buildPlot(state), [state]);
	if (!state) return <Empty title="No zone is open." next="esc goes back" />;
	const height = getBodyRows(rows);
	if (state.detail !== undefined)
		return <ScrolledRows rows={detail} top={state.detail} height={height} hint=": pagedown" />;
	const problemLine = formatProblem(state);
	const otherRows = problemLine === undefined ? 1 : 2;
	const plotRows = plot ? fitBesideList(computePlotRows(height), height - otherRows, minPlotRows) : 0;
	return (
		<>
			{plot && plotRows > 0 && (
				<Box flexDirection="column" height={plotRows} flexShrink={0} paddingLeft={1}>
					<Plot plot={plot} columns={columns - 2} rows={plotRows} />
				</Box>
			)}
			<RowLine row={buildTabs(state)} />
			{problemLine !== undefined && (
				<RowLine row={[{text: ` ${cutEnd(toDrawable(problemLine), columns - 2)}`, look: 'warning'}]} />
			)}
			<Rows state={state} rowsAbove={plotRows + otherRows} />
		</>
	);
}

const minPlotRows = 4;

/** Computes the rows of the plot from the height of the body. */
const computePlotRows = (height: number): number =>
	height < 14 ? minPlotRows : Math.max(6, Math.min(16, Math.floor(height * 0.35)));

/** Builds the plot; undefined if it was not read, or nothing happened. */
function buildPlot({overview: {value}, plotBy}: EventsState): TimePlot | undefined {
	const plot: EventPlot | undefined = value?.plots[plotBy];
	if (!plot || plot.series.length === 0) return undefined;
	const formatSeriesName = (value: string | undefined) =>
		value === undefined
			? 'others'
			: (plotBy === 'action' ? formatEventAction(value) : formatEventSource(value)) || 'unknown';
	return {
		firstStart: plot.firstStart,
		step: plot.step,
		unit: 'count',
		form: 'columns',
		series: plot.series.map(({seriesName, values}) => ({name: formatSeriesName(seriesName), values})),
	};
}

/** Builds the tabs of the lists; the current one is marked. */
function buildTabs({list}: EventsState): readonly Piece[] {
	return eventLists.flatMap((one): readonly Piece[] => [
		{text: ' ', look: 'plain'},
		{
			text: one === list ? `[${one}]` : ` ${one} `,
			look: one === list ? 'here' : 'dim',
		},
	]);
}

const getShownPart = ({list, overview, single}: EventsState) => (list === 'events' ? single : overview);

/** Describes what is missing in the shown data; undefined if nothing is. */
function formatProblem(state: EventsState): string | undefined {
	const {overview, single, list} = state;
	// If nothing was read, the list itself shows the reason.
	if (getShownPart(state).value === undefined) return undefined;
	const [problem] = overview.problems;
	if (problem) return formatMissingLine(securityEventsSubject, problem);
	const [singleProblem] = list === 'events' ? single.problems : [];
	return singleProblem && formatMissingLine(singleEventsSubject, singleProblem);
}

/** Says that nothing has the search text, and of which events if there are more than were read. */
function describeNoMatch({list, single, filter}: EventsState): string {
	const {events, hasMore = false} = single.value ?? {};
	return list === 'events' && events && hasMore
		? `No matches for "${filter}" among the latest ${formatQuantity(events.length, 'event')}.`
		: `No matches for "${filter}".`;
}

function Rows({state, rowsAbove}: {readonly state: EventsState; readonly rowsAbove: number}): ReactElement {
	const visibleRows = eventList.listVisible(state);
	const {columns} = useLedge(state => state.navigation.viewport);
	const columnDefinitions = useMemo(() => buildEventColumns(state), [state]);
	// `rowsBelow`: the rows that the table leaves free, here for what is above it.
	if (visibleRows.length > 0)
		return (
			<Table columns={columnDefinitions} rows={visibleRows} cursor={state.cursor} rowsBelow={rowsAbove} />
		);
	const {reading, value, problems} = getShownPart(state);
	if (reading === 'reading' || reading === 'unread')
		return <Empty isUnread title="Loading security events…" />;
	if (value === undefined) return <MissingList list={state.list} problem={problems[0]} columns={columns} />;
	if (state.filter !== '') return <Empty title={describeNoMatch(state)} next="esc clears the filter" />;
	const isUnavailable = state.list !== 'events' && !state.overview.value?.topValues[state.list];
	if (isUnavailable) return <MissingList list={state.list} problem={problems[0]} columns={columns} />;
	return (
		<Empty
			title={`No security events in the last ${state.span}.`}
			next={
				state.narrowings.length > 0
					? `esc ${state.narrowings.at(-1) === state.openedFor ? 'goes back to the rule' : 'removes the last filter'}, ${nameKey('events.range', 't')} changes the time range`
					: `${nameKey('events.range', 't')} changes the time range`
			}
		/>
	);
}

/** Explains why a list is empty: the missing permission, plan or service. */
function MissingList({
	list,
	problem = {kind: 'failed', message: '', path: []},
	columns,
}: {
	readonly list: EventList;
	readonly problem: AnalyticsProblem | undefined;
	readonly columns: number;
}): ReactElement {
	const {what, why, next} = describeMissing(
		list === 'events' ? singleEventsSubject : securityEventsSubject,
		problem,
	);
	const reason = [what, why && cutEnd(toDrawable(why), columns * 3)].filter(Boolean).join(' ');
	const isMissingInPlan = list === 'events' && problem.kind === 'not in plan';
	const isTemporary = problem.kind === 'busy' || problem.kind === 'failed';
	return (
		<Empty
			title={reason}
			next={
				isMissingInPlan
					? `The other lists are available: ${nameKey('events.next', 'tab')} shows the rules.`
					: [isTemporary ? undefined : next, 'ctrl-r tries again'].filter(Boolean).join(' ')
			}
		/>
	);
}

/** Creates the width of a column that is shown only on terminals of `minColumns` or more. */
const createMinWidth =
	(minColumns: number, width: number) =>
	(columns: number): number =>
		columns >= minColumns ? width : 0;

const formatCount = (row: EventRow): string => {
	if (row.kind !== 'listed') return '';
	return formatInteger(row.listed.count);
};

/** Formats the most frequent action of a rule, and how many others it had. */
function formatListedActions([firstAction, ...others]: readonly string[]): string {
	if (firstAction === undefined) return '';
	return `${formatEventAction(firstAction)}${others.length > 0 ? ` +${others.length}` : ''}`;
}

const createListedText =
	(text: (row: Extract<EventRow, {kind: 'listed'}>) => string | undefined) =>
	(row: EventRow): string =>
		(row.kind === 'listed' && text(row)) || '';

const createEventText =
	(text: (event: SecurityEvent) => string | undefined) =>
	(row: EventRow): string =>
		(row.kind === 'event' && text(row.event)) || '';

/** Builds the columns of the list in front. */
function buildEventColumns({list, overview, span}: EventsState): readonly Column<EventRow>[] {
	const total = overview.value?.total ?? 0;
	const formatShare = createListedText(({listed: {count: part}}) =>
		total > 0 ? `${Math.min(100, Math.round((part * 100) / total))}%` : '',
	);
	const countColumns: readonly Column<EventRow>[] = [
		{
			title: overview.value?.isSampled ? 'ABOUT' : 'EVENTS',
			isEssential: true,
			getWidth: () => 9,
			align: 'right',
			getText: formatCount,
		},
		{
			title: 'SHARE',
			getWidth: createMinWidth(80, 6),
			align: 'right',
			gap: 2,
			getText: formatShare,
			getLook: () => 'dim',
		},
	];
	switch (list) {
		case 'rules':
			return [
				...countColumns,
				{
					title: 'ACTION',
					getWidth: columns => (columns >= 100 ? 20 : columns >= 80 ? 12 : 0),
					gap: 2,
					getText: createListedText(({listed: {actions = []}}) => formatListedActions(actions)),
				},
				{title: 'RULE', gap: 2, getText: row => row.rule?.displayName ?? ''},
				{
					title: 'SOURCE',
					getWidth: createMinWidth(100, 22),
					gap: 2,
					getText: row => row.rule?.source ?? '',
					getLook: () => 'dim',
				},
				{
					title: 'ID',
					getWidth: createMinWidth(140, 32),
					gap: 2,
					getText: row => row.rule?.id ?? '',
					getLook: () => 'dim',
				},
			];
		case 'paths':
			return [
				...countColumns,
				{title: 'PATH', gap: 2, getText: createListedText(row => row.listed.value || '(none)')},
			];
		case 'addresses':
			return [
				...countColumns,
				{title: 'ADDRESS', gap: 2, getText: createListedText(row => row.listed.value || '(none)')},
				{title: 'FROM', getWidth: () => 4, gap: 2, getText: createListedText(row => row.listed.country)},
			];
		case 'countries':
			return [
				...countColumns,
				{title: 'COUNTRY', gap: 2, getText: createListedText(row => row.listed.value || '(none)')},
			];
		case 'events': {
			const showsDate = spans[span] > spans['24 h'];
			const formatTime = createEventText(({at}) =>
				new Date(at)
					.toISOString()
					.slice(showsDate ? 5 : 11, 19)
					.replace('T', ' '),
			);
			return [
				{title: 'TIME UTC', getWidth: () => (showsDate ? 14 : 8), getText: formatTime},
				{
					title: 'ACTION',
					getWidth: columns => (columns >= 100 ? 17 : 9),
					gap: 2,
					getText: createEventText(({action}) => formatEventAction(action)),
				},
				{
					title: 'ADDRESS',
					getWidth: columns => (columns >= 120 ? 24 : 15),
					gap: 2,
					cut: 'middle',
					getText: createEventText(({address}) => address),
				},
				{
					title: 'FROM',
					getWidth: createMinWidth(80, 4),
					gap: 2,
					getText: createEventText(({country}) => country),
				},
				{
					title: 'RULE',
					getWidth: columns => (columns >= 120 ? Math.floor(columns * 0.25) : 0),
					gap: 2,
					getText: row => row.rule?.displayName ?? '',
					getLook: () => 'dim',
				},
				{
					title: 'REQUEST',
					gap: 2,
					getText: createEventText(({method = '', path = ''}) => `${method} ${path}`.trim()),
				},
			];
		}
		default:
			return list satisfies never;
	}
}

/** Formats the number of events and the time span, or its start if the plan keeps less. */
export function formatEventsStatus({events: {data: events}}: StateWith<'events'>): string {
	if (!events) return '';
	const {span, plotBy, overview, single: singles, list, openedFor} = events;
	const {value} = overview;
	if (!value) return `last ${span}`;
	const {total, isSampled, since, until} = value;
	const isClipped = until - since < spans[span] - toleranceMs;
	const parts = [
		...(openedFor ? [`one rule: ${nameKey('go.events', '6')} shows all`] : []),
		...(total === undefined ? [] : [`${isSampled ? 'about ' : ''}${formatQuantity(total, 'event')}`]),
		isClipped
			? `since ${new Date(since).toISOString().slice(0, 16).replace('T', ' ')} UTC (plan limit)`
			: `last ${span}`,
		...(list === 'events' && singles.value?.hasMore ? [`latest ${singles.value.events.length}`] : []),
		`by ${plotBy}`,
	];
	return parts.join('   ');
}

/** Tolerance before a shorter time span is reported, in milliseconds. */
const toleranceMs = 120_000;
