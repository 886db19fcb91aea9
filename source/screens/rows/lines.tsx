import {Box, Text} from 'ink';
import {memo, type ReactElement} from 'react';
import {drawLink, useTheme} from '../../components/theme.ts';
import {getThemeLooks} from './looks.ts';
import {type Row, sliceVisibleRows} from './rows.ts';

/** A row of the screen; the one under the cursor of a list is a bar, without looks of its own. */
export const RowLine = memo(
	({row, isCurrent = false}: {readonly row: Row; readonly isCurrent?: boolean}): ReactElement => {
		const theme = useTheme();
		const looks = getThemeLooks(theme);
		if (row.length === 0) return <Text> </Text>;
		const elements: ReactElement[] = [];
		for (const {text, look, isMatch = false, link} of row)
			elements.push(
				<Text key={elements.length} {...(isCurrent ? theme.cursorBar : looks[look])} inverse={isMatch}>
					{drawLink(theme, text, link)}
				</Text>,
			);
		return <Text wrap="truncate">{elements}</Text>;
	},
);

/** Rows keyed by index, so that scrolling reuses the lines on the screen. */
export function Rows({
	rows,
	margin = 0,
}: {
	readonly rows: readonly Row[];
	readonly margin?: number;
}): ReactElement {
	const lines: ReactElement[] = [];
	for (const row of rows) lines.push(<RowLine key={lines.length} row={row} />);
	return (
		<Box flexDirection="column" flexShrink={0} paddingLeft={margin}>
			{lines}
		</Box>
	);
}

/** The rows that fit, indented. If more follow, the last row counts them. */
export function ScrolledRows({
	rows,
	top,
	height,
	hint,
}: {
	readonly rows: readonly Row[];
	readonly top: number;
	readonly height: number;
	/** How to see more, after that count; without it, a mark takes the place of the count. */
	readonly hint?: string | undefined;
}): ReactElement {
	return (
		<Box flexDirection="column" height={height} flexShrink={0} overflow="hidden">
			<Rows rows={sliceVisibleRows(rows, height, top, hint)} margin={3} />
		</Box>
	);
}
