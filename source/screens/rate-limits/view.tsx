import {Box, Text} from 'ink';
import {type ReactElement, useMemo} from 'react';
import {bodyRows} from '../../components/layout.ts';
import {useTheme} from '../../components/theme.ts';
import {doing} from '../../firewall/rules/custom-rule-words.ts';
import {rateLimitOf, rateWords, timeoutWords} from '../../firewall/rules/rate-limit.ts';
import type {Has} from '../../store/ledge-store.ts';
import {counted} from '../../text/figures.ts';
import {oneLine} from '../../text/one-line.ts';
import {detailColumns} from '../firewall/detail-rows.ts';
import {ScrolledRows} from '../rows/lines.tsx';
import {Empty} from '../shell/empty.tsx';
import {type Column, ListBody, Table} from '../shell/table.tsx';
import {useLedge} from '../shell/use-ledge.ts';
import {rateLimitRows} from './detail-rows.ts';
import {type PlacedLimit, visibleLimits} from './slice.ts';

/** Columns of a cell on a wide terminal; on another one it is left out. */
const onWide = (width: number) => (columns: number) => (columns >= 120 ? width : 0);

const table: readonly Column<PlacedLimit>[] = [
	{title: '#', width: () => 4, align: 'right', text: ({place}) => String(place)},
	{title: '', width: () => 3, text: ({rule}) => (rule.enabled === false ? 'off' : 'on')},
	{title: 'ACTION', width: columns => (columns >= 80 ? 18 : 10), gap: 2, text: ({rule}) => doing(rule)},
	{title: 'LIMIT', width: () => 22, gap: 2, text: ({rule}) => rateWords(rateLimitOf(rule)) ?? ''},
	{
		title: 'BY',
		width: onWide(30),
		gap: 2,
		text: ({rule}) => rateLimitOf(rule).characteristics.join(', '),
	},
	{title: 'FOR', width: onWide(18), gap: 2, text: ({rule}) => timeoutWords(rateLimitOf(rule)) ?? ''},
	{
		title: 'EXPRESSION',
		gap: 2,
		text: ({rule}) => oneLine(rule.expression, 400),
		look: ({rule}) => (rule.enabled === false ? 'dim' : {}),
	},
];

/** The rate limits of a zone in the order of their evaluation, and all of the one under the cursor. Read-only. */
export function RateLimits(): ReactElement {
	const state = useLedge(state => state.rateLimits.data);
	const {columns, rows} = useLedge(state => state.navigation.viewport);
	const {dim, marks} = useTheme();
	const detail = useMemo(
		() => (state ? rateLimitRows(state, detailColumns(columns), marks) : []),
		[state, columns, marks],
	);
	if (!state) return <Empty title="No zone is open." next="esc leads back" />;
	const height = bodyRows(rows);
	const visible = visibleLimits(state);
	if (visible.length === 0)
		return (
			<ListBody
				list={state}
				visible={visible}
				columns={table}
				narrowed={`No rate limit has "${state.filter}" in what it says.`}
				none={{title: `${state.zone.name} has no rate limit rules.`, next: 'esc leads back'}}
			/>
		);
	if (state.detail !== undefined) return <ScrolledRows rows={detail} top={state.detail} height={height} />;
	const below = Math.max(3, Math.floor(height * 0.5));
	return (
		<>
			<Box flexDirection="column" height={height - below - 1} flexShrink={0}>
				<Table columns={table} rows={visible} cursor={state.cursor} below={below + 1} />
			</Box>
			<Text {...dim} wrap="truncate">
				{`   ${marks.rule.repeat(Math.max(0, columns - 6))}`}
			</Text>
			<ScrolledRows rows={detail} top={0} height={below} />
		</>
	);
}

/** How many there are, and that they are only shown. */
export function rateLimitsStatus({rateLimits: {data: rateLimits}}: Has<'rateLimits'>): string {
	if (rateLimits?.reading !== 'read') return '';
	const {rows, filter} = rateLimits;
	const all = counted(rows.length, 'rate limit');
	return `${filter === '' ? all : `${visibleLimits(rateLimits).length} of ${all}`}   read-only`;
}
