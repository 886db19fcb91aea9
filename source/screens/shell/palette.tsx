import {Box, Text} from 'ink';
import {type ReactElement, useMemo} from 'react';
import {List} from '../../components/list.tsx';
import {QueryField, type SearchDialogProps} from '../../components/query-field.tsx';
import {type Marks, useTheme} from '../../components/theme.ts';
import {measureColumns, toDrawable} from '../../text/columns.ts';
import {cutEnd} from '../../text/cut.ts';
import {getScreenContext, isActionBound} from './action.ts';
import {buildPaletteRows, type PaletteRow} from './action-lists.ts';
import type {InputContext} from './app.ts';
import {formatKeyName} from './key-names.ts';
import type {Screens} from './screen.ts';
import {useApp, useLedge} from './use-ledge.ts';

/** Lists every action with its key, and the places that match. */
export function Palette({
	query,
	cursor,
	columns,
	rows,
}: SearchDialogProps & {readonly cursor: number}): ReactElement {
	const app = useApp();
	const state = useLedge(state => state);
	const {current, cursorBar, dim, marks} = useTheme();
	const {screens} = state.navigation;
	const context = getScreenContext(state);
	const paletteRows = useMemo(() => buildPaletteRows(app.actions, state, query), [app, state, query]);
	return (
		<Box flexDirection="column">
			<Box height={1}>
				<Text {...current}> : </Text>
				<QueryField buffer={state.dialog.lineBuffer} columns={columns - 5} placeholder="search actions" />
			</Box>
			<List
				count={paletteRows.length}
				cursor={cursor}
				height={paletteRows.length === 0 ? 0 : rows - 1}
				renderRow={(index, isCurrent) => {
					const row = paletteRows[index];
					if (!row) return <Text> </Text>;
					const isAvailable = row.kind === 'jump' || row.reason === undefined;
					const keys = formatPaletteKeys(row, screens, context, marks);
					const look = isCurrent ? cursorBar : isAvailable ? {} : dim;
					return (
						<Box width={columns} justifyContent="space-between">
							<Text {...look} wrap="truncate">
								{isCurrent ? marks.current : ' '} {formatPaletteRow(row, columns - keys.length - 5)}
							</Text>
							<Text {...(isCurrent ? cursorBar : dim)} wrap="truncate">
								{keys}
							</Text>
						</Box>
					);
				}}
			/>
			{paletteRows.length === 0 && (
				<Text {...dim}>{'   No action matches. Try another word, or ctrl-u for all actions.'}</Text>
			)}
		</Box>
	);
}

/** Columns the group and title keep next to a long reason, and those of the group next to a long title. */
const [minNameColumns, minGroupColumns] = [44, 12];

/**
 * Formats a row with its group, then the choice it needs or why it is unavailable. The group is cut before the
 * title, which tells the actions of a group apart.
 */
function formatPaletteRow(row: PaletteRow, columns: number): string {
	if (row.kind === 'jump') {
		const detail = row.detail === undefined ? '' : ` (${toDrawable(row.detail)})`;
		return cutEnd(`go to ${row.noun}: ${toDrawable(row.name)}${detail}`, columns);
	}
	const {action, reason, route} = row;
	const choice = route?.choice;
	const note = reason === undefined ? (choice === undefined ? '' : ` (choose ${choice})`) : ` (${reason})`;
	const room = Math.max(minNameColumns, columns - measureColumns(note));
	const title = `: ${action.title}${choice === undefined ? '' : '…'}`;
	const group = cutEnd(action.group.toLowerCase(), Math.max(minGroupColumns, room - measureColumns(title)));
	return cutEnd(`${group}${cutEnd(title, room - measureColumns(group))}${note}`, columns);
}

/** Formats the keys of an action if they work in the context. */
function formatPaletteKeys(row: PaletteRow, screens: Screens, context: InputContext, marks: Marks): string {
	if (row.kind === 'jump' || !isActionBound(row.action, context, screens)) return '';
	return row.action.keys.map(key => formatKeyName(key, marks)).join(' ');
}
