import {Box, Text} from 'ink';
import {type ReactElement, useMemo} from 'react';
import {getBodyRows} from '../../components/layout.ts';
import {List} from '../../components/list.tsx';
import {QueryField} from '../../components/query-field.tsx';
import {type Marks, useTheme} from '../../components/theme.ts';
import {searchAdvice} from '../../managed/catalogue.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {measureColumns, toDrawable} from '../../text/columns.ts';
import {cutEnd} from '../../text/cut.ts';
import {formatQuantity} from '../../text/figures.ts';
import {RowLine, ScrolledRows} from '../rows/lines.tsx';
import {buildTextRows} from '../rows/rows.ts';
import {Empty} from '../shell/empty.tsx';
import {useLedge} from '../shell/use-ledge.ts';
import {computeCatalogueWidths, countListRows, countRowsAbove, countRowsBelow} from './layout.ts';
import {buildCatalogueDetailRows, buildRuleRow, buildTitleRow} from './rows.ts';
import {
	type CatalogueState,
	describeNoMatch,
	describeUnreadRulesets,
	formatSearchCounts,
	formatSearchScope,
	getCurrentCatalogueRule,
	listMarkedRules,
	resolvePick,
} from './state.ts';

/** Margins of the details, left and right together, in columns. */
const detailMargin = 5;

/** Minimum rows of the details below the list to name marked rules above them. */
const minRowsForMarks = 6;

/** The managed rules that match the search, and the details of the one under the cursor. */
export function Catalogue(): ReactElement {
	const state = useLedge(state => state.catalogue.data);
	const viewport = useLedge(one => one.navigation.viewport);
	const {dim, marks} = useTheme();
	const {listWidth, detailsWidth} = computeCatalogueWidths(viewport);
	const height = getBodyRows(viewport.rows);
	const detailColumns = (detailsWidth || viewport.columns) - detailMargin;
	const rowsBelow = countRowsBelow(viewport, height);
	const isShort = rowsBelow >= minRowsForMarks;
	const details = useMemo(
		() => (state ? buildCatalogueDetailRows(state, detailColumns, isShort) : []),
		[state, detailColumns, isShort],
	);
	if (!state) return <Empty title="No managed rules are open." next="esc goes back" />;
	const rowsAbove = countRowsAbove(height);
	const listHeight = countListRows(viewport, height);
	// `rowsAbove` counts the column titles, but they are inside the box of the list: hence the + 1.
	return (
		<>
			<Heading state={state} columns={viewport.columns} hasTitle={rowsAbove > 2} />
			<Box height={height - rowsAbove + 1} flexShrink={0}>
				<Box flexDirection="column" width={listWidth} flexShrink={0}>
					<RowLine row={buildTitleRow(state, listWidth)} />
					<MatchingRules state={state} columns={listWidth} height={listHeight} />
					{rowsBelow > 0 && (
						<>
							<Text {...dim} wrap="truncate">
								{`   ${marks.line.repeat(Math.max(0, listWidth - 6))}`}
							</Text>
							<ScrolledRows rows={details} top={0} height={rowsBelow} />
						</>
					)}
				</Box>
				{detailsWidth > 0 && (
					<Box flexDirection="column" width={detailsWidth} flexShrink={0}>
						<ScrolledRows rows={details} top={0} height={height - rowsAbove + 1} />
					</Box>
				)}
			</Box>
		</>
	);
}

/** The title, the number of results and the scope, and the search field. */
function Heading({
	state,
	columns,
	hasTitle,
}: {
	readonly state: CatalogueState;
	readonly columns: number;
	readonly hasTitle: boolean;
}): ReactElement {
	const {current, dim, marks} = useTheme();
	const counts = `${formatSearchCounts(state, marks.dot, columns < 80)} ${marks.dot} ${toDrawable(formatSearchScope(state))}`;
	const title = cutEnd(toDrawable(state.request.title), Math.max(0, columns - measureColumns(counts) - 6));
	return (
		<>
			{hasTitle && (
				<Box height={1} flexShrink={0} justifyContent="space-between" paddingLeft={3} paddingRight={1}>
					<Text bold wrap="truncate">
						{title}
					</Text>
					<Text {...dim} wrap="truncate">
						{counts}
					</Text>
				</Box>
			)}
			<Box height={1} flexShrink={0} paddingLeft={1}>
				<Text {...current}>{'/ '}</Text>
				<QueryField buffer={state.line} columns={columns - 5} placeholder="name, tag, action, number or id" />
			</Box>
		</>
	);
}

function MatchingRules({
	state,
	columns,
	height,
}: {
	readonly state: CatalogueState;
	readonly columns: number;
	readonly height: number;
}): ReactElement {
	const {marks} = useTheme();
	const noMatchReason = describeNoMatch(state);
	if (noMatchReason !== undefined)
		return (
			<ScrolledRows
				rows={buildTextRows(
					[noMatchReason, formatRecoveryKeys(state), ...(state.searchedCount > 0 ? [searchAdvice] : [])],
					columns - detailMargin,
				)}
				top={0}
				height={height}
			/>
		);
	return (
		<List
			count={state.matches.length}
			cursor={state.cursor}
			height={height}
			renderRow={(index, isCurrent) => {
				const rule = state.matches[index];
				return (
					<RowLine
						row={rule ? buildRuleRow(state, rule, isCurrent, columns, marks) : []}
						isCurrent={isCurrent}
					/>
				);
			}}
		/>
	);
}

/** Formats the keys that help if nothing is found; empty if there are none. */
function formatRecoveryKeys({scope, searchedCount}: CatalogueState): string {
	const clearingAdvice = searchedCount > 0 ? ['ctrl-u clears the search'] : [];
	return [...clearingAdvice, ...(scope.kind === 'all' ? [] : ['tab searches other rulesets'])].join(', ');
}

/** Formats the position, the effect of enter, and the rulesets not searched. */
export function formatCatalogueStatus(
	{catalogue: {data: catalogue}}: StateWith<'catalogue'>,
	marks: Marks,
): string {
	if (!catalogue) return '';
	const {request, cursor, matches} = catalogue;
	const pickedRules = resolvePick(catalogue);
	const hasMarks = request.pickMode === 'several' && listMarkedRules(catalogue).length > 0;
	const parts = [
		getCurrentCatalogueRule(catalogue) && `rule ${cursor + 1} of ${matches.length}`,
		request.pickMode !== 'nothing' &&
			request.verb &&
			typeof pickedRules !== 'string' &&
			`${marks.enter} ${request.verb} ${hasMarks ? formatQuantity(pickedRules.length, 'rule') : 'this rule'}`,
		describeUnreadRulesets(catalogue),
	];
	return parts.filter(Boolean).join('   ');
}
