import {Box, Text} from 'ink';
import {memo, type ReactElement, useRef} from 'react';
import {useTheme} from '../../components/theme.ts';
import {describeCompletion} from '../../firewall/expression/expressions.ts';
import {toDrawable} from '../../text/columns.ts';
import {cutEnd, fitText} from '../../text/cut.ts';
import {wrapText} from '../../text/wrap.ts';
import type {CompletionMenu} from './editing.ts';

/** Minimum rows for one note below the completions. */
const minRowsForNote = 4;
const minRowsForTwoNotes = 8;

/** The completions at the cursor, scrolled to the selected one, with its description below. */
export function Menu({
	completionMenu,
	columns,
	rows,
}: {
	readonly completionMenu: CompletionMenu | undefined;
	readonly columns: number;
	readonly rows: number;
}): ReactElement | null {
	const top = useRef(0);
	if (!completionMenu || rows <= 0) return <Box height={Math.max(0, rows)} />;
	const {items, cursor} = completionMenu;
	const notes = buildNotes(
		items[cursor],
		columns - 4,
		rows < minRowsForNote ? 0 : rows < minRowsForTwoNotes ? 1 : 2,
	);
	const height = Math.min(rows - notes.length, items.length);
	top.current = Math.min(
		Math.max(0, items.length - height),
		Math.max(cursor - height + 1, Math.min(top.current, cursor)),
	);
	const nameColumns = Math.min(Math.max(24, Math.floor(columns * 0.4)), columns - 30);
	const lines: ReactElement[] = [];
	for (const item of items.slice(top.current, top.current + height))
		lines.push(
			<MenuLine
				key={lines.length}
				name={fitText(toDrawable(item.text), nameColumns)}
				type={fitText(toDrawable(item.type ?? item.kind), 10)}
				about={cutEnd(toDrawable(item.about), columns - nameColumns - 18)}
				isCurrent={top.current + lines.length === cursor}
			/>,
		);
	return (
		<Box flexDirection="column" height={rows} overflow="hidden">
			{lines}
			{notes.map(text => (
				<NoteLine key={text} text={text} />
			))}
		</Box>
	);
}

/** Builds the description of a completion in at most `maxLines` lines; empty if its own line says everything. */
function buildNotes(
	item: CompletionMenu['items'][number] | undefined,
	columns: number,
	maxLines: number,
): readonly string[] {
	if (maxLines === 0 || (item?.kind !== 'field' && item?.kind !== 'function')) return [];
	const lines = wrapText(toDrawable(describeCompletion(item)), columns);
	const lastLine = lines[maxLines - 1];
	if (lines.length <= maxLines || lastLine === undefined) return lines;
	return [...lines.slice(0, maxLines - 1), cutEnd(`${lastLine} ${lines[maxLines]}`, columns)];
}

const NoteLine = memo(({text}: {readonly text: string}): ReactElement => {
	const {dim} = useTheme();
	return <Text {...dim} wrap="truncate">{`   ${text}`}</Text>;
});

const MenuLine = memo(
	({
		name,
		type,
		about,
		isCurrent,
	}: {
		readonly name: string;
		readonly type: string;
		readonly about: string;
		readonly isCurrent: boolean;
	}): ReactElement => {
		const {current, dim, marks} = useTheme();
		return (
			<Text wrap="truncate">
				<Text {...current}>{` ${isCurrent ? marks.current : ' '} `}</Text>
				<Text {...(isCurrent ? current : {})}>{name}</Text>
				<Text {...dim}>{`  ${type}  ${about}`}</Text>
			</Text>
		);
	},
);
