import {Box, Text} from 'ink';
import {type ReactElement, useMemo} from 'react';
import {List} from '../../components/list.tsx';
import {QueryField, type SearchDialogProps} from '../../components/query-field.tsx';
import {type Marks, useTheme} from '../../components/theme.ts';
import {measureColumns, toDrawable} from '../../text/columns.ts';
import {cutEnd, cutMiddle} from '../../text/cut.ts';
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
					const keys = formatPaletteKeys(row, {screens, context, marks, columns});
					const look = isCurrent ? cursorBar : isAvailable ? {} : dim;
					return (
						<Box width={columns} justifyContent="space-between">
							<Text {...look} wrap="truncate">
								{isCurrent ? marks.current : ' '}{' '}
								{formatPaletteRow(row, columns - keys.length - rowMarginColumns)}
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

/** Columns of a row beside its text and keys. */
const rowMarginColumns = 5;

/** Columns the group and title keep next to a long reason, and those of the group next to a long title. */
const [minNameColumns, minGroupColumns] = [34, 12];

/**
 * Formats a row with its group, then the choice it needs or why it is unavailable. The group is cut before the
 * title, which tells the actions of a group apart; a long title ends after one of its clauses.
 */
function formatPaletteRow(row: PaletteRow, columns: number): string {
	if (row.kind === 'jump') {
		const detail = row.detail === undefined ? '' : ` (${toDrawable(row.detail)})`;
		const noun = `go to ${row.noun}: `;
		const nameColumns = Math.max(minGroupColumns, columns - measureColumns(noun + detail));
		return cutEnd(`${noun}${cutMiddle(toDrawable(row.name), nameColumns)}${detail}`, columns);
	}
	const {action, reason, route} = row;
	const choice = route?.choice;
	const note = reason === undefined ? (choice === undefined ? '' : ` (choose ${choice})`) : ` (${reason})`;
	const room = Math.max(minNameColumns, columns - measureColumns(note));
	const ending = choice === undefined ? '' : '…';
	const name = shortenToClauses(action.title, room - minGroupColumns - measureColumns(`: ${ending}`));
	const title = `: ${name}${ending}`;
	const group = cutEnd(action.group.toLowerCase(), Math.max(minGroupColumns, room - measureColumns(title)));
	return cutEnd(`${group}${cutEnd(title, room - measureColumns(group))}${note}`, columns);
}

/** Returns as many clauses of a title as fit; the whole title if not even the first one does. */
function shortenToClauses(title: string, columns: number): string {
	const beginnings = [...title.matchAll(/[;:,] | \(/g)]
		.map(({index}) => title.slice(0, index))
		.filter(one => one.split('(').length === one.split(')').length);
	return [title, ...beginnings.toReversed()].find(beginning => measureColumns(beginning) <= columns) ?? title;
}

/** Formats the keys of an action if they work in the context: those that leave its title whole, at least one. */
function formatPaletteKeys(
	row: PaletteRow,
	{
		screens,
		context,
		marks,
		columns,
	}: {
		readonly screens: Screens;
		readonly context: InputContext;
		readonly marks: Marks;
		readonly columns: number;
	},
): string {
	if (row.kind === 'jump' || !isActionBound(row.action, context, screens)) return '';
	const {group, title, keys} = row.action;
	const room = columns - rowMarginColumns - measureColumns(`${group}: ${title}`);
	const names = keys.map(key => formatKeyName(key, marks));
	while (names.length > 1 && measureColumns(names.join(' ')) > room) names.pop();
	return names.join(' ');
}
