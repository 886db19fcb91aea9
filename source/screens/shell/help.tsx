import {Box, Text} from 'ink';
import {type ReactElement, useLayoutEffect} from 'react';
import {QueryField, type SearchDialogProps} from '../../components/query-field.tsx';
import {useTheme} from '../../components/theme.ts';
import {toDrawable} from '../../text/columns.ts';
import {cutEnd} from '../../text/cut.ts';
import {buildHelpRows} from './action-lists.ts';
import {buildHelpColumns, helpColumnGap} from './help-lines.ts';
import {useApp, useLedge} from './use-ledge.ts';

/** Columns from which the key that shows the other lines has room beside the search. */
const minPageHintColumns = 57;

/** Lists the keys of the current screen, and beside them those that work everywhere. */
export function Help({
	query,
	isSearching = false,
	columns,
	rows,
}: SearchDialogProps & {readonly isSearching?: boolean | undefined}): ReactElement {
	const app = useApp();
	const state = useLedge(state => state);
	const {current, dim, marks} = useTheme();
	const helpColumns = buildHelpColumns(buildHelpRows(app.actions, state, query), columns, marks);
	const lineCount = Math.max(0, ...helpColumns.map(({lines}) => lines.length));
	const height = rows - 1;
	const firstLine = Math.max(0, Math.min(state.dialog.text.top, lineCount - height));
	const pageKey = firstLine + height < lineCount ? 'pagedown' : 'pageup';
	const pageHint = columns < minPageHintColumns ? '' : `: ${pageKey}`;
	useLayoutEffect(
		() => app.state().dialog.noticeText({lineCount, visibleCount: height}),
		[app, lineCount, height],
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
					{lineCount > height
						? `   ${firstLine + 1} to ${Math.min(lineCount, firstLine + height)} of ${lineCount}${pageHint}`
						: ''}
				</Text>
			</Box>
			{lineCount === 0 && (
				<Text {...dim} wrap="truncate">
					{`   ${cutEnd(`No shortcut matches "${toDrawable(query)}". The command palette (:) searches all screens.`, columns - 2)}`}
				</Text>
			)}
			<Box columnGap={helpColumnGap}>
				{helpColumns.map(({width, keyColumns, lines}, index) => (
					<Box key={index === 0 ? 'here' : 'everywhere'} flexDirection="column" width={width} flexShrink={0}>
						{lines.slice(firstLine, firstLine + height).map(line =>
							'heading' in line ? (
								<Text key={line.id} bold>
									{line.heading}
								</Text>
							) : (
								<Box key={line.id}>
									<Box width={keyColumns} flexShrink={0} paddingLeft={2}>
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
