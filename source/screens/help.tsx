import {Box, Text} from 'ink';
import type {ReactElement} from 'react';
import {type QueriedProps, QueryField} from '../components/query-field.tsx';
import {useTheme} from '../components/theme.ts';
import {cutEnd} from '../text/cut.ts';
import {helpRows} from './action-lists.ts';
import {keyName} from './key-names.ts';
import {useApp, useLedge} from './use-ledge.ts';

/** Columns of the keys, before what they do. */
const keyColumns = 22;

/** `?` lists every key that works here. */
export function Help({query, top, columns, rows}: QueriedProps & {readonly top: number}): ReactElement {
	const app = useApp();
	const state = useLedge(state => state);
	const {here, dim} = useTheme();
	const found = helpRows(app.actions, state, query);
	const height = rows - 1;
	const first = Math.max(0, Math.min(top, found.length - height));
	return (
		<Box flexDirection="column" paddingLeft={1}>
			<Box height={1}>
				<Text {...here}> ? </Text>
				<QueryField line={state.line} columns={columns - 40} placeholder="find a key" />
				<Text {...dim}>
					{found.length > height
						? `   ${first + 1} to ${Math.min(found.length, first + height)} of ${found.length}`
						: ''}
				</Text>
			</Box>
			{found.slice(first, first + height).map(row =>
				'heading' in row ? (
					<Text key={row.heading} bold>
						{' '}
						{row.heading}
					</Text>
				) : (
					<HelpLine
						key={'action' in row ? row.action.id : row.title}
						{...('action' in row ? row.action : row)}
						columns={columns}
					/>
				),
			)}
		</Box>
	);
}

function HelpLine({
	keys,
	title,
	columns,
}: {
	readonly keys: readonly string[];
	readonly title: string;
	readonly columns: number;
}): ReactElement {
	const {here, marks} = useTheme();
	return (
		<Box>
			<Box width={keyColumns} flexShrink={0} paddingLeft={3}>
				<Text {...here} wrap="truncate">
					{cutEnd(keys.map(key => keyName(key, marks)).join(' '), keyColumns - 4)}
				</Text>
			</Box>
			<Text wrap="truncate">{cutEnd(title, columns - keyColumns - 4)}</Text>
		</Box>
	);
}
