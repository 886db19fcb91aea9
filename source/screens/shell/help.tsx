import {Box, Text} from 'ink';
import {type ReactElement, useLayoutEffect} from 'react';
import {QueryField, type SearchDialogProps} from '../../components/query-field.tsx';
import {useTheme} from '../../components/theme.ts';
import {toDrawable} from '../../text/columns.ts';
import {cutEnd} from '../../text/cut.ts';
import {buildHelpRows} from './action-lists.ts';
import {buildHelpLines, getHelpLayout, helpColumnGap} from './help-lines.ts';
import {useApp, useLedge} from './use-ledge.ts';

/** Minimum columns to show the key for more lines beside the search. */
const minPageHintColumns = 57;

/** Lists the keys of the current screen, then those that work everywhere, in one or two columns. */
export function Help({
	query,
	isSearching = false,
	columns,
	rows,
}: SearchDialogProps & {readonly isSearching?: boolean | undefined}): ReactElement {
	const app = useApp();
	const state = useLedge(state => state);
	const {current, dim, heading, marks} = useTheme();
	const layout = getHelpLayout(columns);
	const lines = buildHelpLines(buildHelpRows(app.actions, state, query), layout.columns, marks);
	const lineCount = lines.length;
	const height = rows - 1;
	const visibleCount = height * layout.count;
	const firstLine = Math.max(0, Math.min(state.dialog.text.top, lineCount - visibleCount));
	const columnStarts = [firstLine, firstLine + height].slice(0, layout.count);
	const pageKey = firstLine + visibleCount < lineCount ? 'pagedown' : 'pageup';
	const pageHint = columns < minPageHintColumns ? '' : `: ${pageKey}`;
	useLayoutEffect(
		() => app.state().dialog.noticeText({lineCount, visibleCount}),
		[app, lineCount, visibleCount],
	);
	return (
		<Box flexDirection="column">
			<Box height={1}>
				<Text {...current}> ? </Text>
				{isSearching ? (
					<QueryField
						buffer={state.dialog.lineBuffer}
						columns={Math.max(20, columns - 37)}
						placeholder="search shortcuts"
					/>
				) : (
					<Text {...dim}>
						{query === ''
							? '/ search shortcuts'
							: `/ ${cutEnd(toDrawable(query), Math.max(18, columns - 39))}`}
					</Text>
				)}
				<Text {...dim}>
					{lineCount > visibleCount
						? `   ${firstLine + 1} to ${firstLine + visibleCount} of ${lineCount}${pageHint}`
						: ''}
				</Text>
			</Box>
			{lineCount === 0 && (
				<Text {...dim} wrap="truncate">
					{`   ${cutEnd(`No shortcut matches "${toDrawable(query)}". The command palette (:) searches all screens.`, columns - 2)}`}
				</Text>
			)}
			<Box columnGap={helpColumnGap}>
				{columnStarts.map(start => (
					<Box key={start - firstLine} flexDirection="column" width={layout.columns} flexShrink={0}>
						{lines.slice(start, start + height).map(line =>
							'heading' in line ? (
								<Text key={line.id} {...heading}>
									{line.heading}
								</Text>
							) : (
								<Box key={line.id}>
									<Box width={line.keyColumns} flexShrink={0} paddingLeft={1}>
										<Text bold wrap="truncate">
											{line.keys}
										</Text>
									</Box>
									<Text wrap="truncate">{line.title}</Text>
								</Box>
							),
						)}
					</Box>
				))}
			</Box>
		</Box>
	);
}
