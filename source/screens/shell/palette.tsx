import {Box, Text} from 'ink';
import type {ReactElement} from 'react';
import {List} from '../../components/list.tsx';
import {type QueriedProps, QueryField} from '../../components/query-field.tsx';
import {useTheme} from '../../components/theme.ts';
import {cutEnd} from '../../text/cut.ts';
import {paletteRows} from './action-lists.ts';
import {keyName} from './key-names.ts';
import {useApp, useLedge} from './use-ledge.ts';

/** `:` lists every action of the program with its key, by fuzzy search. */
export function Palette({
	query,
	cursor,
	columns,
	rows,
}: QueriedProps & {readonly cursor: number}): ReactElement {
	const app = useApp();
	const state = useLedge(state => state);
	const {here, dim, marks} = useTheme();
	const found = paletteRows(app.actions, state, query);
	return (
		<Box flexDirection="column" paddingLeft={1}>
			<Box height={1}>
				<Text {...here}> : </Text>
				<QueryField line={state.line} columns={columns - 8} placeholder="what to do" />
			</Box>
			<List
				count={found.length}
				cursor={cursor}
				height={found.length === 0 ? 0 : rows - 1}
				row={(index, isHere) => {
					const {action, reason} = found[index] ?? {};
					if (!action) return <Text> </Text>;
					const keys = action.keys.map(key => keyName(key, marks)).join(' ');
					const text = `${action.group.toLowerCase()}: ${action.title}${reason === undefined ? '' : ` (${reason})`}`;
					const look = reason === undefined ? (isHere ? here : {}) : dim;
					return (
						<Box width={columns - 3} justifyContent="space-between">
							<Text {...look} wrap="truncate">
								{isHere ? marks.here : ' '} {cutEnd(text, columns - keys.length - 8)}
							</Text>
							<Text {...dim} wrap="truncate">
								{keys}
							</Text>
						</Box>
					);
				}}
			/>
			{found.length === 0 && <Text {...dim}>{'   No such action.'}</Text>}
		</Box>
	);
}
