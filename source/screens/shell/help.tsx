import {Box, Text} from 'ink';
import type {ReactElement} from 'react';
import {QueryField, type SearchDialogProps} from '../../components/query-field.tsx';
import {useTheme} from '../../components/theme.ts';
import {toDrawable} from '../../text/columns.ts';
import {cutEnd} from '../../text/cut.ts';
import {buildHelpRows} from './action-lists.ts';
import {buildHelpLines, keyColumns} from './help-lines.ts';
import {useApp, useLedge} from './use-ledge.ts';

/** Lists every key that works on the current screen. */
export function Help({query, top, columns, rows}: SearchDialogProps & {readonly top: number}): ReactElement {
	const app = useApp();
	const state = useLedge(state => state);
	const {current, dim, marks} = useTheme();
	const lines = buildHelpLines(buildHelpRows(app.actions, state, query), columns, marks);
	const height = rows - 1;
	const firstLine = Math.max(0, Math.min(top, lines.length - height));
	return (
		<Box flexDirection="column">
			<Box height={1}>
				<Text {...current}> ? </Text>
				<QueryField
					buffer={state.dialog.lineBuffer}
					columns={Math.max(20, columns - 37)}
					placeholder="search shortcuts"
				/>
				<Text {...dim}>
					{lines.length > height
						? `   ${firstLine + 1} to ${Math.min(lines.length, firstLine + height)} of ${lines.length}`
						: ''}
				</Text>
			</Box>
			{lines.length === 0 && (
				<Text {...dim} wrap="truncate">
					{`   ${cutEnd(`No shortcut matches "${toDrawable(query)}". esc, then : searches all screens.`, columns - 2)}`}
				</Text>
			)}
			{lines.slice(firstLine, firstLine + height).map(line =>
				'heading' in line ? (
					<Text key={line.id} bold>
						{' '}
						{line.heading}
					</Text>
				) : (
					<Box key={line.id}>
						<Box width={keyColumns} flexShrink={0} paddingLeft={3}>
							<Text {...current} wrap="truncate">
								{line.keys}
							</Text>
						</Box>
						<Text wrap="truncate">{line.title}</Text>
					</Box>
				),
			)}
		</Box>
	);
}
